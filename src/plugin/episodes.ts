import { eventSentence, gatheredSentence, type Tellable } from '../contract';
import { plainRow } from '../core/history/event-rows';
import { AGENT_EVERY_MS, GATHER_MS, HOUR_MAX, HOUR_MS, URGENT_EVERY_MS } from '../core/notices/limits';

/** What a user is told in passing. */
export type Notice = Readonly<{ message: string; variant: 'info' | 'success' | 'warning' | 'error' }>;

/** What happens to agents, as far as it may be worth a notice. */
export type Happening =
  /** An agent speaks through another model than its lead. */
  | Readonly<{ what: 'left'; agent: string; lead: string; row: Tellable }>
  /** Nobody is left to speak for an agent. */
  | Readonly<{ what: 'exhausted'; agent: string; row: Tellable }>
  /** A model has answered a turn of an agent: the only proof that it is well. */
  | Readonly<{ what: 'answered'; agent: string; lead: string; model: string }>
  /** A prompt goes out although at least half of the last requests of its session failed; they are answered again. */
  | Readonly<{ what: 'warned'; session: string; row: Tellable }>
  | Readonly<{ what: 'connects'; session: string }>
  /** Happens once by itself. */
  | Readonly<{ what: 'told'; rows: readonly Tellable[] }>;

/** What has been told of what still lasts. Times are milliseconds of one clock. */
export type Episodes = Readonly<{
  /** Takes in what happened. @returns what to tell at once. */
  hear(happening: Happening, now: number): readonly Notice[];
  /** What has been gathered and is due. */
  due(now: number): readonly Notice[];
  /** When `due` is to be asked; null when nothing waits. */
  dueAt(): number | null;
}>;

/**
 * Notices by episode: from the first bad to the first answer that proves it over, one for its beginning and one for its
 * end. However many sessions and turns it lasts, and however long, nothing is told twice.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the open episodes, and one short rule for each happening
export function createEpisodes(): Episodes {
  /** Agents away from their lead, by agent and lead: whether that was told. */
  const away = new Map<string, boolean>();
  /** Agents nobody can speak for: whether that was told. */
  const out = new Map<string, boolean>();
  /** Sessions whose outage was warned of. */
  const warned = new Set<string>();
  const toldAt = new Map<string, number>();
  let gathered: { key: string; row: Tellable }[] = [];
  let flushAt: number | null = null;
  let hour: number[] = [];

  const isFree = (key: string, everyMs: number, now: number): boolean => {
    const last = toldAt.get(key);
    if (last !== undefined && now - last < everyMs) return false;
    toldAt.set(key, now);
    return true;
  };

  const leave = ({ agent, lead, row }: Extract<Happening, { what: 'left' }>, now: number): void => {
    const key = `${agent}|${lead}`;
    if (away.has(key)) return;
    const isTold = isFree(`left ${agent}`, AGENT_EVERY_MS, now);
    away.set(key, isTold);
    if (!isTold) return;
    gathered.push({ key, row });
    flushAt ??= now + GATHER_MS;
  };

  /** Whether something that was told has ended. What ends before it was told is nobody's business. */
  const ended = (episodes: Map<string, boolean>, key: string): boolean => {
    const isTold = episodes.get(key) === true && !gathered.some((entry) => entry.key === key);
    gathered = gathered.filter((entry) => entry.key !== key);
    episodes.delete(key);
    return isTold;
  };

  const answer = ({ agent, lead, model }: Extract<Happening, { what: 'answered' }>): readonly Notice[] => {
    const canGoOn = ended(out, agent);
    const isBack = model === lead && ended(away, `${agent}|${lead}`);
    if (isBack) return [noticeOf('success', [plainRow('home.ready', { agent, to: model })])];
    return canGoOn ? [noticeOf('success', [plainRow('turn.recovered', { agent, model })])] : [];
  };

  return {
    hear(happening, now) {
      switch (happening.what) {
        case 'left':
          leave(happening, now);
          return [];
        case 'exhausted': {
          const { agent, row } = happening;
          if (out.has(agent)) return [];
          const isTold = isFree(`exhausted ${agent}`, URGENT_EVERY_MS, now);
          out.set(agent, isTold);
          return isTold ? [noticeOf('error', [row])] : [];
        }
        case 'answered':
          return answer(happening);
        case 'warned':
          if (warned.has(happening.session)) return [];
          warned.add(happening.session);
          return [noticeOf('warning', [happening.row])];
        case 'connects':
          warned.delete(happening.session);
          return [];
        case 'told':
          return [noticeOf('warning', happening.rows)];
      }
    },
    due(now) {
      if (flushAt === null || now < flushAt) return [];
      const entries = gathered;
      gathered = [];
      flushAt = null;
      hour = hour.filter((at) => now - at < HOUR_MS);
      if (hour.length >= HOUR_MAX) for (const { key } of entries) away.set(key, false);
      if (entries.length === 0 || hour.length >= HOUR_MAX) return [];
      hour.push(now);
      return [{ message: gatheredSentence(entries.map(({ row }) => row)), variant: 'info' }];
    },
    dueAt: () => flushAt,
  };
}

const noticeOf = (variant: Notice['variant'], rows: readonly Tellable[]): Notice => ({
  message: rows.map(eventSentence).join('\n'),
  variant,
});
