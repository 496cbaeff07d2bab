import type { NoticeRow } from '../../contract';
import { KIND_INFO, providerOf } from '../../engine';
import { projectOf } from '../project';
import type { Happening, Speaker } from './happenings';

/** A notice before it has a number and somebody may have read it. */
export type Draft = Omit<NoticeRow, 'id' | 'isRead'>;

/** What to do next, in this order: tell something, or take back what was told under a key, because it is over. */
export type Order = Readonly<{ tell: Draft }> | Readonly<{ over: string }>;

/** Two clocks at one moment: engine ms, and wall-clock ms. */
export type Moment = Readonly<{ now: number; wall: number }>;

/**
 * What has begun and has not ended. An episode lasts from the first bad observation to the first good one that proves
 * it over; it is told once, however long it lasts, and the lack of news neither begins nor ends one.
 */
export type Episodes = Readonly<{
  /** Takes in what happened. @param isOld it was so before anybody could be told: then nobody is. */
  hear(happening: Happening, at: Moment, isOld: boolean): readonly Order[];
  /** What has been waited for long enough. */
  due(at: Moment): readonly Order[];
  /** When `due` is to be asked, in engine ms; null when nothing waits. */
  dueAt(): number | null;
  /** What was told in an earlier life belongs to the episode that has been heard of again. */
  restore(row: NoticeRow): void;
  /** Whether what was told under a key still lasts. */
  lasts(key: string): boolean;
  forget(): void;
}>;

/** Switches this close together are told together, in ms. Source: the catalogue of notices, coalescing. */
const GATHER_MS = 2_000;
/** So many switches within that time, in ms, are one notice. Source: N2. */
const TOGETHER_COUNT = 3;
const TOGETHER_MS = 10_000;
/** A companion that comes back within this time, in ms, was never missed. Source: N8. */
const MISSED_MS = 30_000;
/** A model at more than so many times the price is told of. Source: N11. */
const COSTLY_TIMES = 3;

type Episode = {
  readonly notice: Draft['notice'];
  /** Told while it is what it is: whatever is known of it then. */
  draft: Draft;
  /** Engine ms at which it is told; null when it has been, or never is. */
  dueAt: number | null;
  /** Engine ms of its beginning. */
  readonly since: number;
  /** Under which it was told; null as long as it was not. */
  key: string | null;
  /** Answers given meanwhile by others than the lead. */
  turns: number;
  /** Whom it is about, and the models that could end it. */
  readonly of: Speaker | null;
  readonly ends: readonly string[];
};

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

