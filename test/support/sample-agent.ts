import type { AgentFigures } from '../../src/contract/scorecard';

const rate = (value: number | null, n: number) => ({ value, lower: value && value / 2, upper: value && 1, n });

export const sampleAgent = (agent = 'oracle', fallbacks = rate(0.75, 4)): AgentFigures => ({
  agent,
  turns: { total: 10, open: 1, answered: 7, failed: 1, neutral: 1, firstTry: 4, byLead: 4, saved: 2, spared: 1 },
  availability: { withFallback: rate(0.875, 8), withoutFallback: rate(0.5, 8) },
  firstTry: rate(0.5, 8),
  fallbacks,
  ...{ attempts: 16, failures: 5, retries: 1, waitedMs: 95_000 },
  ...{ successes: 10, successRate: rate(0.666667, 15), avgResponseTimeMs: 4_100, p50Ms: 3_000, p95Ms: 9_000 },
  failureReasons: { rate_limit: 4, timeout: 1 },
});
