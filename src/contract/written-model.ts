import type { ModelId } from '../engine';

/** Longer ones are no variants: the protocol carries none. */
const MAX_CHARS = 100;

/** A model of a chain, and the way of answering that is asked of it; null where none is written. */
export type WrittenModel = Readonly<{ model: ModelId; variant: string | null }>;

/**
 * A model of a chain in its parts: OpenCode 2 writes a variant behind it, `provider/model#high`.
 *
 * @param models those OpenCode has: one that is called so as a whole is that model.
 */
export function writtenModel(written: string, models: readonly ModelId[] = []): WrittenModel {
  const at = written.lastIndexOf('#');
  const variant = written.slice(at + 1);
  const isName = at < 0 || variant === '' || variant.length > MAX_CHARS || variant.includes('/');
  if (isName || models.includes(written)) return { model: written, variant: null };
  return { model: written.slice(0, at), variant };
}

/** A pattern may name any model. */
export const isNamedIn = (models: readonly string[], lead: ModelId): boolean =>
  models.some((written) => written.includes('*') || writtenModel(written).model === lead);
