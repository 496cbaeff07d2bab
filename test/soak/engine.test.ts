import { afterAll, describe, expect, it } from 'vitest';
import { BOUNDS, CASES, caseName, played } from '../engine/availability';
import { disagreement } from '../engine/naive';
import { brokenRule, nothingSeen } from '../engine/rules';

const HISTORIES = 10_000;
const STEPS = 200;
const RULE_STEPS = 100;
const TURNS = 10_000;
const TURNS_SEED = 20_260_317;

const seed = Date.now() % 1_000_000_000;
/** What the proofs have seen, for the person who runs them. */
const seen: string[] = [];
afterAll(() => console.log(seen.join('\n')));

describe(`given ${HISTORIES} random histories of ${STEPS} steps (seed ${seed})`, () => {
  it('when the engine and a naive model play them, then they never disagree and every replay is the same', () => {
    const startedAt = performance.now();
    const wrong: string[] = [];
    let played = 0;
    for (; played < HISTORIES && wrong.length < 5; played++) {
      const found = disagreement(seed + played, STEPS);
      if (found) wrong.push(found);
    }
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    seen.push(
      `${played} random histories of ${STEPS} steps against a naive model: ${wrong.length} differ, ${seconds} s`,
    );
    expect(wrong).toEqual([]);
  });
});

describe(`given ${HISTORIES} random histories with overlapping requests, lanes and accounts (seed ${seed})`, () => {
  it('when they are played, then no rule of health, waits and limits is broken, and each had something to say', () => {
    const spoken = nothingSeen();
    const wrong: string[] = [];
    let played = 0;
    for (; played < HISTORIES && wrong.length < 5; played++) {
      const found = brokenRule(seed + played, RULE_STEPS, spoken);
      if (found) wrong.push(found);
    }
    seen.push(`${played} random histories of ${RULE_STEPS} steps against the rules: ${wrong.length} break one`);
    seen.push(`what the rules looked at: ${JSON.stringify(spoken)}`);
    expect(wrong).toEqual([]);
    expect(Object.entries(spoken).filter(([, times]) => times === 0)).toEqual([]);
  });
});

describe(`given a lead that fails 30 %, two understudies that fail 10 % each, and ${TURNS} turns`, () => {
  it.each(CASES.map((each) => [caseName(each), each] as const))(
    'when they are played with %s, then as many as promised are answered within the budgets',
    (name, each) => {
      const { withFallback, without, most } = played(each, TURNS, TURNS_SEED);
      const share = (part: number): string => `${(100 * part).toFixed(2)} %`;
      seen.push(
        `${TURNS} turns with ${name}: ${share(withFallback)} answered, ${share(without)} by the lead alone; ` +
          `at most ${most.attempts} of ${BOUNDS.attempts} requests and ${most.switches} of ${BOUNDS.switches} switches a ` +
          `turn, ${most.retries} of ${BOUNDS.retries} retries a session`,
      );
      expect(withFallback).toBeGreaterThanOrEqual(each.atLeast);
      expect(most.attempts).toBeLessThanOrEqual(BOUNDS.attempts);
      expect(most.switches).toBeLessThanOrEqual(BOUNDS.switches);
      expect(most.retries).toBeLessThanOrEqual(BOUNDS.retries);
    },
  );
});
