import type { QueryOutput } from '../../../contract/contract';
import type { RankChange } from '../contract/ranking';
import { dayOf } from '../rules/base/day';
import { ROLES } from '../rules/base/roles';
import { exportCsv, exportValues } from '../rules/data/export';
import { rangeProblem } from '../rules/data/raw-value';
import { readValues } from '../rules/data/read-table';
import { starterData } from '../rules/data/starter';
import { publishedRoles, readBenchCalc, writeBenchCalc } from '../rules/formula/bench-calc';
import { parseFormula } from '../rules/formula/parse';
import { isOwn, type KeptChange, valueChange } from '../rules/kept/change';
import type { Kept } from '../rules/kept/kept';
import { formulaIn } from './assess';
import { valuesOf } from './candidates';
import { cameBy, keptChanges } from './changes';
import type { RankingHandlers } from './handlers';
import type { RankingBook } from './port';

const PROBLEMS_SHOWN = 200;

type DataQuery = 'rank.change' | 'rank.import' | 'rank.export' | 'rank.weights';

/** @param wall Unix ms. */
export const dataDesk = (book: RankingBook, wall: () => number): Pick<RankingHandlers, DataQuery> => ({
  'rank.change': ({ changes }) => {
    const stored = book.read();
    const values = valuesOf({ starter: starterData(), kept: stored, beside: [] });
    for (const change of changes) {
      const reason = objectionTo(change, stored, values.names.records);
      if (reason !== null) return { ok: false, reason };
    }
    return book.change(keptChanges(changes, { kept: stored, values, now: wall() }));
  },
  'rank.import': ({ text, source, date }) => {
    const table = readValues(text, { source, date });
    if (!table.ok) return table;
    const own = table.values.filter(({ origin }) => isOwn(origin));
    const result = book.change(own.map(valueChange));
    if (!result.ok) return result;
    const left = table.values.length - own.length;
    const known =
      left === 0
        ? []
        : [{ line: null, message: `${left} values ship with Understudy or are estimates, and were not stored.` }];
    return { ok: true, taken: own.length, problems: [...known, ...table.problems].slice(0, PROBLEMS_SHOWN) };
  },
  'rank.export': ({ format, all }) => {
    const own = book.read().values;
    const values = all ? [...starterData().values, ...own] : own;
    const name = `benchmarks-${dayOf(wall())}.${format}`;
    return { name, text: format === 'csv' ? exportCsv(values) : exportValues(values) };
  },
  'rank.weights': ({ text }) => (text === null ? { ok: true, text: weightsText(book) } : takeWeights(book, text)),
});

function objectionTo(change: RankChange, kept: Kept, records: ReadonlySet<string>): string | null {
  // A missing name would remove a model's values.
  if (change.type === 'match' && change.record !== null && !records.has(change.record))
    return `There are no values for ${change.record}.`;
  if (change.type === 'forget' && cameBy(change, kept).length === 0)
    return 'There are no stored values of this origin.';
  if (change.type === 'value' && change.value !== null)
    return rangeProblem(change.benchmark, { value: change.value, text: String(change.value) }, change.unit);
  const parsed = change.type === 'formula' && change.text !== null ? parseFormula(change.text) : null;
  return parsed?.ok === false ? `${parsed.reason} (character ${parsed.at + 1})` : null;
}

function weightsText(book: RankingBook): string {
  const stored = book.read();
  const published = publishedRoles();
  const roles = Object.fromEntries(
    ROLES.map((role) => {
      const parsed = parseFormula(formulaIn(stored, role));
      return [role, parsed.ok ? { ...published[role], formula: parsed.formula } : published[role]];
    }),
  );
  return writeBenchCalc(roles);
}

function takeWeights(book: RankingBook, text: string): QueryOutput<'rank.weights'> {
  const parsed = readBenchCalc(text);
  if (!parsed.ok) return parsed;
  const published = publishedRoles();
  const changes = Object.values(parsed.roles).map(({ role, formula }): KeptChange => {
    const isPublished = formula.text === published[role].formula.text;
    return { part: 'formula', role, value: isPublished ? null : formula.text };
  });
  const result = book.change(changes);
  return result.ok ? { ok: true, text: weightsText(book) } : result;
}
