import { useMemo } from 'react';
import { plainModel, type Snapshot, unseenRow } from '../../contract';
import { useAnswer } from '../asked';
import { type Offer, offersOf } from './picker-list';

/** The models that may be put into a chain. */
export type Offered = Readonly<{
  offers: readonly Offer[];
  /** When OpenCode listed them, in Unix ms; null when it has not, or nobody has told yet. */
  listedAt: number | null;
  /** What is known, with a row for each model that OpenCode has and nobody has asked. */
  snapshot: Snapshot;
}>;

const NONE: readonly Offer[] = [];

/** What OpenCode has in a directory, beside what is known of models there. */
export function useOffered(directory: string, snapshot: Snapshot): Offered {
  const { answer } = useAnswer('chains.offers', { directory }, directory);
  const listed = answer?.models ?? NONE;
  const { models } = snapshot;
  return useMemo(() => {
    const known = new Set(models.map(({ model }) => plainModel(model)));
    const rows = listed.filter(({ model }) => !known.has(model)).map((one) => unseenRow(one.model, one.abilities));
    const offers = offersOf(
      listed,
      models.map((row) => ({ ...row, model: plainModel(row.model) })),
    );
    return { offers, listedAt: answer?.at ?? null, snapshot: { ...snapshot, models: [...models, ...rows] } };
  }, [listed, models, snapshot, answer]);
}
