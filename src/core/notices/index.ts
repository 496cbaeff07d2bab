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
  /** Another Understudy of this user wrote the current content; null if unknown. */
  hasWritten: ((path: string) => Promise<boolean>) | null;
  isDemo: boolean;
  isReplaying(): boolean;
  /** Appends to the log, then applies. */
  record(event: NoticeEvent): void;
  push(data: PushData<'notice'>): void;
  onChange(): void;
}>;

export type Notices = Readonly<{
  hear(moment: Heard): void;
  tell(happening: Happening): void;
  configured(rows: readonly ConfigRow[]): void;
  /** Their writes are then not reported as foreign changes. */
  writing: OwnWrites['watch'];
  /** @param at engine ms of the record. */
  take(event: NoticeEvent, at: number): void;
  /** Ends the replay: notices without an open episode are over. */
  replayed(): void;
  look(): void;
  unread(): number;
  urgent(): number;
  handlers: Pick<Handlers, 'notices.list' | 'notices.read'>;
  forget(): void;
  close(): void;
}>;

const DAY_MS = 86_400_000;

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
    // Rereads the file each time, because a person may have edited it.
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
    // The notice may have ended or been deleted meanwhile.
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
    hear(moment) {
      const at = { now: moment.now, wall: moment.wallOf(moment.now) };
      // Old events give no notices.
      const isOld = parts.isReplaying() || clock.now() - moment.now > NEWS_FOR_MS;
      for (const happening of happeningsIn(moment)) obey(episodes.hear(happening, at, isOld));
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
