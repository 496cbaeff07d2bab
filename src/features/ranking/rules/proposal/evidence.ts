import type { BenchmarkValue } from '../base/values';
import type { ChainProposal, ModelRow } from './document';

export const CHOICES = ['approved', 'denied', 'ignored'] as const;
export type Choice = (typeof CHOICES)[number];

/** Why somebody has to look at a model before its chain is written. */
export const LOOK_CODES = [
  /** It is not in the chain as it is. */
  'new',
  /** It would lead. */
  'primary',
  /** A number that counts for it is worked out from others. */
  'estimated',
  /** Values were found for it on the web, which count once somebody has said yes. */
  'found',
] as const;
export type LookCode = (typeof LOOK_CODES)[number];

/** A model that waits for a person, and why. */
export type ToDecide = Readonly<{ model: string; codes: readonly LookCode[] }>;

/**
 * The models that somebody has to decide on, in the order of the proposal: what is new, what would lead, what stands where it
 * does because of an estimate, and of what values were found. Whatever else is in the chain was decided by whoever wrote it.
 */
export function toDecide(
  { chain, models, present, primary }: ChainProposal,
  found: ReadonlySet<string>,
): readonly ToDecide[] {
  const rows = new Map(models.map((row) => [row.model, row]));
  const inChain = chain.map(({ model }) => model);
  const all = new Set([...inChain, ...[...found].filter((model) => rows.has(model)).toSorted()]);
  return [...all].flatMap((model) => {
    const codes: LookCode[] = [
      ...(present.includes(model) || !inChain.includes(model) ? [] : (['new'] as const)),
      ...(primary?.to === model ? (['primary'] as const) : []),
      ...((rows.get(model)?.estimated.length ?? 0) > 0 ? (['estimated'] as const) : []),
      ...(found.has(model) ? (['found'] as const) : []),
    ];
    return codes.length === 0 ? [] : [{ model, codes }];
  });
}

/**
 * What speaks for a model, as one text that changes when any of it does: a yes to it names this, and no longer counts once
 * something else would. That it leads is part of it; its place among the others, its record here and what is left of its plan,
 * which change with every turn, are not.
 */
export function evidenceText(
  { role, formula, isLive, primary, models }: ChainProposal,
  model: string,
  found: readonly BenchmarkValue[],
): string | null {
  const row = models.find((one) => one.model === model);
  if (row === undefined) return null;
  const { record, score, known, estimated, parts, price } = row;
  return JSON.stringify({
    role,
    formula,
    isLive,
    model,
    record,
    score,
    known,
    estimated,
    parts: parts.map(sourceOf),
    price,
    leads: primary?.to === model,
    found,
  });
}

/** OpenCode dates its catalogue anew whenever it lists it: the same number of another day says nothing else. */
const sourceOf = ({ benchmark, value, unit, source, date, kind, origin }: ModelRow['parts'][number]) => ({
  benchmark,
  value,
  unit,
  source,
  kind,
  date: origin === 'opencode' ? null : date,
});
