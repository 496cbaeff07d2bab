import type { Finding, Option, Report } from './use-council';

type Severity = Finding['severity'];

/** What of the board is to be seen; null, zero and false ask for nothing. */
export type BoardFilter = Readonly<{
  severity: Severity | null;
  hero: string | null;
  file: string | null;
  check: 'verified' | 'moved' | null;
  /** How many others stand behind it, at least. */
  confirmed: number;
  isChallenged: boolean;
}>;

export const EVERYTHING: BoardFilter = {
  severity: null,
  hero: null,
  file: null,
  check: null,
  confirmed: 0,
  isChallenged: false,
};

export const SEVERITIES = ['critical', 'major', 'minor', 'praise'] as const satisfies readonly Severity[];

/** What was found with its quote in its file, praise as well: the worst first, then what most stand behind. */
export function boardOf({ findings, praise }: Report): readonly Finding[] {
  const rank = ({ severity }: Finding): number => SEVERITIES.indexOf(severity);
  return [...findings, ...praise.findings].toSorted(
    (one, other) => rank(one) - rank(other) || other.support - one.support,
  );
}

export function isWanted(finding: Finding, filter: BoardFilter): boolean {
  const { severity, hero, file, check, confirmed, isChallenged } = filter;
  return (
    (severity === null || finding.severity === severity) &&
    (hero === null || finding.foundBy.includes(hero)) &&
    (file === null || finding.file === file) &&
    (check === null || finding.check === check) &&
    finding.support >= confirmed &&
    (!isChallenged || finding.challengedBy.length > 0)
  );
}

/** How many of the conditions behind the button are set. */
export const conditionsIn = ({ hero, file, check, confirmed, isChallenged }: BoardFilter): number =>
  [hero !== null, file !== null, check !== null, confirmed > 0, isChallenged].filter(Boolean).length;

/** Values that occur, each once, in the order of the alphabet. */
export const distinct = (values: readonly string[]): readonly string[] =>
  [...new Set(values)].toSorted((one, other) => one.localeCompare(other));

/** Ideas by rank; those without one after them, as they came. */
export const byRank = (options: readonly Option[]): readonly Option[] =>
  options.toSorted((one, other) => (one.rank ?? Number.POSITIVE_INFINITY) - (other.rank ?? Number.POSITIVE_INFINITY));
