import type { UsageAnswer, UsagePart } from '../../contract/usage';
import { visibleJson } from '../../engine/tools';
import { type UsageColumn, type UsageTable, usageTable } from '../../wording/usage-tables';
import { csvLine } from '../scorecard/csv';

export type UsageExport = Readonly<{
  part: UsagePart;
  format: 'csv' | 'json';
  version: string;
  /** Unix ms. */
  generatedAtMs: number;
}>;

/** Times are UTC, shares from 0 to 1, money in US dollars; missing values are empty. */
export function usageText(usage: UsageAnswer, about: UsageExport): Readonly<{ name: string; text: string }> {
  const table = usageTable(usage, about.part);
  const heads = table.columns.map((column) => headOf(column, usage));
  const rows = table.rows.map((row) => row.map((value, at) => written(value, table.columns[at], usage)));
  const name = `understudy-usage-${about.part}-${rangeName(usage)}.${about.format}`;
  if (about.format === 'csv') return { name, text: [heads, ...rows].map(csvLine).join('') };
  const { question, range } = usage;
  const document = {
    schema: 'usage/1',
    app: { name: 'Understudy', version: about.version },
    generatedAt: new Date(about.generatedAtMs).toISOString(),
    tz: question.timeZone,
    range: range && { since: instant(range.sinceMs), until: instant(range.untilMs) },
    project: question.project ?? null,
    splitBy: question.splitBy,
    part: about.part,
    rows: rows.map((row) => Object.fromEntries(row.map((value, at) => [heads[at] ?? '', value]))),
  };
  return { name, text: `${visibleJson(document)}\n` };
}

const instant = (ms: number): string => new Date(ms).toISOString();

function headOf({ id, series, cost }: UsageColumn, usage: UsageAnswer): string {
  const { splitBy } = usage.question;
  if (series !== undefined) return `${id}: ${splitBy} ${nameOf(usage.series[series]?.name ?? null, splitBy)}`;
  if (cost === undefined) return id;
  return `${id}: ${usage.costBy} ${nameOf(usage.costs[cost]?.name ?? null, usage.costBy)}`;
}

type Value = UsageTable['rows'][number][number];

function written(value: Value, column: UsageColumn | undefined, { question }: UsageAnswer): Value {
  if (column?.unit === 'name') return nameOf(value === null ? null : String(value), question.splitBy);
  return column?.unit === 'moment' && typeof value === 'number' ? instant(value) : value;
}

/** Positions count from 1. */
function nameOf(name: string | null, splitBy: UsageAnswer['question']['splitBy']): string {
  if (name === null) return 'others';
  return splitBy === 'position' ? (POSITIONS[name] ?? String(Number(name) + 1)) : name;
}
const POSITIONS: Readonly<Record<string, string>> = { '-1': 'none', '-2': 'imported' };

function rangeName({ question: { range } }: UsageAnswer): string {
  switch (range.kind) {
    case 'session':
      return 'session';
    case 'days':
      return `${range.days}d`;
    case 'all':
      return 'all';
    case 'custom':
      return `${range.from}-to-${range.to}`;
    case 'span':
      return [range.sinceMs, range.untilMs].map((at) => instant(at).slice(0, 13)).join('-to-');
  }
}
