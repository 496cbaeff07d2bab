import { describe, expect, it } from 'vitest';
import { runSeed, runs } from '../support/runs';
import { disagreement } from './naive';

const HISTORIES = runs(300);
const STEPS = 200;
const seed = runSeed % 1_000_000_000;

describe(`given ${HISTORIES} random histories of ${STEPS} steps (seed ${seed})`, () => {
  it('when the engine and a naive model play them, then they never disagree and a replay is the same', () => {
    const wrong = Array.from({ length: HISTORIES }, (_, n) => disagreement(seed + n, STEPS)).filter(
      (each) => each !== null,
    );
    expect(wrong).toEqual([]);
  }, 180_000);
});
