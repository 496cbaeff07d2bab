import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EngineEvent, type EngineState, type ModelId, standingOf, step } from '../../src/engine';
import { entries, get } from '../../src/engine/base/table';
import { runSeed, runs } from '../support/runs';
import { anyRun, CHAIN, play } from './any-run';
import { scopeOf } from './world';

const DIRECTORY = '/one';

/** True if a request for a model leaves at a moment, when nothing happens until then but time. */
function admits(state: EngineState, model: ModelId, at: number): boolean {
  const who = { turn: 'solo', session: 'solo', directory: DIRECTORY, agent: 'solo', model } as const;
  const decided = { kind: 'keep', to: model, code: 'keep.lead' } as const;
  const events: EngineEvent[] = [
    { type: 'scope.configured', directory: DIRECTORY, config: scopeOf(CHAIN) },
    { type: 'switching.resumed', actor: 'panel' },
    { type: 'prompt.submitted', ...who, hostLead: null, isExplicit: true, decided },
    { type: 'attempt.started', ...who, attempt: 'solo', purpose: 'turn' },
  ];
  const after = events.reduce((known, event) => step(known, event, at, 0.5).state, state);
  return get(after.attempts, 'solo') !== undefined;
}

describe(`given ${runs(500)} runs of up to 80 events (seed ${runSeed})`, () => {
  it('when a countdown is shown, then no request leaves before its end, and one does at it', () => {
    let seen = 0;
    fc.assert(
      fc.property(anyRun, (run) => {
        const checked = new Set<string>();
        for (const { result, now } of play(run)) {
          for (const model of CHAIN) {
            const { use, until } = standingOf(result.state, model, now);
            const countdown = `${model} ${until}`;
            if (use !== 'out' || until === null || checked.has(countdown)) continue;
            checked.add(countdown);
            seen++;
            const back = step(result.state, { type: 'tick' }, until, 0.5).state;
            const asked = [until - 1, until].map((at) => admits(result.state, model, at));
            expect([model, ...asked, admits(back, model, until)]).toEqual([model, false, true, true]);
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
