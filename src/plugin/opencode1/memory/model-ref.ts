import type { ModelPair } from './types';

export const refOf = (pair: Pick<ModelPair, 'providerID' | 'modelID'>): string => `${pair.providerID}/${pair.modelID}`;

export function pairOf(ref: string): { providerID: string; modelID: string } {
  const slash = ref.indexOf('/');
  return { providerID: ref.slice(0, slash), modelID: ref.slice(slash + 1) };
}
