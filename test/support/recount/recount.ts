/** Computes agents' figures from the log alone, with simple code that uses nothing of the product. */
type Line = Readonly<{ at: number; event: Readonly<Record<string, unknown>> }>;
type Config = Readonly<{ agents: Readonly<Record<string, Readonly<{ chain: readonly string[] }> | undefined>> }>;
type Request = {
  model: string;
  session: string;
  end: 'answered' | 'failed' | 'stopped' | null;
  from: number;
  to: number;
  tookMs: number;
};
type Turn = readonly Request[];

export type Counted = Readonly<{
  total: number;
  open: number;
  answered: number;
  failed: number;
  neutral: number;
  firstTry: number;
  byLead: number;
  saved: number;
  spared: number;
  takenOn: number;
  takenOnAnswered: number;
  attempts: number;
  failures: number;
  successes: number;
  /** Average of answered requests in whole ms; null without any. */
  averageMs: number | null;
  retries: number;
  waitedMs: number;
  /** Shares with six digits, of the turns that were answered or failed; null without any. */
  available: number | null;
  alone: number | null;
  firstTryShare: number | null;
  takenOnShare: number | null;
}>;

/** Definitions; a test can break one to check that the comparison notices. */
export const RULES = {
  isTurn: (purpose: string): boolean => purpose === 'turn',
  lead: ({ agents }: Config, agent: string): string => (agents[agent] ?? agents['*'])?.chain[0] ?? '',
  isAnswered: (turn: Turn): boolean => lastOf(turn)?.end === 'answered',
  isFailed: (turn: Turn): boolean => lastOf(turn)?.end === 'failed',
  isFirstTry: (turn: Turn): boolean => !turn.some(({ end }) => end === 'failed'),
  isByLead: (turn: Turn, lead: string): boolean => lastOf(turn)?.model === lead,
  isSaved: (turn: Turn, lead: string): boolean => turn.some(({ model, end }) => model === lead && end === 'failed'),
  isTakenOn: (turn: Turn, lead: string): boolean => turn.some(({ model }) => model !== lead),
  isRetry: (one: Request, next: Request): boolean => one.end === 'failed' && one.model === next.model,
  waitedMs: (one: Request, next: Request): number => (one.end === 'failed' ? next.from - one.to : 0),
  /** An idle session gets no further response. */
  endsAtRest: true,
  /** A message without an available model has failed, although no model was called. */
  countsUnasked: true,
} as const;
export type Rules = {
  [Name in keyof typeof RULES]: (typeof RULES)[Name] extends boolean ? boolean : (typeof RULES)[Name];
};

const lastOf = (turn: Turn): Request | undefined => turn[turn.length - 1];

export function recount(lines: readonly string[], rules: Rules = RULES): Record<string, Counted> {
  let config: Config = { agents: {} };
  const turns: Record<string, { agent: string; requests: Record<string, Request> }> = {};
  const unasked: Record<string, string> = {};
  const requests = () => Object.values(turns).flatMap((turn) => Object.entries(turn.requests));
  for (const { at, event } of lines.map((line) => JSON.parse(line) as Line)) {
    const { type, session, turn, agent, attempt, model, purpose } = event as Record<string, string>;
    if (type === 'scope.configured') config = event.config as Config;
    const decided = event.decided as { kind?: string } | undefined;
    if (type === 'prompt.submitted' && decided?.kind === 'exhausted' && rules.countsUnasked && turn && agent)
      unasked[turn] = agent;
    if (type === 'attempt.started' && rules.isTurn(purpose ?? '') && session && turn && agent && attempt && model) {
      const known = turns[turn] ?? { agent, requests: {} };
      known.requests[attempt] = { model, session, end: null, from: at, to: at, tookMs: 0 };
      turns[turn] = known;
    }
    if ((type === 'session.idle' || type === 'session.closed') && rules.endsAtRest)
      for (const [, request] of requests()) if (request.session === session) request.end ??= 'stopped';
    const request = requests().find(([name]) => name === attempt)?.[1];
    if (!request) continue;
    if (type !== 'attempt.started') request.to = at;
    if (type === 'attempt.succeeded') {
      request.end = 'answered';
      request.tookMs = Number(event.durationMs);
    }
    if (type === 'attempt.failed') request.end = 'failed';
    if (type === 'attempt.aborted') request.end = 'stopped';
  }
  const result: Record<string, Counted> = {};
  const names = [...Object.values(turns).map(({ agent }) => agent), ...Object.values(unasked)];
  for (const name of new Set(names)) {
    const theirs = Object.values(turns).filter(({ agent }) => agent === name);
    const lists = theirs.map((turn) => Object.values(turn.requests));
    const lost = Object.values(unasked).filter((agent) => agent === name).length;
    result[name] = countOf(lists, rules.lead(config, name), { rules, lost });
  }
  return result;
}

function countOf(
  turns: readonly Turn[],
  lead: string,
  { rules, lost }: Readonly<{ rules: Rules; lost: number }>,
): Counted {
  const answered = turns.filter(rules.isAnswered);
  const failed = turns.filter(rules.isFailed);
  const decided = answered.length + failed.length + lost;
  const byLead = answered.filter((turn) => rules.isByLead(turn, lead));
  const byOthers = answered.filter((turn) => !rules.isByLead(turn, lead));
  const takenOn = [...answered, ...failed].filter((turn) => rules.isTakenOn(turn, lead));
  const takenOnAnswered = takenOn.filter(rules.isAnswered);
  const saved = byOthers.filter((turn) => rules.isSaved(turn, lead));
  const firstTry = answered.filter(rules.isFirstTry);
  const all = turns.flat();
  const answers = all.filter(({ end }) => end === 'answered');
  const tookMs = answers.reduce((sum, answer) => sum + answer.tookMs, 0);
  const share = (part: number, whole: number) => (whole === 0 ? null : Math.round((1e6 * part) / whole) / 1e6);
  let retries = 0;
  let waitedMs = 0;
  for (const turn of turns)
    for (let at = 1; at < turn.length; at++) {
      const [one, next] = [turn[at - 1], turn[at]];
      if (!one || !next) continue;
      if (rules.isRetry(one, next)) retries++;
      waitedMs += rules.waitedMs(one, next);
    }
  return {
    total: turns.length + lost,
    open: turns.filter((turn) => lastOf(turn)?.end === null).length,
    answered: answered.length,
    failed: failed.length + lost,
    neutral: turns.filter((turn) => lastOf(turn)?.end === 'stopped').length,
    firstTry: firstTry.length,
    byLead: byLead.length,
    saved: saved.length,
    spared: byOthers.length - saved.length,
    takenOn: takenOn.length,
    takenOnAnswered: takenOnAnswered.length,
    attempts: all.length,
    failures: all.filter(({ end }) => end === 'failed').length,
    successes: answers.length,
    averageMs: answers.length === 0 ? null : Math.round(tookMs / answers.length),
    retries,
    waitedMs,
    available: share(answered.length, decided),
    alone: share(byLead.length, decided),
    firstTryShare: share(firstTry.length, decided),
    takenOnShare: share(takenOnAnswered.length, takenOn.length),
  };
}
