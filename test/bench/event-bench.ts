import { createEventDesk } from '../../src/core/history/event-desk';
import { emptyScorecard, openPartOf } from '../../src/engine/scorecard';
import type { Database } from '../../src/node/store/driver';
import { eventsIn } from '../../src/node/store/read-events';
import { writeBatch } from '../../src/node/store/write';
import { manyEvents } from '../support/many-events';
import { type BenchRow, rowOf } from './bench-row';

const EVENTS = 100_000;
const STEP_MS = 25_000;
const RUNS = 20;

/** A hundred thousand events beside what a database has, and the questions the panel asks of them. */
export function eventBench(database: Database, endMs: number, targetMs: number): BenchRow[] {
  writeBatch(database, {
    cursor: 0,
    rows: [...manyEvents(EVENTS, endMs, STEP_MS)],
    cells: [],
    open: openPartOf(emptyScorecard()),
  });
  const desk = createEventDesk(() => [], eventsIn(database));
  const page = { limit: 100, isBrief: true };
  const questions: Readonly<Record<string, () => unknown>> = {
    'newest of 100,000 events': () => desk.page(page),
    'events from the middle of 100,000': () => desk.page({ ...page, before: EVENTS, offset: EVENTS / 2 }),
    'oldest of 100,000 events': () => desk.page({ ...page, before: EVENTS, offset: EVENTS - 100 }),
    'events of one agent, a provider and a code': () =>
      desk.page({ ...page, filter: { codes: ['switch'], agent: 'plan', provider: 'openai' } }),
    'events with a word that only one has': () => desk.page({ ...page, filter: { text: 'number 50005' } }),
    'counts of every filter': () => desk.counts({}),
    'counts of every filter, one chosen, with a word': () => desk.counts({ codes: ['switch'], text: 'rate limit' }),
  };
  return Object.entries(questions).map(([name, question]) => {
    const samples = Array.from({ length: RUNS }, () => {
      const startedAt = performance.now();
      question();
      return performance.now() - startedAt;
    });
    return rowOf(name, 'ms', samples, { target: targetMs });
  });
}
