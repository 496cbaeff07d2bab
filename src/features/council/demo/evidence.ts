import { listed } from '../rules/base/text';
import type { MemberId } from '../rules/base/types';
import type { CouncilReport } from '../rules/report/schema';
import type { CouncilFact } from '../rules/state/events';
import { CHALLENGED, CONFIRMED, PARTY, PROVED, UNPROVED } from './answers';
import { DYING, SPEAKERS } from './cast';

export type CouncilEvidence = Readonly<{
  report: CouncilReport;
  facts: readonly CouncilFact[];
  readers: ReadonlySet<MemberId>;
}>;

const LEVELS = [
  'speaker:retrying',
  'speaker:deferred',
  'speaker:reasked',
  'question:put',
  'question:answered',
  'speaker:recovered',
] as const satisfies readonly CouncilFact['type'][];

/** Expects an approved question. */
export function councilProblems({ report, facts, readers }: CouncilEvidence): readonly string[] {
  const { outcome, stages, notHeard, findings, unproved } = report;
  const open = stages.filter(({ isCompleted }) => !isCompleted).map(({ name }) => name);
  const blind = PARTY.filter((id) => !readers.has(id));
  const titles = findings.map(({ title }) => title);
  const missing = PROVED.filter((title) => !titles.includes(title));
  const isWordOn = (title: string, words: 'confirmedBy' | 'challengedBy'): boolean =>
    findings.some((finding) => finding.title === title && finding[words].length > 0);
  return [
    outcome === 'finished' ? null : `The run is ${outcome}, not finished.`,
    open.length === 0 ? null : `Not every stage was completed: ${listed(open)}.`,
    blind.length === 0 ? null : `Some participants could not read the repository: ${listed(blind)}.`,
    ...levelProblems(facts),
    fallbackProblem(report),
    notHeard.length === 0 ? null : `Some participants did not contribute: ${listed(notHeard.map(({ who }) => who))}.`,
    missing.length === 0 ? null : `The report lacks these findings: ${listed(missing)}.`,
    unproved.length === 1 && unproved[0]?.title === UNPROVED ? null : `“${UNPROVED}” is not the one unproved claim.`,
    isWordOn(CONFIRMED, 'confirmedBy') ? null : `No participant has confirmed “${CONFIRMED}”.`,
    isWordOn(CHALLENGED, 'challengedBy') ? null : `No participant has challenged “${CHALLENGED}”.`,
  ].filter((problem) => problem !== null);
}

function levelProblems(facts: readonly CouncilFact[]): readonly string[] {
  const seen = LEVELS.map((type) =>
    facts.findIndex((fact) => fact.type === type && (!('speaker' in fact) || fact.speaker === DYING)),
  );
  const missing = LEVELS.filter((_, at) => seen[at] === -1);
  if (missing.length > 0) return [`${DYING} caused no ${listed(missing)}.`];
  return seen.toSorted((one, other) => one - other).join() === seen.join()
    ? []
    : [`The levels of a failing speaker came in a different order: ${seen.join()}.`];
}

function fallbackProblem({ fallbacks }: CouncilReport): string | null {
  const { model, fallback } = SPEAKERS[DYING];
  const isThere = fallbacks.some(
    ({ speaker, from, to, hasAnswered }) => speaker === DYING && from === model && to === fallback && hasAnswered,
  );
  return isThere ? null : `${fallback} has not answered for ${model}.`;
}
