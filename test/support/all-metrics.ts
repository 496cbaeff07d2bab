import type { BudgetRow } from '../../src/contract/budget';
import { createMetrics } from '../../src/panel/metrics';
import { fleetStatus } from './metrics-fleet';
import { fakeHost } from './panel-host';
import { sampleAgent } from './sample-agent';
import { sampleHeadroom } from './sample-headroom';
import { sampleScorecard } from './sample-scorecard';
import { sampleSnapshot } from './sample-snapshot';

export async function allMetrics(): Promise<string> {
  const snapshot = sampleSnapshot();
  const budget: BudgetRow = {
    ...{ id: 'a', period: 'day', action: 'ask', provider: null, agent: null, directory: null, session: null },
    ...{ limit: 5, spent: 4.2, pricedShare: 1, endsAt: null, isAllowed: false },
  };
  const card = sampleScorecard();
  const toolReasons = { validation: 2, permission: 0, not_found: 0, timeout: 1, execution: 0 };
  const models = card.models.map((row) => ({
    ...row,
    errors: { ...row.errors, tool: 3, toolReasons, toolRepeats: 1 },
    quality: { ...row.quality, continued: 5 },
  }));
  const metrics = createMetrics(
    fakeHost(
      { ...snapshot, headroom: sampleHeadroom(snapshot.at), budgets: [budget] },
      {
        'scorecard.get': () => ({ ...card, models }),
        'scorecard.agents': () => [sampleAgent()],
        'fleet.get': () => fleetStatus(),
      },
    ),
  );
  try {
    return await metrics.text();
  } finally {
    metrics.close();
  }
}
