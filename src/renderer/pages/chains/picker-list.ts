import type { QueryOutput } from '../../../contract/contract';
import type { ModelAbilities } from '../../../contract/snapshot';

export type Offer = QueryOutput<'chains.offers'>['models'][number];
export const ORDERS = ['provider', 'cheapest', 'context', 'vendor'] as const;
export type Order = (typeof ORDERS)[number];

/** "under $2", per million input tokens. */
const UNDER = /(?:\b(?:under|below|unter)|<)\s*(?:\$|€)?\s*(\d+(?:[.,]\d+)?)\s*(?:\$|€)?/i;

export function offersOf(
  listed: readonly Offer[],
  existing: readonly Readonly<{ model: string; abilities: ModelAbilities }>[],
): readonly Offer[] {
  const all = new Map<string, Offer>(
    existing.map(({ model, abilities }) => [model, { model, abilities, vendor: null, isLocal: false }]),
  );
  for (const offer of listed) all.set(offer.model, offer);
  return [...all.values()];
}

export function found(offers: readonly Offer[], typed: string, order: Order): readonly Offer[] {
  const price = UNDER.exec(typed);
  const most = price?.[1] === undefined ? null : Number(price[1].replace(',', '.'));
  const words = typed.replace(UNDER, ' ').toLowerCase().split(/\s+/).filter(Boolean);
  return offers
    .filter(({ model, vendor, isLocal, abilities }) => {
      const text = `${model} ${vendor ?? ''}`.toLowerCase();
      const isCheap = most === null || isLocal || (abilities.priceIn !== null && abilities.priceIn < most);
      return isCheap && words.every((word) => text.includes(word));
    })
    .toSorted((one, other) => RANKS[order](one, other) || one.model.localeCompare(other.model, 'en'));
}

type Rank = (one: Offer, other: Offer) => number;
/** Local models are free; unknown prices rank last. */
const priceOf = ({ isLocal, abilities }: Offer): number =>
  abilities.priceIn ?? (isLocal ? 0 : Number.POSITIVE_INFINITY);
const compared = (one: number, other: number): number => (one === other ? 0 : one < other ? -1 : 1);

const RANKS: Readonly<Record<Order, Rank>> = {
  provider: () => 0,
  cheapest: (one, other) => compared(priceOf(one), priceOf(other)),
  context: (one, other) => compared(other.abilities.context ?? -1, one.abilities.context ?? -1),
  vendor: (one, other) =>
    compared(Number(one.vendor === null), Number(other.vendor === null)) ||
    (one.vendor ?? '').localeCompare(other.vendor ?? '', 'en'),
};
