/**
 * Counts how agents fared from the lines of a log alone, as plainly as can be: for tests of the figures, so nothing of the
 * product is used here.
 */
type Line = Readonly<{ at: number; event: Readonly<Record<string, unknown>> }>;
type Request = { model: string; end: 'answered' | 'failed' | 'stopped' | null; from: number; to: number };

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
  retries: number;
  waitedMs: number;
}>;

export function recount(lines: readonly string[]): Record<string, Counted> {
  const events = lines.map((line) => JSON.parse(line) as Line);
  let lead = '';
  const turns: Record<string, { agent: string; requests: Record<string, Request> }> = {};
  const find = (attempt: string) =>
    Object.values(turns)
      .map(({ requests }) => requests[attempt])
      .find((request) => request !== undefined);
  for (const { at, event } of events) {
    const { type, turn, agent, attempt, model, purpose } = event as Record<string, string>;
    if (type === 'scope.configured')
      lead = (event.config as { agents: { '*': { chain: string[] } } }).agents['*'].chain[0] ?? '';
    if (type === 'attempt.started' && purpose === 'turn' && turn && agent && attempt && model) {
      const known = turns[turn] ?? { agent, requests: {} };
      known.requests[attempt] = { model, end: null, from: at, to: at };
      turns[turn] = known;
    }
    const request = attempt ? find(attempt) : undefined;
    if (!request) continue;
    if (type !== 'attempt.started') request.to = at;
    if (type === 'attempt.succeeded') request.end = 'answered';
    if (type === 'attempt.failed') request.end = 'failed';
    if (type === 'attempt.aborted') request.end = 'stopped';
  }
  const result: Record<string, Counted> = {};
  for (const name of new Set(Object.values(turns).map(({ agent }) => agent))) {
    const theirs = Object.values(turns)
      .filter(({ agent }) => agent === name)
      .map(({ requests }) => Object.values(requests));
    result[name] = countOf(theirs, lead);
  }
  return result;
}

function countOf(turns: readonly (readonly Request[])[], lead: string): Counted {
  const last = (turn: readonly Request[]) => turn[turn.length - 1];
  const has = (turn: readonly Request[], end: Request['end']) => turn.some((request) => request.end === end);
  const answered = turns.filter((turn) => last(turn)?.end === 'answered');
  const failed = turns.filter((turn) => last(turn)?.end === 'failed');
  const byLead = answered.filter((turn) => last(turn)?.model === lead);
  const byOthers = answered.filter((turn) => last(turn)?.model !== lead);
  const takenOn = [...answered, ...failed].filter((turn) => turn.some(({ model }) => model !== lead));
  const saved = byOthers.filter((turn) => turn.some(({ model, end }) => model === lead && end === 'failed'));
  const all = turns.flat();
  let retries = 0;
  let waitedMs = 0;
  for (const turn of turns)
    for (let at = 1; at < turn.length; at++) {
      const [one, next] = [turn[at - 1], turn[at]];
      if (one?.end !== 'failed' || !next) continue;
      if (one.model === next.model) retries++;
      waitedMs += next.from - one.to;
    }
  return {
    total: turns.length,
    open: turns.filter((turn) => last(turn)?.end === null).length,
    answered: answered.length,
    failed: failed.length,
    neutral: turns.filter((turn) => last(turn)?.end === 'stopped').length,
    firstTry: answered.filter((turn) => !has(turn, 'failed')).length,
    byLead: byLead.length,
    saved: saved.length,
    spared: byOthers.length - saved.length,
    takenOn: takenOn.length,
    takenOnAnswered: takenOn.filter((turn) => last(turn)?.end === 'answered').length,
    attempts: all.length,
    failures: all.filter(({ end }) => end === 'failed').length,
    retries,
    waitedMs,
  };
}
