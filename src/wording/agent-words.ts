import type { AgentFigures } from '../contract/scorecard';
import { agentTexts } from '../texts';
import { measured, percent } from './wording';

type Rate = AgentFigures['firstTry'];

/** The availability of an agent, with fallbacks and with its primary alone, and the results of fallbacks. */
export function agentSentences(row: AgentFigures): readonly string[] {
  const t = agentTexts();
  const { agent, turns, availability, firstTry, fallbacks, attempts, failures, retries, waitedMs } = row;
  const { value, lower, upper, n } = availability.withFallback;
  if (n === 0) return [t.noTurn(agent)];
  return [
    t.available(agent, percent(value), turns.answered, n, percent(lower), percent(upper)),
    t.alone(turns.byLead, percent(availability.withoutFallback.value)),
    t.firstTry(turns.firstTry, percent(firstTry.value)),
    fallbacks.n === 0 ? t.noFallback : t.fallbacks(fallbacks.n, hitsOf(fallbacks), percent(fallbacks.value)),
    t.requests(attempts, failures, retries),
    ...(waitedMs > 0 ? [t.waited(measured(waitedMs))] : []),
  ];
}

/** The cells of an agent, in the order of the columns' texts. */
export function agentCells({
  agent,
  turns,
  availability,
  firstTry,
  fallbacks,
  waitedMs,
}: AgentFigures): readonly string[] {
  return [
    agent,
    String(turns.total),
    percent(availability.withFallback.value),
    percent(availability.withoutFallback.value),
    percent(firstTry.value),
    fallbacks.n === 0 ? '0' : `${fallbacks.n}, ${percent(fallbacks.value)}`,
    waitedMs === 0 ? '0' : measured(waitedMs),
  ];
}

/** All agents as a table, the names of its columns first; null when there are none. */
export const agentTable = (rows: readonly AgentFigures[]): readonly (readonly string[])[] | null =>
  rows.length === 0 ? null : [Object.values(agentTexts().columns), ...rows.map(agentCells)];

/** States since when agents have figures, if the requested range is longer. @param since the formatted time. */
export const agentsSincePhrase = (since: string): string => agentTexts().kept(since);

/** States that an agent, or no agent at all, has turns. @param agent null for all agents. */
export function noTurnsPhrase(agent: string | null, rows: readonly AgentFigures[]): string {
  const t = agentTexts();
  return agent === null ? t.nobody : t.unknown(agent, rows.map((row) => row.agent).join(', '));
}

/** The recent availability of an agent in one line; null before a turn has ended. */
export function recentlyPhrase({ availability: { withFallback } }: AgentFigures): string | null {
  return withFallback.n === 0 ? null : agentTexts().recently(percent(withFallback.value), withFallback.n);
}

const hitsOf = ({ value, n }: Rate): number => Math.round((value ?? 0) * n);
