import { describe, expect, it } from 'vitest';
import { config, type EvidenceName, LEAD, MINUTE, OTHER, SECOND, type Stage, stage, UNDERSTUDY } from './support/stage';

/** Requests of OpenCode's own: they never switch, so that each model gets exactly the results that are named. */
function results(on: Stage, model: string, answered: number, failed: number, how: EvidenceName = 'server_error'): void {
  for (let n = 0; n < answered + failed; n++) {
    const attempt = `${model} ${how}:${n}`;
    const where = { session: 's9', directory: '/project', agent: 'build', model, purpose: 'internal' } as const;
    on.tell({ type: 'attempt.started', attempt, turn: `${model} ${how}`, ...where }, n * SECOND);
    if (n < answered) on.answer(attempt, n * SECOND);
    else on.fail(attempt, how, n * SECOND);
  }
}

/** One switch from the lead to a model, as a chain of the two makes it. */
function switchedTo(on: Stage, turn: string, at = 0): void {
  on.prompt(turn, at);
  on.start(`${turn}:1`, LEAD, at);
  on.fail(`${turn}:1`, 'server_error', at);
}

/** Opens the lead's breaker that often; a person closes it each time. */
function trips(on: Stage, times: number): void {
  for (let trip = 0; trip < times; trip++) {
    for (let n = 0; n < 3; n++) {
      const turn = `t${trip}-${n}`;
      const at = trip * 200 * MINUTE + n * 2 * MINUTE;
      on.prompt(turn, at);
      on.start(`${turn}:1`, LEAD, at);
      on.fail(`${turn}:1`, 'server_error', at);
      on.idle(at);
    }
    on.tell({ type: 'health.reset', target: { all: true }, actor: 'person' }, trip * 200 * MINUTE + 10 * MINUTE);
  }
}

describe('given an understudy that does better than its lead', () => {
  it('when 38 of 40 stand against 8 of 40 and the bounds are apart, then it is to stand above, with evidence', () => {
    const on = stage({}, config([LEAD, OTHER]));
    switchedTo(on, 't1');
    results(on, LEAD, 8, 31);
    results(on, OTHER, 38, 2);
    expect(on.report().advice[0]).toMatchObject({
      code: 'chain.reorder',
      model: OTHER,
      above: LEAD,
      rate: { value: 0.95, n: 40 },
      aboveRate: { value: 0.2, n: 40 },
      n: 80,
      confidence: 'high',
    });
  });

  it('when one side has only twelve results, then the confidence is that of the smaller sample', () => {
    const on = stage({}, config([LEAD, OTHER]));
    switchedTo(on, 't1');
    results(on, LEAD, 4, 35);
    results(on, OTHER, 12, 0);
    expect(on.report().advice[0]).toMatchObject({ code: 'chain.reorder', n: 52, confidence: 'medium' });
  });

  it('when the bounds overlap, then there is no advice', () => {
    const on = stage({}, config([LEAD, OTHER]));
    switchedTo(on, 't1');
    results(on, LEAD, 5, 2);
    results(on, OTHER, 8, 0);
    expect(on.report().advice).toEqual([]);
  });

  it('when it was asked only four times, then that is too few, however good they were', () => {
    const on = stage({}, config([LEAD, OTHER]));
    switchedTo(on, 't1');
    results(on, LEAD, 0, 39);
    results(on, OTHER, 4, 0);
    expect(on.report().advice.map(({ code }) => code)).not.toContain('chain.reorder');
  });

  it('when the lead’s breaker opened three times as well, then the new order is the one advice', () => {
    const on = stage({}, config([LEAD, OTHER]));
    trips(on, 3);
    results(on, OTHER, 9, 0);
    expect(on.report().advice.map(({ code, n }) => [code, n])).toEqual([['chain.reorder', 18]]);
  });

  it('when it never stepped in for it, then nothing says that it stands below, and there is no such advice', () => {
    const on = stage();
    results(on, LEAD, 1, 39);
    results(on, OTHER, 40, 0);
    expect(on.report().advice.map(({ code }) => code)).not.toContain('chain.reorder');
  });
});

