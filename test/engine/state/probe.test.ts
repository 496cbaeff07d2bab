import { describe, expect, it } from 'vitest';
import { EVIDENCE, HOUR, MINUTE, outline, World } from '../world';

/** A lead that tripped at 0 and is due at 1:00:00.000. */
function tripped(): World {
  const world = new World(['a/1', 'b/1']);
  for (let count = 0; count < 3; count++) world.failingAlone('a/1', EVIDENCE.serverError);
  return world;
}

const ask = (world: World, caller: number): unknown =>
  outline(world.start(`t${caller}`, 'a/1', { session: `s${caller}` }).decision) ?? 'admitted';

describe('given a lead whose breaker is due', () => {
  it('when a session asks 1 ms early, then its request is not sent and goes to the understudy', () => {
    const world = tripped().wait(HOUR - 1);
    expect(ask(world, 0)).toEqual({
      kind: 'switch',
      from: 'a/1',
      to: 'b/1',
      position: 1,
      code: 'redirect.server_error',
    });
  });

  it('when 100 sessions ask at T, then 1 probes and 99 go to the understudy', () => {
    const world = tripped().wait(HOUR);
    const answers = Array.from({ length: 100 }, (_, caller) => ask(world, caller));
    expect([answers[0], new Set(answers.slice(1).map((answer) => JSON.stringify(answer))).size, answers[99]]).toEqual([
      'admitted',
      1,
      { kind: 'switch', from: 'a/1', to: 'b/1', position: 1, code: 'redirect.server_error' },
    ]);
  });

  it('when the probe is answered, then the lead is ready and the next is admitted', () => {
    const world = tripped().wait(HOUR);
    world.answering('probe', 'a/1');
    expect([world.standing('a/1').state, ask(world, 1)]).toEqual(['ready', 'admitted']);
  });

  it('when the probe fails, then the lead is out for another hour', () => {
    const world = tripped().wait(HOUR);
    world.failing('probe', 'a/1', EVIDENCE.serverError);
    expect(world.standing('a/1')).toEqual({ state: 'open', use: 'out', code: 'breaker.open', inMs: HOUR });
  });

  it('when the user stops the probe, then the next request is the probe', () => {
    const world = tripped().wait(HOUR);
    const { attempt } = world.start('probe', 'a/1');
    world.tell({ type: 'attempt.aborted', attempt });
    expect([ask(world, 1), ask(world, 2)]).toEqual([
      'admitted',
      { kind: 'switch', from: 'a/1', to: 'b/1', position: 1, code: 'redirect.server_error' },
    ]);
  });

  it('when the session of the probe goes idle without a result, then the next request is the probe', () => {
    const world = tripped().wait(HOUR);
    world.start('probe', 'a/1');
    world.tell({ type: 'session.idle', session: 's' });
    expect(ask(world, 1)).toBe('admitted');
  });

  it('when the session of the probe is deleted, then the next request is the probe', () => {
    const world = tripped().wait(HOUR);
    world.start('probe', 'a/1');
    world.tell({ type: 'session.closed', session: 's' });
    expect(ask(world, 1)).toBe('admitted');
  });

  it('when the probe is refused as a wrong request (400), then the lead is neither better nor worse', () => {
    const world = tripped().wait(HOUR);
    world.failing('probe', 'a/1', EVIDENCE.invalid);
    expect(ask(world, 1)).toBe('admitted');
  });

  it('when the probe stays out for 10 minutes, then its slot is free and a wake-up was due for it', () => {
    const world = tripped().wait(HOUR);
    world.start('probe', 'a/1');
    const dueAt = world.last?.wakeAt;
    world.wait(10 * MINUTE);
    expect([dueAt, ask(world, 1)]).toEqual([HOUR + 10 * MINUTE, 'admitted']);
  });
});

describe('given a request that was on its way when the lead tripped', () => {
  it('when it fails after the trip, then the hour is not started again', () => {
    const world = new World(['a/1', 'b/1']);
    const early = world.start('t', 'a/1').attempt;
    for (let count = 0; count < 3; count++) world.failingAlone('a/1', EVIDENCE.serverError);
    world.wait(MINUTE);
    world.fail(early, EVIDENCE.serverError);
    expect(world.standing('a/1').inMs).toBe(HOUR - MINUTE);
  });

  it('when it is answered after the trip, then the breaker stays open', () => {
    const world = new World(['a/1', 'b/1']);
    const early = world.start('t', 'a/1').attempt;
    for (let count = 0; count < 3; count++) world.failingAlone('a/1', EVIDENCE.serverError);
    world.succeed(early);
    expect(world.standing('a/1').state).toBe('open');
  });
});

describe('given one request whose failure is told twice', () => {
  it('when both arrive, then it counts once and the second is ignored by name', () => {
    const world = new World(['a/1', 'b/1']);
    const { attempt } = world.start('t', 'a/1');
    world.fail(attempt, EVIDENCE.serverError);
    const before = world.state;
    world.fail(attempt, EVIDENCE.serverError);
    expect([world.state === before, world.last?.facts]).toEqual([
      true,
      [{ type: 'event.ignored', code: 'attempt.unknown', subject: attempt }],
    ]);
  });

  it('when its start is told twice, then one permit is taken', () => {
    const world = tripped().wait(HOUR);
    const { attempt } = world.start('probe', 'a/1');
    const before = world.state;
    const { facts } = world.tell({
      type: 'attempt.started',
      attempt,
      turn: 'probe',
      session: 's',
      directory: '/project',
      agent: 'build',
      model: 'a/1',
      purpose: 'turn',
    });
    expect([world.state === before, facts]).toEqual([
      true,
      [{ type: 'event.ignored', code: 'attempt.duplicate', subject: attempt }],
    ]);
  });
});
