import { describe, expect, it } from 'vitest';
import { DEFAULT_HEALTH, type Evidence, type ModelId, type Policy } from '../../../src/engine';
import { PRESETS } from '../../../src/engine/policy/presets';
import { BAD_GATEWAY, createEngine, scope } from '../harness';
import { EVIDENCE, World } from '../world';

const TWELVE: readonly ModelId[] = Array.from({ length: 12 }, (_, at) => `p${at}/m`);
const NO_LIMIT = 100;
const AT_ONCE = { baseMs: 0, capMs: 0, jitter: 0 };
const BUDGET = { perSession: 1_000, warnAt: 1_000 };

/** Fails every request of one turn until a decision ends it. @returns the models that were requested, and the last code. */
function failing(evidence: Evidence, changes: Parameters<typeof scope>[0] = {}) {
  const engine = createEngine(scope({ chain: TWELVE, maxFallbackDepth: NO_LIMIT, backoff: AT_ONCE, ...changes }));
  // Retries may be a share of the other requests.
  for (let at = 0; at < 1_000; at++) engine.succeed('earlier', 'x/m');
  let decision = engine.prompt('t');
  const requested: ModelId[] = [];
  while ('to' in decision.action && requested.length < 500) {
    const model = decision.action.to;
    if (decision.action.kind === 'hold') engine.after(decision.action.waitMs);
    requested.push(model);
    // Failures of several providers at one moment would be this machine's network.
    engine.after(3_000);
    decision = engine.fail('t', model, evidence);
  }
  return { requested, end: decision.code, decision };
}

const MOVING = [
  ...(['rateLimit', 'quota', 'serverError', 'overloaded', 'auth', 'permission', 'network', 'silence'] as const),
  ...(['malformed', 'empty'] as const),
];

describe('given a chain of 12 models and no limit of switches', () => {
  it.each(MOVING)('when all of them fail with %s, then each is requested once, in order', (kind) => {
    const { requested, end } = failing(EVIDENCE[kind]);
    expect([requested, end]).toEqual([TWELVE, expect.stringMatching(/^exhausted\./)]);
  });

  it('when a policy requests each model 4 times, then all 48 requests are sent', () => {
    const { requested, end } = failing(BAD_GATEWAY, { policy: PRESETS.steady, retryBudget: BUDGET });
    expect([requested.length, new Set(requested).size, end]).toEqual([48, 12, 'exhausted.server_error']);
  });

  it('when a limit of a few seconds ends while the turn walks its chain, then the turn waits for one model once', () => {
    const health = { ...DEFAULT_HEALTH, cooldownMs: 50_000 };
    const { requested } = failing(EVIDENCE.rateLimit, { abilities: ['hold.other'], health });
    expect(requested).toEqual([...TWELVE, TWELVE[0]]);
  });

  it('when a policy would retry without end, then 12 failures for each model end the turn', () => {
    const retry = [{ step: 'retry', n: 1_000 }, { step: 'switch' }] as const;
    const endless: Policy = { ...PRESETS.swift, server_error: retry };
    const { requested, end } = failing(BAD_GATEWAY, { policy: endless, retryBudget: BUDGET });
    expect([requested.length, end]).toEqual([144, 'exhausted.attempts']);
  });

  it('when the model of last resort is asked after them, then it is the 13th', () => {
    const { requested } = failing(EVIDENCE.serverError, { backupModel: 'z/m' });
    expect(requested).toEqual([...TWELVE, 'z/m']);
  });
});

describe('given a limit of 3 switches that the user set', () => {
  it('when models remain, then the limit is the reason of the end', () => {
    const { requested, end } = failing(EVIDENCE.serverError, { maxFallbackDepth: 3 });
    expect([requested.length, end]).toEqual([4, 'exhausted.depth']);
  });

  it('when no model remains, then the failure is the reason', () => {
    const { requested, end } = failing(EVIDENCE.serverError, { chain: TWELVE.slice(0, 4), maxFallbackDepth: 3 });
    expect([requested.length, end]).toEqual([4, 'exhausted.server_error']);
  });

  it('when the models that remain are in cooldown, then the limit is not the reason', () => {
    const world = new World(['a/1', 'b/1', 'c/1'], { maxFallbackDepth: 1 });
    world.failingAlone('c/1', EVIDENCE.rateLimit);
    world.prompt('t1');
    world.failing('t1', 'a/1', EVIDENCE.serverError);
    expect(world.failing('t1', 'b/1', EVIDENCE.serverError)?.code).toBe('exhausted.server_error');
  });
});
