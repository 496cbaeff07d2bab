import type { KeyPath } from './problem';

/** Places whose values may be keys: whoever looks at a configuration, or hands on what is wrong with it, sees that they are there. */
const HIDDEN: readonly (readonly string[])[] = [
  ['council', 'knowledge', 'headers'],
  ['council', 'knowledge', 'environment'],
];

/** Whether what stands at a path is shown to nobody. */
export const isHidden = (path: KeyPath): boolean =>
  HIDDEN.some((place) => place.every((key, index) => path[index] === key));

/** In the place of such a value. */
export const HIDDEN_VALUE = '(hidden)';
