import { describe, expect, it } from 'vitest';
import { disagreement } from './naive';

const HISTORIES = 300;
const STEPS = 200;
const seed = Date.now() % 1_000_000_000;

describe(`given ${HISTORIES} random histories of ${STEPS} steps (seed ${seed})`, () => {
  it('when the engine and a naive model play them, then they never disagree and a replay is the same', () => {
    const wrong = Array.from({ length: HISTORIES }, (_, n) => disagreement(seed + n, STEPS)).filter(
      (each) => each !== null,
    );
    expect(wrong).toEqual([]);
  }, 60_000);
});
