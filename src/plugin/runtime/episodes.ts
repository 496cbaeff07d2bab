import { plainRow } from '../../core/history/event-rows';
import { AGENT_EVERY_MS, GATHER_MS, HOUR_MAX, HOUR_MS, URGENT_EVERY_MS } from '../../core/notices/limits';
import { eventSentence, gatheredSentence, type Tellable } from '../../wording/event-words';

export type Notice = Readonly<{ message: string; variant: 'info' | 'success' | 'warning' | 'error' }>;

export type Happening =
  | Readonly<{ what: 'left'; agent: string; lead: string; row: Tellable }>
  | Readonly<{ what: 'exhausted'; agent: string; row: Tellable }>
  /** The only proof that a model is available. */
  | Readonly<{ what: 'answered'; agent: string; lead: string; model: string }>
  /** At least half of the session's last requests failed; `connects` once they succeed again. */
  | Readonly<{ what: 'warned'; session: string; row: Tellable }>
  | Readonly<{ what: 'connects'; session: string }>
  | Readonly<{ what: 'told'; rows: readonly Tellable[] }>;

export type Episodes = Readonly<{
  hear(happening: Happening, now: number): readonly Notice[];
  due(now: number): readonly Notice[];
  /** Null if nothing waits. */
  dueAt(): number | null;
}>;

type Away = { to: string | null; toldTo: string | null };

/** Notifies once of an episode's beginning, each change of model, and the lead's first answer, for all sessions. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the open episodes, and one short rule for each happening
export function createEpisodes(): Episodes {
  const away = new Map<string, Away>();
  /** Agents without an available model; true if the user was notified. */
  const out = new Map<string, boolean>();
  const warned = new Set<string>();
  const toldAt = new Map<string, number>();
  const waiting = new Map<string, Readonly<{ row: Tellable; at: number }>>();
  let hour: number[] = [];

  const isFree = (key: string, everyMs: number, now: number): boolean => {
    const last = toldAt.get(key);
    if (last !== undefined && now - last < everyMs) return false;
    toldAt.set(key, now);
    return true;
  };

  /** Joins the next batch, unless the agent had a notice within the minute. */
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

  /** True if the change away from the lead was shown. */
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
