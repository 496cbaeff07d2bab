import { plainRow } from '../../core/history/event-rows';
import { AGENT_EVERY_MS, GATHER_MS, HOUR_MAX, HOUR_MS, URGENT_EVERY_MS } from '../../core/notices/limits';
import { eventSentence, gatheredSentence, type Tellable } from '../../wording/event-words';

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
  due(now: number): readonly Notice[];
  /** When `due` is to be asked; null when nothing waits. */
  dueAt(): number | null;
}>;

/** An agent away from its lead: the model it uses, and the one that was told last. */
type Away = { to: string | null; toldTo: string | null };

/**
 * Notices by episode: one for its beginning, one for each change of model, and one for its end, which is the first answer of the
 * lead. However many sessions and turns it lasts, the same change is told once.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the open episodes, and one short rule for each happening
export function createEpisodes(): Episodes {
  /** By agent and lead. */
  const away = new Map<string, Away>();
  /** Agents nobody can speak for: whether that was told. */
  const out = new Map<string, boolean>();
  /** Sessions whose outage was warned of. */
  const warned = new Set<string>();
  const toldAt = new Map<string, number>();
  /** Changes of model that are told at that time, if the agent still uses that model then. */
  const waiting = new Map<string, Readonly<{ row: Tellable; at: number }>>();
  let hour: number[] = [];

  const isFree = (key: string, everyMs: number, now: number): boolean => {
    const last = toldAt.get(key);
    if (last !== undefined && now - last < everyMs) return false;
    toldAt.set(key, now);
    return true;
  };

  /** The next gathering, unless the agent was told of within the minute. */
  const tellingAt = (agent: string, now: number): number => {
    const last = toldAt.get(`left ${agent}`);
    if (last !== undefined && now - last < AGENT_EVERY_MS) return last + AGENT_EVERY_MS;
    const gathering = [...waiting.values()].map(({ at }) => at).filter((at) => at - now <= GATHER_MS);
    return gathering.length > 0 ? Math.min(...gathering) : now + GATHER_MS;
  };

  const leave = ({ agent, lead, row }: Extract<Happening, { what: 'left' }>, now: number): void => {
    const key = `${agent}|${lead}`;
    const episode = away.get(key) ?? { to: null, toldTo: null };
    away.set(key, episode);
    if (episode.to === row.to && (waiting.has(key) || episode.toldTo === row.to)) return;
    episode.to = row.to;
    if (episode.toldTo === row.to) waiting.delete(key);
    else waiting.set(key, { row, at: waiting.get(key)?.at ?? tellingAt(agent, now) });
  };

  /** Whether the user was told that an agent left its lead. */
  const isBack = (key: string): boolean => {
    const isTold = away.get(key)?.toldTo != null;
    waiting.delete(key);
    away.delete(key);
    return isTold;
  };

  const answer = ({ agent, lead, model }: Extract<Happening, { what: 'answered' }>): readonly Notice[] => {
    const canGoOn = out.get(agent) === true;
    out.delete(agent);
    if (model === lead && isBack(`${agent}|${lead}`))
      return [noticeOf('success', [plainRow('home.answered', { agent, to: model })])];
    return canGoOn ? [noticeOf('success', [plainRow('turn.recovered', { agent, model })])] : [];
  };

  const nextAt = (): number | null =>
    waiting.size === 0 ? null : Math.min(...[...waiting.values()].map(({ at }) => at));

  return {
    hear(happening, now) {
      switch (happening.what) {
        case 'left':
          leave(happening, now);
          return [];
        case 'exhausted': {
          const { agent, row } = happening;
          // It no longer uses the model that was to be told.
          for (const [key, { row: change }] of waiting) if (change.agent === agent) waiting.delete(key);
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
      const entries = [...waiting].filter(([, { at }]) => at <= now);
      for (const [key] of entries) waiting.delete(key);
      hour = hour.filter((at) => now - at < HOUR_MS);
      if (entries.length === 0 || hour.length >= HOUR_MAX) return [];
      hour.push(now);
      for (const [key, { row }] of entries) {
        toldAt.set(`left ${row.agent}`, now);
        const episode = away.get(key);
        if (episode) episode.toldTo = row.to;
      }
      return [{ message: gatheredSentence(entries.map(([, { row }]) => row)), variant: 'info' }];
    },
    dueAt: nextAt,
  };
}

const noticeOf = (variant: Notice['variant'], rows: readonly Tellable[]): Notice => ({
  message: rows.map(eventSentence).join('\n'),
  variant,
});
