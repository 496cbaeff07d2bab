import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { standingOf, step } from '../../src/engine';
import { entries } from '../../src/engine/table';
import { runSeed, runs } from '../support/runs';
import { anyRun, CHAIN, play } from './any-run';

describe(`given ${runs(500)} runs of up to 80 events (seed ${runSeed})`, () => {
  it('when a countdown is shown, then the model is out until its end and not a moment longer', () => {
    let seen = 0;
    fc.assert(
      fc.property(anyRun, (run) => {
        for (const { result, now } of play(run)) {
          for (const model of CHAIN) {
            const { use, until } = standingOf(result.state, model, now);
            if (use !== 'out' || until === null) continue;
            seen++;
            // Nothing happens meanwhile but time.
            const later = (at: number) => standingOf(result.state, model, at).use === 'out';
            expect([later(until - 1), later(until)]).toEqual([true, false]);
          }
        }
      }),
      { numRuns: runs(500) },
    );
    expect(seen).toBeGreaterThan(runs(500));
  });

  it('when a request is answered, then nothing that was found out after it was sent is forgotten', () => {
    let seen = 0;
    fc.assert(
      fc.property(anyRun, (run) => {
        for (const { state, now } of play(run).map(({ result, now }) => ({ state: result.state, now }))) {
          for (const [attempt, sent] of entries(state.attempts)) {
            const event = {
              type: 'attempt.succeeded',
              attempt,
              durationMs: 1,
              firstTokenMs: 1,
              outputChars: 1,
            } as const;
            const after = step(state, event, now, 0.5).state;
            for (const table of ['models', 'providers'] as const) {
              for (const [name, health] of entries(state[table])) {
                const left = entries(after[table]).find(([id]) => id === name)?.[1];
                for (const lane of ['limit', 'rest', 'block'] as const) {
                  const known = health[lane];
                  if (known === null || known.since <= (sent.at ?? 0)) continue;
                  seen++;
                  expect([name, lane, left?.[lane]]).toEqual([name, lane, known]);
                }
              }
            }
          }
        }
      }),
      { numRuns: runs(200) },
    );
    expect(seen).toBeGreaterThan(0);
  });
});
