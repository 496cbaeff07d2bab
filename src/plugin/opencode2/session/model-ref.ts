import type { ModelRef } from './types';

/** `provider/model` of OpenCode's reference; the variant is not part of it. */
export const nameOf = ({ providerID, id }: ModelRef): string => `${providerID}/${id}`;

/** OpenCode's reference of `provider/model`; everything after the first slash is the model. */
export function refOf(name: string): ModelRef {
  const slash = name.indexOf('/');
  return { providerID: name.slice(0, slash), id: name.slice(slash + 1) };
}
