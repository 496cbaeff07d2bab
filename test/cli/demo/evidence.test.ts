import { describe, expect, it } from 'vitest';
import type { EventRow } from '../../../src/contract/snapshot';
import { handoverGapMs, type TurnEvidence, turnProblems } from '../../../src/demo/evidence';
import type { RecordedRequest } from '../../../src/demo/scripted-provider';

const expected = { lead: 'aurora/large', understudy: 'borealis/mini', text: 'Here.', retryAfterMs: 120_000 };

const asked = (model: string, at: number): RecordedRequest => ({
  at,
  respondedAt: at + 5,
  model,
  wire: 'openai-compatible',
  path: '/v1/chat/completions',
  headers: {},
  body: null,
  aborted: false,
});

const switched: EventRow = {
  id: 1,
  at: 0,
  code: 'switch.rate_limit',
  state: 'cooling',
  agent: 'build',
  session: 'ses_1',
  model: expected.lead,
  to: expected.understudy,
  kind: 'rate_limit',
  status: 429,
  until: 1_005 + 120_000,
  detail: null,
  durationMs: 2,
  trace: [],
};

const good: TurnEvidence = {
  events: [switched],
  requests: [asked('large', 1_000), asked('mini', 1_045)],
  answeredBy: expected.understudy,
  text: expected.text,
  users: 1,
};

describe('given the first turn of the demo', () => {
  it('when it went as it must, then nothing is wrong', () => {
    expect(turnProblems(good, expected)).toEqual([]);
  });

  it.each<[Partial<TurnEvidence>, string]>([
    [{ text: '' }, 'The answer was “”.'],
    [{ answeredBy: 'cirrus/pro' }, 'cirrus/pro answered, not borealis/mini.'],
    [{ users: 2 }, 'The transcript has 2 user messages, not one.'],
    [{ requests: [...good.requests, asked('large', 1_090)] }, 'aurora/large received 2 requests, not one.'],
    [{ requests: [...good.requests, asked('mini', 1_090)] }, 'borealis/mini received 2 requests, not one.'],
    [{ events: [] }, 'There were 0 switches, not one.'],
    [{ events: [switched, switched] }, 'There were 2 switches, not one.'],
    [
      { events: [{ ...switched, to: 'cirrus/pro' }] },
      'The switch was aurora/large → cirrus/pro, not aurora/large → borealis/mini.',
    ],
    [
      { events: [{ ...switched, kind: 'quota' }] },
      'The failure was classified as quota (429), not as rate_limit (429).',
    ],
    [
      { events: [{ ...switched, until: 300_000 }] },
      'The primary is not in cooldown for the 120 s that its provider requested.',
    ],
    [
      { events: [{ ...switched, until: null }] },
      'The primary is not in cooldown for the 120 s that its provider requested.',
    ],
  ])('when it is not as it must be: %j, then the reason is told', (change, problem) => {
    expect(turnProblems({ ...good, ...change }, expected)).toEqual([problem]);
  });

  it('when the understudy was never asked, then that and the missing time are told', () => {
    expect(turnProblems({ ...good, requests: [asked('large', 1_000)] }, expected)).toEqual([
      'borealis/mini received 0 requests, not one.',
      'The time between the two providers could not be measured.',
    ]);
  });
});

describe('given what the providers saw', () => {
  it('when another model is asked after the first, then the gap is from that response to that request', () => {
    expect(handoverGapMs(good.requests)).toBe(40);
  });

  it.each([[[]], [[asked('mini', 1)]], [[asked('mini', 1), asked('mini', 9)]]])(
    'when nobody took over, then there is no gap to tell',
    (requests) => {
      expect(handoverGapMs(requests)).toBeNull();
    },
  );
});
