import type { ModelRef } from './types';

/** Returns `provider/model` without the variant. */
export const nameOf = ({ providerID, id }: ModelRef): string => `${providerID}/${id}`;

export function refOf(name: string): ModelRef {
  const slash = name.indexOf('/');
  return { providerID: name.slice(0, slash), id: name.slice(slash + 1) };
}
