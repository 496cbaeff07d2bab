import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConfigSource, NO_HOST, parseConfig, resolveScope } from '../../../src/core/config';
import type { ScopeConfig } from '../../../src/engine';
import { standingIn } from '../../../src/engine/state/read';
import { DIRECTORY, EVIDENCE, HOUR, MINUTE, SECOND, World } from '../../engine/world';
import { runs } from '../../support/runs';

const MODELS = ['a/1', 'a/2', 'b/1'];
const LONGEST_MS = 2_147_483_647;

const source = (path: string, config: unknown): ConfigSource => ({
  path,
  ...parseConfig(JSON.stringify(config), path),
});

/** The configuration of a project, beside the user's own file, as a companion hands it to the engine. */
function scopeFor(users: unknown, project: unknown): ScopeConfig {
  const sources = {
    global: source('/home/u/.config/opencode/model-fallback.json', users),
    project: project === null ? null : source('/p/.opencode/model-fallback.json', project),
  };
  const { config, apart } = resolveScope(sources, { ...NO_HOST, models: MODELS });
  const books = Object.fromEntries(apart.map((provider) => [provider, 'a'.repeat(12)]));
  return apart.length === 0 ? config : { ...config, books };
}

/** Few of the keys: with many, a project is harder in one of them, and shares no health. */
const optional = (shape: Readonly<Record<string, fc.Arbitrary<unknown>>>) => {
  const rare = (value: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
  return fc.record(Object.fromEntries(Object.entries(shape).map(([key, value]) => [key, rare(value)])));
};
const ms = fc.constantFrom(0, 1, SECOND, MINUTE, HOUR, 24 * HOUR, LONGEST_MS);
const count = fc.constantFrom(0, 1, 3, 30, 1_000);
const breaker = { failureThreshold: fc.constantFrom(1, 2, 3, 5, 9, 1_000), cooldownMs: ms };
const plan = fc.record({ fallbackModels: fc.constant(MODELS), circuitBreaker: optional(breaker) });
/** Every number that a project may set and the engine decides by. */
const anyFile = fc.record({
  defaults: optional({
    ...{ cooldownMs: ms, quotaCooldownMs: ms, restMs: ms, retryOriginalAfterMs: ms, maxRetries: count },
    circuitBreaker: optional({
      ...{ ...breaker, windowMs: ms, maxCooldownMs: ms },
      ...{ growth: fc.constantFrom(1, 2, 10), shadow: fc.boolean() },
    }),
    networkBreaker: optional(breaker),
    maxFallbackDepth: fc.constantFrom(0, 3, 100),
    retryBudget: optional({ perSession: count, warnAt: count, failingTurns: count }),
    backoff: optional({ baseMs: ms, capMs: ms, jitter: fc.constantFrom(0, 1) }),
  }),
  headroom: optional({ moveAt: fc.constantFrom(50, 100) }),
  agents: fc.record({ '*': plan, other: plan }),
});
const anyAct = fc.record({
  what: fc.constantFrom('fail', 'answer', 'wait'),
  model: fc.constantFrom(...MODELS),
  kind: fc.constantFrom(...(['serverError', 'rateLimit', 'quota', 'network', 'silence'] as const)),
  ms: fc.constantFrom(SECOND, MINUTE + 1, HOUR + 1),
});
type Act = typeof anyAct extends fc.Arbitrary<infer T> ? T : never;

/** All that is decided and shown in a project while another one is open, or none. */
function decisionsIn(users: unknown, other: unknown, acts: readonly Act[]): readonly unknown[] {
  const world = new World();
  world.configure(scopeFor(users, null), DIRECTORY);
  if (other !== null) world.configure(scopeFor(users, other), '/other');
  const shown = acts.map(({ what, model, kind, ms: waitMs }, at) => {
    if (what === 'wait') world.wait(waitMs).tick();
    else {
      world.prompt(`t${at}`);
      const { attempt, decision } = world.start(`t${at}`, model);
      if (decision === null && what === 'fail') world.fail(attempt, EVIDENCE[kind]);
      else if (decision === null) world.succeed(attempt);
    }
    return MODELS.map((each) => standingIn(world.state, DIRECTORY, each, world.now));
  });
  return [...world.decisions, ...shown];
}

const FAILS: readonly Act[] = [{ what: 'fail', model: 'a/1', kind: 'serverError', ms: SECOND }];

describe('given a project that is open and does nothing', () => {
  const lasting = { restMs: LONGEST_MS, circuitBreaker: { failureThreshold: 1_000, cooldownMs: LONGEST_MS } };
  const agents = { '*': { fallbackModels: MODELS }, other: { fallbackModels: MODELS } };

  it('when an agent counts more failures there than by the user’s file, then one failure elsewhere opens no breaker', () => {
    const users = { agents: { ...agents, other: { ...agents.other, circuitBreaker: { failureThreshold: 1 } } } };
    const other = { agents: { ...agents, other: { ...agents.other, circuitBreaker: { failureThreshold: 9 } } } };
    expect(decisionsIn(users, other, FAILS)).toEqual(decisionsIn(users, null, FAILS));
  });

  it('when its numbers are at their maximum, then the decisions of another project are the same', () => {
    expect(decisionsIn({ agents }, { agents, defaults: lasting }, FAILS)).toEqual(decisionsIn({ agents }, null, FAILS));
  });

  it('when it sets whatever numbers, then the decisions of another project are the same', () => {
    fc.assert(
      fc.property(anyFile, anyFile, fc.array(anyAct, { maxLength: 12 }), (users, other, acts) => {
        expect(decisionsIn(users, other, acts)).toEqual(decisionsIn(users, null, acts));
      }),
      { numRuns: runs(3_000, 200) },
    );
  });
});
