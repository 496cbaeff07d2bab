import type { KeyPath } from './problem';

/** May hold secret keys: views and reports only show that they exist. */
const HIDDEN: readonly (readonly string[])[] = [
  ['council', 'knowledge', 'headers'],
  ['council', 'knowledge', 'environment'],
];

export const isHidden = (path: KeyPath): boolean =>
  HIDDEN.some((place) => place.every((key, index) => path[index] === key));

export const HIDDEN_VALUE = '(hidden)';
