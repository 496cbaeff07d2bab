import type { WrittenModel } from '../../contract/written-model';
import type { ModelId } from '../../engine';
import { factsIn, type Offers } from '../base/offers';

/** OpenCode's name for a model without a variant. */
export const PLAIN_VARIANT = 'default';

export const variantsOf = (catalogue: Offers['catalogue'] | undefined, model: ModelId): readonly string[] | null =>
  factsIn(catalogue ?? {}, model).variants ?? null;

export function unknownVariant({ model, variant }: WrittenModel, variants: readonly string[]): string {
  const has = variants.length === 0 ? 'it has none' : `it has ${variants.join(', ')}`;
  return `${model} has no variant ${JSON.stringify(variant)} in OpenCode, ${has}: its default is used`;
}
