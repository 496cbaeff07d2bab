import type { Snapshot } from '../../../contract/snapshot';
import { FAILURE_KINDS } from '../../../engine/names';
import { councilNewsTexts } from '../../../texts';
import { moneyPhrase } from '../../../wording/usage-words';
import { capitalized, clock, failurePhrase, shortName } from '../../../wording/wording';
import type { CouncilRunRow } from '../contract/council-run';

type Question = NonNullable<CouncilRunRow['question']>;

export const councilName = ({ repo }: Pick<CouncilRunRow, 'repo'>): string => councilNewsTexts().name(repo ?? '');

export const isUnderWay = ({ isPlayed, state }: CouncilRunRow): boolean =>
  isPlayed && state !== 'finished' && state !== 'stopped';

export const isWaiting = ({ question, state, isPlayed }: CouncilRunRow): boolean =>
  isPlayed && (question !== null || state === 'paused_for_user' || state === 'paused');

const DAY_MS = 86_400_000;

/** Waiting runs first, then those in progress, then those abandoned within a day. */
export function councilsNear({ councils, at }: Pick<Snapshot, 'councils' | 'at'>): readonly CouncilRunRow[] {
  const isLeft = ({ state, begunAt }: CouncilRunRow): boolean => state === 'left' && at - (begunAt ?? 0) < DAY_MS;
  const near = councils.filter((row) => isUnderWay(row) || isLeft(row));
  const rank = (row: CouncilRunRow): number => (isWaiting(row) ? 0 : isUnderWay(row) ? 1 : 2);
  return near.toSorted((one, other) => rank(one) - rank(other));
}

export const councilSpeaker = (name: string): string => capitalized(name);

/** "stage 2 of 6" */
export function councilStanding({ state, stage, question, findings, ideas }: CouncilRunRow): string {
  const said = councilNewsTexts().stands;
  if (question !== null) return said.asks(councilSpeaker(question.speaker));
  switch (state) {
    case 'paused_for_user':
      return said.capped;
    case 'paused':
      return said.allOff;
    case 'left':
    case 'finished':
    case 'stopped':
      return said[state];
    case 'fetching':
      return said.fetching;
    case 'not_begun':
    case 'idle':
      return said.notBegun;
    default:
      if (stage !== null) return said.stage(stage.at, stage.of);
      return ideas > 0 || Object.values(findings).some((count) => count > 0) ? said.presenting : said.casting;
  }
}

export const isAboutIdeas = (activity: CouncilRunRow['activity']): boolean =>
  activity === 'brainstorm' || activity === 'code_brainstorm';

/** "23 findings, 2 critical", or "12 ideas" of a brainstorm. */
export function councilFound({ findings, ideas, activity, isEmpty }: Found): string {
  const { counts } = councilNewsTexts();
  if (isEmpty) return counts.none;
  if (isAboutIdeas(activity)) return counts.idea(ideas);
  const { critical, major, minor, praise } = findings;
  const all = counts.finding(critical + major + minor + praise);
  return critical === 0 ? all : `${all}, ${counts.critical(critical)}`;
}

type Found = Pick<CouncilRunRow, 'ideas' | 'activity' | 'isEmpty'> &
  Readonly<{ findings: Omit<CouncilRunRow['findings'], 'unproved'> }>;

export const councilSpent = ({ spent, cap }: Pick<CouncilRunRow, 'spent' | 'cap'>): string =>
  councilNewsTexts().spent(moneyPhrase(spent), cap === null ? '' : moneyPhrase(cap));

export const councilLine = (row: CouncilRunRow): string =>
  councilNewsTexts().line(councilName(row), [councilStanding(row), councilFound(row), councilSpent(row)].join(', '));

export function councilQuestion(
  { model, fallback, speaker, failure, skipAt }: Omit<Question, 'id'>,
  isEndSaid = true,
): string {
  const said = councilNewsTexts().asks;
  const kind = FAILURE_KINDS.find((each) => each === failure);
  const why = kind ? failurePhrase(model, kind, null) : said.noAnswer(shortName(model));
  const name = councilSpeaker(speaker);
  const asks = said.detail(why, shortName(fallback), name);
  return isEndSaid ? `${asks} ${said.until(name, clock(skipAt))}` : asks;
}
