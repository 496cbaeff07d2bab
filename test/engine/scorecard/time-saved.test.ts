import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../../src/engine/state/events';
import { HOUR, LEAD, MINUTE, OTHER, SECOND, type Stage, stage, UNDERSTUDY } from './support/stage';

const limited = (retryAfterSeconds: number): Evidence => ({
  phase: 'body',
  status: 429,
  message: 'rate limit',
  headers: { 'retry-after': String(retryAfterSeconds) },
});

function savedTurn(on: Stage, turn: string, how: Parameters<Stage['fail']>[1], at: number, to = UNDERSTUDY): void {
  on.prompt(turn, at);
  on.start(`${turn}:1`, LEAD, at);
  on.fail(`${turn}:1`, how, at);
  on.start(`${turn}:2`, to, at);
  on.answer(`${turn}:2`, at + 10 * SECOND);
  on.idle(at + 20 * SECOND);
}

const timeOf = (on: Stage) => on.report().overall.time;

describe('given a lead whose provider asks for ten minutes', () => {
  it('when an understudy answers after 10 s, then 9 min 50 s are saved, by the provider’s own word', () => {
    const on = stage();
    savedTurn(on, 't1', limited(600), 0);
    expect(timeOf(on)).toMatchObject({ savedMs: 590 * SECOND, savedStatedMs: 590 * SECOND, turnsWithoutClock: 0 });
  });

  it('when a second turn of the session is spared inside these minutes, then they are not counted twice', () => {
    const on = stage();
    savedTurn(on, 't1', limited(600), 0);
    on.prompt('t2', MINUTE);
    on.start('t2:1', UNDERSTUDY, MINUTE);
    on.answer('t2:1', MINUTE + SECOND);
    on.idle(2 * MINUTE);
    expect(on.report().overall.turns.spared).toBe(1);
    expect(timeOf(on).savedMs).toBe(590 * SECOND);
  });
});

describe('given a limit that names no end', () => {
  it('when an understudy answers after 10 s, then the time up to the end of our cooldown is saved, as an estimate', () => {
    const on = stage();
    savedTurn(on, 't1', 'rate_limit', 0);
    expect(timeOf(on)).toMatchObject({ savedMs: 290 * SECOND, savedStatedMs: 0 });
  });
});

describe('given a quota that resets in five hours', () => {
  it('when an understudy answers after 10 s, then no more than an hour is called saved', () => {
    const on = stage();
    savedTurn(
      on,
      't1',
      { phase: 'body', status: 429, code: 'insufficient_quota', headers: { 'retry-after': '18000' } },
      0,
      OTHER,
    );
    expect(timeOf(on).savedMs).toBe(HOUR - 10 * SECOND);
  });
});

describe('given a lead that no clock heals', () => {
  it('when an understudy answers, then the turn is counted apart and no time is claimed', () => {
    const on = stage();
    savedTurn(on, 't1', 'model_not_found', 0);
    expect(timeOf(on)).toMatchObject({ savedMs: 0, turnsWithoutClock: 1 });
  });
});

describe('given a lead that could be asked again at once', () => {
  it('when an understudy answers after its server error, then no time is claimed', () => {
    const on = stage();
    savedTurn(on, 't1', 'server_error', 0);
    expect(on.report().overall).toMatchObject({
      turns: { saved: 1 },
      time: { savedMs: 0, lostMs: 200, turnsWithoutClock: 0 },
    });
  });
});

describe('given a turn that no understudy finished', () => {
  it('when the lead’s limit was long, then nothing was saved', () => {
    const on = stage();
    on.prompt('t1', 0);
    for (const [n, model] of [LEAD, UNDERSTUDY, OTHER].entries()) {
      on.start(`t1:${n}`, model, 0);
      on.fail(`t1:${n}`, limited(600), 0);
    }
    on.idle(MINUTE);
    expect(timeOf(on).savedMs).toBe(0);
  });
});

describe('given a lead that was left once', () => {
  it('when the understudy fails too and a third answers twice, then the lead’s own word counts, up to the first answer', () => {
    const on = stage();
    on.prompt('t1', 0);
    on.start('t1:1', LEAD, 0);
    on.fail('t1:1', limited(600), 0);
    on.start('t1:2', UNDERSTUDY, 0);
    on.fail('t1:2', limited(900), 5 * SECOND);
    on.start('t1:3', OTHER, 5 * SECOND);
    on.answer('t1:3', 10 * SECOND);
    on.start('t1:4', OTHER, 10 * SECOND);
    on.answer('t1:4', 60 * SECOND);
    on.idle(MINUTE);
    expect(timeOf(on)).toMatchObject({ savedMs: 590 * SECOND, savedStatedMs: 590 * SECOND });
  });

  it('when a stray model failed before the lead was asked, then only leaving the lead counts', () => {
    const on = stage();
    on.prompt('t1', 0);
    on.start('t1:1', UNDERSTUDY, 0);
    on.fail('t1:1', limited(900), 0);
    on.start('t1:2', LEAD, 0);
    on.fail('t1:2', limited(600), 0);
    on.start('t1:3', OTHER, 0);
    on.answer('t1:3', 10 * SECOND);
    on.idle(MINUTE);
    expect(timeOf(on)).toMatchObject({ savedMs: 590 * SECOND, savedStatedMs: 590 * SECOND });
  });

  it('when a stray model’s provider asked for a wait while the lead was out, then the lead’s own clock counts', () => {
    const on = stage();
    on.prompt('t1', 0);
    on.prompt('t2', 0, 's2');
    on.start('t2:1', LEAD, 0, 's2');
    on.fail('t2:1', 'rate_limit', 0);
    on.start('t1:1', UNDERSTUDY, 0);
    on.fail('t1:1', limited(900), 0);
    on.start('t1:2', OTHER, 0);
    on.answer('t1:2', 10 * SECOND);
    on.idle(MINUTE);
    expect(timeOf(on)).toMatchObject({ savedMs: 290 * SECOND, savedStatedMs: 0 });
  });

  it('when it answers after all, then nothing was saved and nothing lacks a clock', () => {
    const on = stage();
    on.prompt('t1', 0);
    on.start('t1:1', LEAD, 0);
    on.fail('t1:1', 'model_not_found', 0);
    const where = {
      turn: 't1',
      session: 's1',
      directory: '/project',
      agent: 'build',
      model: LEAD,
      purpose: 'turn',
    } as const;
    on.tell(
      { type: 'attempt.started', attempt: 't1:2', ...where, decided: { kind: 'keep', to: LEAD, code: 'keep.lead' } },
      0,
    );
    on.answer('t1:2', SECOND);
    on.idle(SECOND);
    expect(on.report().overall).toMatchObject({
      turns: { byLead: 1, saved: 0 },
      time: { savedMs: 0, turnsWithoutClock: 0 },
    });
  });
});
