import { describe, expect, it } from 'vitest';
import { FAILURE_KINDS, KIND_INFO } from '../../src/engine';
import {
  admit,
  type BreakerConfig,
  initialBreaker,
  recordFailure,
  recordSuccess,
} from '../../src/engine/health/breaker';
import { DAY, EVIDENCE, HOUR, MINUTE, outline, SECOND, World } from './world';

const CONFIG: BreakerConfig = {
  failureThreshold: 1,
  windowMs: HOUR,
  cooldownMs: MINUTE,
  growth: 2,
  successClears: false,
};

/** A lead whose circuit opened at 0. */
function tripped(chain = ['a/1', 'b/1']): World {
  const world = new World(chain);
  for (let count = 0; count < 3; count++) world.failingAlone('a/1', EVIDENCE.serverError);
  return world;
}

describe('given 100 callers that meet a circuit at the end of its hour, and nobody else to ask', () => {
  it('when all ask at once, then 1 probes and 99 are refused at once with the time it is back at the latest', () => {
    const world = tripped();
    world.failingAlone('b/1', EVIDENCE.auth);
    world.wait(HOUR);
    const answers = Array.from({ length: 100 }, (_, caller) =>
      JSON.stringify(outline(world.start(`t${caller}`, 'a/1', { session: `s${caller}` }).decision)),
    );
    const refusal = { kind: 'exhausted', soonest: { model: 'a/1', inMs: 10 * MINUTE }, code: 'exhausted.cooling' };
    expect([answers[0], [...new Set(answers.slice(1))]]).toEqual(['null', [JSON.stringify(refusal)]]);
  });
});

describe('given a probe that was lost, and a second one on its way', () => {
  const lost = () => {
    const world = tripped().wait(HOUR);
    const first = world.start('first', 'a/1', { session: 'first' }).attempt;
    const second = world.wait(10 * MINUTE).start('second', 'a/1', { session: 'second' }).attempt;
    return { world, first, second };
  };

  it('when the first is answered late, then the second alone decides', () => {
    const { world, first, second } = lost();
    world.succeed(first);
    const between = world.standing('a/1').state;
    world.fail(second, EVIDENCE.serverError);
    expect([between, world.standing('a/1')]).toMatchObject(['probing', { state: 'open', inMs: HOUR }]);
  });

  it('when the first fails late, then the circuit does not open for it', () => {
    const { world, first, second } = lost();
    world.fail(first, EVIDENCE.serverError);
    const between = world.standing('a/1').state;
    world.succeed(second);
    // The circuit is closed; that the first has just failed is newer than the second, and makes the model come last a while.
    expect([between, world.standing('a/1')]).toMatchObject(['probing', { state: 'resting', use: 'last' }]);
  });

  it('when the first is stopped late, then it does not free the slot of the second', () => {
    const { world, first } = lost();
    world.tell({ type: 'attempt.aborted', attempt: first });
    expect(outline(world.start('third', 'a/1', { session: 'third' }).decision)).toMatchObject({ to: 'b/1' });
  });
});

describe('given a request of before a reset', () => {
  it('when a probe is out and the old one is answered, then only the probe closes the circuit', () => {
    const world = new World(['a/1', 'b/1']);
    const early = world.start('early', 'a/1', { session: 'early' }).attempt;
    world.tell({ type: 'health.reset', target: { all: true }, actor: 'ann' });
    for (let count = 0; count < 3; count++) world.failingAlone('a/1', EVIDENCE.serverError);
    world.wait(HOUR).start('probe', 'a/1', { session: 'probe' });
    world.succeed(early);
    expect(world.standing('a/1').state).toBe('probing');
  });
});

describe('given one request that is reported more than once', () => {
  const reports = {
    failed: (world: World, attempt: string) => world.fail(attempt, EVIDENCE.serverError),
    answered: (world: World, attempt: string) => world.succeed(attempt),
    stopped: (world: World, attempt: string) => world.tell({ type: 'attempt.aborted', attempt }),
  };
  const PAIRS = (['failed', 'answered', 'stopped'] as const).flatMap((first) =>
    (['failed', 'answered', 'stopped'] as const).map((second) => [first, second] as const),
  );

  it.each(PAIRS)('when it %s and then %s, then the first counts and the second is ignored by name', (first, second) => {
    const world = new World(['a/1', 'b/1']);
    const { attempt } = world.start('t', 'a/1');
    reports[first](world, attempt);
    const before = world.state;
    reports[second](world, attempt);
    expect([world.state === before, world.last?.facts]).toEqual([
      true,
      [{ type: 'event.ignored', code: 'attempt.unknown', subject: attempt }],
    ]);
  });

  it('when two of three reports are the same one, then the circuit stays closed', () => {
    const world = new World(['a/1', 'b/1']);
    world.failingAlone('a/1', EVIDENCE.serverError);
    const { attempt } = world.start('t', 'a/1');
    world.fail(attempt, EVIDENCE.serverError);
    world.fail(attempt, EVIDENCE.serverError);
    expect(world.wait(MINUTE).standing('a/1').state).toBe('degraded');
  });
});

