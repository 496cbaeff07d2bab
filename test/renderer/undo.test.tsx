import { describe, expect, it } from 'vitest';
import type { PersonAct } from '../../src/contract/acts';
import type { Snapshot } from '../../src/contract/snapshot';
import { undoOf } from '../../src/renderer/app/undo';
import { emptySnapshot, sampleSnapshot } from '../support/sample-snapshot';

const MODEL = 'openai/gpt-5';
const AGENT = { directory: '/shop', agent: 'plan' };
const { at } = emptySnapshot();
const MINUTE_MS = 60_000;
const held = (until: number | null): Partial<Snapshot> => ({
  models: sampleSnapshot().models.map((row) => ({
    ...row,
    hold: row.model === MODEL ? ({ state: 'closed', until, since: 0, by: 'panel' } as const) : null,
  })),
});
const pinned = (until: number | null): Partial<Snapshot> => ({
  pins: [{ ...AGENT, model: MODEL, until, since: 0, by: 'panel' }],
});
const paused = (until: number | null): Partial<Snapshot> => ({ pause: { until, since: 0, by: 'panel' } });

const hold = (state: 'open' | 'closed' | null, forMs: number | null): PersonAct => ({
  type: 'health.held',
  model: MODEL,
  state,
  forMs,
});
const pin = (model: string | null, forMs: number | null): PersonAct => ({
  type: 'agent.pinned',
  ...AGENT,
  model,
  forMs,
});
const pause = (forMs: number | null): PersonAct => ({ type: 'switching.paused', forMs });

describe('given an act of a person, and what was so before it', () => {
  it.each<[act: PersonAct, before: Partial<Snapshot>, undo: PersonAct | null]>([
    [{ type: 'health.isolated', model: MODEL }, {}, { type: 'health.released', model: MODEL }],
    [{ type: 'health.released', model: MODEL }, {}, { type: 'health.isolated', model: MODEL }],
    [hold('open', 5), {}, hold(null, null)],
    [hold('open', 5), held(at + MINUTE_MS), hold('closed', MINUTE_MS)],
    [hold(null, null), held(at + MINUTE_MS), hold('closed', MINUTE_MS)],
    [hold(null, null), held(null), hold('closed', null)],
    [hold(null, null), held(at), null],
    [pin(null, null), pinned(at + MINUTE_MS), pin(MODEL, MINUTE_MS)],
    [pin('google/gemini-3-pro', 5), pinned(null), pin(MODEL, null)],
    [pin(MODEL, 5), {}, pin(null, null)],
    [pause(5), {}, { type: 'switching.resumed' }],
    [{ type: 'switching.resumed' }, paused(at + MINUTE_MS), pause(MINUTE_MS)],
    [{ type: 'switching.resumed' }, paused(null), pause(null)],
    [{ type: 'question.answered', question: 'q', yes: true }, {}, null],
    [{ type: 'speaker.retried', session: 's', agent: null }, {}, null],
  ])('when %j is taken back after %j, then it is as it was', (act, before, undo) => {
    expect(undoOf(act, { ...emptySnapshot(), ...before })).toEqual(undo);
  });
});
