import type { ModelId } from '../engine';

/** Longest variant that the protocol allows. */
const MAX_CHARS = 100;

export type WrittenModel = Readonly<{ model: ModelId; variant: string | null }>;

/**
 * Splits off OpenCode 2's variant: `provider/model#high`. @param models a name that equals one of them has no variant.
 */
export function writtenModel(written: string, models: readonly ModelId[] = []): WrittenModel {
  const at = written.lastIndexOf('#');
  const variant = written.slice(at + 1);
  const isName = at < 0 || variant === '' || variant.length > MAX_CHARS || variant.includes('/');
  if (isName || models.includes(written)) return { model: written, variant: null };
  return { model: written.slice(0, at), variant };
}

/** Returns true for any pattern: it may match. */
export const isNamedIn = (models: readonly string[], lead: ModelId): boolean =>
  models.some((written) => written.includes('*') || writtenModel(written).model === lead);
