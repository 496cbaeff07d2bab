import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AttemptExport, LiveRow, StoreRow } from '../../../src/core/base/store-rows';
import { emptyScorecard, openPartOf } from '../../../src/engine/scorecard';
import { liveFigures } from '../../../src/features/ranking/core/live';
import { type Database, drivers, openDatabase } from '../../../src/node/store/driver';
import { importSteps } from '../../../src/node/store/imported';
import { keepSteps } from '../../../src/node/store/keep';
import { readAttempts } from '../../../src/node/store/read';
import { readLive } from '../../../src/node/store/read-live';
import { openReader } from '../../../src/node/store/reader';
import { migrate } from '../../../src/node/store/schema';
import { writeBatch } from '../../../src/node/store/write';
import { START } from '../../core/virtual-core';
import { runs } from '../../support/runs';
import { tempFolder } from '../temp-folder';
import { newPath, open } from './store-support';

const HOUR = 3_600_000;
const ALL = { sinceMs: 0, untilMs: START * 2 };
const OUTCOMES = ['success', 'slow', 'failure', 'limited', 'neutral', 'inFlight'] as const;

type Asked = Readonly<{
  agent: string;
  model: string;
  outcome: (typeof OUTCOMES)[number];
  purpose: 'turn' | 'internal';
  firstTokenMs: number;
  afterMs: number;
  isSameTurn: boolean;
  cost: number | null;
}>;

const asked: fc.Arbitrary<Asked> = fc.record({
  agent: fc.constantFrom('build', 'plan'),
  model: fc.constantFrom('acme/one', 'acme/two', 'local/three'),
  outcome: fc.constantFrom(...OUTCOMES),
  purpose: fc.constantFrom('turn' as const, 'turn' as const, 'turn' as const, 'internal' as const),
  firstTokenMs: fc.constantFrom(100, 300, 900, 901),
  afterMs: fc.constantFrom(0, 1_000, HOUR),
  isSameTurn: fc.boolean(),
  cost: fc.constantFrom(null, 5, 1_000_000),
});

