import { describe, expect, it } from 'vitest';
import { PRESETS } from '../../../src/engine/policy/presets';
import { emptyScorecard, record, scorecardOf } from '../../../src/engine/scorecard';
import { answeredTurn, config, LEAD, MINUTE, OTHER, SECOND, stage, UNDERSTUDY } from './support/stage';

const UNSUPPORTED = { phase: 'body', status: 400, message: 'this model does not support image input' } as const;
const rowOf = (on: ReturnType<typeof stage>, model: string) => on.report().models.find((row) => row.model === model);

describe('given no events', () => {
  it('when the report is read, then every rate and time is null, and every count is zero', () => {
    const { overall, models, advice, alert, keptSinceMs } = stage().report();
    expect({ models, advice, alert, keptSinceMs }).toEqual({ models: [], advice: [], alert: null, keptSinceMs: null });
    expect(overall).toMatchObject({
      totalCalls: 0,
      successRate: { value: null, lower: null, upper: null, n: 0 },
      avgResponseTimeMs: null,
      p50Ms: null,
      cost: { total: null, perReport: null, pricedShare: null },
      availability: { withFallback: { value: null }, withoutFallback: { value: null } },
      quality: { emptyShare: null, flawedShare: null },
    });
  });
});

describe('given attempts of every outcome', () => {
  const on = stage({ slowOverMs: 5_000 });
  on.prompt('t1', 0);
  for (let at = 0; at < 7; at++) {
    const attempt = `t1:${at}`;
    on.tell(
      {
        type: 'attempt.started',
        attempt,
        turn: 't1',
        session: 's1',
        directory: '/project',
        agent: 'build',
        model: LEAD,
        purpose: 'internal',
      },
      at * SECOND,
    );
  }
  on.answer('t1:0', 10 * SECOND, 5_000, 80);
  on.answer('t1:1', 10 * SECOND, 5_001, 90);
  on.fail('t1:2', 'server_error', 10 * SECOND);
  on.fail('t1:3', 'rate_limit', 10 * SECOND);
  on.fail('t1:4', 'invalid_request', 10 * SECOND);
  on.tell({ type: 'attempt.aborted', attempt: 't1:5' }, 10 * SECOND);

  it('when they are counted, then each is in exactly one place', () => {
    expect(on.report().overall).toMatchObject({
      totalCalls: 7,
      outcomes: { success: 1, slow: 1, failure: 1, limited: 1, neutral: 2, inFlight: 1 },
      successes: 2,
      failures: 2,
      successRate: { value: 0.5, n: 4 },
      failureReasons: { rate_limit: 1, server_error: 1, invalid_request: 1, aborted: 1 },
    });
  });

  it('when they were OpenCode’s own, then no turn has lost time by them', () => {
    expect(on.report().overall.time.lostMs).toBe(0);
  });

  it('when an answer takes exactly the threshold, then it is a success; 1 ms more is slow', () => {
    expect(on.report().overall.outcomes).toMatchObject({ success: 1, slow: 1 });
  });

  it('when the times are read, then mean and percentiles are those of the two answers', () => {
    const { avgResponseTimeMs, p50Ms, firstToken } = on.report().overall;
    expect(avgResponseTimeMs).toBe(5_000.5);
    expect(Math.abs((p50Ms ?? 0) - 5_000)).toBeLessThanOrEqual(50);
    expect(firstToken).toEqual({ p50Ms: 80, p95Ms: 90 });
  });

  it('when results come twice or of nobody, then nothing changes', () => {
    const before = on.report();
    on.answer('t1:0', 11 * SECOND);
    on.fail('t1:2', 'rate_limit', 11 * SECOND);
    on.answer('nobody:1', 11 * SECOND);
    expect(on.report()).toEqual(before);
  });

  it('when the session comes to rest, then the one without an answer is neutral, and said to be abandoned', () => {
    on.idle(12 * SECOND);
    expect(on.report().overall).toMatchObject({ outcomes: { neutral: 3, inFlight: 0 }, abandoned: 1 });
  });
});

