import type { Snapshot } from '../contract/snapshot';
import { accountsAt, nearPlans } from './headroom-page-words';
import { accountPhrase, courseOf, usedPhrase, windowPhrase } from './headroom-words';

/** The most limits in a summary. */
const SHOWN = 4;

/** Cells of limits that are half used or more, refused, or full before their reset, the worst first: name, usage, notes. */
export const limitCells = ({ headroom, at }: Pick<Snapshot, 'headroom' | 'at'>): string[][] =>
  nearPlans(accountsAt(headroom, at))
    .slice(0, SHOWN)
    .map(({ account, window }) => [
      `${accountPhrase(account)}, ${windowPhrase(window)}`,
      usedPhrase(window),
      courseOf(window, at).join(', '),
    ]);
