import { chainTexts } from '../../../texts';
import {
  dissolved,
  dropped,
  inserted,
  isSame,
  isSameOrder,
  type Lists,
  movedTo,
  rebased,
  removed,
  renamed,
  shifted,
  singles,
  type Tier,
  tierOf,
  withTier,
} from './lists';

export type Draft = Readonly<{
  base: Lists;
  now: Lists;
  /** Latest last. */
  past: readonly Lists[];
  /** Undone steps, latest last; any other step clears them. */
  future: readonly Lists[];
  /** Null without external changes. */
  theirs: Lists | null;
}>;

/** Positions count from 0. */
export type DraftStep =
  | Readonly<{ type: 'move'; model: string; to: number }>
  /** A model or a tier's head. */
  | Readonly<{ type: 'shift'; id: string; by: -1 | 1 }>
  | Readonly<{ type: 'drop'; id: string; over: string }>
  | Readonly<{ type: 'remove'; model: string }>
  /** At the end by default. */
  | Readonly<{ type: 'add'; model: string; before?: string; at?: number; tier?: number | null }>
  | Readonly<{ type: 'add-tier'; name: string | null }>
  | Readonly<{ type: 'name-tier'; id: number; name: string | null }>
  | Readonly<{ type: 'dissolve-tier'; id: number }>
  | Readonly<{ type: 'undo' | 'redo' | 'discard' }>
  | Readonly<{ type: 'based'; lists: Lists }>
  /** The user resolved a conflict: these lists become a change of the external version. */
  | Readonly<{ type: 'settle'; lists: Lists }>;

export const draftOf = (base: Lists): Draft => ({ base, now: base, past: [], future: [], theirs: null });

/** Returns the same object if nothing changes. */
export function nextDraft(draft: Draft, step: DraftStep): Draft {
  const { base, now, past, future } = draft;
  switch (step.type) {
    case 'undo':
      return past.length === 0
        ? draft
        : { ...draft, now: past.at(-1) ?? base, past: past.slice(0, -1), future: [...future, now] };
    case 'redo':
      return future.length === 0
        ? draft
        : { ...draft, now: future.at(-1) ?? now, past: [...past, now], future: future.slice(0, -1) };
    case 'discard':
      // Can be undone; a conflict restarts from the external version.
      if (draft.theirs !== null) return draftOf(draft.theirs);
      return isChanged(draft) ? { ...draft, now: base, past: [...past, now], future: [] } : draft;
    case 'based':
      return basedOn(draft, step.lists);
    case 'settle': {
      const theirs = draft.theirs ?? base;
      return {
        base: theirs,
        now: rebased(step.lists, theirs),
        past: [...past, rebased(now, theirs)],
        future: [],
        theirs: null,
      };
    }
    default: {
      const next = changed(now, step);
      return isSame(next, now) ? draft : { ...draft, now: next, past: [...past, now], future: [] };
    }
  }
}

type Change = Exclude<DraftStep, Readonly<{ type: 'undo' | 'redo' | 'discard' | 'based' | 'settle' }>>;

function changed(lists: Lists, step: Change): Lists {
  switch (step.type) {
    case 'move':
      return movedTo(lists, step.model, step.to);
    case 'shift':
      return shifted(lists, step.id, step.by);
    case 'drop':
      return dropped(lists, step.id, step.over);
    case 'add':
      return inserted(lists, step.model, step);
    case 'remove':
      return removed(lists, step.model);
    case 'add-tier':
      return withTier(lists, step.name);
    case 'name-tier':
      return renamed(lists, step.id, step.name);
    case 'dissolve-tier':
      return dissolved(lists, step.id);
  }
}

function basedOn(draft: Draft, news: Lists): Draft {
  const { base, now, theirs } = draft;
  if (isSame(base, news)) return theirs === null ? draft : { ...draft, theirs: null };
  // Unchanged drafts, and applied ones, follow the new chain.
  if (!isChanged(draft) || isSame(now, news)) return draftOf(news);
  return theirs !== null && isSame(theirs, news) ? draft : { ...draft, theirs: news };
}

/**
 * The models of both, without those that either removed, in the order of the side that changed it, or the draft's if
 * both did. The draft's tiers win.
 */
export function mergedWith({ base, now }: Pick<Draft, 'base' | 'now'>, theirs: Lists): Lists {
  const models = mergedOrder(base.models, now.models, theirs.models);
  const mine = now.tiers.length > 0 ? now : theirs;
  if (mine.tiers.length === 0) return singles(models);
  const homes = models.map((model) => homeOf(model, now, theirs));
  const single = models.filter(
    (_, at) => homes[at] === undefined || !mine.tiers.some(({ name }) => name === homes[at]?.name),
  );
  const tiered = mine.tiers.map((tier) => ({
    tier,
    models: models.filter((model, at) => !single.includes(model) && firstNamed(mine, homes[at]) === tier),
  }));
  return {
    models: [...single, ...tiered.flatMap((one) => one.models)],
    tiers: tiered.map(({ tier, models: { length } }) => ({ ...tier, size: length })),
  };
}

const homeOf = (model: string, now: Lists, theirs: Lists): Tier | undefined =>
  (now.models.includes(model) && now.tiers.length > 0 ? tierOf(now, model) : tierOf(theirs, model)) ?? undefined;

const firstNamed = ({ tiers }: Lists, wanted: Tier | undefined): Tier | undefined =>
  tiers.find((tier) => tier === wanted) ?? tiers.find(({ name }) => name === wanted?.name);

function mergedOrder(base: readonly string[], models: readonly string[], theirs: readonly string[]): readonly string[] {
  const isKept = (model: string) => !base.includes(model) || (models.includes(model) && theirs.includes(model));
  const common = base.filter((model) => models.includes(model) && theirs.includes(model));
  const hasMoved = !isSameOrder(
    common,
    models.filter((model) => common.includes(model)),
  );
  const [leading, following] = hasMoved ? [models, theirs] : [theirs, models];
  let merged = leading.filter(isKept);
  for (const [index, model] of following.entries()) {
    if (!isKept(model) || merged.includes(model)) continue;
    // After its predecessor there, so that neighbours stay together.
    const before = following.slice(0, index).findLast((other) => merged.includes(other));
    merged = merged.toSpliced(before === undefined ? 0 : merged.indexOf(before) + 1, 0, model);
  }
  return merged;
}

export const isChanged = ({ base, now }: Draft): boolean => !isSame(base, now);

/** The old position from 1, `new`, or null if unmoved. */
export function captionOf({ base }: Pick<Draft, 'base'>, model: string, index: number, offset: number): string | null {
  const texts = chainTexts().row;
  const was = base.models.indexOf(model);
  if (was < 0) return texts.isNew;
  return was === index ? null : texts.was(was + 1 + offset);
}
