import { type CellRow, hourOf, ledgerOf, NANOS, startOf, type Tokens, unwatchedCell } from '../../engine/scorecard';
import type { Database, Row } from './driver';
import { inTransaction } from './schema';
import { importedSums } from './sums';
import { writeCell } from './write';

/** `at` is the end; `costNanos` is null without a price. */
export type ImportedAnswer = Readonly<{
  at: number;
  durationMs: number;
  model: string;
  agent: string;
  /** False for a step that continued with tools: its time includes theirs. */
  isAnswer: boolean;
  tokens: Tokens;
  costNanos: number | null;
}>;

export const IMPORTED_SERIAL = -1;

const ANSWER = `INSERT OR IGNORE INTO imported (at, duration_ms, model, agent, is_answer,
  input, output, reasoning, cache_read, cache_write, cost_nanos) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const SUMS = importedSums('at >= ? AND at < ?');

const ANSWERS_A_STEP = 500;

/** Works in atomic, repeatable steps of some ms. @returns the number of new answers. */
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
  const [firstHour = 0, lastHour = 0] = [hours[0], hours.at(-1)];
  for (const row of figuresOf(database, firstHour, lastHour)) writeCell(database, row);
  database.run(SUMS, [startOf(firstHour), startOf(lastHour + 1)]);
}

const countOf = (database: Database): number => Number(database.all('SELECT count(*) AS n FROM imported')[0]?.n);

/** Counts whole hours, so that counting again changes nothing. */
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
