import { type CellRow, hourOf, ledgerOf, NANOS, startOf, type Tokens, unwatchedCell } from '../../engine/scorecard';
import type { Database, Row } from './driver';
import { inTransaction } from './schema';
import { writeCell } from './write';

/** One answer as OpenCode remembers it. `at` is its end in Unix ms; without a price `costNanos` is null. */
export type ImportedAnswer = Readonly<{
  at: number;
  durationMs: number;
  model: string;
  agent: string;
  /** False for a step that went on to tools: its time is theirs as well. */
  isAnswer: boolean;
  tokens: Tokens;
  /** Billionths of a US dollar. */
  costNanos: number | null;
}>;

/** Marks figures of what was imported, among those of all sessions together. */
export const IMPORTED_SERIAL = -1;

const ANSWER = `INSERT OR IGNORE INTO imported (at, duration_ms, model, agent, is_answer,
  input, output, reasoning, cache_read, cache_write, cost_nanos) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Answers are taken in so many at a time, with the rest of their last hour. */
const ANSWERS_A_STEP = 500;

/**
 * Takes in answers that are not there yet, and counts them, in steps of some milliseconds between which others may have
 * their turn. A step is done or not, and doing it again changes nothing.
 *
 * @returns how many were new. @throws what SQLite says.
 */
export function* importSteps(database: Database, answers: readonly ImportedAnswer[]): Generator<void, number> {
  const before = countOf(database);
  const inOrder = answers.toSorted((a, b) => a.at - b.at);
  const hourAt = (index: number): number => hourOf(inOrder[index]?.at ?? 0);
  for (let from = 0, to = 0; from < inOrder.length; from = to) {
    to = Math.min(from + ANSWERS_A_STEP, inOrder.length);
    while (to < inOrder.length && hourAt(to) === hourAt(to - 1)) to++;
    inTransaction(database, () => take(database, inOrder.slice(from, to)));
    yield;
  }
  return countOf(database) - before;
}

function take(database: Database, answers: readonly ImportedAnswer[]): void {
  for (const answer of answers) {
    const { at, durationMs, model, agent, isAnswer, tokens, costNanos } = answer;
    const { input, output, reasoning, cacheRead, cacheWrite } = tokens;
    const used = [input, output, reasoning, cacheRead, cacheWrite, costNanos];
    database.run(ANSWER, [at, durationMs, model, agent, Number(isAnswer), ...used]);
  }
  const hours = answers.map(({ at }) => hourOf(at));
  for (const row of figuresOf(database, hours[0] ?? 0, hours.at(-1) ?? 0)) writeCell(database, row);
}

const countOf = (database: Database): number => Number(database.all('SELECT count(*) AS n FROM imported')[0]?.n);

/** Of everything that was ever imported of these hours, so that counting again changes nothing. */
function figuresOf(database: Database, firstHour: number, lastHour: number): CellRow[] {
  const whose = { session: null, serial: IMPORTED_SERIAL };
  const range = [startOf(firstHour), startOf(lastHour + 1)];
  const rows = database.all('SELECT * FROM imported WHERE at >= ? AND at < ?', range).map((row) => ({
    ...whose,
    hour: hourOf(Number(row.at)),
    model: String(row.model),
    cell: cellOf(row),
  }));
  return ledgerOf(rows).flatMap(({ hour, cells }) => cells.map(([model, cell]) => ({ ...whose, hour, model, cell })));
}

const cellOf = (row: Row): CellRow['cell'] =>
  unwatchedCell({
    tokens: {
      input: Number(row.input),
      output: Number(row.output),
      reasoning: Number(row.reasoning),
      cacheRead: Number(row.cache_read),
      cacheWrite: Number(row.cache_write),
    },
    cost: row.cost_nanos === null ? null : Number(row.cost_nanos) / NANOS,
    durationMs: row.is_answer === 1 ? Number(row.duration_ms) : null,
  });
