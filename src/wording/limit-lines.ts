import type { Snapshot } from '../contract/snapshot';
import { accountsAt, nearPlans } from './headroom-page-words';
import { accountPhrase, courseOf, usedPhrase, windowPhrase } from './headroom-words';

/** Limits told beside everything else; more are a page of their own. */
const SHOWN = 4;

/** Limits that are half used or more, refuse, or will be full before their reset, the worst first: a name, how full, and where it goes. */
export const limitCells = ({ headroom, at }: Pick<Snapshot, 'headroom' | 'at'>): string[][] =>
  nearPlans(accountsAt(headroom, at))
    .slice(0, SHOWN)
    .map(({ account, window }) => [
      `${accountPhrase(account)}, ${windowPhrase(window)}`,
      usedPhrase(window),
      courseOf(window, at).join(', '),
    ]);
