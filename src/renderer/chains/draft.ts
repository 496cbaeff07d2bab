import { chainTexts } from '../../texts';

/** A chain somebody is changing: what is in force, what it shall be, and the steps between. */
export type Draft = Readonly<{
  base: readonly string[];
  models: readonly string[];
  /** Earlier drafts, the latest last. */
  past: readonly (readonly string[])[];
  /** What others have made of the chain since the draft began; null while it is what it was. */
  theirs: readonly string[] | null;
}>;

/** What may be done to a draft. Positions count from 0. */
export type DraftStep =
  | Readonly<{ type: 'move'; model: string; to: number }>
  | Readonly<{ type: 'remove'; model: string }>
  /** At the end when no place is named. */
  | Readonly<{ type: 'add'; model: string; at?: number }>
  | Readonly<{ type: 'undo' | 'discard' }>
  /** What is in force has changed, by this draft or by others. */
  | Readonly<{ type: 'based'; models: readonly string[] }>
  /** A person has seen what others made of the chain: from now on the draft is these models, and a change of theirs. */
  | Readonly<{ type: 'settle'; models: readonly string[] }>;

/** A draft without a change. */
export const draftOf = (base: readonly string[]): Draft => ({ base, models: base, past: [], theirs: null });

/** The draft after a step; the very same when the step changes nothing. */
export function nextDraft(draft: Draft, step: DraftStep): Draft {
  const { base, models, past } = draft;
  switch (step.type) {
    case 'move':
      return withModels(draft, moved(models, models.indexOf(step.model), step.to));
    case 'add':
      return models.includes(step.model)
        ? draft
        : withModels(draft, models.toSpliced(step.at ?? models.length, 0, step.model));
    case 'remove':
      return withModels(
        draft,
        models.filter((model) => model !== step.model),
      );
    case 'undo':
      return past.length === 0 ? draft : { ...draft, models: past.at(-1) ?? base, past: past.slice(0, -1) };
    case 'discard':
      return draftOf(draft.theirs ?? base);
    case 'based':
      return basedOn(draft, step.models);
    case 'settle':
      return { base: draft.theirs ?? base, models: step.models, past: [...past, models], theirs: null };
  }
}

function basedOn(draft: Draft, now: readonly string[]): Draft {
  const { base, models, theirs } = draft;
  if (isSame(base, now)) return theirs === null ? draft : { ...draft, theirs: null };
  // An untouched draft, and one that has just come into force, follow.
  if (!isChanged(draft) || isSame(models, now)) return draftOf(now);
  return theirs !== null && isSame(theirs, now) ? draft : { ...draft, theirs: now };
}

/**
 * A draft put onto what others have made of the chain: it has the models of both without those that either took out, in the
 * order of whoever changed it, and in the draft's where both did.
 */
export function mergedWith({ base, models }: Draft, theirs: readonly string[]): readonly string[] {
  const isKept = (model: string) => !base.includes(model) || (models.includes(model) && theirs.includes(model));
  const common = base.filter((model) => models.includes(model) && theirs.includes(model));
  const hasMoved = !isSame(
    common,
    models.filter((model) => common.includes(model)),
  );
  const [leading, following] = hasMoved ? [models, theirs] : [theirs, models];
  let merged = leading.filter(isKept);
  for (const [index, model] of following.entries()) {
    if (!isKept(model) || merged.includes(model)) continue;
    // Behind the one it follows there, so that it keeps its company.
    const before = following.slice(0, index).findLast((other) => merged.includes(other));
    merged = merged.toSpliced(before === undefined ? 0 : merged.indexOf(before) + 1, 0, model);
  }
  return merged;
}

function withModels(draft: Draft, models: readonly string[]): Draft {
  return isSame(models, draft.models) ? draft : { ...draft, models, past: [...draft.past, draft.models] };
}

function moved(models: readonly string[], from: number, to: number): readonly string[] {
  const model = models[from];
  if (model === undefined || to < 0 || to >= models.length) return models;
  return models.toSpliced(from, 1).toSpliced(to, 0, model);
}

/** Whether two chains are the same models in the same order. */
export const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((model, index) => model === other[index]);

/** Whether a draft says anything else than what is in force. */
export const isChanged = ({ base, models }: Draft): boolean => !isSame(base, models);

/** How many models of a draft are at another place, new, and gone. */
export function changesOf({ base, models }: Draft): Readonly<{ moved: number; added: number; removed: number }> {
  return {
    moved: models.filter((model, index) => base.includes(model) && base.indexOf(model) !== index).length,
    added: models.filter((model) => !base.includes(model)).length,
    removed: base.filter((model) => !models.includes(model)).length,
  };
}

/** Where a model of a draft was: its old position from 1, `new`, or null when it has not moved. */
export function captionOf({ base }: Draft, model: string, index: number): string | null {
  const was = base.indexOf(model);
  if (was === index) return null;
  return was < 0 ? chainTexts().row.isNew : chainTexts().row.was(was + 1);
}
