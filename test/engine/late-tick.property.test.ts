import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EngineState, type Fact, type Step, step } from '../../src/engine';
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
      { from: 'cooling', to: 'resting', agoMs: 56 * MINUTE, forMs: 10 * MINUTE },
      { from: 'resting', to: 'ready', agoMs: 46 * MINUTE, forMs: null },
    ]);
  });

  it('when another request tells at 1:00:00 first, then what is told is how it is now', () => {
    const world = new World();
    world.failingAlone('a/1', EVIDENCE.rateLimit);
    world.now = HOUR;
    world.start('t2', 'a/1');
    expect(world.last?.facts).toMatchObject([{ from: 'cooling', to: 'ready' }]);
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
