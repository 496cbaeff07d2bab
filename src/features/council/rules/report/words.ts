import { CHECK_WORDS, counted, dollars, listed } from '../base/text';
import { ORACLE, SEVERITIES, type Severity } from '../base/types';
import type { CouncilReport, ReportBrainstorm, ReportFinding, ReportOption } from './schema';

type HeardMember = CouncilReport['heard'][number];
type ReportStage = CouncilReport['stages'][number];
type ReportEvidence = ReportOption['evidence'][number];

export const OUTCOME_WORDS: Readonly<Record<CouncilReport['outcome'], string>> = {
  finished: 'The run has finished.',
  stopped: 'The run was stopped. This report shows the results until then.',
  paused: 'The run is paused. This report shows the results so far.',
  unfinished: 'The run is in progress. This report shows the results so far.',
};
export const DEFAULT_PARTY_TEXT = 'The Oracle could not choose, so the default party took part.';
export const RULED_TEXT = 'The Oracle did not present this report. Headline and order follow severity and support.';
const NO_FINDINGS_TEXT = 'No finding has a quote that was found.';
export const NO_CONTRIBUTION = 'No model contributed.';
const NO_CONTRIBUTION_TEXT = 'No model contributed, so this report contains nothing about the code.';

export const hasContribution = ({ heard: contributors }: Pick<CouncilReport, 'heard'>): boolean =>
  contributors.some(({ id }) => id !== ORACLE);

export const noFindingsText = (report: CouncilReport): string =>
  report.endedAt === null || hasContribution(report) ? NO_FINDINGS_TEXT : NO_CONTRIBUTION_TEXT;
export const UNPROVED_TEXT =
  'Their quotes were not found in the files they name, or a file could not be read. None of them counts as critical.';

export const noSynthesisText = ({ brainstorm }: CouncilReport): string =>
  `There is no summary of the ${brainstorm === null ? 'findings' : 'ideas'}.`;

export const bySeverity = (
  findings: readonly ReportFinding[],
): readonly Readonly<{ severity: Severity; of: readonly ReportFinding[] }>[] =>
  SEVERITIES.map((severity) => ({ severity, of: findings.filter((each) => each.severity === severity) })).filter(
    ({ of }) => of.length > 0,
  );

export const countsText = (findings: readonly ReportFinding[]): string =>
  listed(bySeverity(findings).map(({ severity, of }) => `${of.length} ${severity}`));

export const placeOf = ({ file, line, endLine }: Readonly<{ file: string; line: number; endLine?: number | null }>) =>
  `${file}:${line}${endLine === undefined || endLine === null || endLine === line ? '' : `-${endLine}`}`;

export const checkText = ({ check, line, movedFrom }: ReportFinding): string =>
  movedFrom === null ? CHECK_WORDS[check] : `quote found at line ${line} instead of ${movedFrom}`;

export function broughtText({ brainstorm, findings: all }: CouncilReport, member: HeardMember): string {
  const ofFindings = [
    counted(member.findings, 'finding'),
    `${counted(member.words, 'word')} on findings of others`,
  ].join(', ');
  if (brainstorm === null) return ofFindings;
  const ideas = brainstorm.options.filter(({ proposedBy }) => proposedBy.includes(member.name)).length;
  const remarks = brainstorm.options.flatMap(wordsOn).filter(({ by }) => by === member.name).length;
  const ofIdeas = `${counted(ideas, 'idea')}, ${counted(remarks, 'word')} on ideas of others`;
  return all.length === 0 ? ofIdeas : `${ofIdeas}; ${ofFindings}`;
}

const wordsOn = ({ supportedBy, challengedBy, builtOn }: ReportOption) => [...supportedBy, ...challengedBy, ...builtOn];

/** @param shown escapes names. */
export function stageText({ name, isCompleted, summedUpBy }: ReportStage, shown: (text: string) => string): string {
  const summary = summedUpBy.length === 0 ? 'no summary' : `summary by ${listed(summedUpBy.map(shown))}`;
  return `${shown(name)}: ${isCompleted ? 'completed' : 'not completed'}, ${summary}`;
}

export function spentText({ cost: { spent, cap, unpricedTurns } }: CouncilReport): string {
  const of = cap === null ? 'spent, without a cap' : `of ${dollars(cap)} spent`;
  const unpriced = ` ${counted(unpricedTurns, 'turn')} of models without a known price not counted.`;
  return `${dollars(spent)} ${of}.${unpricedTurns === 0 ? '' : unpriced}`;
}

export const costText = (report: CouncilReport): string => {
  const { tokens } = report.cost;
  return `${spentText(report)} Tokens: ${tokens.input} in, ${tokens.output} out. Retries: ${report.retries}.`;
};

export const isRanked = ({ options }: ReportBrainstorm): boolean => options.some(({ rank }) => rank !== null);

export function rankedText(brainstorm: ReportBrainstorm): string {
  const ideas = counted(brainstorm.options.length, 'idea');
  if (brainstorm.options.length === 0) return 'There are no ideas.';
  if (!isRanked(brainstorm)) return `${ideas}, in order of posting, not ranked.`;
  return `${ideas}, by the Borda points of ${counted(brainstorm.ballots.length, 'ballot')}.`;
}

export const pointsText = ({ points, firstPlaces }: ReportOption): string =>
  `${counted(points, 'point')}${firstPlaces === 0 ? '' : `, first on ${counted(firstPlaces, 'ballot')}`}`;

/** @param shown escapes names. */
export const heldText = (
  { proposedBy, supportedBy, challengedBy }: ReportOption,
  shown: (text: string) => string,
): string =>
  [
    `proposed by ${proposedBy.length === 0 ? 'no participant' : listed(proposedBy.map(shown))}`,
    ...(supportedBy.length > 0 ? [`supported by ${supportedBy.length}`] : []),
    ...(challengedBy.length > 0 ? [`challenged by ${challengedBy.length}`] : []),
  ].join(', ');

export const evidenceText = ({ check }: ReportEvidence): string => CHECK_WORDS[check];

export function optionText({ options }: ReportBrainstorm, id: string, shown: (text: string) => string): string {
  const found = options.find((option) => option.id === id);
  return found ? `${shown(found.title)} (${shown(id)})` : shown(id);
}

export const SECRETS_TEXT = 'Their names or contents suggest secrets.';
