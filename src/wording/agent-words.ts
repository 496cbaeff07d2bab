import type { AgentFigures } from '../contract/scorecard';
import { agentTexts } from '../texts';
import { measured, percent } from './wording';

type Rate = AgentFigures['firstTry'];

/** How available an agent is, in sentences: with fallbacks and by its lead alone, and what became of what was taken on. */
export function agentSentences(row: AgentFigures): readonly string[] {
  const said = agentTexts();
  const { agent, turns, availability, firstTry, fallbacks, attempts, failures, retries, waitedMs } = row;
  const { value, lower, upper, n } = availability.withFallback;
  if (n === 0) return [said.noTurn(agent)];
  return [
    said.available(agent, percent(value), turns.answered, n, percent(lower), percent(upper)),
    said.alone(turns.byLead, percent(availability.withoutFallback.value)),
    said.firstTry(turns.firstTry, percent(firstTry.value)),
    fallbacks.n === 0 ? said.noFallback : said.fallbacks(fallbacks.n, hitsOf(fallbacks), percent(fallbacks.value)),
    said.requests(attempts, failures, retries),
    ...(waitedMs > 0 ? [said.waited(measured(waitedMs))] : []),
  ];
}

/** What a table says of an agent, in the order of the columns' texts. */
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

/** Since when agents have figures, where a longer time was asked for. @param since the moment as people read it. */
export const agentsSincePhrase = (since: string): string => agentTexts().kept(since);

/** Says that an agent has no turns, or that nobody has any. @param agent null when no one agent was asked for. */
export function noTurnsPhrase(agent: string | null, rows: readonly AgentFigures[]): string {
  const said = agentTexts();
  return agent === null ? said.nobody : said.unknown(agent, rows.map((row) => row.agent).join(', '));
}

/** How available an agent was lately, in one line; null before a turn has ended. */
export function recentlyPhrase({ availability: { withFallback } }: AgentFigures): string | null {
  return withFallback.n === 0 ? null : agentTexts().recently(percent(withFallback.value), withFallback.n);
}

const hitsOf = ({ value, n }: Rate): number => Math.round((value ?? 0) * n);
