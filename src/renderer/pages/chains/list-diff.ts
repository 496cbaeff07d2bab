import type { Draft } from './draft';
import { type Lists, type Tier, tierOf } from './lists';

/** Its name, or its number from 1. */
export type NamedTier = Readonly<{ name: string | null; number: number }>;

/** Positions count from 1. */
export type ListChange =
  | Readonly<{ kind: 'added'; model: string; at: number; tier: NamedTier | null; isNewProvider: boolean }>
  | Readonly<{ kind: 'removed'; model: string; from: number; isLastOfProvider: boolean }>
  /** `tier`: the new tier, `none` outside of tiers; null if unchanged. */
  | Readonly<{ kind: 'moved'; model: string; from: number; to: number; tier: NamedTier | 'none' | null }>
  /** `from`: its first position; null if empty. */
  | Readonly<{ kind: 'tier-added'; tier: NamedTier; from: number | null }>
  | Readonly<{ kind: 'tier-removed'; tier: NamedTier }>
  | Readonly<{ kind: 'tier-moved'; tier: NamedTier }>
  | Readonly<{ kind: 'tier-renamed'; was: NamedTier; tier: NamedTier }>;

/** With the fewest moves; displaced models are not mentioned. */
export function listDiff({ base, now }: Pick<Draft, 'base' | 'now'>): readonly ListChange[] {
  return [...added(base, now), ...moved(base, now), ...removedFrom(base, now), ...tierChanges(base, now)];
}

const providerOf = (model: string): string => model.slice(0, model.indexOf('/'));
const hasProvider = ({ models }: Lists, model: string): boolean =>
  models.some((one) => providerOf(one) === providerOf(model));

export function named({ tiers }: Lists, tier: Tier): NamedTier {
  return { name: tier.name, number: tiers.findIndex(({ id }) => id === tier.id) + 1 };
}

function added(base: Lists, now: Lists): ListChange[] {
  return now.models.flatMap((model, index) => {
    if (base.models.includes(model)) return [];
    const tier = tierOf(now, model);
    const isNewProvider = !hasProvider(base, model);
    return [{ kind: 'added', model, at: index + 1, tier: tier && named(now, tier), isNewProvider }];
  });
}

function removedFrom(base: Lists, now: Lists): ListChange[] {
  const isIn = (model: string, index: number): boolean =>
    // A file may name a model twice.
    base.models.indexOf(model) === index
      ? now.models.includes(model)
      : now.models.indexOf(model) !== now.models.lastIndexOf(model);
  return base.models.flatMap((model, index) =>
    isIn(model, index) ? [] : [{ kind: 'removed', model, from: index + 1, isLastOfProvider: !hasProvider(now, model) }],
  );
}

function moved(base: Lists, now: Lists): ListChange[] {
  const common = now.models.filter((model) => base.models.includes(model));
  const still = new Set(
    longestRise(common, {
      rankOf: (model) => base.models.indexOf(model),
      // Models that change their tier are listed anyway.
      weightOf: (model) => (newTierOf(base, now, model, true) === null ? 1_000 : 1),
    }),
  );
  return common.flatMap((model) => {
    const tier = newTierOf(base, now, model, still.has(model));
    if (still.has(model) && tier === null) return [];
    return [{ kind: 'moved', model, from: base.models.indexOf(model) + 1, to: now.models.indexOf(model) + 1, tier }];
  });
}

/** Null if the tier itself was added or removed. */
function newTierOf(base: Lists, now: Lists, model: string, isStill: boolean): NamedTier | 'none' | null {
  const [was, is] = [tierOf(base, model), tierOf(now, model)];
  if (was?.id === is?.id) return null;
  const isOfTier =
    (is !== null && !base.tiers.some(({ id }) => id === is.id)) ||
    (was !== null && !now.tiers.some(({ id }) => id === was.id));
  if (isStill && isOfTier) return null;
  return is === null ? 'none' : named(now, is);
}

function tierChanges(base: Lists, now: Lists): ListChange[] {
  const remaining = now.tiers.filter(({ id }) => base.tiers.some((tier) => tier.id === id));
  const still = new Set(longestRise(remaining, { rankOf: ({ id }) => base.tiers.findIndex((tier) => tier.id === id) }));
  return [
    ...now.tiers.flatMap((tier): ListChange[] => {
      const was = base.tiers.find(({ id }) => id === tier.id);
      if (was === undefined) return [{ kind: 'tier-added', tier: named(now, tier), from: firstOf(now, tier) }];
      return [
        ...(was.name === tier.name
          ? []
          : [{ kind: 'tier-renamed', was: named(base, was), tier: named(now, tier) } as const]),
        ...(still.has(tier) ? [] : [{ kind: 'tier-moved', tier: named(now, tier) } as const]),
      ];
    }),
    ...base.tiers.flatMap((tier): ListChange[] =>
      now.tiers.some(({ id }) => id === tier.id) ? [] : [{ kind: 'tier-removed', tier: named(base, tier) }],
    ),
  ];
}

function firstOf(lists: Lists, tier: Tier): number | null {
  const at = lists.models.findIndex((model) => tierOf(lists, model)?.id === tier.id);
  return at < 0 ? null : at + 1;
}

type Rise<T> = Readonly<{ rankOf: (item: T) => number; weightOf?: (item: T) => number }>;

/** Of several the last, so that models that went up count as moved. */
function longestRise<T>(items: readonly T[], { rankOf, weightOf = () => 1 }: Rise<T>): readonly T[] {
  type Run = Readonly<{ items: readonly T[]; weight: number }>;
  let best: Run = { items: [], weight: 0 };
  const ending: (Run & Readonly<{ rank: number }>)[] = [];
  for (const item of items) {
    const rank = rankOf(item);
    let before: Run = { items: [], weight: 0 };
    for (const run of ending) if (run.rank < rank && run.weight >= before.weight) before = run;
    const run = { items: [...before.items, item], weight: before.weight + weightOf(item), rank };
    ending.push(run);
    if (run.weight >= best.weight) best = run;
  }
  return best.items;
}
