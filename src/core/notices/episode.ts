import type { NoticeRow } from '../../contract/notices';
import { providerOf } from '../../engine';
import { projectOf } from '../base/project';
import type { Speaker } from './happenings';

export type Draft = Omit<NoticeRow, 'id' | 'isRead'>;

/** `now` is engine ms, `wall` wall-clock ms. */
export type Moment = Readonly<{ now: number; wall: number }>;

export type Episode = {
  readonly notice: Draft['notice'];
  draft: Draft;
  /** Engine ms; null if it was reported or never will be. */
  dueAt: number | null;
  /** Engine ms. */
  readonly since: number;
  /** Null if not reported. */
  key: string | null;
  turns: number;
  /** A worse notice came first. */
  isMoot: boolean;
  readonly of: Speaker | null;
  readonly ends: readonly string[];
};

/** Source: docs/failures.md, notices, N2. */
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

export const isGathered = ({ notice }: Episode): boolean => notice === 'N1' || notice === 'N11';

export const isDue = ({ dueAt }: Episode, now: number): boolean => dueAt !== null && dueAt <= now;

export const isRecent = ({ since }: Episode, now: number): boolean => now - since <= TOGETHER_MS;

export const subjectOf = (notice: Draft['notice'], { directory, agent }: Speaker): string =>
  `${notice}|${directory}|${agent}`;

export const isSame = (one: Speaker, other: Speaker): boolean =>
  one.directory === other.directory && one.agent === other.agent;

export const isEndedBy = (subject: string, model: string): boolean =>
  subject === `N6|${model}` || subject === `N6|${providerOf(model)}` || subject === `N7|${model}`;

export const aboutOf = ({ directory, agent, session }: Speaker) => ({
  agents: [agent],
  project: projectOf(directory),
  session,
});

export const recoveryOf = ({ key }: Draft): string => `N4${key.slice(2)}`;

export const recoveredKey = (key: string): string => `N3${key.slice(2)}`;

/** Model and kind only if provider and reason are the same. */
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

/** `now` is engine ms of a notice from an earlier run. */
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
