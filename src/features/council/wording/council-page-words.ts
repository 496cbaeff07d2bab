import { FAILURE_KINDS, type FailureKind } from '../../../engine/names';
import { councilNewsTexts, councilPageTexts } from '../../../texts';
import { dayAndMinute } from '../../../wording/status-text';
import { moneyPhrase } from '../../../wording/usage-words';
import { clock, elapsed, kindPhrase, shortName } from '../../../wording/wording';
import type { Headline } from '../../ranking/wording/ranking-page-words';
import type { CouncilMemberRow, CouncilView } from '../contract/council';
import type { CouncilRunRow } from '../contract/council-run';
import { aboutRun, isToday } from './council-run-words';
import { councilSpeaker, isAboutIdeas } from './council-words';

type StageRow = CouncilView['stages'][number];
type SpeakerRow = CouncilView['speakers'][number];
type Finding = CouncilView['report']['findings'][number];

const ORACLE = 'oracle';

export const isOver = ({ state }: Pick<CouncilRunRow, 'state'>): boolean => state === 'finished' || state === 'stopped';

export const memberName = ({ id, name }: Pick<CouncilMemberRow, 'id' | 'name'>): string =>
  id === ORACLE ? councilPageTexts().party.oracle : name;

/** "23 findings", or "12 ideas" of a brainstorm. */
export function foundPhrase({ activity, findings, ideas, isEmpty }: CouncilRunRow): string {
  const { counts } = councilPageTexts();
  if (isEmpty) return councilNewsTexts().counts.none;
  const { critical, major, minor, praise } = findings;
  return isAboutIdeas(activity) ? counts.idea(ideas) : counts.finding(critical + major + minor + praise);
}

export const stageLabel = (id: StageRow['id']): string => councilPageTexts().stages[id];

/** @param now Unix ms. */
export function runHeadline(row: CouncilRunRow, now: number): Headline {
  return { title: titleOf(row), lede: isOver(row) ? ledeOver(row, now) : ledeOf(row, now) };
}

function titleOf(row: CouncilRunRow): string {
  const t = councilPageTexts().head;
  switch (row.state) {
    case 'finished':
      return row.headline ?? t.finished(foundPhrase(row));
    case 'stopped':
      return row.headline ?? t.stopped(foundPhrase(row));
    case 'fetching':
      return t.fetching;
    case 'not_begun':
      return t.notBegun;
    default:
      return t.says(whereOf(row), withCritical(row));
  }
}

function whereOf(row: CouncilRunRow): string {
  const { stage } = row;
  if (stage !== null) return councilPageTexts().head.stage(stageLabel(stage.id), stage.at, stage.of);
  return stageLabel(hasFound(row) ? 'presentation' : 'casting');
}

const hasFound = ({ findings: { critical, major, minor, praise, unproved }, ideas }: CouncilRunRow): boolean =>
  critical + major + minor + praise + unproved + ideas > 0;

function withCritical(row: CouncilRunRow): string {
  const found = foundPhrase(row);
  return row.findings.critical === 0 ? found : councilPageTexts().head.critical(found, row.findings.critical);
}

function ledeOf(row: CouncilRunRow, now: number): string {
  const { begunAt } = row;
  const about = begunAt === null ? `${aboutRun(row)}.` : begunPhrase(aboutRun(row), begunAt, now);
  return [about, ...waitingIn(row)].join(' ');
}

function waitingIn(row: CouncilRunRow): readonly string[] {
  const t = councilPageTexts().head;
  if (row.question) return [t.asks(councilSpeaker(row.question.speaker))];
  switch (row.state) {
    case 'paused_for_user':
    case 'paused':
      return [t.paused];
    case 'left':
      return [t.left];
    default:
      return row.state === 'ai_generating' && row.stage === null && !hasFound(row) ? [t.casting] : [];
  }
}

function begunPhrase(what: string, at: number, now: number): string {
  const t = councilPageTexts().head;
  return isToday(at, now) ? t.about(what, clock(at)) : t.aboutOn(what, dayAndMinute(at));
}

