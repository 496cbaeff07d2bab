import { describe, expect, it } from 'vitest';
import { FAILURE_KINDS } from '../../../src/engine/base/kinds';
import { cellsIn, TOOL_REASONS, type ToolReason } from '../../../src/engine/scorecard';
import { LEAD, OTHER, SECOND, stage } from './support/stage';

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

/** Ten answers of the lead, of which one was empty and two were cut, in an OpenCode that tells of flaws or not. */
function tenAnswers(tellsFlaws: boolean, on = stage(), turn = 't1') {
  const ends = [
    'empty_response',
    'early_termination',
    'stream_interrupted',
    ...Array.from({ length: 7 }, () => null),
  ] as const;
  on.prompt(turn, 0);
  ends.forEach((end, n) => {
    const where = { turn, session: 's1', directory: '/project', agent: 'build', model: LEAD } as const;
    const heard = tellsFlaws ? ({ tellsFlaws } as const) : {};
    on.tell({ type: 'attempt.started', attempt: `${turn}:${n}`, ...where, purpose: 'internal', ...heard }, n);
    if (end) on.fail(`${turn}:${n}`, end, n);
    else on.answer(`${turn}:${n}`, n);
  });
  return on;
}
const CONTINUED = { type: 'answer.continued', session: 's1', turn: 't1', model: LEAD } as const;
const toolFailed = (reason: ToolReason, isRepeated = false) =>
  ({ type: 'tool.failed', session: 's1', turn: 't1', model: LEAD, reason, isRepeated }) as const;

describe('given an OpenCode that tells of flaws, and ten answers', () => {
  it('when some were empty, cut, continued or called tools with bad arguments, then each flaw has its share', () => {
    const on = tenAnswers(true);
    on.tell(CONTINUED, 20);
    on.tell(toolFailed('validation'), 20);
    on.tell(toolFailed('execution'), 20);
    const { quality, errors } = on.report().overall;
    expect(quality).toEqual({
      answers: 10,
      emptyShare: 0.1,
      cutShare: 0.2,
      continued: 1,
      continuedPerAnswer: 0.1,
      badArgumentsPerAnswer: 0.1,
      flawedShare: 0.5,
    });
    const toolReasons = { validation: 1, permission: 0, not_found: 0, timeout: 0, execution: 1 };
    expect(errors).toEqual({ tool: 2, toolReasons, toolRepeats: 0, provider: 3 });
  });

  it('when tools failed for every reason, and one of them again, then each reason has its count', () => {
    const on = tenAnswers(true);
    for (const reason of TOOL_REASONS) on.tell(toolFailed(reason), 20);
    on.tell(toolFailed('execution', true), 21);
    const toolReasons = { validation: 1, permission: 1, not_found: 1, timeout: 1, execution: 2 };
    expect(on.report().overall.errors).toEqual({ tool: 6, toolReasons, toolRepeats: 1, provider: 3 });
  });

  it('when one of five failures is like the one before of its provider, then one is counted; for none there is no figure', () => {
    const on = tenAnswers(true);
    const where = { turn: 't1', session: 's1', directory: '/project', agent: 'build', model: LEAD } as const;
    for (const attempt of ['t1:y', 't1:z']) {
      on.tell({ type: 'attempt.started', attempt, ...where, purpose: 'internal' }, 30);
      on.fail(attempt, 'empty_response', 30);
    }
    expect(on.report().overall.errors).toMatchObject({ provider: 5, providerRepeats: 1 });
    expect(tenAnswers(true).report().overall.errors).not.toHaveProperty('providerRepeats');
  });

  it('when nothing of the kind was told, then the figures are 0', () => {
    const { quality, errors } = tenAnswers(true).report().overall;
    expect(quality).toMatchObject({ continuedPerAnswer: 0, badArgumentsPerAnswer: 0, flawedShare: 0.3 });
    expect(errors).toMatchObject({ tool: 0, toolReasons: { validation: 0 }, toolRepeats: 0 });
  });

  it('when another model was asked where nobody tells, then that one has no figures', () => {
    const on = tenAnswers(true);
    on.start('t1:x', OTHER, 30);
    on.answer('t1:x', 30);
    const row = on.report().models.find(({ model }) => model === OTHER);
    expect(row).toMatchObject({ quality: { answers: 1, flawedShare: null }, errors: { tool: null } });
  });

  it('when its first tool fails before its first answer has ended, then that is counted', () => {
    const on = stage();
    on.start('t1:1', LEAD, 0, 's1', { tellsFlaws: true });
    on.tell(toolFailed('timeout'), 1);
    expect(on.report().overall.errors).toMatchObject({ tool: 1, toolReasons: { timeout: 1 } });
  });
});

describe('given an OpenCode that does not tell of flaws, and ten answers', () => {
  const NOTHING_TOLD = {
    quality: { answers: 10, emptyShare: 0.1, cutShare: 0.2, continued: null, continuedPerAnswer: null },
    errors: { tool: null, toolReasons: null, toolRepeats: null, provider: 3 },
  };

  it('when they are counted, then what nobody told has no figure, and what is known has one', () => {
    const { overall } = tenAnswers(false).report();
    expect(overall).toMatchObject(NOTHING_TOLD);
    expect(overall.quality.flawedShare).toBeNull();
  });

  it('when one that tells has ten more, of which one is continued, then it is one in ten', () => {
    const on = tenAnswers(true, tenAnswers(false), 't2');
    on.tell(CONTINUED, 32);
    expect(on.report().overall.quality).toMatchObject({
      answers: 20,
      continuedPerAnswer: 0.1,
      badArgumentsPerAnswer: 0,
      flawedShare: 0.4,
    });
  });
});

describe('given figures that were stored before flaws were told', () => {
  it('when they are read, then failures by kind stand where they stood', () => {
    const on = tenAnswers(true);
    const [row] = cellsIn(on.card(), null) ?? [];
    const places = row?.cell.sums.filter((_, at) => at % 2 === 0);
    for (const kind of ['empty_response', 'early_termination', 'stream_interrupted'] as const)
      expect(places).toContain(42 + FAILURE_KINDS.indexOf(kind));
  });
});
