import type { NoticeRow } from '../../contract/notices';
import { KIND_INFO, providerOf } from '../../engine';
import { STILL_MS } from '../waits';
import { type CouncilOrder, councilOrder } from './council-episodes';
import { isOfCouncil } from './councils';
import {
  aboutOf,
  type Draft,
  EMPTY,
  type Episode,
  isDue,
  isEndedBy,
  isGathered,
  isOf,
  isRecent,
  isSame,
  isTold,
  type Moment,
  recoveryOf,
  subjectOf,
  togetherOf,
} from './episode';
import type { Happening, Speaker } from './happenings';
import { GATHER_MS } from './limits';

/** `over` is the key of a notice to withdraw. */
export type Order = Readonly<{ tell: Draft }> | Readonly<{ over: string }>;

/**
 * An episode lasts from the first failure to the first success that proves it over, and is reported once. Missing
 * events neither begin nor end one.
 */
export type Episodes = Readonly<{
  /** @param isOld from an earlier run; not shown. */
  hear(happening: Happening, at: Moment, isOld: boolean): readonly Order[];
  due(at: Moment): readonly Order[];
  /** Engine ms; null if nothing is waiting. */
  dueAt(): number | null;
  /** `now` is engine ms of the notice. */
  restore(row: NoticeRow, now: number): void;
  restored(): void;
  lasts(key: string): boolean;
  forget(): void;
}>;

/** Source: docs/failures.md, notices, N2. */
const TOGETHER_COUNT = 3;
/** In ms. Source: docs/failures.md, notices, N8. */
const MISSED_MS = 30_000;
/** In ms. Source: docs/failures.md, notices, N17. */
const FAILING_MS = 120_000;
/** Source: docs/failures.md, notices, N11. */
const COSTLY_TIMES = 3;

const ENDS_BY_ANSWER: readonly Draft['notice'][] = ['N3', 'N16', 'N20'];
const WAITS: readonly Draft['notice'][] = ['N20', 'N21'];

