import type { AgentFigures } from '../../../src/contract/scorecard';
import type { Counted } from './recount';

const hits = ({ value, n }: AgentFigures['firstTry']): number => Math.round((value ?? 0) * n);

export const countedIn = (rows: readonly AgentFigures[]): Record<string, Counted> =>
  Object.fromEntries(
    rows.map(({ agent, turns, availability, firstTry, fallbacks, attempts, failures, retries, waitedMs, ...row }) => [
      agent,
      {
        ...{ ...turns, takenOn: fallbacks.n, takenOnAnswered: hits(fallbacks), attempts, failures, retries, waitedMs },
        ...{ successes: row.successes ?? 0, averageMs: row.avgResponseTimeMs ?? null },
        available: availability.withFallback.value,
        alone: availability.withoutFallback.value,
        firstTryShare: firstTry.value,
        takenOnShare: fallbacks.value,
      },
    ]),
  );