/** What a life of attempts writes; one turn is one session's and one agent's, and each attempt that answers reports what it used. */
function rowsOf(life: readonly Asked[]): StoreRow[] {
  let at = START;
  let turn = { turn: '', session: '', agent: '' };
  return life.flatMap(({ agent, model, outcome, purpose, firstTokenMs, afterMs, isSameTurn, cost }, n) => {
    at += afterMs;
    if (!isSameTurn || n === 0) turn = { turn: `t${n}`, session: `s${n % 3}`, agent };
    const speaker = { ...turn, model, position: 0, purpose, at };
    const end = { kind: null, status: null, message: null, durationMs: 40 };
    const isAnswer = outcome === 'success' || outcome === 'slow';
    const ended = {
      type: 'attempt.ended',
      attempt: `a${n}`,
      ...end,
      firstTokenMs: isAnswer ? firstTokenMs : null,
    } as const;
    const tokens = { input: 1, output: 1, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
    return [
      { type: 'attempt.started', attempt: `a${n}`, ...speaker },
      ...(outcome === 'inFlight' ? [] : [{ ...ended, outcome }]),
      ...(isAnswer ? [{ type: 'used', ...speaker, ...tokens, costNanos: cost } as const] : []),
    ];
  });
}

type Used = Extract<StoreRow, { type: 'used' }>;

/** The same, counted one by one, in the order of the attempts. */
function recounted(attempts: readonly AttemptExport[], used: readonly Used[], isIn = (_at: number) => true): LiveRow[] {
  const rows = new Map<string, { -readonly [K in keyof LiveRow]: LiveRow[K] }>();
  const of = ({ agent, model }: Pick<LiveRow, 'agent' | 'model'>) => {
    const key = JSON.stringify([agent, model]);
    const nothing = { answered: 0, failed: 0, answeredTurns: 0, firstTokens: [], reports: 0, priced: 0, costNanos: 0 };
    const row = rows.get(key) ?? { agent, model, ...nothing };
    rows.set(key, row);
    return row;
  };
  const isAnswered = ({ outcome }: AttemptExport): boolean => outcome === 'success' || outcome === 'slow';
  const turns = attempts.filter(({ purpose }) => purpose === 'turn');
  for (const attempt of turns.filter(({ at }) => isIn(at))) {
    const row = of(attempt);
    if (isAnswered(attempt)) row.answered++;
    if (attempt.outcome === 'failure' || attempt.outcome === 'limited') row.failed++;
    const times = new Map(row.firstTokens);
    const ms = attempt.firstTokenMs;
    if (ms !== null) times.set(ms, (times.get(ms) ?? 0) + 1);
    row.firstTokens = [...times].sort(([a], [b]) => a - b);
  }
  const last = new Map(turns.map((attempt) => [attempt.turn, attempt]));
  for (const attempt of last.values()) if (isAnswered(attempt) && isIn(attempt.at)) of(attempt).answeredTurns++;
  for (const { purpose, costNanos, at, ...report } of used) {
    if (purpose !== 'turn' || !isIn(at)) continue;
    const row = of(report);
    row.reports++;
    if (costNanos === null) continue;
    row.priced++;
    row.costNanos += costNanos;
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

const isUse = (row: StoreRow): row is Used => row.type === 'used';
const write = (database: Database, rows: readonly StoreRow[]) =>
  writeBatch(database, { cursor: 1, rows, cells: [], open: openPartOf(emptyScorecard()) });

describe.each(drivers().map((driver) => [driver.name, driver] as const))('given a history in %s', (_, driver) => {
  const filled = (path: string, rows: readonly StoreRow[]): Database => {
    const database = openDatabase(path, driver);
    if (!database) throw new Error('no SQLite here');
    migrate(database);
    write(database, rows);
    return database;
  };

  it('when random attempts are counted one by one, then the query says the same, of ranges and of one agent as well', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(asked, { minLength: 1, maxLength: 40 }), fc.nat(), async (life, cut) => {
        const rows = rowsOf(life);
        const database = filled(await newPath(), rows);
        const attempts = [...readAttempts(database, ALL)];
        const used = rows.filter(isUse);
        expect(readLive(database, ALL)).toEqual(recounted(attempts, used));
        const middle = attempts[cut % attempts.length]?.at ?? START;
        const parts = [
          readLive(database, { sinceMs: 0, untilMs: middle }),
          readLive(database, { sinceMs: middle, untilMs: ALL.untilMs }),
        ] as const;
        expect(parts[0]).toEqual(recounted(attempts, used, (at) => at < middle));
        expect(parts[1]).toEqual(recounted(attempts, used, (at) => at >= middle));
        expect(liveFigures(parts.flat())).toEqual(liveFigures(readLive(database, ALL)));
        const isBuild = ({ agent }: Readonly<{ agent: string }>): boolean => agent === 'build';
        expect(readLive(database, { ...ALL, agent: 'build' })).toEqual(
          recounted(attempts.filter(isBuild), used.filter(isBuild)),
        );
        database.close();
      }),
      { numRuns: runs(300) },
    );
  });

  it('when answers were imported and titles asked for, then they count in nothing', async () => {
    const [answer] = rowsOf([{ ...SAMPLE, purpose: 'internal' }]);
    const database = filled(await newPath(), answer ? [answer] : []);
    const tokens = { input: 1, output: 1, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
    const imported = {
      at: START,
      durationMs: 5,
      model: 'acme/one',
      agent: 'build',
      isAnswer: true,
      tokens,
      costNanos: 9,
    };
    Array.from(importSteps(database, [imported]));
    expect(readLive(database, ALL)).toEqual([]);
    database.close();
  });

  it('when a turn goes on after a range, then its end counts there; a title asked for it afterwards is none', async () => {
    const later = { ...SAMPLE, afterMs: HOUR, isSameTurn: true };
    const ended = async (purpose: Asked['purpose']) => {
      const database = filled(await newPath(), rowsOf([SAMPLE, { ...later, purpose }]));
      const [before, after] = [
        { sinceMs: START, untilMs: START + HOUR },
        { sinceMs: START + HOUR, untilMs: START + 2 * HOUR },
      ].map((range) => readLive(database, range).map(({ answered, answeredTurns }) => [answered, answeredTurns]));
      database.close();
      return [before, after];
    };
    expect(await ended('turn')).toEqual([[[1, 0]], [[1, 1]]]);
    expect(await ended('internal')).toEqual([[[1, 1]], []]);
  });

  it('when the detail of an hour has become sums, then nothing is told of it any more', async () => {
    const database = filled(await newPath(), rowsOf([SAMPLE, { ...SAMPLE, afterMs: 48 * HOUR }]));
    Array.from(keepSteps(database, START + 50 * HOUR, { detailDays: 1, maxBytes: 1e9 }));
    expect(readLive(database, ALL)).toMatchObject([
      { agent: 'build', model: 'acme/one', answered: 1, answeredTurns: 1 },
    ]);
    database.close();
  });
});

const SAMPLE: Asked = {
  ...{ agent: 'build', model: 'acme/one', outcome: 'success', purpose: 'turn', firstTokenMs: 300 },
  ...{ afterMs: 0, isSameTurn: false, cost: 5 },
};

describe('given a store in use', () => {
  it('when a command line reads beside it, then both say the same', async () => {
    const home = await tempFolder();
    const store = await open(join(home, 'history.db'));
    const row = {
      ...{ agent: 'build', model: 'acme/one', answered: 1, failed: 0, answeredTurns: 1 },
      ...{ firstTokens: [[300, 1]], reports: 1, priced: 1, costNanos: 5 },
    };
    store.write({ cursor: 1, rows: rowsOf([SAMPLE]), cells: [], open: openPartOf(emptyScorecard()) });
    await store.flush();
    expect(store.live({ ...ALL, agent: 'build' })).toEqual([row]);
    const reading = await openReader(home);
    if (!reading.ok) throw new Error(reading.reason);
    expect(reading.live(ALL)).toEqual([row]);
    reading.close();
  });
});
