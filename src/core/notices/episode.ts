import type { NoticeRow } from '../../contract/notices';
import { providerOf } from '../../engine';
import { projectOf } from '../base/project';
import type { Speaker } from './happenings';

export type Draft = Omit<NoticeRow, 'id' | 'isRead'>;

/** `now` is engine ms, `wall` wall-clock ms. */
export type Moment = Readonly<{ now: number; wall: number }>;

/** A problem that has begun and is not proved over. */
export type Episode = {
  readonly notice: Draft['notice'];
  draft: Draft;
  /** Engine ms at which it is reported; null if it was reported or never will be. */
  dueAt: number | null;
  /** Engine ms. */
  readonly since: number;
  /** Key of its notice; null if not reported. */
  key: string | null;
  /** Turns answered by models other than the primary. */
  turns: number;
  /** A worse notice replaced it before it was reported. */
  isMoot: boolean;
  readonly of: Speaker | null;
  readonly ends: readonly string[];
};

/** Maximum distance, in ms, of switches in one notice. Source: docs/failures.md, notices, N2. */
const TOGETHER_MS = 10_000;

export const EMPTY: Draft = {
  at: 0,
  notice: 'N1',
  key: '',
  agents: [],
  project: null,
  session: null,
  model: null,
  to: null,
  kind: null,
  status: null,
  until: null,
  version: null,
  figures: {},
  isLoud: false,
  isOver: false,
};

export const isTold = (episode: Episode): episode is Episode & { key: string } => episode.key !== null;

/** Whether it is reported together with others of its kind. */
export const isGathered = ({ notice }: Episode): boolean => notice === 'N1' || notice === 'N11';

export const isDue = ({ dueAt }: Episode, now: number): boolean => dueAt !== null && dueAt <= now;

/** Whether it began recently enough to share a notice with others. */
export const isRecent = ({ since }: Episode, now: number): boolean => now - since <= TOGETHER_MS;

/** Identifies an agent's episode of one kind. */
export const subjectOf = (notice: Draft['notice'], { directory, agent }: Speaker): string =>
  `${notice}|${directory}|${agent}`;

/** Whether both are the same agent, in any session. */
export const isSame = (one: Speaker, other: Speaker): boolean =>
  one.directory === other.directory && one.agent === other.agent;

/** Whether an answer of `model` ends a problem of that model or its provider. */
export const isEndedBy = (subject: string, model: string): boolean =>
  subject === `N6|${model}` || subject === `N6|${providerOf(model)}` || subject === `N7|${model}`;

export const aboutOf = ({ directory, agent, session }: Speaker) => ({
  agents: [agent],
  project: projectOf(directory),
  session,
});

export const recoveryOf = ({ key }: Draft): string => `N4${key.slice(2)}`;

/** The key of the notice that a recovery ends. */
export const recoveredKey = (key: string): string => `N3${key.slice(2)}`;

/** Common fields of several switches; model and kind only if provider and reason are the same. */
export function togetherOf(group: readonly Episode[]): Partial<Draft> {
  const drafts = group.map(({ draft }) => draft);
  const [first] = drafts;
  const agents = [...new Set(drafts.flatMap((draft) => draft.agents))];
  const isShared = drafts.every(
    ({ model, kind }) =>
      model !== null && first?.model != null && providerOf(model) === providerOf(first.model) && kind === first.kind,
  );
  const isOneProject = drafts.every(({ project }) => project === first?.project);
  return {
    agents,
    project: isOneProject ? (first?.project ?? null) : null,
    ...(isShared && first ? { model: first.model, kind: first.kind } : {}),
    figures: { count: group.length },
  };
}

/** Whether a notice from an earlier run belongs to this episode. `now` is engine ms of the notice. */
export function isOf(row: NoticeRow, episode: Episode, now: number): boolean {
  const { notice, draft, of, key, isMoot } = episode;
  if (row.notice === 'N2') {
    const isMeant = notice === 'N1' && of !== null && row.agents.includes(of.agent) && fits(row.project, draft.project);
    return isMeant && (key === null ? !isMoot : isRecent(episode, now));
  }
  return (
    draft.notice === row.notice &&
    draft.model === row.model &&
    draft.version === row.version &&
    draft.project === row.project &&
    draft.agents.join() === row.agents.join()
  );
}

const fits = (of: string | null, project: string | null): boolean => of === null || of === project;