/** A peer may send any text. */
const VERSION_CHARS = 80;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the open episodes, and one short rule for each happening
export function createEpisodes(): Episodes {
  const open = new Map<string, Episode>();
  /** A tick is logged after its effects, so notices may precede their episodes. */
  let unclaimed: NoticeRow[] = [];
  let count = 0;

  const draftOf = (notice: Draft['notice'], at: Moment, fields: Partial<Draft>): Draft => {
    const about = [fields.project, ...(fields.agents ?? []), fields.model].filter(Boolean).join('|').slice(0, 400);
    count++;
    return { ...EMPTY, ...fields, notice, at: at.wall, key: `${notice}|${about}|${at.wall}.${count}` };
  };
  const begin = (subject: string, draft: Draft, { at, waitMs, of = null, ends = [] }: Begun): void => {
    const dueAt = waitMs === null ? null : at.now + waitMs;
    open.set(subject, {
      notice: draft.notice === 'N15' ? 'N1' : draft.notice,
      draft,
      dueAt,
      since: at.now,
      key: null,
      turns: 0,
      isMoot: false,
      of,
      ends,
    });
  };
  const end = (subject: string): (Episode & { key: string }) | null => {
    const episode = open.get(subject);
    open.delete(subject);
    return episode && isTold(episode) ? episode : null;
  };
  const lasts = (key: string): boolean => [...open.values()].some((episode) => episode.key === key);
  /** Another open episode may share the notice. */
  const takenBack = (key: string): Order[] => (lasts(key) ? [] : [{ over: key }]);
  const notify = (episode: Episode): Order[] => {
    episode.dueAt = null;
    episode.key = episode.draft.key;
    return [{ tell: episode.draft }];
  };
  const once = (draft: Draft, isOld: boolean): Order[] => (isOld ? [] : [{ tell: { ...draft, isOver: true } }]);
  const atOnce = (subject: string, draft: () => Draft, begun: Omit<Begun, 'waitMs'>, isOld: boolean): Order[] => {
    if (open.has(subject)) return [];
    begin(subject, draft(), { ...begun, waitMs: null });
    const episode = open.get(subject) as Episode;
    if (!isOld) return notify(episode);
    const claimed = unclaimed.find((row) => isOf(row, episode, begun.at.now));
    unclaimed = unclaimed.filter((row) => row !== claimed);
    episode.key = claimed?.key ?? null;
    return [];
  };

  const leave = (happening: Extract<Happening, { what: 'left' }>, at: Moment, isOld: boolean): Order[] => {
    const { of, model, to, kind, status, until, times, near } = happening;
    const subject = subjectOf('N1', of);
    const existing = open.get(subject);
    if (existing) {
      if (existing.dueAt !== null) existing.draft = { ...existing.draft, to };
      return [];
    }
    const about = { ...aboutOf(of), model, to };
    const begun = { at, of, waitMs: isOld ? null : GATHER_MS };
    const fields = { ...about, kind, status, until, ...(near ? { near } : {}) };
    // The same episode for any reason; a switch without a failure has its own wording.
    begin(subject, draftOf(near ? 'N15' : 'N1', at, fields), begun);
    const figures = { times: Math.round(times) };
    if (times > COSTLY_TIMES) begin(subjectOf('N11', of), draftOf('N11', at, { ...about, figures }), begun);
    return [];
  };

  const exhaust = (happening: Extract<Happening, { what: 'exhausted' }>, at: Moment, isOld: boolean): Order[] => {
    const { of, chain, to, until, figures } = happening;
    for (const notice of ['N1', 'N11'] as const) {
      const away = open.get(subjectOf(notice, of));
      if (away && !isTold(away)) Object.assign(away, { dueAt: null, isMoot: true });
    }
    const failing = open.get(failingOf(of.session));
    if (failing && !isTold(failing)) open.delete(failingOf(of.session));
    const draft = () => draftOf('N3', at, { ...aboutOf(of), to, until, figures, isLoud: true });
    return atOnce(subjectOf('N3', of), draft, { at, of, ends: chain }, isOld);
  };

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
      if (
        !episode.ends.includes(model) &&
        !(isIts && ENDS_BY_ANSWER.includes(episode.notice)) &&
        !isEndedBy(subject, model)
      )
        continue;
      const ended = end(subject);
      if (!ended) continue;
      const { key, draft } = ended;
      // The key connects the recovery with the notice that it ends.
      if (ended.notice === 'N3' && ended.of)
        orders.push(...once({ ...draftOf('N4', at, { ...aboutOf(ended.of), model }), key: recoveryOf(draft) }, isOld));
      orders.push(...takenBack(key));
    }
    if (of === null) return orders;
    orders.push(...overIn(of.session));
    const away = open.get(subjectOf('N1', of));
    if (away && model !== lead) away.turns++;
    return model === lead ? [...orders, ...home(of, model, at, isOld)] : orders;
  };

  const fail = (of: Speaker, at: Moment, isOld: boolean): Order[] => {
    // Old failures are skipped: the next requests show them again.
    if (!isOld && !open.has(failingOf(of.session)) && !open.has(subjectOf('N3', of)))
      begin(failingOf(of.session), draftOf('N17', at, aboutOf(of)), { at, waitMs: FAILING_MS });
    return [];
  };

  const overIn = (session: string): Order[] => {
    const ended = end(failingOf(session));
    return ended ? takenBack(ended.key) : [];
  };

  const endOf = (subjects: readonly string[]): Order[] =>
    subjects.flatMap((subject) => {
      const ended = end(subject);
      return ended ? takenBack(ended.key) : [];
    });

  const endWhere = (isMeant: (episode: Episode) => boolean): Order[] =>
    endOf([...open].flatMap(([subject, episode]) => (isMeant(episode) ? [subject] : [])));

  const move = ({ of, model }: Extract<Happening, { what: 'moves' }>): Order[] => {
    // Another retry of the same model does not end it: the host may retry for hours.
    const subject = stuckOf(of);
    return open.get(subject)?.draft.model === model ? [] : endOf([subject]);
  };

  const ofCouncil = (order: CouncilOrder, at: Moment, isOld: boolean): Order[] => {
    switch (order.does) {
      case 'begin':
        return atOnce(order.subject, () => draftOf(order.notice, at, order.fields), { at }, isOld || order.isOld);
      case 'tell':
        return once(draftOf(order.notice, at, order.fields), isOld);
      case 'end':
        return endOf([order.subject]);
    }
  };

  /** A repetition is not reported in this run. */
  const calmed = (notice: Draft['notice']): Order[] =>
    [...open.values()].flatMap((episode) => {
      if (episode.notice !== notice || !isTold(episode)) return [];
      const { key } = episode;
      Object.assign(episode, { key: null });
      return takenBack(key);
    });

  const flushSwitches = (due: readonly Episode[], at: Moment): Order[] => {
    const late = [...open.values()].filter(
      (episode) => episode.notice === 'N1' && isTold(episode) && isRecent(episode, at.now),
    );
    const group = [...late, ...due];
    if (group.length < TOGETHER_COUNT) return due.flatMap(notify);
    const before = [...new Set(late.map(({ key }) => key as string))];
    const grown = before.find((key) => key.startsWith('N2'));
    const fresh = draftOf('N2', at, togetherOf(group));
    const draft = grown === undefined ? fresh : { ...fresh, key: grown };
    for (const episode of group) Object.assign(episode, { dueAt: null, key: draft.key });
    return [...before.flatMap((key) => takenBack(key)), { tell: draft }];
  };

  const notifyOfQuestion = (happening: Extract<Happening, { what: 'asks' }>, at: Moment, isOld: boolean): Order[] => {
    const { of, question, model, to, near } = happening;
    const fields = { ...aboutOf(of), model, to, ...(near ? { near } : {}), isLoud: true };
    return atOnce(`N21|${question}`, () => draftOf('N21', at, fields), { at, of }, isOld);
  };

  const stands = (happening: Extract<Happening, { what: 'stuck' }>, at: Moment, isOld: boolean): Order[] => {
    const { of, model, kind, status, until } = happening;
    const draft = () => draftOf('N20', at, { ...aboutOf(of), model, kind, status, until, isLoud: true });
    if (isOld) return atOnce(stuckOf(of), draft, { at, of }, isOld);
    if (!open.has(stuckOf(of))) begin(stuckOf(of), draft(), { at, of, waitMs: STILL_MS });
    return [];
  };

  /** Only a stopped agent gets a lasting notice. */
  const spend = ({ near, until, of }: Extract<Happening, { what: 'spends' }>, at: Moment, isOld: boolean): Order[] => {
    if (of === null) return once(draftOf('N16', at, { near, until }), isOld);
    const draft = () => draftOf('N16', at, { ...aboutOf(of), near, until, isLoud: true });
    return atOnce(haltOf(of), draft, { at, of }, isOld);
  };

  return {
    hear(happening, at, isOld) {
      if (isOfCouncil(happening)) return ofCouncil(councilOrder(happening, at.wall), at, isOld);
      switch (happening.what) {
        case 'left':
          return leave(happening, at, isOld);
        case 'passes':
          return once(draftOf('N14', at, passedFields(happening)), isOld);
        case 'spends':
          return spend(happening, at, isOld);
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
        case 'failing':
          return fail(happening.of, at, isOld);
        case 'stuck':
          return stands(happening, at, isOld);
        case 'asks':
          return notifyOfQuestion(happening, at, isOld);
        case 'moves':
          return move(happening);
        case 'closed':
          return endWhere(
            ({ notice, of }) => WAITS.includes(notice) && of !== null && happening.directories.includes(of.directory),
          );
        case 'rests':
          return endWhere(({ notice, of }) => notice === 'N20' && of?.session === happening.session);
        case 'settled':
          return endOf([`N21|${happening.question}`]);
        case 'connects':
          return overIn(happening.session);
        case 'many':
          return once(draftOf('N18', at, { figures: { count: happening.count } }), isOld);
        case 'retries': {
          const { of, count, limit } = happening;
          return once(draftOf('N19', at, { ...aboutOf(of), figures: { count, of: limit } }), isOld);
        }
        case 'lost':
          if (!open.has('N8')) begin('N8', draftOf('N8', at, {}), { at, waitMs: isOld ? null : MISSED_MS });
          return [];
        case 'connected':
          return [...endWhere(({ notice }) => notice === 'N8'), ...calmed('N9')];
        case 'differs': {
          const version = happening.version.slice(0, VERSION_CHARS);
          return atOnce(`N9|${version}`, () => draftOf('N9', at, { version }), { at }, isOld);
        }
        case 'finished': {
          const notices = happening.fallbacks > 0 ? once(draftOf('N10', at, finishedFields(happening)), isOld) : [];
          return [...overIn(happening.session), ...notices];
        }
        case 'changed':
          return once(draftOf('N12', at, { project: happening.project }), isOld);
        case 'update': {
          const version = happening.version.slice(0, VERSION_CHARS);
          return atOnce(`N13|${version}`, () => draftOf('N13', at, { version }), { at }, isOld);
        }
      }
    },
    due(at) {
      const waiting = [...open.values()].filter(({ dueAt }) => dueAt !== null);
      const isOut = waiting.some((episode) => isGathered(episode) && isDue(episode, at.now));
      const due = waiting.filter((episode) => (isGathered(episode) ? isOut : isDue(episode, at.now)));
      const switches = due.filter(({ notice }) => notice === 'N1');
      const others = due.filter(({ notice }) => notice !== 'N1');
      for (const episode of others)
        if (episode.notice === 'N8' || episode.notice === 'N17') episode.draft = { ...episode.draft, at: at.wall };
      // Cost notices come before single switches, but after a notice of many switches.
      const moved = switches.length > 0 ? flushSwitches(switches, at) : [];
      const isMany = moved.some((order) => 'tell' in order && order.tell.notice === 'N2');
      const rest = others.flatMap(notify);
      return isMany ? [...moved, ...rest] : [...rest, ...moved];
    },
    dueAt() {
      const moments = [...open.values()].flatMap(({ dueAt }) => (dueAt === null ? [] : [dueAt]));
      return moments.length === 0 ? null : Math.min(...moments);
    },
    restore(row, now) {
      const meant = [...open.values()].filter((episode) => isOf(row, episode, now));
      for (const episode of meant) episode.key = row.key;
      if (meant.length === 0 && !row.isOver) unclaimed.push(row);
    },
    restored() {
      unclaimed = [];
    },
    lasts,
    forget() {
      open.clear();
      unclaimed = [];
    },
  };
}

function finishedFields(over: Extract<Happening, { what: 'finished' }>): Partial<Draft> {
  const { session, project, turns, fallbacks, cost } = over;
  return { session, project, figures: { turns, fallbacks, ...(cost === null ? {} : { cost }) } };
}

const passedFields = ({ model, near, until, fullAt }: Extract<Happening, { what: 'passes' }>): Partial<Draft> => ({
  model,
  near,
  until,
  figures: fullAt === null ? {} : { fullAt },
});

const failingOf = (session: string): string => `N17|${session}`;
const haltOf = ({ session, agent }: Speaker): string => `N16|${session}|${agent}`;
const stuckOf = ({ session, agent }: Speaker): string => `N20|${session}|${agent}`;

type Begun = Readonly<{
  at: Moment;
  /** In ms; null if it is reported or restored elsewhere. */
  waitMs: number | null;
  of?: Speaker | null;
  ends?: readonly string[];
}>;
