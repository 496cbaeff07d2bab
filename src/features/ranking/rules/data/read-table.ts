import type { BenchmarkValue } from '../base/values';
import { type Problem, shown } from './problem';
import { type Defaults, type RawTable, readValue } from './raw-value';
import { readCsv } from './read-csv';
import { readJson } from './read-json';

/** 5 MB with one byte per character, more than any list of values. */
const TEXT_MAX_CHARS = 5_000_000;
const VALUES_MAX = 20_000;
/** As many as a person reads; the rest is counted. */
const PROBLEMS_MAX = 200;
const STRANGERS_MAX = 20;

export type ReadValues =
  | Readonly<{ ok: true; values: BenchmarkValue[]; problems: Problem[] }>
  | Readonly<{ ok: false; reason: string }>;

/**
 * Reports invalid values by place and imports the rest; never guesses a unit by size.
 * @param defaults Source and date of values without them.
 * @returns `ok: false` with a reason for the user if nothing is usable.
 */
export function readValues(text: string, defaults: Defaults): ReadValues {
  if (text.length > TEXT_MAX_CHARS) return { ok: false, reason: 'The text is larger than 5 MB: import it in parts.' };
  const whole = text.replace(/^\uFEFF/, '');
  const reading = /^\s*[[{]/.test(whole) ? readJson(whole) : readCsv(whole);
  if (!reading.ok) return reading;
  const { values, problems } = taken(reading.table, defaults);
  if (values.length > VALUES_MAX)
    return { ok: false, reason: 'The text has more than 20,000 values: import it in parts.' };
  return { ok: true, values, problems: problemsOf(reading.table, problems) };
}

function taken(table: RawTable, defaults: Defaults): Readonly<{ values: BenchmarkValue[]; problems: Problem[] }> {
  const values: BenchmarkValue[] = [];
  const problems: Problem[] = [];
  for (const raw of table.values) {
    const value = readValue(raw, defaults);
    if (typeof value === 'string') problems.push({ line: raw.line, message: `${raw.place}: ${value}` });
    else if (value !== null) values.push(value);
  }
  return { values, problems };
}

function problemsOf({ strangers, problems: unread }: RawTable, refused: readonly Problem[]): Problem[] {
  const names = [...strangers].slice(0, STRANGERS_MAX).map(([name, times]) => ({
    line: null,
    message: `${shown(name)} is unknown and was skipped${times === 1 ? '' : `, ${times} times`}`,
  }));
  const problems = [...unread, ...refused].sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
  return [
    ...names,
    ...more(strangers.size - names.length, 'names are unknown and were skipped'),
    ...problems.slice(0, PROBLEMS_MAX),
    ...more(problems.length - PROBLEMS_MAX, 'could not be imported'),
  ];
}

const more = (count: number, what: string): Problem[] =>
  count > 0 ? [{ line: null, message: `${count} more ${what}` }] : [];
