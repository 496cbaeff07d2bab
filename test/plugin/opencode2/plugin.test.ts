import { EventEmitter, once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScriptedProvider, startScriptedProvider } from '../../../src/demo/scripted-provider';
import type { PluginContext } from '../../../src/plugin/opencode2/session/types';
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

describe('given a location that ends while a request is built that its engine has refused', () => {
  it('when it comes by, then it does not leave for want of somebody who holds it', async () => {
    const companion = await freshCompanion();
    const built = new EventEmitter();
    const isBegun = once(built, 'begin');
    const slow = {
      ...companion,
      async setup(context: PluginContext) {
        const end = await companion.setup(context);
        await context.session?.hook('model.request', async ({ kind }) => {
          if (kind !== 'primary') return;
          const isEnded = once(built, 'end');
          built.emit('begin');
          await isEnded;
        });
        return end;
      },
    };
    // Of models that the project alone gives a price, none is asked while a budget holds.
    const config = { budget: { day: 5, action: 'stop' } };
    const place = await openCase(provider, slow, { config, sleep: skippedTime().sleep });
    const priced = place.refs.map(({ providerID, id }) => [
      providerID,
      { models: { [id]: { cost: { input: 1, output: 1 } } } },
    ]);
    await writeFile(join(place.directory, 'opencode.json'), JSON.stringify({ provider: Object.fromEntries(priced) }));
    const ended = place.sit().ask('go');
    await isBegun;
    const closed = place.close();
    built.emit('end');
    await Promise.all([closed, ended]);
    expect(place.asked()).toEqual([0, 0]);
  });
});
