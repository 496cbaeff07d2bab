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
  const t = councilNewsTexts().stands;
  if (question !== null) return t.asks(councilSpeaker(question.speaker));
  switch (state) {
    case 'paused_for_user':
      return t.capped;
    case 'paused':
      return t.allOff;
    case 'left':
    case 'finished':
    case 'stopped':
      return t[state];
    case 'fetching':
      return t.fetching;
    case 'not_begun':
    case 'idle':
      return t.notBegun;
    default:
      if (stage !== null) return t.stage(stage.at, stage.of);
      return ideas > 0 || Object.values(findings).some((count) => count > 0) ? t.presenting : t.casting;
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
  const t = councilNewsTexts().asks;
  const kind = FAILURE_KINDS.find((each) => each === failure);
  const why = kind ? failurePhrase(model, kind, null) : t.noAnswer(shortName(model));
  const name = councilSpeaker(speaker);
  const asks = t.detail(why, shortName(fallback), name);
  return isEndSaid ? `${asks} ${t.until(name, clock(skipAt))}` : asks;
}
