import { describe, expect, it } from 'vitest';
import { PRESETS } from '../../src/engine/presets';
import { availability } from '../engine/availability';
import { disagreement } from '../engine/naive';

const HISTORIES = 10_000;
const STEPS = 200;
const TURNS = 10_000;

const seed = Date.now() % 1_000_000_000;

describe(`given ${HISTORIES} random histories of ${STEPS} steps (seed ${seed})`, () => {
  it('when the engine and a naive model play them, then they never disagree and every replay is the same', () => {
    const wrong: string[] = [];
    for (let n = 0; n < HISTORIES && wrong.length < 5; n++) {
      const found = disagreement(seed + n, STEPS);
      if (found) wrong.push(found);
    }
    expect(wrong).toEqual([]);
  });
});

describe(`given a lead that fails 30 %, two understudies that fail 10 % each, and ${TURNS} turns`, () => {
  it.each(['swift', 'steady', 'patient'] as const)(
    'when they are played with %s, then 99 of 100 are answered',
    (name) => {
      const result = availability(TURNS, 20_260_317, PRESETS[name]);
      const share = (part: number): string => `${(100 * part).toFixed(2)} %`;
      console.log(`availability ${name}: ${share(result.withFallback)}; by the lead alone ${share(result.without)}`);
      expect(result.withFallback).toBeGreaterThanOrEqual(0.99);
      expect(result.switchesMax).toBeLessThanOrEqual(3);
      expect(result.requestsMax).toBeLessThanOrEqual(12);
    },
  );
});