function ledeOver(row: CouncilRunRow, now: number): string {
  const { counts, head } = councilPageTexts();
  const { begunAt, endedAt, party, spent, activity } = row;
  const size = party.live + party.out;
  const members = isAboutIdeas(activity) ? counts.persona(size) : counts.hero(size);
  const time = begunAt === null || endedAt === null ? '' : elapsed(endedAt - begunAt);
  const taken = head.takes(`${aboutRun(row)}, ${foundPhrase(row)}`, members, time, moneyPhrase(spent));
  return begunAt === null || isToday(begunAt, now) ? taken : `${taken} ${dayAndMinute(begunAt)}.`;
}

export function memberPhrase({ id, state }: Pick<CouncilMemberRow, 'id' | 'state'>): string {
  const t = councilPageTexts().party;
  return id === ORACLE && (state === 'waits' || state === 'done') ? t.watches : t.states[state];
}

/** @param now Unix ms. */
export function retryPhrase(
  { speaker, retrying }: Pick<CouncilMemberRow, 'speaker' | 'retrying'>,
  now: number,
): string {
  if (retrying === null) return '';
  const seconds = Math.max(0, Math.ceil((retrying.at - now) / 1_000));
  return councilPageTexts().party.retrying(councilSpeaker(speaker), seconds, retrying.attempt - 1, retrying.of);
}

export function speakerPhrase({ state, reason, model, active }: SpeakerRow): string {
  const t = councilPageTexts().party;
  switch (state) {
    case 'on':
      return active === model ? t.on : t.fallbackSpeaks(shortName(active));
    case 'deferred':
      return t.deferred;
    case 'asking':
      return t.asking;
    case 'off':
      return reason === null ? t.offPlain : t.off(reason);
  }
}

export function failureWords(failure: string): string {
  const kind = FAILURE_KINDS.find((each) => each === failure);
  return kind ? kindPhrase(kind satisfies FailureKind, null) : failure.replaceAll('_', ' ');
}

export const linePhrase = ({ file, line }: Pick<Finding, 'file' | 'line'>): string => `${file}:${line}`;

/** "verified", "moved from 112 to 118" */
export function checkPhrase({ check, movedFrom, line }: Pick<Finding, 'check' | 'movedFrom' | 'line'>): string {
  const t = councilPageTexts().check;
  if (check !== 'moved') return t[check];
  return movedFrom === null ? t.movedOnly : t.movedFrom(movedFrom, line);
}

export function stageCaption(stage: StageRow, members: readonly CouncilMemberRow[], isStorm: boolean): string {
  const t = councilPageTexts().stageBar;
  if (stage.state === 'ahead') return whoIn(stage, isStorm);
  if (stage.state === 'done') return doneCaption(stage, isStorm);
  const speaker = members.find(({ state, id }) => state === 'works' && (stage.who !== 'oracle' || id === ORACLE));
  if (stage.turns === 'parallel' || !speaker) return t.doneOf(stage.done, stage.of);
  return stage.of > 1
    ? t.speaks(memberName(speaker), Math.min(stage.of, stage.done + 1), stage.of)
    : t.speaksAlone(memberName(speaker));
}

function whoIn({ who }: StageRow, isStorm: boolean): string {
  const t = councilPageTexts().stageBar;
  if (who === 'oracle') return t.oracle;
  if (who === 'heroes') return t.everybody;
  return isStorm ? t.onePersona : t.one;
}

function doneCaption(stage: StageRow, isStorm: boolean): string {
  const { counts, stageBar } = councilPageTexts();
  const { who, of, heard: answered, beganAt, endedAt } = stage;
  const members = isStorm ? counts.persona(of) : counts.hero(of);
  const all = who === 'heroes' ? members : whoIn(stage, isStorm);
  const participants = answered === null || answered === of || of < 2 ? all : stageBar.heardOf(answered, all);
  const caption = answered === 0 && of > 0 ? stageBar.nobody : participants;
  return beganAt === null || endedAt === null ? caption : stageBar.took(caption, elapsed(endedAt - beganAt));
}
