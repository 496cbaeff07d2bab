import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EngineEvent, type EngineState, type Fact, initialState, type Step, step } from '../../src/engine';
import { runs } from '../support/runs';
import { anyRun, play } from './any-run';
import { EVIDENCE, HOUR, MINUTE, World } from './world';

/** What models changed, at the moments they did, in engine ms. */
const changesIn = ({ facts }: Step, now: number): unknown[] =>
  facts.flatMap((fact: Fact) => {
    if (fact.type !== 'model.changed') return [];
    const { agoMs = 0, ...change } = fact;
    return [{ at: now - agoMs, ...change }];
  });

/** Each model's changes in order; of two models that change in one moment, neither is first. */
const byModel = (changes: readonly unknown[]): unknown[] =>
  (changes as { model: string }[]).toSorted((one, other) =>
    one.model < other.model ? -1 : one.model > other.model ? 1 : 0,
  );

/** Sleeps from wake-up to wake-up up to a moment. */
function onTime(start: EngineState, from: number, to: number): unknown[] {
  const told: unknown[] = [];
  let state = start;
  for (let at: number | null = from; at !== null && at <= to; ) {
    const result: Step = step(state, { type: 'tick' }, at, 0.5);
    told.push(...changesIn(result, at));
    state = result.state;
    at = result.wakeAt;
  }
  return told;
}

describe('given a model that hit its limit at 0:00, is tried last from 5:00 and is well from 15:00', () => {
  it('when the clock tells at 1:00:00 only, then both changes are told at their own moments', () => {
    const world = new World();
    world.failingAlone('a/1', EVIDENCE.rateLimit);
    world.now = HOUR;
    expect(changesIn(world.tick(), HOUR)).toMatchObject([
      { at: 5 * MINUTE, from: 'cooling', to: 'resting', forMs: 10 * MINUTE },
      { at: 15 * MINUTE, from: 'resting', to: 'ready', forMs: null },
    ]);
  });

  it('when the computer sleeps for an hour from 1:00 on, then they are told 56 and 46 minutes after they were', () => {
    const world = new World();
    world.failingAlone('a/1', EVIDENCE.rateLimit);
    world.now = MINUTE;
    const { facts } = world.tell({ type: 'host.resumed', asleepMs: HOUR });
    expect(facts).toMatchObject([
      { type: 'host.resumed', forMs: HOUR },
      { from: 'cooling', to: 'resting', agoMs: 56 * MINUTE, forMs: 10 * MINUTE },
      { from: 'resting', to: 'ready', agoMs: 46 * MINUTE, forMs: null },
    ]);
  });

  it('when another request tells at 1:00:00 first, then both are told before what it does itself', () => {
    const world = new World();
    world.failingAlone('a/1', EVIDENCE.rateLimit);
    const { attempt } = world.start('t2', 'a/1', { session: 'other', purpose: 'internal' });
    world.now = HOUR;
    world.fail(attempt, EVIDENCE.rateLimit);
    expect(world.last?.facts).toMatchObject([
      { from: 'cooling', to: 'resting', agoMs: 55 * MINUTE },
      { from: 'resting', to: 'ready', agoMs: 45 * MINUTE },
      { type: 'attempt.ended', outcome: 'failed' },
      { from: 'ready', to: 'cooling', forMs: 5 * MINUTE },
    ]);
    expect(world.last?.facts.at(-1)).not.toHaveProperty('agoMs');
  });

  it('when a request is refused at the very moment it is tried last again, then the change is told once, without an age', () => {
    const world = new World();
    world.failingAlone('a/1', EVIDENCE.rateLimit);
    world.now = 5 * MINUTE;
    world.start('t2', 'a/1');
    const changes = world.last?.facts.filter(({ type }) => type === 'model.changed');
    expect(changes).toMatchObject([{ from: 'cooling', to: 'resting', forMs: 10 * MINUTE }]);
    expect(changes?.[0]).not.toHaveProperty('agoMs');
  });
});

/** A run again, with a tick at each moment that the engine names, or with none but its own. */
function again(run: ReturnType<typeof play>, isTicked: boolean): Readonly<{ state: EngineState; changes: unknown[] }> {
  const changes: unknown[] = [];
  let last: Step = step(initialState, { type: 'tick' }, 0, 0.25);
  const tell = (event: EngineEvent, at: number): void => {
    last = step(last.state, event, at, 0.25);
    changes.push(...changesIn(last, at));
  };
  for (const { event, now } of run) {
    for (let at = last.wakeAt; isTicked && at !== null && at <= now; at = last.wakeAt) tell({ type: 'tick' }, at);
    tell(event, now);
  }
  return { state: last.state, changes };
}

describe('given any run', () => {
  it('when no clock ever tells, then the same is told, of the same moments, and the state is the same', () => {
    fc.assert(
      fc.property(anyRun, (moves) => {
        const run = play(moves);
        const [timed, untimed] = [again(run, true), again(run, false)];
        expect(byModel(untimed.changes)).toEqual(byModel(timed.changes));
        expect(untimed.state).toEqual(timed.state);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('given the end of any run', () => {
  it('when one tick comes up to a day late, then it tells what ticks in time would have told, and when', () => {
    fc.assert(
      fc.property(anyRun, fc.nat(24 * HOUR), (run, lateMs) => {
        const last = play(run).at(-1);
        if (!last) return;
        const { now, result } = last;
        const end = now + lateMs;
        const late = step(result.state, { type: 'tick' }, end, 0.5);
        expect(byModel(changesIn(late, end))).toEqual(byModel(onTime(result.state, now, end)));
      }),
      { numRuns: runs(500) },
    );
  });
});
