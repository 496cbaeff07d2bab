import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScriptedProvider, startScriptedProvider } from '../../../src/demo/scripted-provider';
import { type Knobs, skippedTime } from '../../support/opencode2';
import { openCase } from '../../support/opencode2/case';
import { freshCompanion, heardLog } from '../../support/opencode2/companion';
import { LEAD, OK, status } from '../../support/opencode2/promises';

let provider: ScriptedProvider;
beforeAll(async () => {
  provider = await startScriptedProvider();
});
afterAll(() => provider.close());

const RENAMED: Knobs['shape'] = (_, event) => ({ session: { id: 'x' }, payload: event });
const EMPTY: Knobs['shape'] = () => ({});

/** A host that is not as assumed, a lead that fails once, and what a person sees of two turns. */
async function twoTurns(knobs: Partial<Knobs>, code = 503) {
  const lines = heardLog();
  const place = await openCase(provider, await freshCompanion(), { sleep: skippedTime().sleep, knobs });
  provider.script(place.ids[0] ?? '', [status(code), LEAD]);
  provider.script(place.ids[1] ?? '', [OK]);
  const seat = place.sit();
  const first = await seat.ask('one');
  await place.settled();
  const second = await seat.ask('two');
  await place.settled();
  return { place, seat, lines, ends: [first, second], asked: place.asked() };
}

describe('given an OpenCode 2 that is not as its documents say', () => {
  it.each<readonly [string, Partial<Knobs>]>([
    ['the retry hook never hears of a 503', { hidesFromRetry: ({ status: code }) => code === 503 }],
    ['hooks are handed other fields', { shape: RENAMED }],
    ['hooks are handed nothing', { shape: EMPTY }],
    ['models are not listed', { hasModelList: false }],
    ['there are no events', { hasEvents: false }],
    ['every hook is called twice', { hookCalls: 2 }],
    ['another request is not taken', { takesRequest: false }],
    ['another response is not taken', { response: 'ignored' }],
    ['a response cannot be set', { response: 'frozen' }],
  ])('when %s, then both turns end well and nobody is asked in a loop', async (_, knobs) => {
    const { ends, asked } = await twoTurns(knobs);
    expect(ends).toEqual(['succeeded', 'succeeded']);
    expect(asked.reduce((sum, times) => sum + times, 0)).toBeLessThanOrEqual(4);
  });

  it('when sessions ask their agent’s own model, then that is learnt from the first, and the next is moved before it asks', async () => {
    const place = await openCase(provider, await freshCompanion(), {
      models: 3,
      sleep: skippedTime().sleep,
      knobs: { heedsAgentModel: true },
      agentModels: { helper: 1 },
      defaults: { cooldownMs: 60_000, restMs: 60_000 },
      config: (chain) => ({ agents: { '*': { fallbackModels: [chain[2]] } } }),
    });
    provider.script(place.ids[1] ?? '', [LEAD, status(503)]);
    provider.script(place.ids[2] ?? '', [OK, OK]);
    const ends = [];
    for (const text of ['one', 'two', 'three']) ends.push(await place.sit({ agent: 'helper' }).ask(text));
    // The first shows it; the second fails; the third does not ask a model that is out.
    expect([ends, place.asked()]).toEqual([
      ['succeeded', 'succeeded', 'succeeded'],
      [0, 2, 2],
    ]);
  });

  it.each<readonly [string, Partial<Knobs>]>([
    ['a retry goes to the model the step began with', { resolvesOnRetry: false }],
    ['a switch is refused', { switchModel: 'rejects' }],
    ['a switch changes nothing', { switchModel: 'ignores' }],
  ])('when %s, then it is said once, the lead answers itself, and the session is as it was', async (_, knobs) => {
    const { seat, lines, ends, asked } = await twoTurns(knobs);
    expect([ends, seat.said(), asked]).toEqual([
      ['succeeded', 'succeeded'],
      ['LEAD ANSWERS', 'LEAD ANSWERS'],
      [3, 0],
    ]);
    // That a machine which is kept busy reads slowly is true as well, and said beside it.
    const warned = lines.filter((line) => line.startsWith('warn:') && !line.includes('project are slow to read'));
    expect(warned).toEqual([
      expect.stringMatching(/^warn: Understudy: OpenCode 2\.0\.15 does not support moving a turn: for a day [^.]+\.$/),
    ]);
  });
});
