import type { HealthNumbers, ScopeConfig } from './config';
import type { EventOf } from './events';
import type { Health } from './health';
import { type ModelId, providerOf } from './ids';
import { emptyTable, entries, get, mapSome, remove, set, type Table } from './table';
import type { Work } from './work';

/** A loaded configuration is a person's act: what waited for one may try again. */
export function onConfigured({ state }: Work, { directory, config }: EventOf<'scope.configured'>): void {
  const models = modelsOf(config);
  const providers = new Set([...models].map(providerOf));
  state.scopes = set(state.scopes, directory, config);
  state.strict = strictestOf(state.scopes);
  state.models = mapSome(state.models, (model) => models.has(model), unblocked);
  state.providers = mapSome(state.providers, (provider) => providers.has(provider), unblocked);
}

/** A directory is gone, its chains with it; what is known of its models stays. */
export function onScopeClosed({ state }: Work, { directory }: EventOf<'scope.closed'>): void {
  state.scopes = remove(state.scopes, directory);
  state.strict = strictestOf(state.scopes);
}

const unblocked = (health: Health): Health => (health.block ? { ...health, block: null } : health);

/** Every model that a directory may ask. */
function modelsOf({ agents, backupModel }: ScopeConfig): ReadonlySet<ModelId> {
  const models = new Set(Object.values(agents).flatMap(({ chain }) => chain));
  return backupModel === null ? models : models.add(backupModel);
}

type Numbers = HealthNumbers['breaker'];

/** The strictest breaker of each model for which directories differ; empty where they agree, as most do. */
export function strictestOf(scopes: Table<ScopeConfig>): Table<Numbers> {
  const first = new Map<ModelId, Numbers>();
  let strict = emptyTable<Numbers>();
  for (const [, scope] of entries(scopes)) {
    const { breaker } = scope.health;
    for (const model of scope.enabled ? modelsOf(scope) : []) {
      const known = get(strict, model) ?? first.get(model);
      if (!known) first.set(model, breaker);
      else if (!isSame(known, breaker)) strict = set(strict, model, stricter(known, breaker));
    }
  }
  return strict;
}

const isSame = (a: Numbers, b: Numbers): boolean =>
  a.failureThreshold === b.failureThreshold &&
  a.windowMs === b.windowMs &&
  a.cooldownMs === b.cooldownMs &&
  a.growth === b.growth;

const stricter = (a: Numbers, b: Numbers): Numbers => ({
  failureThreshold: Math.min(a.failureThreshold, b.failureThreshold),
  windowMs: Math.max(a.windowMs, b.windowMs),
  cooldownMs: Math.max(a.cooldownMs, b.cooldownMs),
  growth: Math.max(a.growth, b.growth),
});
