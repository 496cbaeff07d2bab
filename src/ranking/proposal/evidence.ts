import type { ChainProposal, ModelRow } from './document';

/** What a person decides about a model of a proposal. */
export const CHOICES = ['approved', 'denied', 'ignored'] as const;
export type Choice = (typeof CHOICES)[number];

/** Why somebody has to look at a model before its chain is written. */
export type LookCode =
  /** It is not in the chain as it is. */
  | 'new'
  /** It would lead. */
  | 'primary'
  /** A number that counts for it is worked out from others. */
  | 'estimated';

/** A model that waits for a person, and why. */
export type ToDecide = Readonly<{ model: string; codes: readonly LookCode[] }>;

/**
 * The models of a proposal that somebody has to decide on, in its order: what is new, what would lead, and what stands where
 * it does because of an estimate. Whatever else is in the chain already was decided by whoever wrote it.
 */
export function toDecide({ chain, models, present, primary }: ChainProposal): readonly ToDecide[] {
  const rows = new Map(models.map((row) => [row.model, row]));
  return chain.flatMap(({ model }) => {
    const codes: LookCode[] = [
      ...(present.includes(model) ? [] : (['new'] as const)),
      ...(primary?.to === model ? (['primary'] as const) : []),
      ...((rows.get(model)?.estimated.length ?? 0) > 0 ? (['estimated'] as const) : []),
    ];
    return codes.length === 0 ? [] : [{ model, codes }];
  });
}

/**
 * What is shown of a model, as one text that changes when anything of it does: a yes to it names this, and no longer counts
 * once something else would be shown. Its place among the others is no part of it, but that it leads is.
 */
export function evidenceText({ role, formula, isLive, primary, models }: ChainProposal, model: string): string | null {
  const row = models.find((one) => one.model === model);
  if (row === undefined) return null;
  const { record, score, known, estimated, parts, price } = row;
  return JSON.stringify({
    ...{ role, formula, isLive, model, record, score, known, estimated, parts: parts.map(sourceOf), price },
    leads: primary?.to === model,
  });
}

const sourceOf = ({ benchmark, value, unit, source, date, kind }: ModelRow['parts'][number]) => ({
  ...{ benchmark, value, unit, source, date, kind },
});
