import type { AccountRow } from '../contract/headroom';
import type { Snapshot } from '../contract/snapshot';
import { budgetTexts, headroomTexts } from '../texts';
import { budgetCourse, budgetName, budgetSpent } from './budget-words';
import { accountPhrase, agePhrase, courseOf, usedPhrase, windowPhrase } from './headroom-words';
import { table } from './status-text';

/** Limits as lines for a terminal: accounts with their windows, then budgets, then unrecognised headers. */
export function headroomText({
  headroom,
  budgets,
  unknownHeaders,
  at,
}: Pick<Snapshot, 'headroom' | 'budgets' | 'unknownHeaders' | 'at'>): string {
  const { none, unknown } = headroomTexts();
  const accounts = headroom.map((account) => [accountPhrase(account), ...windowLines(account, at)].join('\n'));
  const names = table(unknownHeaders.map((row) => [row.provider, row.names.join(', ')]));
  const rest = names.length === 0 ? [] : [[`${unknown.title}. ${unknown.note}`, ...names].join('\n')];
  const money = table(budgets.map((row) => [budgetName(row, at), budgetSpent(row), budgetCourse(row, at)]));
  const spent = money.length === 0 ? [] : [[budgetTexts().title, ...money].join('\n')];
  return [...(accounts.length === 0 ? [none] : accounts), ...spent, ...rest].join('\n\n');
}

const windowLines = ({ windows }: AccountRow, now: number): string[] =>
  table(
    windows.map((window) => [
      windowPhrase(window),
      usedPhrase(window),
      courseOf(window, now).join(', '),
      // Counted windows are always current.
      window.used === null || window.source !== 'provider' ? '' : agePhrase(window, now),
    ]),
  );
