import type { NoticeRow } from '../../contract/notices';
import type { Preferences } from '../../contract/preferences';
import { NEWS_FOR_MS } from '../../wording/notice-show';
import { EMPTY, type Moment, recoveredKey } from './episode';
import { AGENT_EVERY_MS, HOUR_MAX, HOUR_MS, URGENT_EVERY_MS } from './limits';
import { isQuiet, quietEnd } from './quiet-hours';

type Choices = Preferences['notices'];

export type Gate = Readonly<{
  /** @returns whether to show the notice now; others may appear in the digest. */
  admits(row: NoticeRow, at: Moment, choices: Choices): boolean;
  withdraws(key: string): boolean;
  /** Null during quiet hours or without held notices. */
  digest(at: Moment, choices: Choices): NoticeRow | null;
  /** Wall-clock ms; null if nothing is held back. */
  digestAt(wall: number, choices: Choices): number | null;
  forget(): void;
}>;

/** Exempt from the hourly limit. */
const URGENT: readonly NoticeRow['notice'][] = ['N3', 'N6', 'N8', 'N20'];
/** Exempt from all rate limits: each waits for an answer with a timeout. */
const ASKING: readonly NoticeRow['notice'][] = ['N21', 'N22'];
/** Work has stopped: shown in quiet hours too. */
const STOPPED: readonly NoticeRow['notice'][] = ['N3', 'N20', 'N21'];

export function createGate(): Gate {
  /** Engine ms; `shownAt` is by agent and kind. */
  let hour: number[] = [];
  const shownAt = new Map<string, number>();
  const shown = new Set<string>();
  let held: NoticeRow[] = [];

  const isSince = (what: string, now: number, everyMs: number): boolean => {
    const last = shownAt.get(what);
    return last !== undefined && now - last < everyMs;
  };
  const hasRoom = ({ notice, agents }: NoticeRow, now: number): boolean => {
    if (ASKING.includes(notice)) return true;
    if (URGENT.includes(notice)) return !isSince(notice, now, URGENT_EVERY_MS);
    hour = hour.filter((at) => now - at < HOUR_MS);
    const isTold = notice !== 'N2' && agents.some((agent) => isSince(`agent ${agent}`, now, AGENT_EVERY_MS));
    return hour.length < HOUR_MAX && !isTold;
  };
  const show = ({ notice, agents, key, isOver }: NoticeRow, now: number): void => {
    if (!isOver) shown.add(key);
    shownAt.set(notice, now);
    if (ASKING.includes(notice) || URGENT.includes(notice)) return;
    hour.push(now);
    for (const agent of agents) shownAt.set(`agent ${agent}`, now);
  };

  return {
    admits(row, { now, wall }, { chosen, mutedUntil, quietHours }) {
      const { notice } = row;
      if (isMuted(mutedUntil, wall) || wall - row.at > NEWS_FOR_MS) return false;
      if (notice !== 'digest' && !chosen[notice]) return false;
      // A recovery is shown only if its problem was shown.
      if (notice === 'N4' && !shown.has(recoveredKey(row.key))) return false;
      if (!STOPPED.includes(notice) && isQuiet(quietHours, wall)) {
        held = [...held.filter(({ key }) => key !== row.key), row];
        return false;
      }
      if (!hasRoom(row, now)) return false;
      show(row, now);
      return true;
    },
    withdraws: (key) => shown.delete(key),
    digest({ now, wall }, { mutedUntil, quietHours }) {
      const newest = held.at(-1);
      if (!newest || isQuiet(quietHours, wall)) return null;
      const count = held.length;
      held = [];
      if (isMuted(mutedUntil, wall)) return null;
      const row: NoticeRow = { ...digestOf(newest, wall), figures: { count } };
      show(row, now);
      return row;
    },
    digestAt: (wall, { quietHours }) => {
      if (held.length === 0) return null;
      return isQuiet(quietHours, wall) ? quietEnd(quietHours, wall) : wall;
    },
    forget() {
      hour = [];
      held = [];
      shownAt.clear();
      shown.clear();
    },
  };
}

const isMuted = (mutedUntil: number | null, wall: number): boolean => mutedUntil !== null && wall < mutedUntil;

const digestOf = ({ id }: NoticeRow, wall: number): NoticeRow => ({
  ...EMPTY,
  id,
  at: wall,
  notice: 'digest',
  key: `digest|${id}`,
  isOver: true,
  isRead: false,
});
