import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScriptedProvider, startScriptedProvider } from '../../../src/cli/demo/scripted-provider';
import { skippedTime } from '../../support/opencode2';
import { openCase } from '../../support/opencode2/case';
import { freshCompanion } from '../../support/opencode2/companion';
import { LIMITED } from '../../support/opencode2/promises';

let provider: ScriptedProvider;
beforeAll(async () => {
  provider = await startScriptedProvider();
});
afterAll(() => provider.close());

describe('given a location that ends while a turn is away from its lead', () => {
  it('when its plugins are gone, then the session has its own model: who comes next would not know it', async () => {
    const place = await openCase(provider, await freshCompanion(), { sleep: skippedTime().sleep });
    const [lead, spare] = place.refs;
    provider.script(place.ids[0] ?? '', [LIMITED]);
    provider.script(place.ids[1] ?? '', [{ kind: 'hang' }]);
    const seat = place.sit(lead ? { model: lead } : {});
    const ended = seat.ask('go');
    await provider.waitForRequest(({ model }) => model === place.ids[1]);
    expect(seat.state.model).toEqual(spare);
    await place.close();
    expect(seat.state.model).toEqual(lead);
    seat.stop();
    expect(await ended).toBe('interrupted');
  });
});
