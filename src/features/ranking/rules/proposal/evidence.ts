import type { BenchmarkValue } from '../base/values';
import type { ChainProposal, ModelRow } from './document';

export const CHOICES = ['approved', 'denied', 'ignored'] as const;
export type Choice = (typeof CHOICES)[number];

export const LOOK_CODES = [
  'new',
  'primary',
  /** A value that counts is estimated. */
  'estimated',
  /** Values from the web, which count after approval. */
  'found',
] as const;
export type LookCode = (typeof LOOK_CODES)[number];

export type ToDecide = Readonly<{ model: string; codes: readonly LookCode[] }>;

/** Models to decide on, in the order of the proposal. The user decided on all others when writing the chain. */
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
 * Evidence for a model; a decision names its digest and expires with it. Excludes data that change with every turn:
 * the place, local results and headroom.
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

/** OpenCode updates its catalogue's date at each listing: a new date alone changes nothing. */
const sourceOf = ({ benchmark, value, unit, source, date, kind, origin }: ModelRow['parts'][number]) => ({
  benchmark,
  value,
  unit,
  source,
  kind,
  date: origin === 'opencode' ? null : date,
});
