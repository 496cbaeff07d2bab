import { headroomTexts } from '../texts';
import type { AccountRow } from './headroom';
import { accountPhrase, agePhrase, courseOf, usedPhrase, windowPhrase } from './headroom-words';
import type { Snapshot } from './snapshot';
import { table } from './status-text';

/** How full the limits of accounts are, as lines for a terminal: an account, then its windows. */
export function headroomText({ headroom, at }: Pick<Snapshot, 'headroom' | 'at'>): string {
  if (headroom.length === 0) return headroomTexts().none;
  return headroom.map((account) => [accountPhrase(account), ...windowLines(account, at)].join('\n')).join('\n\n');
}

const windowLines = ({ windows }: AccountRow, now: number): string[] =>
  table(
    windows.map((window) => [
      windowPhrase(window),
      usedPhrase(window),
      courseOf(window, now).join(', '),
      window.used === null ? '' : agePhrase(window, now),
    ]),
  );
