import { describe, expect, it } from 'vitest';
import { runSeed, runs } from '../support/runs';
import { brokenRule, nothingSeen } from './rules';

const HISTORIES = runs(5_000, 300);
const STEPS = 50;
const seed = runSeed % 1_000_000_000;

describe(`given ${HISTORIES} random histories of ${STEPS} steps, with overlapping requests, lanes and accounts (seed ${seed})`, () => {
  it('when they are played, then no rule of health, waits and limits is broken, and each had something to say', () => {
    const seen = nothingSeen();
    const wrong = Array.from({ length: HISTORIES }, (_, n) => brokenRule(seed + n, STEPS, seen)).filter(
      (each) => each !== null,
    );
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(Object.entries(seen).filter(([, times]) => times === 0)).toEqual([]);
  }, 180_000);
});