/** Episodes of a core to which nothing has happened yet. */
export function createEpisodes(): Episodes {
  const open = new Map<string, Episode>();
  let count = 0;

  const draftOf = (notice: Draft['notice'], at: Moment, fields: Partial<Draft>): Draft => {
    const about = [fields.project, ...(fields.agents ?? []), fields.model].filter(Boolean).join('|').slice(0, 400);
    count++;
    return { ...EMPTY, ...fields, notice, at: at.wall, key: `${notice}|${about}|${at.wall}.${count}` };
  };
  const begin = (subject: string, draft: Draft, { at, waitMs, of = null, ends = [] }: Begun): void => {
    const dueAt = waitMs === null ? null : at.now + waitMs;
    open.set(subject, { notice: draft.notice, draft, dueAt, since: at.now, key: null, turns: 0, of, ends });
  };
  /** Ends an episode. @returns it when it was told. */
  const end = (subject: string): (Episode & { key: string }) | null => {
    const episode = open.get(subject);
    open.delete(subject);
    return episode && isTold(episode) ? episode : null;
  };
  const lasts = (key: string): boolean => [...open.values()].some((episode) => episode.key === key);
  /** What was told of an episode that has ended, unless others go on that were told with it. */
  const takenBack = (key: string): Order[] => (lasts(key) ? [] : [{ over: key }]);
  const told = (episode: Episode): Order[] => {
    episode.dueAt = null;
    episode.key = episode.draft.key;
    return [{ tell: episode.draft }];
  };
  const once = (draft: Draft, isOld: boolean): Order[] => (isOld ? [] : [{ tell: { ...draft, isOver: true } }]);
  /** Begins what is told at once, unless it goes on already. */
  const atOnce = (subject: string, draft: () => Draft, begun: Omit<Begun, 'waitMs'>, isOld: boolean): Order[] => {
    if (open.has(subject)) return [];
    begin(subject, draft(), { ...begun, waitMs: null });
    return isOld ? [] : told(open.get(subject) as Episode);
  };

  const leave = (happening: Extract<Happening, { what: 'left' }>, at: Moment, isOld: boolean): Order[] => {
    const { of, model, to, kind, status, until, times } = happening;
    const subject = subjectOf('N1', of);
    const known = open.get(subject);
    if (known) {
      // By the time it is told it is somewhere else already.
      if (known.dueAt !== null) known.draft = { ...known.draft, to };
      return [];
    }
    const about = { ...aboutOf(of), model, to };
    const begun = { at, of, waitMs: isOld ? null : GATHER_MS };
    begin(subject, draftOf('N1', at, { ...about, kind, status, until }), begun);
    const figures = { times: Math.round(times) };
    if (times > COSTLY_TIMES) begin(subjectOf('N11', of), draftOf('N11', at, { ...about, figures }), begun);
    return [];
  };

  const exhaust = (happening: Extract<Happening, { what: 'exhausted' }>, at: Moment, isOld: boolean): Order[] => {
    const { of, chain, to, until, isDepth } = happening;
    // That somebody else speaks for it is no longer so.
    for (const notice of ['N1', 'N11'] as const) {
      const away = open.get(subjectOf(notice, of));
      if (away) away.dueAt = null;
    }
    const figures = isDepth ? {} : { of: chain.length };
    const draft = () => draftOf('N3', at, { ...aboutOf(of), to, until, figures, isLoud: true });
    return atOnce(subjectOf('N3', of), draft, { at, of, ends: chain }, isOld);
  };

  /** The lead has answered for an agent: it is home. */
  const home = (of: Speaker, lead: string, at: Moment, isOld: boolean): Order[] => {
    const costly = end(subjectOf('N11', of));
    const away = end(subjectOf('N1', of));
    if (!away) return costly ? takenBack(costly.key) : [];
    const figures = { turns: away.turns, lastedMs: Math.max(0, at.now - away.since) };
    const back = draftOf('N5', at, { ...aboutOf(of), model: lead, figures });
    return [...once(back, isOld), ...takenBack(away.key), ...(costly ? takenBack(costly.key) : [])];
  };

  const answer = (
    { of, lead, model }: Extract<Happening, { what: 'answered' }>,
    at: Moment,
    isOld: boolean,
  ): Order[] => {
    const orders: Order[] = [];
    for (const [subject, episode] of [...open]) {
      const isIts = of !== null && episode.of !== null && isSame(of, episode.of);
      if (!episode.ends.includes(model) && !(isIts && episode.notice === 'N3') && !isEndedBy(subject, model)) continue;
      const ended = end(subject);
      if (!ended) continue;
      const { key, draft } = ended;
      // Under the key of what it ends, so that whoever shows notices can tell that they belong together.
      if (ended.notice === 'N3' && ended.of)
        orders.push(...once({ ...draftOf('N4', at, { ...aboutOf(ended.of), model }), key: recoveryOf(draft) }, isOld));
      orders.push(...takenBack(key));
    }
    if (of === null) return orders;
    const away = open.get(subjectOf('N1', of));
    if (away && model !== lead) away.turns++;
    return model === lead ? [...orders, ...home(of, model, at, isOld)] : orders;
  };

  /** Ends every episode of one kind. */
  const endAll = (notice: Draft['notice']): Order[] =>
    [...open].flatMap(([subject, episode]) => {
      const ended = episode.notice === notice ? end(subject) : null;
      return ended ? takenBack(ended.key) : [];
    });

  /** What was told of one kind is over; should it come again, that is no news in this life. */
  const calmed = (notice: Draft['notice']): Order[] =>
    [...open.values()].flatMap((episode) => {
      if (episode.notice !== notice || !isTold(episode)) return [];
      const { key } = episode;
      Object.assign(episode, { key: null });
      return takenBack(key);
    });

  const flushSwitches = (due: readonly Episode[], at: Moment): Order[] => {
    const late = [...open.values()].filter(
      (episode) => episode.notice === 'N1' && isTold(episode) && at.now - episode.since <= TOGETHER_MS,
    );
    const group = [...late, ...due];
    if (group.length < TOGETHER_COUNT) return due.flatMap(told);
    const before = [...new Set(late.map(({ key }) => key as string))];
    const grown = before.find((key) => key.startsWith('N2'));
    const fresh = draftOf('N2', at, togetherOf(group));
    const draft = grown === undefined ? fresh : { ...fresh, key: grown };
    for (const episode of group) Object.assign(episode, { dueAt: null, key: draft.key });
    return [...before.flatMap((key) => takenBack(key)), { tell: draft }];
  };

  return {
    hear(happening, at, isOld) {
      switch (happening.what) {
        case 'left':
          return leave(happening, at, isOld);
        case 'exhausted':
          return exhaust(happening, at, isOld);
        case 'answered':
          return answer(happening, at, isOld);
        case 'blocked': {
          const { model, kind, status } = happening;
          const about = KIND_INFO[kind].scope === 'provider' ? providerOf(model) : model;
          return atOnce(`N6|${about}`, () => draftOf('N6', at, { model, kind, status }), { at }, isOld);
        }
        case 'unstable': {
          const { model, until } = happening;
          return atOnce(`N7|${model}`, () => draftOf('N7', at, { model, until }), { at }, isOld);
        }
        case 'lost':
          // However many are lost, there is one contact to lose.
          if (!open.has('N8')) begin('N8', draftOf('N8', at, {}), { at, waitMs: isOld ? null : MISSED_MS });
          return [];
        case 'connected':
          return [...endAll('N8'), ...calmed('N9')];
        case 'differs': {
          const { version } = happening;
          return atOnce(`N9|${version}`, () => draftOf('N9', at, { version }), { at }, isOld);
        }
        case 'finished': {
          const { session, project, turns, fallbacks, cost } = happening;
          const figures = { turns, fallbacks, ...(cost === null ? {} : { cost }) };
          return fallbacks > 0 ? once(draftOf('N10', at, { session, project, figures }), isOld) : [];
        }
        case 'changed':
          return once(draftOf('N12', at, { project: happening.project }), isOld);
        case 'update': {
          const { version } = happening;
          return atOnce(`N13|${version}`, () => draftOf('N13', at, { version }), { at }, isOld);
        }
      }
    },
    due(at) {
      const due = [...open.values()].filter(({ dueAt }) => dueAt !== null && dueAt <= at.now);
      const switches = due.filter(({ notice }) => notice === 'N1');
      const others = due.filter(({ notice }) => notice !== 'N1');
      for (const episode of others) if (episode.notice === 'N8') episode.draft = { ...episode.draft, at: at.wall };
      // What a switch costs says more than that there was one; of many at once the many are the news.
      const moved = switches.length > 0 ? flushSwitches(switches, at) : [];
      const isMany = moved.some((order) => 'tell' in order && order.tell.notice === 'N2');
      const rest = others.flatMap(told);
      return isMany ? [...moved, ...rest] : [...rest, ...moved];
    },
    dueAt() {
      const moments = [...open.values()].flatMap(({ dueAt }) => (dueAt === null ? [] : [dueAt]));
      return moments.length === 0 ? null : Math.min(...moments);
    },
    restore(row) {
      for (const episode of open.values()) if (isOf(row, episode)) episode.key = row.key;
    },
    lasts,
    forget: () => open.clear(),
  };
}

