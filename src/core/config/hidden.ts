import type { KeyPath } from './problem';

/** Paths that may hold secret keys: views and reports of a configuration only show that they exist. */
const HIDDEN: readonly (readonly string[])[] = [
  ['council', 'knowledge', 'headers'],
  ['council', 'knowledge', 'environment'],
];

/** Returns whether the value at a path is never shown. */
export const isHidden = (path: KeyPath): boolean =>
  HIDDEN.some((place) => place.every((key, index) => path[index] === key));

export const HIDDEN_VALUE = '(hidden)';
