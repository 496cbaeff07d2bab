import { bump, type Cell, type CellDraft, draftOf, emptyCell, NANOS } from './cell';
import { countable, withValue } from './histogram';
import type { Tokens, UsageRecorded } from './input';

/** A broken number must not hide the others. */
const TOKENS_MAX = 1e12;
const COST_MAX = 1e6;

type Used = Pick<UsageRecorded, 'tokens' | 'cost'>;

export function addUsed(cell: CellDraft, { tokens, cost }: Used): void {
  bump(cell, 'tokensInput', count(tokens.input));
  bump(cell, 'tokensOutput', count(tokens.output));
  bump(cell, 'tokensReasoning', count(tokens.reasoning));
  bump(cell, 'tokensCacheRead', count(tokens.cacheRead));
  bump(cell, 'tokensCacheWrite', count(tokens.cacheWrite));
  bump(cell, 'usages');
  if (cost === null || !Number.isFinite(cost) || cost < 0) return;
  bump(cell, 'priced');
  bump(cell, 'costNanos', Math.round(Math.min(COST_MAX, cost) * NANOS));
}

/** Ignores invalid durations. */
export function addAnswer(cell: CellDraft, durationMs: number): void {
  const counted = countable(durationMs);
  if (counted === null) return;
  bump(cell, 'answeredMs', counted);
  cell.answers = withValue(cell.answers, counted);
}

/** An unobserved response is no attempt: rates cover only observed ones. */
export function unwatchedCell({ durationMs, ...used }: Used & Readonly<{ durationMs: number | null }>): Cell {
  const cell = draftOf(emptyCell);
  addUsed(cell, used);
  if (durationMs !== null) addAnswer(cell, durationMs);
  return cell;
}

const count = (value: Tokens['input']): number => (value > 0 ? Math.min(TOKENS_MAX, Math.round(value)) : 0);