type Begun = Readonly<{
  at: Moment;
  /** How long it is waited before it is told, in ms; null where something else decides. */
  waitMs: number | null;
  of?: Speaker | null;
  ends?: readonly string[];
}>;

const isTold = (episode: Episode): episode is Episode & { key: string } => episode.key !== null;

const subjectOf = (notice: Draft['notice'], { directory, agent }: Speaker): string => `${notice}|${directory}|${agent}`;
const isSame = (one: Speaker, other: Speaker): boolean =>
  one.directory === other.directory && one.agent === other.agent;

/** Whether a model that answers proves the end of what is about a model or its provider. */
const isEndedBy = (subject: string, model: string): boolean =>
  subject === `N6|${model}` || subject === `N6|${providerOf(model)}` || subject === `N7|${model}`;

const aboutOf = ({ directory, agent, session }: Speaker) => ({
  agents: [agent],
  project: projectOf(directory),
  session,
});

/** The key of a recovery, from that of what it ends. */
const recoveryOf = ({ key }: Draft): string => `N4${key.slice(2)}`;
/** The key of what a recovery ends. */
export const recoveredKey = (key: string): string => `N3${key.slice(2)}`;

/** What is true of all that switched together: whoever they left, if it is one provider for one reason. */
function togetherOf(group: readonly Episode[]): Partial<Draft> {
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

/** Whether an episode is what a notice of an earlier life told of. */
function isOf(row: NoticeRow, { notice, draft, of }: Episode): boolean {
  if (row.notice === 'N2')
    return notice === 'N1' && of !== null && row.agents.includes(of.agent) && fits(row.project, draft.project);
  return (
    notice === row.notice &&
    draft.model === row.model &&
    draft.version === row.version &&
    draft.project === row.project &&
    draft.agents.join() === row.agents.join()
  );
}

const fits = (of: string | null, project: string | null): boolean => of === null || of === project;