describe('given a turn that called a tool and whose next request never got an answer', () => {
  it('when its session comes to rest, then the turn was not answered, nor did it fail', () => {
    const on = stage();
    on.prompt('t1', 0);
    on.start('t1:1', LEAD, 0);
    on.answer('t1:1', SECOND);
    on.start('t1:2', LEAD, 2 * SECOND);
    on.idle(MINUTE);
    expect(on.report().overall).toMatchObject({
      outcomes: { success: 1, neutral: 1, inFlight: 0 },
      turns: { total: 1, open: 0, answered: 0, failed: 0, neutral: 1, firstTry: 0 },
      abandoned: 1,
    });
  });
});

describe('given a lead that answers with 429 and an understudy that finishes', () => {
  const on = stage();
  answeredTurn(on, 't1', 0);
  on.prompt('t2', MINUTE);
  on.start('t2:1', LEAD, MINUTE);
  on.fail('t2:1', 'rate_limit', MINUTE + 500, 500);
  on.start('t2:2', UNDERSTUDY, MINUTE + 500);
  on.answer('t2:2', MINUTE + 2_500, 2_000);
  on.idle(MINUTE + 3_000);

  it('when the turns are counted, then one was saved and both were answered', () => {
    expect(on.report().overall.turns).toMatchObject({
      total: 2,
      open: 0,
      answered: 2,
      failed: 0,
      firstTry: 1,
      firstTryRate: 0.5,
      byLead: 1,
      saved: 1,
      spared: 0,
      rescues: 1,
    });
  });

  it('when availability is read, then it is 1 with fallback and a half without', () => {
    const { withFallback, withoutFallback } = on.report().overall.availability;
    expect([withFallback.value, withoutFallback.value, withoutFallback.n]).toEqual([1, 0.5, 2]);
  });

  it('when the models are read, then the switch is on both sides', () => {
    expect(rowOf(on, LEAD)).toMatchObject({ fallbacksOut: 1, fallbacksIn: 0, totalCalls: 2, turns: { rescues: 0 } });
    expect(rowOf(on, UNDERSTUDY)).toMatchObject({
      fallbacksOut: 0,
      fallbacksIn: 1,
      totalCalls: 1,
      turns: { rescues: 1 },
    });
    expect(on.report().switches).toEqual([{ from: LEAD, to: UNDERSTUDY, count: 1 }]);
  });

  it('when a second turn finds the lead cooling, then it is spared, not saved', () => {
    on.prompt('t3', 2 * MINUTE);
    on.start('t3:1', UNDERSTUDY, 2 * MINUTE);
    on.answer('t3:1', 2 * MINUTE + SECOND);
    on.idle(2 * MINUTE + SECOND);
    expect(on.report().overall.turns).toMatchObject({ answered: 3, saved: 1, spared: 1, byLead: 1, firstTry: 2 });
  });
});

describe('given a short hint', () => {
  it('when the engine waits for it and the lead then answers, then it is a retry by the lead, and the wait is time lost', () => {
    const on = stage();
    on.prompt('t1', 0);
    on.start('t1:1', LEAD, 0);
    on.fail('t1:1', { phase: 'body', status: 429, headers: { 'retry-after-ms': '2000' } }, 100, 100);
    on.start('t1:2', LEAD, 2_100);
    on.answer('t1:2', 3_000, 900);
    on.idle(3_000);
    expect(rowOf(on, LEAD)).toMatchObject({
      retries: 1,
      fallbacksOut: 0,
      time: { lostMs: 2_100, savedMs: 0 },
      turns: { byLead: 1, saved: 0, firstTry: 0 },
    });
    expect(rowOf(on, LEAD)?.waits).toMatchObject({ count: 1, totalMs: 2_000 });
  });
});

