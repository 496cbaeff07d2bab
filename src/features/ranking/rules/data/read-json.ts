import { BENCHMARKS } from '../base/benchmarks';
import { parseJson } from '../base/parse-json';
import { shown } from './problem';
import { benchmarkNamed, countStranger, emptyTable, type RawReading, type RawTable } from './raw-value';

export const EXPORT_MARK = { understudy: 'benchmark-values', version: 1 } as const;

type Entries = Readonly<Record<string, unknown>>;
const isObject = (data: unknown): data is Entries => typeof data === 'object' && data !== null && !Array.isArray(data);

export function readJson(text: string): RawReading {
  const data = parseJson(text);
  if (Array.isArray(data)) return { ok: true, table: ofList(data, false) };
  if (!isObject(data)) return { ok: false, reason: 'The JSON is invalid: check that it is complete.' };
  return data.understudy === undefined ? ofModels(data) : ofExport(data);
}

function ofExport({ understudy, version, values }: Entries): RawReading {
  if (understudy !== EXPORT_MARK.understudy || !Array.isArray(values))
    return { ok: false, reason: 'This file of Understudy is not an export of benchmark values.' };
  if (version !== EXPORT_MARK.version)
    return {
      ok: false,
      reason: 'Another version of Understudy exported this file: export it again with this version.',
    };
  return { ok: true, table: ofList(values, true) };
}

/** Only our own export may state an origin. */
function ofList(entries: readonly unknown[], isOwn: boolean): RawTable {
  const table = emptyTable();
  for (const [index, entry] of entries.entries()) {
    const place = `entry ${index + 1}`;
    if (!isObject(entry) || typeof entry.benchmark !== 'string') {
      table.problems.push({ line: null, message: `${place}: it has no benchmark` });
      continue;
    }
    const benchmark = benchmarkNamed(entry.benchmark);
    if (benchmark === null) {
      countStranger(table, entry.benchmark);
      continue;
    }
    const { value, unit, source, date, kind, note } = entry;
    const [record, origin] = isOwn ? [entry.record, entry.origin] : [entry.model, undefined];
    const raw = { record, benchmark, value, unit, source, date, kind, origin, note };
    table.values.push({ line: null, place, formUnit: null, ...raw });
  }
  return table;
}

/** Like the published `model_benchmarks.json`, one unit per benchmark. */
function ofModels(data: Entries): RawReading {
  const table = emptyTable();
  for (const [record, entry] of Object.entries(isObject(data.models) ? data.models : data)) {
    if (!isObject(entry)) {
      table.problems.push({ line: null, message: `${shown(record)}: it has no benchmarks` });
      continue;
    }
    for (const [name, value] of Object.entries(isObject(entry.benchmarks) ? entry.benchmarks : entry)) {
      const benchmark = benchmarkNamed(name);
      if (benchmark === null) countStranger(table, name);
      else {
        const place = `${shown(record)}, ${name}`;
        table.values.push({ line: null, place, record, benchmark, value, formUnit: BENCHMARKS[benchmark].unit });
      }
    }
  }
  return table.values.length === 0
    ? { ok: false, reason: 'The file contains no known benchmark.' }
    : { ok: true, table };
}
