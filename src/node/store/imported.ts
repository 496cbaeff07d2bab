import { type CellRow, hourOf, ledgerOf, NANOS, type Tokens, unwatchedCell } from '../../engine/scorecard';
import type { Database, Row } from './driver';
import { inTransaction } from './schema';
import { IMPORTED_SUMS } from './sums';
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

/** Takes in answers that are not there yet, and counts them. @returns how many were new. @throws what SQLite says. */
export function writeImported(database: Database, answers: Iterable<ImportedAnswer>): number {
  const before = countOf(database);
  inTransaction(database, () => {
    for (const answer of answers) {
      const { at, durationMs, model, agent, isAnswer, tokens, costNanos } = answer;
      const { input, output, reasoning, cacheRead, cacheWrite } = tokens;
      const used = [input, output, reasoning, cacheRead, cacheWrite, costNanos];
      database.run(ANSWER, [at, durationMs, model, agent, Number(isAnswer), ...used]);
    }
    for (const row of figuresOf(database)) writeCell(database, row);
    database.run(IMPORTED_SUMS);
  });
  return countOf(database) - before;
}

const countOf = (database: Database): number => Number(database.all('SELECT count(*) AS n FROM imported')[0]?.n);

/** Of everything that was ever imported, so that counting again changes nothing. */
function figuresOf(database: Database): CellRow[] {
  const whose = { session: null, serial: IMPORTED_SERIAL };
  const rows = database.all('SELECT * FROM imported').map((row) => ({
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
