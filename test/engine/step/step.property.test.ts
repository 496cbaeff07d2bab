import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { initialState, type SyncedHealth, standingOf, step } from '../../../src/engine';
import { get } from '../../../src/engine/base/table';
import { chainOf } from '../../../src/engine/state/chain';
import { exportHealth } from '../../../src/engine/tools';
import { runSeed, runs } from '../../support/runs';
import { anyRun, BACKUP, CHAIN, DEPTH, play, type Told } from '../any-run';

const seed = runSeed;
console.log(`step.property: seed ${seed}`);

/** What is rare may be in none of a tenth of the runs. */
const MANY = Math.max(250, runs(500));
/** All runs of this seed, played once: every property speaks of the same ones. */
const ALL: (readonly Told[])[] = [];
fc.assert(
  fc.property(anyRun, (run) => void ALL.push(play(run))),
  { seed, numRuns: MANY },
);

/** Looks at that many of the runs; where a claim does not hold, the smallest run that breaks it is told. */
function everyRun(numRuns: number, check: (told: readonly Told[]) => void): void {
  try {
    ALL.slice(0, numRuns).forEach(check);
  } catch {
    fc.assert(
      fc.property(anyRun, (run) => check(play(run))),
      { seed, numRuns },
    );
    throw new Error('A run broke a claim once, and not when it was played again.');
  }
}

