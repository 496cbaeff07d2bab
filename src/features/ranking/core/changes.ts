import type { RankChange } from '../contract/ranking';
import type { BenchmarkValue } from '../rules/base/values';
import { recordFor } from '../rules/data/names';
import { type KeptChange, valueChange } from '../rules/kept/change';
import type { Kept } from '../rules/kept/kept';
import type { Values } from './candidates';

/** @param now Unix ms. */
export function keptChanges(
  changes: readonly RankChange[],
  about: Readonly<{ kept: Kept; values: Values; now: number }>,
): readonly KeptChange[] {
  return changes.flatMap((change) => keptChange(change, about));
}

function keptChange(
  change: RankChange,
  { kept, values, now }: Parameters<typeof keptChanges>[1],
): readonly KeptChange[] {
  switch (change.type) {
    case 'value': {
      const record = recordFor(change.model, values.names) ?? change.model;
      const before = kept.values.filter(
        (value) => value.origin === 'hand' && value.record === record && value.benchmark === change.benchmark,
      );
      const gone = before.map((value) => ({ ...valueChange(value), value: null }));
      return change.value === null ? gone : [...gone, valueChange(byHand(change, record, change.value))];
    }
    case 'forget':
      return cameBy(change, kept).map((value) => ({ ...valueChange(value), value: null }));
    case 'measured':
      return [valueChange(change.value)];
    case 'match':
      return [{ part: 'match', model: change.model, value: { record: change.record } }];
    case 'unmatch':
      return [{ part: 'match', model: change.model, value: null }];
    case 'role':
      return [{ part: 'role', agent: change.agent, value: change.role }];
    case 'formula':
      return [{ part: 'formula', role: change.role, value: change.text }];
    case 'headroom': {
      const { provider, fiveHourPercent, weekPercent } = change;
      const isKnown = fiveHourPercent !== null || weekPercent !== null;
      return [{ part: 'headroom', provider, value: isKnown ? { fiveHourPercent, weekPercent, at: now } : null }];
    }
  }
}

/** A null source matches all. */
export const cameBy = (
  { origin, source }: Extract<RankChange, { type: 'forget' }>,
  { values }: Kept,
): readonly BenchmarkValue[] =>
  values.filter((value) => value.origin === origin && (source === null || value.source === source));

function byHand(
  { benchmark, unit, source, date }: Extract<RankChange, { type: 'value' }>,
  record: string,
  value: number,
): BenchmarkValue {
  return { record, benchmark, value, unit, source, date, kind: 'published', origin: 'hand', note: null };
}
