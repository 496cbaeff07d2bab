import { useMemo } from 'react';
import type { Snapshot } from '../../../contract/snapshot';
import { unbooked as plainModel } from '../../../engine/names';
import { unseenRow } from '../../../wording/model-rows';
import { useAnswer, useSoonAgain } from '../../app/asked';
import { type Offer, offersOf } from './picker-list';

export type Offered = Readonly<{
  offers: readonly Offer[];
  /** Unix ms; null without a list. */
  listedAt: number | null;
  snapshot: Snapshot;
}>;

const NONE: readonly Offer[] = [];

export function useOffered(directory: string, snapshot: Snapshot): Offered {
  const { connection, instances } = snapshot;
  // A new OpenCode may have other models.
  const key = [directory, connection.status, ...instances.map((row) => `${row.instance} ${row.status}`)].join(' ');
  const query = useAnswer('chains.offers', { directory }, key);
  const { answer } = query;
  useSoonAgain(query, answer?.at === null && connection.status === 'connected');
  const listed = answer?.models ?? NONE;
  const { models } = snapshot;
  return useMemo(() => {
    const existing = new Set(models.map(({ model }) => plainModel(model)));
    const rows = listed.filter(({ model }) => !existing.has(model)).map((one) => unseenRow(one.model, one.abilities));
    const offers = offersOf(
      listed,
      models.map((row) => ({ ...row, model: plainModel(row.model) })),
    );
    return { offers, listedAt: answer?.at ?? null, snapshot: { ...snapshot, models: [...models, ...rows] } };
  }, [listed, models, snapshot, answer]);
}
