import { describe, expect, it } from 'vitest';
import { LEAD, SECOND, stage } from './support/stage';

describe('given usage reports', () => {
  it('when one of three has no price, then the cost is exact and two thirds are priced', () => {
    const on = stage();
    const tokens = { input: 800, output: 400, reasoning: 100, cacheRead: 200, cacheWrite: 7 };
    for (const cost of [0.1, 0.2, null]) {
      on.tell({ type: 'usage.recorded', session: 's1', turn: 't1', model: LEAD, tokens, cost }, SECOND);
    }
    expect(on.report().overall).toMatchObject({
      tokens: { input: 2400, output: 1200, reasoning: 300, cacheRead: 600, cacheWrite: 21 },
      cost: { total: 0.3, perReport: 0.15, pricedShare: 2 / 3 },
    });
  });
});

describe('given answers that were empty, cut, continued or called tools with bad arguments', () => {
  it('when there are ten, then each flaw has its share', () => {
    const on = stage();
    const ends = [
      'empty_response',
      'early_termination',
      'stream_interrupted',
      ...Array.from({ length: 7 }, () => null),
    ] as const;
    on.prompt('t1', 0);
    ends.forEach((end, n) => {
      const where = { turn: 't1', session: 's1', directory: '/project', agent: 'build', model: LEAD } as const;
      on.tell({ type: 'attempt.started', attempt: `t1:${n}`, ...where, purpose: 'internal' }, n);
      if (end) on.fail(`t1:${n}`, end, n);
      else on.answer(`t1:${n}`, n);
    });
    on.tell({ type: 'answer.continued', session: 's1', turn: 't1', model: LEAD }, 20);
    on.tell({ type: 'tool.failed', session: 's1', turn: 't1', model: LEAD, reason: 'validation' }, 20);
    on.tell({ type: 'tool.failed', session: 's1', turn: 't1', model: LEAD, reason: 'execution' }, 20);
    const { quality, errors } = on.report().overall;
    expect(quality).toEqual({
      answers: 10,
      emptyShare: 0.1,
      cutShare: 0.2,
      continuedPerAnswer: 0.1,
      badArgumentsPerAnswer: 0.1,
      flawedShare: 0.5,
    });
    expect(errors).toEqual({ tool: 2, provider: 3 });
  });
});
