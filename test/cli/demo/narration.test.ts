import { describe, expect, it } from 'vitest';
import type { EventRow } from '../../../src/contract/snapshot';
import {
  answeredLine,
  eventLines,
  measuredLine,
  milliseconds,
  type StoryLine,
  transcriptLine,
} from '../../../src/demo/narration';
import { BACK_AT, modelRow } from '../../support/rows';

const lead = 'aurora/aurora-large';
const understudy = 'borealis/swift-mini';
const around = { at: BACK_AT - 120_000, models: [modelRow({ model: lead, state: 'cooling', source: 'provider' })] };

function eventRow(change: Partial<EventRow>): EventRow {
  return {
    id: 7,
    at: 0,
    code: 'switch.rate_limit',
    state: 'cooling',
    agent: 'build',
    session: 'ses_1',
    model: lead,
    to: understudy,
    kind: 'rate_limit',
    status: 429,
    until: BACK_AT,
    detail: 'Slow down.',
    durationMs: 3.14,
    trace: [
      { model: lead, position: 0, verdict: 'failed', code: 'limit.rate_limit', state: 'cooling' },
      { model: understudy, position: 1, verdict: 'chosen', code: 'model.ready', state: 'ready' },
      { model: 'cirrus/cirrus-pro', position: 2, verdict: 'skipped', code: 'chain.later', state: 'unseen' },
    ],
    ...change,
  };
}

const told = (change: Partial<EventRow>): string[] => eventLines(eventRow(change), around).map(said);
const said = ({ label, text }: StoryLine): string => `${label} | ${text}`;

describe('given an event of the core', () => {
  it('when a turn has switched, then failure, class and hand-over are told with times, owner, place and duration', () => {
    expect(told({})).toEqual([
      'failed | aurora/aurora-large answered 429: “Slow down.”',
      'classified | rate_limit: cooling until 14:32:10, in 2 min, provider says',
      'switched | aurora/aurora-large → borealis/swift-mini, 2 of 3 in the chain, in 3.1 ms',
    ]);
  });

  it('when neither status, end nor duration are known, then none is made up', () => {
    const change = { kind: 'timeout', state: 'resting', status: null, until: null, detail: null } as const;
    expect(told({ ...change, code: 'switch.timeout', durationMs: null, trace: [] })).toEqual([
      'failed | aurora/aurora-large is not answering in time',
      'classified | timeout: resting',
      'switched | aurora/aurora-large → borealis/swift-mini',
    ]);
  });

  it('when the end of the cooldown is our own, then it is called an estimate', () => {
    const models = [modelRow({ model: lead, source: 'estimate' })];
    expect(eventLines(eventRow({}), { ...around, models })[1]?.text).toBe(
      'rate_limit: cooling until 14:32:10, in 2 min, our estimate',
    );
  });

  it('when a turn went straight to the understudy, then it says that the lead was not asked and why', () => {
    expect(told({ code: 'redirect.rate_limit', status: null, detail: null, durationMs: null })).toEqual([
      'skipped | aurora/aurora-large is skipped: cooling until 14:32:10, in 2 min, provider says',
      'redirected | aurora/aurora-large → borealis/swift-mini, 2 of 3 in the chain',
    ]);
  });

  it('when the agent is back on its lead, then it says so', () => {
    expect(told({ code: 'home.ready', model: lead, to: lead, state: 'ready' })).toEqual([
      'returned | build is back on aurora/aurora-large, its primary',
    ]);
  });

  it.each([
    [{ code: 'exhausted.rate_limit', to: null }, 'exhausted | all models of the chain are unavailable'],
    [{ code: 'pass.invalid_request', to: null }, 'stayed | on aurora/aurora-large'],
    [{ code: 'carry.failed', detail: 'too late' }, 'not moved | aurora/aurora-large → borealis/swift-mini: too late'],
  ] as const)('when it is %j, then the bad news are told: %s', (change, line) => {
    expect(told(change).at(-1)).toBe(line);
  });

  it.each(['turn.finished', 'config.loaded', 'instance.connected', 'model.cooling'])(
    'when it is %s, then other lines tell it',
    (code) => {
      expect(told({ code })).toEqual([]);
    },
  );
});

describe('given the end of a turn', () => {
  it('when it is told, then who answered, how long it took and what was asked are in words', () => {
    const lines = [answeredLine(understudy, 'Here.'), measuredLine(41.7)];
    const asked = [0, 1, 2].map((times) => transcriptLine(times + 1, { model: lead, asked: times }));
    expect([...lines, ...asked].map(said)).toEqual([
      'answered | borealis/swift-mini: “Here.”',
      "measured | 42 ms from the failed response to the next provider's request",
      'transcript | 1 user message; aurora/aurora-large was not called',
      'transcript | 2 user messages; aurora/aurora-large was called once',
      'transcript | 3 user messages; aurora/aurora-large was called 2 times',
    ]);
  });

  it('when a duration is short, then it keeps one decimal', () => {
    expect([0.04, 9.94, 12.5, 1_234.4].map(milliseconds)).toEqual(['0.0 ms', '9.9 ms', '13 ms', '1234 ms']);
  });
});
