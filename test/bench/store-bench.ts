import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UsageAnswer, UsageQuestion, UsageSplit } from '../../src/contract/usage';
import type { StoreRow } from '../../src/core/base/store-rows';
import { hoursOf } from '../../src/core/history/books';
import { createDaySums } from '../../src/core/history/day-sums';
import { type TimelineSources, timelineOf } from '../../src/core/history/timeline';
import { agentRows } from '../../src/core/scorecard/agents';
import { createSlots, type UsageSources, usageOf } from '../../src/core/usage-report';
import {
  changedCells,
  emptyScorecard,
  ledgerOf,
  openPartOf,
  record,
  reportOf,
  type Scorecard,
} from '../../src/engine/scorecard';
import { type Database, openDatabase } from '../../src/node/store/driver';
import { keepSteps } from '../../src/node/store/keep';
import { readAttempts, readCard, readExtent, readFigures, readTransitions } from '../../src/node/store/read';
import { eventsIn } from '../../src/node/store/read-events';
import { readLive } from '../../src/node/store/read-live';
import { readSessions, readTurns, readUsed } from '../../src/node/store/read-sessions';
import { readOldestHour, readProjects, readSlots, readSums } from '../../src/node/store/read-sums';
import { migrate } from '../../src/node/store/schema';
import { writeBatch } from '../../src/node/store/write';
import { lifeOf } from '../engine/scorecard/support/life';
import { type BenchRow, rowOf } from './bench-row';
import { eventBench } from './event-bench';
import { usageViewBench } from './usage-view';

const ATTEMPTS = 1_000_000;
const BATCH_ATTEMPTS = 250;
const DAYS = 30;
const DAY_MS = 86_400_000;
const START = 1_790_000_000_000;
const STEP_MS = (DAYS * DAY_MS) / ATTEMPTS;
const QUERY_RUNS = 20;
/** Source: the promise that every question of the panel is answered within this time, in ms. */
const QUERY_TARGET_MS = 150;

