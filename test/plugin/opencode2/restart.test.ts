import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScriptedProvider, startScriptedProvider } from '../../../src/demo/scripted-provider';
import { healthPath } from '../../../src/node/data/health-file';
import { patiently } from '../../support/eventually';
import { skippedTime } from '../../support/opencode2';
import { type CaseOptions, openCase } from '../../support/opencode2/case';
import { freshCompanion, nextCompanion } from '../../support/opencode2/companion';
import { LEAD, LIMITED, OK } from '../../support/opencode2/promises';

let provider: ScriptedProvider;
beforeAll(async () => {
  provider = await startScriptedProvider();
});
afterAll(() => provider.close());

const LONG = { defaults: { cooldownMs: 60_000, restMs: 60_000 } };
const SILENT = { kind: 'hangAfterHeaders' } as const;

/** An OpenCode that is killed while the understudy of a session answers; the lead is out and everybody knows it. */
async function killedInTurn({ isChosen = false, ...options }: CaseOptions & { isChosen?: boolean } = {}) {
  const companion = await freshCompanion();
  const place = await openCase(provider, companion, { sleep: skippedTime().sleep, models: 3, ...LONG, ...options });
  const [lead, spare, other] = place.refs;
  if (!lead || !spare || !other) throw new Error('a chain of three has three models');
  provider.script(lead.id, [LIMITED, LEAD, LEAD]);
  provider.script(spare.id, [SILENT, OK, OK]);
  const seat = place.sit(isChosen ? { model: lead } : {});
  void seat.ask('one');
  await patiently(() => expect(place.asked()).toEqual([1, 1, 0]));
  await patiently(async () => expect(await readFile(healthPath(companion.home), 'utf8')).toContain(lead.id));
  await place.kill();
  const session = seat.state;
  expect(session.model).toEqual(spare);
  return { place, session, refs: { lead, spare, other } };
}

describe('given an OpenCode that is killed between a switch and the end of the turn', () => {
  it.each([
    ['nobody had chosen a model for', false],
    ['somebody had chosen the lead for', true],
  ])(
    'when it starts again with a session that %s, then the lead that is out is not asked, and the session is home after its turn',
    async (_, isChosen) => {
      const { place, session, refs } = await killedInTurn({ isChosen });
      const again = await place.again(await nextCompanion());
      const seat = again.sit({ session });
      expect([await seat.ask('two'), seat.said().at(-1)]).toEqual(['succeeded', 'UNDERSTUDY ANSWERS']);
      await again.until(() => session.model?.id === refs.lead.id);
      expect(place.asked()).toEqual([1, 2, 0]);
      await patiently(() => expect([...again.storage.keys()]).toEqual([]));
    },
  );

  it('when the lead is well by then, then it answers, and the session is home', async () => {
    const { place, session, refs } = await killedInTurn();
    // Another state home: nothing is known of any model.
    const again = await place.again(await freshCompanion());
    const seat = again.sit({ session });
    expect([await seat.ask('two'), seat.said().at(-1), session.model]).toEqual([
      'succeeded',
      'LEAD ANSWERS',
      refs.lead,
    ]);
    expect([place.asked(), [...again.storage.keys()]]).toEqual([[2, 1, 0], []]);
  });

  it.each(['before it starts again', 'after it has started again'])(
    'when a person picks a model %s, then that one answers, and stays',
    async (when) => {
      const { place, session, refs } = await killedInTurn();
      provider.script(refs.other.id, [{ kind: 'text', text: 'PICKED ANSWERS' }]);
      // No plugin hears of what happens in between.
      if (when.startsWith('before')) session.model = refs.other;
      const again = await place.again(await nextCompanion());
      const seat = again.sit({ session });
      if (when.startsWith('after')) seat.select(refs.other);
      expect([await seat.ask('two'), seat.said().at(-1)]).toEqual(['succeeded', 'PICKED ANSWERS']);
      await again.settled();
      expect([session.model, place.asked()]).toEqual([refs.other, [1, 1, 1]]);
      await patiently(() => expect([...again.storage.keys()]).toEqual([]));
    },
  );

  it('when it is asked for a summary before any message, then the session is home with the next one', async () => {
    const { place, session, refs } = await killedInTurn();
    const again = await place.again(await nextCompanion());
    const seat = again.sit({ session });
    expect(await seat.compact()).toBe('UNDERSTUDY ANSWERS');
    await seat.ask('two');
    await again.until(() => session.model?.id === refs.lead.id);
    expect(place.asked()).toEqual([1, 3, 0]);
  });
});
