import type { Snapshot } from '../../src/contract/snapshot';
import type { ModelUse } from '../../src/contract/usage';

const NO_RATE = { value: null, lower: null, upper: null, n: 0 };

export function modelUse(model: string, calls: number, failed: number, over: Partial<ModelUse> = {}): ModelUse {
  const slow = Math.floor((calls - failed) / 20);
  return {
    model,
    slot: null,
    outcomes: { answered: calls - failed - slow, slow, failed, skipped: 0 },
    totalCalls: calls,
    successes: calls - failed,
    failures: failed,
    successRate: NO_RATE,
    avgResponseTimeMs: calls > failed ? 2_400 : null,
    p50Ms: calls > failed ? 1_900 : null,
    p95Ms: calls > failed ? 6_400 : null,
    circuitBreakerActivations: 0,
    failureReasons: {},
    ...over,
  };
}

export const sampleUses = ({ models }: Snapshot): ModelUse[] =>
  models.filter(({ calls }) => calls > 0).map(({ model, calls, failed }) => modelUse(model, calls, failed));
