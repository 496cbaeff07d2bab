import type { Handlers, PushData } from '../../contract/contract';
import { DEFAULT_PREFERENCES, type Preferences } from '../../contract/preferences';
import type { ConfigRow } from '../../contract/snapshot';
import { NEWS_FOR_MS } from '../../wording/notice-show';
import { countAs } from '../base/internal-errors';
import { projectOf } from '../base/project';
import type { AppEvent } from '../base/record';
import type { Clock } from '../ports/ports';
import type { PreferencesPort } from '../ports/preferences';
import type { Draft, Moment } from './episode';
import { createEpisodes, type Order } from './episodes';
import { createGate } from './gate';
import { type Happening, type Heard, happeningsIn } from './happenings';
import { createNoticeInbox } from './inbox';
import { createOwnWrites, type OwnWrites } from './own-writes';

export { isAtWork } from './happenings';

export type NoticeEvent = Extract<AppEvent, { type: 'notice.told' | 'notice.read' }>;

export type NoticeParts = Readonly<{
  clock: Clock;
  preferences: PreferencesPort | null;
  /** Whether a file, as it is now, was written by another Understudy of this user; null where nobody can tell. */
  hasWritten: ((path: string) => Promise<boolean>) | null;
  /** Nothing that is scripted is shown: it is only listed. */
  isDemo: boolean;
  /** Whether what is heard happened in an earlier life: nobody is told of that. */
  isReplaying(): boolean;
  /** Writes down, then takes in. */
  record(event: NoticeEvent): void;
  push(data: PushData<'notice'>): void;
  /** The number of unread ones may be another. */
  onChange(): void;
}>;

/** Decides which notices there are and which are shown, and keeps them. */
export type Notices = Readonly<{
  /** Takes in a step of the engine. */
  hear(heard: Heard): void;
  /** Takes in what else happens, now. */
  tell(happening: Happening): void;
  /** Takes in what configuration files there are. */
  configured(rows: readonly ConfigRow[]): void;
  /** The same handlers: what they write is not told of as somebody else's change. */
  writing: OwnWrites['watch'];
  /** Takes in what is written down of notices. @param at when it was, in engine ms. */
  take(event: NoticeEvent, at: number): void;
  /** An earlier life has been taken in: what it told and nobody heard of again is over. */
  replayed(): void;
  /** The preferences or the wall clock may be others than before. */
  look(): void;
  unread(): number;
  urgent(): number;
  handlers: Pick<Handlers, 'notices.list' | 'notices.read'>;
  /** Drops everything that was told and all that goes on. */
  forget(): void;
  close(): void;
}>;

const DAY_MS = 86_400_000;

/** Notices of a core to which nothing has happened yet. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: state and its methods, each short, as a class would hold them
export function createNotices(parts: NoticeParts): Notices {
  const { clock } = parts;
  const episodes = createEpisodes();
  const gate = createGate();
  const inbox = createNoticeInbox();
  const own = createOwnWrites(clock.now);
  let preferences: Preferences = DEFAULT_PREFERENCES;
  let waiting: Order[] = [];
  let isReading = false;
  let isClosed = false;
  let cancel: (() => void) | null = null;

  const present = (): Moment => ({ now: clock.now(), wall: clock.wall() });

  const look = (): void => {
    // A person may have written the file by hand: what is chosen is read when it matters.
    if (isReading) return;
    isReading = true;
    void read().then(() => {
      isReading = false;
      if (isClosed) return;
      const orders = waiting;
      waiting = [];
      for (const order of orders) deliver(order);
      const digest = gate.digest(present(), preferences.notices);
      if (digest) parts.push({ type: 'show', notice: digest });
      plan();
    });
  };
  const read = async (): Promise<void> => {
    const inForce = await parts.preferences?.read().catch(countAs('notices.preferences'));
    if (inForce) preferences = inForce.preferences;
    inbox.dropBefore(clock.wall() - preferences.history.detailDays * DAY_MS);
  };

  const deliver = (order: Order): void => {
    if ('over' in order) {
      if (gate.withdraws(order.over)) parts.push({ type: 'withdraw', key: order.over });
      return;
    }
    const row = inbox.rows().find(({ key }) => key === order.tell.key);
    // It may have ended, or have been deleted, before it could be shown.
    if (!row || row.isOver !== order.tell.isOver || parts.isDemo) return;
    if (gate.admits(row, present(), preferences.notices)) parts.push({ type: 'show', notice: row });
  };

  const write = (draft: Draft): void =>
    parts.record({ type: 'notice.told', notice: { ...draft, id: inbox.nextId(), isRead: false } });

  const obey = (orders: readonly Order[]): void => {
    for (const order of orders) {
      if ('tell' in order) write(order.tell);
      else inbox.over(order.over);
    }
    if (parts.isReplaying()) return;
    if (orders.length > 0) {
      waiting.push(...orders);
      look();
      parts.onChange();
    }
    plan();
  };

  const plan = (): void => {
    cancel?.();
    cancel = null;
    const { now, wall } = present();
    const dueAt = episodes.dueAt();
    const digestAt = gate.digestAt(wall, preferences.notices);
    const delays = [...(dueAt === null ? [] : [dueAt - now]), ...(digestAt === null ? [] : [digestAt - wall])];
    if (delays.length === 0) return;
    // A timer may fire a fraction early.
    cancel = clock.schedule(Math.ceil(Math.max(1, Math.min(...delays))), due);
  };
  const due = (): void => {
    cancel = null;
    obey(episodes.due(present()));
    if (gate.digestAt(clock.wall(), preferences.notices) !== null) look();
  };

  const tell = (happening: Happening): void => obey(episodes.hear(happening, present(), parts.isReplaying()));

  const changedBySomebody = async ({ path, directory }: ConfigRow): Promise<void> => {
    if (await parts.hasWritten?.(path)) return;
    if (!isClosed) tell({ what: 'changed', project: directory === null ? null : projectOf(directory) });
  };

  return {
    hear(heard) {
      const at = { now: heard.now, wall: heard.wallOf(heard.now) };
      // What happened long before it is heard of is told to nobody.
      const isOld = parts.isReplaying() || clock.now() - heard.now > NEWS_FOR_MS;
      for (const happening of happeningsIn(heard)) obey(episodes.hear(happening, at, isOld));
    },
    tell,
    configured(rows) {
      for (const row of own.foreign(rows)) void changedBySomebody(row);
    },
    writing: own.watch,
    take(event, at) {
      if (event.type === 'notice.read') {
        inbox.read(event.upTo);
        return;
      }
      inbox.put(event.notice);
      if (parts.isReplaying()) episodes.restore(event.notice, at);
    },
    replayed() {
      episodes.restored();
      for (const { key, isOver } of inbox.rows()) if (!isOver && !episodes.lasts(key)) inbox.over(key);
    },
    look,
    unread: inbox.unread,
    urgent: inbox.urgent,
    handlers: {
      'notices.list': async (which) => {
        await read();
        return inbox.page(which);
      },
      'notices.read': ({ upTo }) => {
        if (inbox.rows().some(({ id, isRead }) => id <= upTo && !isRead)) {
          parts.record({ type: 'notice.read', upTo });
          parts.onChange();
        }
        return { unread: inbox.unread() };
      },
    },
    forget() {
      for (const memory of [episodes, gate, inbox]) memory.forget();
      waiting = [];
    },
    close() {
      isClosed = true;
      cancel?.();
      cancel = null;
    },
  };
}
