import type { Finding, Option, Report } from './use-council';

type Severity = Finding['severity'];

/** Null, zero and false match everything. */
export type BoardFilter = Readonly<{
  severity: Severity | null;
  hero: string | null;
  file: string | null;
  check: 'verified' | 'moved' | null;
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

export const conditionsIn = ({ hero, file, check, confirmed, isChallenged }: BoardFilter): number =>
  [hero !== null, file !== null, check !== null, confirmed > 0, isChallenged].filter(Boolean).length;

export const distinct = (values: readonly string[]): readonly string[] =>
  [...new Set(values)].toSorted((one, other) => one.localeCompare(other));

export const byRank = (options: readonly Option[]): readonly Option[] =>
  options.toSorted((one, other) => (one.rank ?? Number.POSITIVE_INFINITY) - (other.rank ?? Number.POSITIVE_INFINITY));