describe(`given any run of up to 80 events (seed ${seed})`, { timeout: 180_000 }, () => {
  it(`when ${runs(500)} are played, then every kind of action occurs in them: the other properties speak of something`, () => {
    const seen = new Set<string>();
    everyRun(runs(500), (told) => {
      for (const { result } of told) for (const { action } of result.decisions) seen.add(action.kind);
    });
    expect([...seen].sort()).toEqual(['exhausted', 'hold', 'home', 'keep', 'pass', 'redirect', 'switch']);
  });

  it(`when ${runs(500)} are played, then nothing throws and a wake-up is never due in the past`, () => {
    everyRun(runs(500), (told) => {
      const late = told.filter(({ now, result: { wakeAt } }) => wakeAt !== null && wakeAt <= now);
      expect(late).toEqual([]);
    });
  });

  it(`when ${runs(200)} are replayed from their log, then the states are the same, byte for byte`, () => {
    everyRun(runs(200), (told) => {
      let state = initialState;
      for (const { event, now } of JSON.parse(JSON.stringify(told)) as Told[]) {
        state = step(state, event, now, 0.25).state;
      }
      expect(JSON.stringify(state)).toBe(JSON.stringify(told.at(-1)?.result.state));
    });
  });

  it(`when ${runs(500)} are played, then who is chosen is never out and always of the chain, the user’s choice or the backup`, () => {
    everyRun(runs(500), (told) => {
      for (const { now, result } of told) {
        for (const { action, turn } of result.decisions) {
          if (action.kind !== 'switch' && action.kind !== 'redirect' && action.kind !== 'home') continue;
          const known = get(result.state.turns, turn);
          const chain = known ? chainOf(result.state, known) : CHAIN;
          const isKnown = chain.includes(action.to) || action.to === BACKUP;
          const { use } = standingOf(result.state, action.to, now);
          expect({ action, use, isKnown }).toEqual({ action, use: use === 'out' ? 'usable' : use, isKnown: true });
        }
      }
    });
  });

  it(`when ${runs(500)} are played, then a trace names each model once, in order, and chooses exactly whom the decision names`, () => {
    everyRun(runs(500), (told) => {
      for (const { result } of told) {
        for (const { action, code, trace } of result.decisions) {
          const positions = trace.map(({ position }) => position);
          const names = trace.map(({ model }) => model);
          const chosen = trace.filter(({ verdict }) => verdict === 'chosen').map(({ model }) => model);
          const isMove = ['switch', 'redirect', 'home', 'keep'].includes(action.kind);
          const isForced = code === 'keep.blocked' || code === 'keep.native' || trace.length === 0;
          expect({ positions, names: new Set(names).size, chosen }).toEqual({
            positions: names.map((_, index) => index),
            names: names.length,
            chosen: isMove && !isForced && 'to' in action ? [action.to] : [],
          });
        }
      }
    });
  });

  it(`when ${MANY} are played, then a turn takes a model again that it has left only when nobody else is usable`, () => {
    let taken = 0;
    everyRun(MANY, (told) => {
      told.forEach(({ result }, index) => {
        for (const { action, turn, trace } of result.decisions) {
          const before = told[index - 1] && get((told[index - 1] as Told).result.state.turns, turn);
          if (action.kind !== 'switch' || !before?.left?.includes(action.to)) continue;
          taken++;
          expect(trace.filter(({ code }) => code === 'chain.later' || code.startsWith('rest.'))).toEqual([]);
        }
      });
    });
    expect(taken).toBeGreaterThan(0);
  });

  it(`when ${runs(500)} are played, then no turn has more than ${DEPTH} switches and none fails more than 12 times with a chain`, () => {
    everyRun(runs(500), (told) => {
      for (const { result } of told) {
        const broken = result.state.turns.flat().filter(([, { switches }]) => switches > DEPTH);
        expect(broken).toEqual([]);
      }
    });
  });

  it(`when ${runs(300)} are played, then what was announced of every model is what it shows`, () => {
    everyRun(runs(300), (told) => {
      for (const { now, result } of told) {
        const { state } = result;
        const wrong = state.models.flat().flatMap(([model]) => {
          const { state: shows } = standingOf(state, model, now);
          const announced = get(state.shown, model) ?? 'unseen';
          return shows === announced ? [] : [{ model, shows, announced }];
        });
        expect(wrong).toEqual([]);
      }
    });
  });

  it(`when ${runs(300)} are played, then no model changes by itself before the wake-up`, () => {
    everyRun(runs(300), (told) => {
      const { now, result } = told.at(-1) as Told;
      const { state, wakeAt } = result;
      const shownAt = (time: number): string =>
        JSON.stringify(state.models.flat().map(([model]) => standingOf(state, model, time)));
      const until = wakeAt === null ? now + 1e9 : wakeAt - 1;
      expect(shownAt(until)).toBe(shownAt(now));
    });
  });

  it(`when ${runs(300)} are played, then a model has at most as many failures as calls, and no request outlives its session`, () => {
    everyRun(runs(300), (told) => {
      const { state } = (told.at(-1) as Told).result;
      const odd = state.models.flat().filter(([, { calls, failed }]) => failed > calls);
      const lost = state.attempts
        .flat()
        .filter(([, { purpose, session }]) => purpose === 'turn' && !get(state.sessions, session));
      expect([odd, lost]).toEqual([[], []]);
    });
  });

  it(`when ${runs(300)} are sent to a host with another clock, then every model stands there as it stood here`, () => {
    fc.assert(
      fc.property(anyRun, fc.integer({ min: -1e10, max: 1e10 }), (run, shift) => {
        const { now, result } = play(run).at(-1) as Told;
        const health = JSON.parse(JSON.stringify(exportHealth(result.state, now))) as SyncedHealth;
        const event = { type: 'health.synced', health } as const;
        const there = step({ ...initialState, scopes: result.state.scopes }, event, now + shift, 0).state;
        const seen = (state: typeof there, at: number): unknown[] =>
          [...CHAIN, BACKUP, 'x/9'].map((model) => {
            const { until, since, ...rest } = standingOf(state, model, at);
            const left = (moment: number | null): number | null => (moment === null ? null : moment - at);
            return { ...rest, until: left(until), since: left(since) };
          });
        expect(seen(there, now + shift)).toEqual(seen(result.state, now));
      }),
      { seed, numRuns: runs(300) },
    );
  });
});