describe('given a chain of which every model fails', () => {
  it('when the turn ends, then it failed with fallback and without', () => {
    const on = stage();
    on.prompt('t1', 0);
    [LEAD, UNDERSTUDY, OTHER].forEach((model, at) => {
      on.start(`t1:${at}`, model, at * SECOND);
      on.fail(`t1:${at}`, 'rate_limit', at * SECOND);
    });
    on.idle(5 * SECOND);
    const { turns, availability } = on.report().overall;
    expect(turns).toMatchObject({ total: 1, answered: 0, failed: 1, neutral: 0, exhausted: 1, firstTryRate: 0 });
    expect([availability.withFallback.value, availability.withoutFallback.value]).toEqual([0, 0]);
  });

  it.each([
    ['OpenCode asks by itself for it', 'build', { failed: 0, neutral: 1, exhausted: 1 }],
    ['only its title is asked for', 'title', { failed: 1, neutral: 0, exhausted: 1 }],
  ])(
    'when the next turn finds nobody, and then %s, then it has failed only where nobody answered',
    (_, agent, turns) => {
      const on = stage();
      on.prompt('t1', 0);
      for (const model of [LEAD, UNDERSTUDY, OTHER]) on.tell({ type: 'health.isolated', model, actor: 'ann' }, 0);
      on.prompt('t2', SECOND, 's2');
      const about = { session: 's2', directory: '/project', model: LEAD, purpose: 'internal' } as const;
      on.tell({ type: 'attempt.started', attempt: 't2:1', turn: 't2', agent, ...about }, SECOND);
      on.answer('t2:1', 2 * SECOND);
      on.idle(3 * SECOND, 's2');
      expect(on.report().overall.turns).toMatchObject({ answered: 0, ...turns });
    },
  );

  it('when the question of another turn runs out with a request, then that request is counted', () => {
    const policy = { chain: [UNDERSTUDY, OTHER], policy: PRESETS.council };
    const on = stage({}, { ...config(), abilities: ['ask'], agents: { '*': policy } });
    on.prompt('t1', 0);
    on.start('t1:1', UNDERSTUDY, 0);
    on.fail('t1:1', 'auth', 0);
    expect(on.state().questions).toHaveLength(1);
    const { length } = on.start('t2:1', OTHER, 10 * MINUTE, 's2');
    expect([length, on.state().questions]).toEqual([1, []]);
    on.answer('t2:1', 11 * MINUTE);
    on.idle(11 * MINUTE, 's2');
    const { totalCalls, turns } = on.report({ model: OTHER }).overall;
    expect([totalCalls, turns.total, turns.answered]).toEqual([1, 1, 1]);
  });

  it('when a question is answered after 17 s, then its wait counts 17 s, and none before it ends', () => {
    const policy = { chain: [UNDERSTUDY, OTHER], policy: PRESETS.council };
    const on = stage({}, { ...config(), abilities: ['ask'], agents: { '*': policy } });
    on.prompt('t1', 0);
    on.start('t1:1', UNDERSTUDY, 0);
    on.fail('t1:1', 'auth', 0);
    expect(on.report().overall).toMatchObject({ retries: 1, waits: { count: 0, totalMs: 0 }, time: { lostMs: 200 } });
    on.tell({ type: 'question.answered', yes: true, actor: 'ann' }, 17 * SECOND);
    on.start('t1:2', OTHER, 18 * SECOND);
    on.answer('t1:2', 20 * SECOND);
    on.idle(20 * SECOND);
    const { waits, time } = on.report().overall;
    expect([waits.count, waits.totalMs, time.lostMs]).toEqual([1, 17 * SECOND, 200 + 17 * SECOND]);
  });

  it('when the user stops a turn, then it says nothing about availability', () => {
    const on = stage();
    on.prompt('t1', 0);
    on.start('t1:1', LEAD, 0);
    on.tell({ type: 'attempt.aborted', attempt: 't1:1' }, SECOND);
    on.idle(SECOND);
    expect(on.report().overall).toMatchObject({
      turns: { neutral: 1 },
      availability: { withFallback: { n: 0, value: null } },
    });
  });
});

