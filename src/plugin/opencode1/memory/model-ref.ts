import type { ModelPair } from './types';

/** `provider/model` of OpenCode's pair. */
export const refOf = (pair: Pick<ModelPair, 'providerID' | 'modelID'>): string => `${pair.providerID}/${pair.modelID}`;

/** OpenCode's pair of `provider/model`; everything after the first slash is the model. */
export function pairOf(ref: string): { providerID: string; modelID: string } {
  const slash = ref.indexOf('/');
  return { providerID: ref.slice(0, slash), modelID: ref.slice(slash + 1) };
}