/** A million attempts over thirty days, and the questions that are asked of them. */
export async function storeBench(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'us-store-'));
  try {
    const path = join(folder, 'history.db');
    const database = openDatabase(path);
    if (!database) return [{ name: 'store', why: 'this Node has no SQLite' }];
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    migrate(database);
    const { samples: written, card } = fill(database);
    const kept = keepAll(database);
    const questions = [...ask(database, card), ...eventBench(database, START + DAYS * DAY_MS, QUERY_TARGET_MS)];
    const cells = readFigures(database, {});
    const view = await usageViewBench((question) => usageNow(database, question, () => cells));
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    const sizeMegabytes = Math.round((await stat(path)).size / 1_048_576);
    const note = `${sizeMegabytes} MiB after a million attempts, ${database.driver}`;
    return [
      rowOf(`batch of ${BATCH_ATTEMPTS} attempts with their figures`, 'ms', written, { note }),
      ...questions,
      ...kept,
      view,
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function fill(database: Database): Readonly<{ samples: number[]; card: Scorecard }> {
  const samples: number[] = [];
  let card = emptyScorecard();
  for (let first = 0; first < ATTEMPTS; first += BATCH_ATTEMPTS) {
    const rows: StoreRow[] = [];
    const before = card;
    for (let n = first; n < first + BATCH_ATTEMPTS; n++) {
      rows.push(...attempt(n));
      for (const event of eventsOf(n))
        card = record(card, { event, decisions: [], facts: lifeOf(event), now: START + n * STEP_MS });
    }
    const batch = { cursor: first, rows, cells: changedCells(before, card), open: openPartOf(card) };
    const startedAt = performance.now();
    writeBatch(database, batch);
    samples.push(performance.now() - startedAt);
  }
  return { samples, card };
}

/** What everybody else waits for at most while the file is kept: a step of each kind of work. */
function keepAll(database: Database): BenchRow[] {
  const end = START + DAYS * DAY_MS;
  const kinds = {
    'adding up 29 days, a day a step': { detailDays: DAYS, maxBytes: Number.MAX_SAFE_INTEGER },
    'the hour that leaves, every hour': { detailDays: DAYS - 1 / 24, maxBytes: Number.MAX_SAFE_INTEGER },
  };
  return Object.entries(kinds).map(([name, keeping]) =>
    rowOf(`longest pause: ${name}`, 'ms', [Math.max(...stepsOf(keepSteps(database, end, keeping)))]),
  );
}

function stepsOf(steps: Iterator<void>): number[] {
  const samples: number[] = [];
  for (let isDone: boolean | undefined = false; !isDone; ) {
    const startedAt = performance.now();
    isDone = steps.next().done;
    samples.push(performance.now() - startedAt);
  }
  return samples;
}

const sessionOf = (n: number): string => `ses_${Math.floor(n / 200)}`;
const turnOf = (n: number): string => `msg_${String(n).padStart(26, '0')}`;
const attemptOf = (n: number): string => `instance-one:${sessionOf(n)}:${turnOf(n)}:1`;
/** As different as answers are: their distribution is most of what a figure takes. */
const timesOf = (n: number) => ({ durationMs: 1_000 + (n % 9_000), firstTokenMs: 300 + (n % 700) });
const modelOf = (n: number): string => `provider-${n % 3}/model-${n % 7}`;

function attempt(n: number): StoreRow[] {
  const at = Math.round(START + n * STEP_MS);
  const speaker = { session: sessionOf(n), turn: turnOf(n), agent: 'build', model: modelOf(n), position: n % 3 };
  const end = { kind: null, status: null, message: null, ...timesOf(n) };
  return [
    { type: 'session.seen', session: sessionOf(n), parent: null, project: `project-${n % 11}`, at },
    { type: 'attempt.started', attempt: attemptOf(n), ...speaker, purpose: 'turn', at },
    { type: 'attempt.ended', attempt: attemptOf(n), outcome: 'success', ...end },
  ];
}

function eventsOf(n: number) {
  const about = { attempt: attemptOf(n), turn: turnOf(n), session: sessionOf(n), model: modelOf(n) };
  return [
    { type: 'attempt.started', ...about, directory: '/bench', agent: 'build', purpose: 'turn' },
    { type: 'attempt.succeeded', attempt: about.attempt, ...timesOf(n), outputChars: 9 },
    { type: 'session.idle', session: about.session },
  ] as const;
}

const usageNow = (database: Database, question: UsageQuestion, figures: UsageSources['figures']): UsageAnswer =>
  usageOf(question, {
    wall: () => START + DAYS * DAY_MS,
    figures,
    figuresByDay: (range) => readFigures(database, { ...hoursOf(range), isByDay: true }),
    sums: (query) => readSums(database, query),
    oldestHour: () => readOldestHour(database),
    resets: (range) => ({ at: resetsIn(database, range), sinceMs: START }),
    slots: createSlots(() => readSlots(database)),
    projects: () => readProjects(database),
  });

const resetsIn = (database: Database, range: Readonly<{ sinceMs: number; untilMs: number }>): number[] => {
  const filter = { codes: ['reset'], ...range };
  const page = { filter, before: Number.MAX_SAFE_INTEGER, after: 0, offset: 0, limit: 500 };
  return eventsIn(database)
    .page(page)
    .map(({ at }) => at);
};

function ask(database: Database, card: Scorecard): BenchRow[] {
  const day = { sinceMs: START + 15 * DAY_MS, untilMs: START + 16 * DAY_MS };
  const count = (rows: Iterable<unknown>): number => {
    let total = 0;
    for (const _ of rows) total++;
    return total;
  };
  const scorecard = (query: Parameters<typeof readFigures>[1]) =>
    reportOf(ledgerOf(readFigures(database, query)), { now: START }, null);
  const cells = readFigures(database, {});
  const timeZone = 'Europe/Berlin';
  const usage = (splitBy: UsageSplit, figures: UsageSources['figures'], days = DAYS): UsageAnswer =>
    usageNow(database, { range: { kind: 'days', days }, splitBy, timeZone }, figures);
  const project = 'project-3';
  const ofProject = (): UsageAnswer => {
    const question = { range: { kind: 'days', days: DAYS }, splitBy: 'model', timeZone, project } as const;
    return usageNow(database, question, (range) => readFigures(database, { project, ...hoursOf(range) }));
  };
  const byDay = createDaySums();
  const all = { sinceHour: 0, untilHour: Number.MAX_SAFE_INTEGER };
  const sessions = (search: string) => readSessions(database, { search, before: null, except: [], limit: 50 }).sessions;
  const questions: Readonly<Record<string, () => unknown>> = {
    'usage of 30 days by model': () => usage('model', () => cells),
    'usage of 30 days by position': () => usage('position', () => cells),
    'usage of 15 days by model, beside the 15 before': () => usage('model', () => cells, DAYS / 2),
    'usage of 30 days by model, nothing of it in memory': () =>
      usage('model', (range) => readFigures(database, hoursOf(range))),
    'usage of 30 days by model, of one project of eleven': ofProject,
    'how agents fared in one day (33,333 attempts)': () => agentRows(readAttempts(database, day)),
    'what models did for agents in one day (33,333 attempts)': () => readLive(database, day),
    'scorecard of all 30 days, from the file': () => scorecard({ isByDay: true }),
    'scorecard of all 30 days, as the app has it in memory': () =>
      reportOf(ledgerOf(byDay(card.hours, all)), { now: START }, null),
    'what the app goes on with at its start': () => readCard(database),
    'how much is kept': () => readExtent(database),
    'scorecard of one session of 200 attempts': () => scorecard({ session: sessionOf(500_000) }),
    'attempts of one day, for an export (33,333 rows)': () => count(readAttempts(database, day)),
    'attempts of one session': () =>
      count(readAttempts(database, { sinceMs: 0, untilMs: START * 2, sessions: [sessionOf(500_000)] })),
    'page of 50 sessions with their figures': () => sessions('').map(({ session }) => scorecard({ session })),
    'page of 50 sessions in which one model spoke': () => sessions('model-3'),
    'search that no session fits': () => sessions('nothing like it'),
    'timeline of one session of 200 turns': () => {
      const family = [sessionOf(500_000)];
      const page = { after: null, within: null, limit: 50, isTroubleOnly: false };
      return timelineOf(readTurns(database, family), timelineSources(database, family), page);
    },
    'changes of state in one day': () => readTransitions(database, day),
  };
  return Object.entries(questions).map(([name, question]) => {
    const samples = Array.from({ length: QUERY_RUNS }, () => {
      const startedAt = performance.now();
      question();
      return performance.now() - startedAt;
    });
    return rowOf(name, 'ms', samples, isAskedByPanel(name) ? { target: QUERY_TARGET_MS } : {});
  });
}

const isAskedByPanel = (name: string): boolean => !name.includes('export') && !name.includes('at its start');
const timelineSources = (database: Database, family: readonly string[]): TimelineSources => ({
  store: {
    attempts: (query) => readAttempts(database, query),
    used: (sessions, sinceMs) => readUsed(database, sessions, sinceMs),
  },
  decisions: () => [],
  family,
});