describe('given a provider that rejects its key', () => {
  const on = stage({}, config([LEAD, OTHER]));
  results(on, LEAD, 0, 5, 'auth');
  results(on, UNDERSTUDY, 0, 6, 'auth');
  results(on, OTHER, 20, 0);

  it('when it did so eleven times on two models, then that is the only advice: its low success needs no second one', () => {
    expect(on.report().advice).toEqual([{ code: 'key.rejected', provider: 'acme', n: 11, confidence: 'medium' }]);
  });

  it('when it did so twice, then it is no pattern', () => {
    const few = stage();
    results(few, LEAD, 0, 2, 'auth');
    expect(few.report().advice).toEqual([]);
  });
});

describe('given failures that share a provider', () => {
  it('when two of its models fail and another provider is clearly better, then prefer that one', () => {
    const on = stage();
    results(on, LEAD, 2, 10);
    results(on, UNDERSTUDY, 2, 10);
    results(on, OTHER, 28, 2);
    expect(on.report().advice[0]).toMatchObject({
      code: 'provider.prefer',
      provider: 'globex',
      over: 'acme',
      models: 2,
      share: 20 / 22,
      n: 20,
      confidence: 'medium',
    });
  });

  it('when only one of its models fails, then the provider is not the trouble', () => {
    const on = stage();
    results(on, LEAD, 2, 20);
    results(on, OTHER, 28, 2);
    expect(on.report().advice.map(({ code }) => code)).not.toContain('provider.prefer');
  });
});

describe('given a breaker', () => {
  it('when it opened three times, then that is advice; two are not', () => {
    const codes = [2, 3].map((times) => {
      const on = stage({}, config([LEAD]));
      trips(on, times);
      return on.report().advice.map(({ code, n }) => [code, n]);
    });
    expect(codes).toEqual([[], [['breaker.often', 3]]]);
  });
});

describe('given more causes than three', () => {
  it('when advice is read, then there are three, the most certain cause first, and twice the same', () => {
    const on = stage({}, config(['a/lead', 'b/next']));
    for (const provider of ['p1', 'p2', 'p3']) results(on, `${provider}/model`, 0, provider === 'p2' ? 9 : 4, 'auth');
    results(on, 'q/gone', 0, 5, 'model_not_found');
    const { advice } = on.report();
    expect(advice.map((one) => [one.code, 'provider' in one ? one.provider : '', one.n])).toEqual([
      ['key.rejected', 'p2', 9],
      ['key.rejected', 'p1', 4],
      ['key.rejected', 'p3', 4],
    ]);
    expect(on.report().advice).toEqual(advice);
  });
});

describe('given models to rank', () => {
  it('when their bounds differ, then the lower bound decides: 40 of 40 stands before 3 of 3, and no data is last', () => {
    const on = stage();
    results(on, LEAD, 3, 0);
    results(on, OTHER, 40, 0);
    on.tell({ type: 'answer.continued', session: 's1', turn: 't', model: 'z/unasked' }, 0);
    expect(on.report().models.map(({ model }) => model)).toEqual([OTHER, LEAD, 'z/unasked']);
  });

  it('when the bounds are equal, then p50 decides, then the cost of a report, then the name', () => {
    const on = stage();
    const answers = [
      ['p/a-dear', 50, 2],
      ['p/b-cheap', 50, 1],
      ['p/fast', 40, 9],
      ['p/unpriced-b', 50, null],
      ['p/unpriced-a', 50, null],
    ] as const;
    for (const [model, ms, cost] of answers) {
      const where = { turn: model, session: 's9', directory: '/project', agent: 'build', model } as const;
      on.tell({ type: 'attempt.started', attempt: `${model}:1`, ...where, purpose: 'internal' }, 0);
      on.answer(`${model}:1`, ms, ms);
      const tokens = { input: 1, output: 1, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
      on.tell({ type: 'usage.recorded', session: 's9', turn: model, model, tokens, cost }, ms);
    }
    const order = on.report().models.map(({ model }) => model);
    expect(order).toEqual(['p/fast', 'p/b-cheap', 'p/a-dear', 'p/unpriced-a', 'p/unpriced-b']);
  });
});
