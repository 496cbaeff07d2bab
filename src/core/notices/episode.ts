import type { NoticeRow } from '../../contract/notices';
import { providerOf } from '../../engine';
import { projectOf } from '../base/project';
import type { Speaker } from './happenings';

/** A notice before it has a number and somebody may have read it. */
export type Draft = Omit<NoticeRow, 'id' | 'isRead'>;

/** Two clocks at one moment: engine ms, and wall-clock ms. */
export type Moment = Readonly<{ now: number; wall: number }>;

/** Something bad that has begun and has not been proved over. */
export type Episode = {
  readonly notice: Draft['notice'];
  draft: Draft;
  /** Engine ms at which it is told; null when it has been, or never is. */
  dueAt: number | null;
  /** Engine ms of its beginning. */
  readonly since: number;
  /** Under which it was told; null as long as it was not. */
  key: string | null;
  /** Answers given meanwhile by others than the lead. */
  turns: number;
  /** Something worse was told before it could be. */
  isMoot: boolean;
  readonly of: Speaker | null;
  readonly ends: readonly string[];
};

/** So close together, in ms, that they are one notice. Source: docs/failures.md, notices, N2. */
const TOGETHER_MS = 10_000;

/** A notice about nothing but itself. */
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

/** Whether it is told together with others of its kind. */
export const isGathered = ({ notice }: Episode): boolean => notice === 'N1' || notice === 'N11';

/** Whether it is to be told by then, in engine ms. */
export const isDue = ({ dueAt }: Episode, now: number): boolean => dueAt !== null && dueAt <= now;

/** Whether it has begun so lately that others are told together with it. */
export const isRecent = ({ since }: Episode, now: number): boolean => now - since <= TOGETHER_MS;

/** Names what an agent's episode of one kind is about. */
export const subjectOf = (notice: Draft['notice'], { directory, agent }: Speaker): string =>
  `${notice}|${directory}|${agent}`;

/** Whether both are the same agent, in whatever session. */
export const isSame = (one: Speaker, other: Speaker): boolean =>
  one.directory === other.directory && one.agent === other.agent;

/** Whether a model that answers proves the end of what is about a model or its provider. */
export const isEndedBy = (subject: string, model: string): boolean =>
  subject === `N6|${model}` || subject === `N6|${providerOf(model)}` || subject === `N7|${model}`;

export const aboutOf = ({ directory, agent, session }: Speaker) => ({
  agents: [agent],
  project: projectOf(directory),
  session,
});

export const recoveryOf = ({ key }: Draft): string => `N4${key.slice(2)}`;

/** The key of what a recovery ends. */
export const recoveredKey = (key: string): string => `N3${key.slice(2)}`;

/** What is true of all that switched together: whoever they left, if it is one provider for one reason. */
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

/** Whether an episode is what a notice of an earlier life told of, at that time in engine ms. */
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
