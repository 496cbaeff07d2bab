/** `id` is the index in the file; negative for a new tier. */
export type Tier = Readonly<{ id: number; name: string | null; size: number }>;

/** The last models are in tiers, if any. */
export type Lists = Readonly<{ models: readonly string[]; tiers: readonly Tier[] }>;

export type Item = string | Tier;

export const singles = (models: readonly string[]): Lists => ({ models, tiers: [] });

export const listsIn = ({
  models,
  tiers,
}: Readonly<{ models: readonly string[]; tiers: readonly Omit<Tier, 'id'>[] }>): Lists => ({
  models,
  tiers: tiers.map(({ name, size }, id) => ({ id, name, size })),
});

/** No model's name begins like a tier's id. */
export const itemId = (item: Item): string => (typeof item === 'string' ? item : tierId(item));
export const tierId = ({ id }: Pick<Tier, 'id'>): string => `tier ${id}`;

export const singleCount = ({ models, tiers }: Lists): number =>
  models.length - tiers.reduce((sum, { size }) => sum + size, 0);

/** Each tier's head precedes its models. */
export function itemsOf(lists: Lists): readonly Item[] {
  let at = singleCount(lists);
  const items: Item[] = lists.models.slice(0, at);
  for (const tier of lists.tiers) {
    items.push(tier, ...lists.models.slice(at, at + tier.size));
    at += tier.size;
  }
  return items;
}

export function listsOf(items: readonly Item[]): Lists {
  const models: string[] = [];
  const tiers: Tier[] = [];
  for (const item of items) {
    const last = tiers.at(-1);
    if (typeof item !== 'string') tiers.push({ ...item, size: 0 });
    else {
      models.push(item);
      if (last) tiers[tiers.length - 1] = { ...last, size: last.size + 1 };
    }
  }
  return { models, tiers };
}

export function tierOf(lists: Lists, model: string): Tier | null {
  const items = itemsOf(lists);
  const heads = items.slice(0, Math.max(0, items.indexOf(model))).filter((item) => typeof item !== 'string');
  return heads.at(-1) ?? null;
}

/** If all models are in tiers, none can leave them at the top: the first tier's head moves down instead. */
export function dropped(lists: Lists, id: string, over: string): Lists {
  const items = itemsOf(lists);
  const from = items.findIndex((item) => itemId(item) === id);
  const to = items.findIndex((item) => itemId(item) === over);
  const item = items[from];
  if (item === undefined || to < 0) return lists;
  const at = to === 0 && typeof item === 'string' && isAllTiered(lists) ? 1 : to;
  return listsOf(items.toSpliced(from, 1).toSpliced(at, 0, item));
}

/** Passing a tier's head changes the tier. */
export function shifted(lists: Lists, id: string, by: -1 | 1): Lists {
  const items = itemsOf(lists);
  const neighbour = items[items.findIndex((item) => itemId(item) === id) + by];
  return neighbour === undefined ? lists : dropped(lists, id, itemId(neighbour));
}

/** To a model index from 0, and into the tier there. */
export function movedTo(lists: Lists, model: string, to: number): Lists {
  const there = lists.models[to];
  return there === undefined ? lists : dropped(lists, model, there);
}

/** At the end by default; indexes count from 0. */
export function inserted(
  lists: Lists,
  model: string,
  place: Readonly<{ before?: string; at?: number; tier?: number | null }> = {},
): Lists {
  if (lists.models.includes(model)) return lists;
  const items = itemsOf(lists);
  const at = lineAt(lists, items, place);
  return listsOf(items.toSpliced(at, 0, model));
}

function lineAt(
  lists: Lists,
  items: readonly Item[],
  { before, at, tier = null }: Readonly<{ before?: string; at?: number; tier?: number | null }>,
): number {
  if (before !== undefined) {
    const line = items.findIndex((item) => itemId(item) === before);
    return line === 0 && isAllTiered(lists) ? 1 : line < 0 ? items.length : line;
  }
  if (at === undefined) return items.length;
  const head = tier === null ? -1 : items.findIndex((item) => typeof item !== 'string' && item.id === tier);
  const next = items.findIndex((item, line) => line > head && typeof item !== 'string');
  const end = next < 0 ? items.length : next;
  const there = lists.models[at];
  const line = there === undefined ? items.length : items.indexOf(there);
  return Math.min(Math.max(line, head + 1), end);
}

/** Of a duplicate, removes the second. */
export function removed(lists: Lists, model: string): Lists {
  const items = itemsOf(lists);
  const at = items.lastIndexOf(model);
  return at < 0 ? lists : listsOf(items.toSpliced(at, 1));
}

export const newTierId = ({ tiers }: Lists): number => Math.min(0, ...tiers.map(({ id }) => id)) - 1;

export const withTier = (lists: Lists, name: string | null): Lists => ({
  models: lists.models,
  tiers: [...lists.tiers, { id: newTierId(lists), name, size: 0 }],
});

/** Null shows the number. */
export const renamed = ({ models, tiers }: Lists, id: number, name: string | null): Lists => ({
  models,
  tiers: tiers.map((tier) => (tier.id === id ? { ...tier, name } : tier)),
});

/** Its models join those before it. */
export const dissolved = (lists: Lists, id: number): Lists =>
  listsOf(itemsOf(lists).filter((item) => typeof item === 'string' || item.id !== id));

export const isSame = (one: Lists, other: Lists): boolean =>
  isSameOrder(one.models, other.models) &&
  one.tiers.length === other.tiers.length &&
  one.tiers.every(({ name, size }, at) => other.tiers[at]?.name === name && other.tiers[at].size === size);

export const isSameOrder = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((model, index) => model === other[index]);

/** Tiers match `theirs` by name; others are new. */
export function rebased({ models, tiers }: Lists, theirs: Lists): Lists {
  const taken = new Set<number>();
  let next = -1;
  return {
    models,
    tiers: tiers.map((tier) => {
      const same = theirs.tiers.find(({ id, name }) => name === tier.name && !taken.has(id));
      const id = same?.id ?? next--;
      taken.add(id);
      return { ...tier, id };
    }),
  };
}

const isAllTiered = (lists: Lists): boolean => lists.tiers.length > 0 && singleCount(lists) === 0;
