import {
  type AgentPlan,
  DEFAULT_FLAPPING,
  DEFAULT_HEALTH,
  type DrainMode,
  type HeadroomRules,
  type HealthNumbers,
} from '../../engine';
import type { AgentEntry, ConfigFile } from './schema';
import { DEFAULTS, HEADROOM_DEFAULTS, MAX_CHAIN } from './schema';

export type Defaults = NonNullable<ConfigFile['defaults']>;

export function limitsOf(defaults: Defaults) {
  const { retryBudget = {}, backoff = {} } = defaults;
  const perSession = retryBudget.perSession ?? DEFAULTS.retryBudget.perSession;
  // A budget smaller than the default warning warns at its end.
  const warnAt = retryBudget.warnAt ?? Math.min(perSession, DEFAULTS.retryBudget.warnAt);
  return {
    maxFallbackDepth: defaults.maxFallbackDepth ?? MAX_CHAIN,
    maxRetries: defaults.maxRetries ?? DEFAULTS.maxRetries,
    retryBudget: { ...retryBudget, perSession, warnAt },
    backoff: {
      baseMs: backoff.baseMs ?? DEFAULTS.backoff.baseMs,
      capMs: backoff.capMs ?? DEFAULTS.backoff.capMs,
      jitter: backoff.jitter ?? DEFAULTS.backoff.jitter,
    },
    vendorLock: defaults.vendorLock ?? DEFAULTS.vendorLock,
    maxPriceRatio: defaults.maxPriceRatio ?? DEFAULTS.maxPriceRatio,
    panicProbe: defaults.panicProbe ?? DEFAULTS.panicProbe,
    guessProbe: defaults.guessProbe ?? DEFAULTS.guessProbe,
    onExhausted: defaults.onExhausted ?? DEFAULTS.onExhausted,
  };
}

export function healthOf(defaults: Defaults): HealthNumbers {
  const breaker = defaults.circuitBreaker ?? {};
  const network = defaults.networkBreaker ?? {};
  const { flapping } = defaults;
  return {
    cooldownMs: defaults.cooldownMs ?? DEFAULT_HEALTH.cooldownMs,
    quotaCooldownMs: defaults.quotaCooldownMs ?? DEFAULT_HEALTH.quotaCooldownMs,
    retryOriginalAfterMs: defaults.retryOriginalAfterMs ?? DEFAULT_HEALTH.retryOriginalAfterMs,
    restMs: defaults.restMs ?? DEFAULT_HEALTH.restMs,
    breaker: {
      failureThreshold: breaker.failureThreshold ?? DEFAULT_HEALTH.breaker.failureThreshold,
      windowMs: breaker.windowMs ?? DEFAULT_HEALTH.breaker.windowMs,
      cooldownMs: breaker.cooldownMs ?? DEFAULT_HEALTH.breaker.cooldownMs,
      growth: breaker.growth ?? DEFAULT_HEALTH.breaker.growth,
      maxCooldownMs: breaker.maxCooldownMs ?? DEFAULT_HEALTH.breaker.maxCooldownMs,
    },
    ...(breaker.shadow ? { shadow: true } : {}),
    ...(flapping ? { flapping: flappingOf(flapping) } : {}),
    network: {
      failureThreshold: network.failureThreshold ?? DEFAULT_HEALTH.network.failureThreshold,
      cooldownMs: network.cooldownMs ?? DEFAULT_HEALTH.network.cooldownMs,
    },
  };
}

const flappingOf = ({
  changes = DEFAULT_FLAPPING.changes,
  windowMs = DEFAULT_FLAPPING.windowMs,
  holdMs = DEFAULT_FLAPPING.holdMs,
}: NonNullable<Defaults['flapping']>): HealthNumbers['flapping'] => ({ changes, windowMs, holdMs });

export function breakerOf({ defaults }: ConfigFile, { circuitBreaker: own }: AgentEntry): AgentPlan['breaker'] {
  const all = defaults?.circuitBreaker;
  const standard = DEFAULTS.circuitBreaker;
  return (
    own && {
      failureThreshold: own.failureThreshold ?? all?.failureThreshold ?? standard.failureThreshold,
      cooldownMs: own.cooldownMs ?? all?.cooldownMs ?? standard.cooldownMs,
    }
  );
}

/** An unattended host never waits for an approval before a plan is used up. */
export function headroomOf({ headroom = {} }: ConfigFile, isUnattended = false): HeadroomRules {
  const { act = HEADROOM_DEFAULTS.act, moveAt = HEADROOM_DEFAULTS.moveAt } = headroom;
  const { reserve, drain, spread, trustEstimates } = headroom;
  const heeded = (mode: DrainMode): DrainMode => (isUnattended && mode === 'ask' ? 'auto' : mode);
  const drained =
    typeof drain === 'object'
      ? Object.fromEntries(Object.entries(drain).map(([kind, mode]) => [kind, heeded(mode)]))
      : drain && heeded(drain);
  const parts = Object.entries(reserve ?? {}).map(([provider, agents]) => [
    provider,
    Object.fromEntries(Object.entries(agents).map(([agent, percent]) => [agent, percent / 100])),
  ]);
  return {
    act,
    moveAt: moveAt / 100,
    ...(parts.length > 0 ? { reserve: Object.fromEntries(parts) } : {}),
    ...(drained === undefined ? {} : { drain: drained }),
    ...(spread ? { spread } : {}),
    ...(trustEstimates === true ? { trustsEstimates: true } : {}),
  };
}
