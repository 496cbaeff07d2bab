import type { ChainRow } from '../../../contract/snapshot';

type State = ChainRow['chain'][number]['state'];
const USABLE: readonly State[] = ['ready', 'degraded', 'resting', 'unseen'];

/** How many of these models could be asked now. */
export const usableIn = (states: readonly State[]): number => states.filter((state) => USABLE.includes(state)).length;