describe('given three counted failures of one model within the hour', () => {
  it('when its breaker opens, then it is one activation of that model', () => {
    const on = stage({}, config([LEAD]));
    for (let n = 1; n <= 3; n++) {
      on.prompt(`t${n}`, n * MINUTE);
      on.start(`t${n}:1`, LEAD, n * MINUTE);
      on.fail(`t${n}:1`, 'server_error', n * MINUTE + SECOND);
      on.idle(n * MINUTE + 2 * SECOND);
    }
    expect(rowOf(on, LEAD)).toMatchObject({ circuitBreakerActivations: 1, networkActivations: 0, failures: 3 });
    expect(on.report({ session: 's1' }).overall.circuitBreakerActivations).toBe(1);
  });
});

describe('given five network failures in a row', () => {
  it('when the way to the provider opens, then its model has a network activation and no breaker activation', () => {
    const on = stage({}, config([LEAD]));
    for (let n = 1; n <= 5; n++) {
      on.prompt(`t${n}`, n * SECOND);
      on.start(`t${n}:1`, LEAD, n * SECOND);
      on.fail(`t${n}:1`, 'network_transient', n * SECOND);
      on.idle(n * SECOND);
    }
    expect(rowOf(on, LEAD)).toMatchObject({ circuitBreakerActivations: 0, networkActivations: 1, failures: 5 });
  });
});

describe('given a switch that the companion could not carry out', () => {
  it('when it says so, then the model it wanted to leave has a failed switch', () => {
    const on = stage();
    on.prompt('t1', 0);
    on.start('t1:1', LEAD, 0);
    on.fail('t1:1', 'rate_limit', SECOND);
    on.tell({ type: 'switch.carried', turn: 't1', from: LEAD, ok: false, durationMs: 5, reason: 'gone' }, SECOND);
    expect(rowOf(on, LEAD)).toMatchObject({ fallbacksOut: 1, switchesFailed: 1 });
  });
});

describe('given a chain whose order the configured model does not lead', () => {
  it('when the turn is taken to position 0, then that is no fallback', () => {
    const on = stage();
    const where = { turn: 't1', session: 's1', directory: '/project', agent: 'build' } as const;
    const [decision] = on.tell(
      { type: 'prompt.submitted', ...where, model: OTHER, hostLead: OTHER, isExplicit: false },
      0,
    );
    expect(decision?.action).toEqual({ kind: 'redirect', from: OTHER, to: LEAD, position: 0 });
    expect(on.report().overall).toMatchObject({ fallbacksIn: 0, fallbacksOut: 0, turns: { total: 1 } });
    expect(rowOf(on, LEAD)?.turns.total).toBe(1);
  });
});

describe('given a lead that cannot take the request', () => {
  it('when an understudy takes it, then the turn is saved, not at the first try, and the lead’s attempt is neutral', () => {
    const on = stage();
    on.prompt('t1', 0);
    on.start('t1:1', LEAD, 0);
    const [decision] = on.fail('t1:1', UNSUPPORTED, 0);
    expect(decision?.code).toBe('switch.unsupported_input');
    on.start('t1:2', UNDERSTUDY, 0);
    on.answer('t1:2', SECOND);
    on.idle(SECOND);
    expect(rowOf(on, LEAD)).toMatchObject({
      outcomes: { neutral: 1, failure: 0 },
      turns: { saved: 1, spared: 0, firstTry: 0 },
    });
  });
});

describe('given a request the engine ignored', () => {
  it('when the step says so, then it is no attempt', () => {
    const where = { session: 's1', directory: '/project', agent: 'build', model: LEAD, purpose: 'turn' } as const;
    const event = { type: 'attempt.started', attempt: 't1:1', turn: 't1', ...where } as const;
    const facts = [{ type: 'event.ignored', code: 'attempt.without_turn', subject: 't1:1' }] as const;
    const card = record(emptyScorecard(), { event, decisions: [], facts, now: 0 });
    expect(scorecardOf(card, { now: 0 }).overall).toMatchObject({ totalCalls: 0, turns: { total: 0 } });
  });
});