describe('given failures that are nobody’s fault', () => {
  const NEUTRAL = FAILURE_KINDS.filter((kind) => KIND_INFO[kind].lane === 'neutral');

  it.each(NEUTRAL)('when 10 are %s, then nothing counts, nothing rests and the model is first', (kind) => {
    const world = new World(['a/1', 'b/1']);
    for (let count = 0; count < 10; count++) {
      const evidence = { phase: 'body', status: 400, message: 'x', mapped: { kind } } as const;
      world.failingAlone('a/1', evidence);
    }
    expect(world.standing('a/1')).toEqual({ state: 'ready', use: 'first', code: null, inMs: null });
  });

  it.each(NEUTRAL)(
    'when a probe ends as %s, then its slot is free and the circuit neither opens nor closes',
    (kind) => {
      const world = tripped().wait(HOUR);
      const evidence = { phase: 'body', status: 400, message: 'x', mapped: { kind } } as const;
      world.fail(world.start('probe', 'a/1', { session: 'probe' }).attempt, evidence);
      const [, health] = world.state.models.flat().find(([model]) => model === 'a/1') ?? [];
      expect(health?.breaker).toMatchObject({ kind: 'halfOpen', probe: null });
    },
  );
});

describe('given failures and then silence', () => {
  it('when a model failed twice a year ago and fails once now, then one counts', () => {
    const world = new World(['a/1', 'b/1']);
    for (let count = 0; count < 2; count++) world.failingAlone('a/1', EVIDENCE.serverError);
    world.wait(365 * DAY).failingAlone('a/1', EVIDENCE.serverError);
    const [, health] = world.state.models.flat().find(([model]) => model === 'a/1') ?? [];
    expect(health?.breaker).toMatchObject({ kind: 'closed', failures: [365 * DAY] });
  });
});

describe('given a clock that jumps', () => {
  it('when it goes back by a day, then an open circuit waits for its own time and no request is forced through', () => {
    const world = tripped().wait(DAY);
    const { attempt } = world.start('probe', 'a/1', { session: 'probe' });
    world.fail(attempt, EVIDENCE.serverError);
    world.now = 0;
    expect(world.standing('a/1')).toMatchObject({ state: 'open', inMs: DAY + HOUR });
    expect(outline(world.start('t', 'a/1').decision)).toMatchObject({ kind: 'switch', to: 'b/1' });
    world.now = DAY + HOUR;
    expect(world.start('u', 'a/1', { session: 'u' }).decision).toBeNull();
  });

  it('when it goes back, then failures of a later hour count until theirs has passed', () => {
    const world = new World(['a/1', 'b/1']).wait(DAY);
    for (let count = 0; count < 2; count++) world.failingAlone('a/1', EVIDENCE.serverError);
    world.now = 0;
    world.failingAlone('a/1', EVIDENCE.serverError);
    expect(world.standing('a/1')).toMatchObject({ state: 'open', inMs: HOUR });
  });

  it('when it goes back by ten windows after a trip, then the next open time is not longer for it', () => {
    const at = 100 * HOUR;
    const call = admit(initialBreaker, at);
    if (!('permit' in call)) throw new Error('refused');
    const open = recordFailure(call.state, call.permit, at, CONFIG);
    const probe = admit(open, at + MINUTE);
    if (!('permit' in probe)) throw new Error('refused');
    const closed = recordSuccess(probe.state, probe.permit, CONFIG, at + MINUTE);
    const back = at - 10 * HOUR;
    const next = admit(closed, back);
    if (!('permit' in next)) throw new Error('refused');
    expect(recordFailure(next.state, next.permit, back, CONFIG)).toMatchObject({ until: back + 2 * MINUTE, trips: 2 });
  });

  it('when it goes forward by ten years, then all is due, each model ends well and there is nothing to wait for', () => {
    const world = tripped(['a/1', 'b/1', 'c/1']);
    world.failingAlone('b/1', EVIDENCE.rateLimit);
    world.failingAlone('c/1', EVIDENCE.network);
    const { facts, wakeAt } = world.wait(3_650 * DAY).tick();
    expect(facts.map((fact) => fact.type === 'model.changed' && `${fact.model} ${fact.to}`).sort()).toEqual([
      'a/1 ready',
      'b/1 ready',
      'b/1 resting',
      'c/1 ready',
    ]);
    expect([wakeAt, world.tick().facts]).toEqual([null, []]);
  });

  it('when the wall clock of a sensor jumps, then a reset it names is never in the past nor beyond 31 days', () => {
    const headers = { 'x-ratelimit-reset': '1790000000' };
    const after = (seenAt: number): unknown => {
      const world = new World(['a/1', 'b/1']);
      const { attempt } = world.start('t', 'a/1');
      const decision = world.fail(attempt, { phase: 'body', status: 429, message: 'x', headers, seenAt });
      return decision?.action.kind === 'hold' ? decision.action.waitMs : world.standing('a/1').inMs;
    };
    // Where it has passed, the backoff alone is waited for.
    expect([1_790_000_600_000, 1_789_999_400_000, 0].map(after)).toEqual([SECOND, 10 * MINUTE, 31 * DAY]);
  });
});
