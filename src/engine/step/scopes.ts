import type { HealthNumbers, ScopeConfig } from '../base/config';
import { MAX_COOLDOWN_MS } from '../base/config';
import type { HealthKey } from '../base/ids';
import { providerOf } from '../base/ids';
import { each, emptyTable, entries, fromEntries, get, mapSome, remove, set, type Table } from '../base/table';
import { abortCall, type Health } from '../health/health';
import { keyBy, keyIn, modelsOf, unbooked } from '../state/books';
import type { EventOf } from '../state/events';
import { pairOf, putPair, withinKey } from '../state/read';
import type { Draft } from '../state/state';
import type { Work } from '../state/work';

/**
 * A configuration that is loaded anew, or another one, is a person's act: what waited for one may try again. The very same
 * is nobody's. A process that starts tells first what it has read, then what its host lists as well, so each start counts:
 * a key may have been mended before it.
 */
export function onConfigured({ state }: Work, { directory, config }: EventOf<'scope.configured'>): undefined {
  const known = get(state.scopes, directory);
  if (known !== undefined && JSON.stringify(known) === JSON.stringify(config)) return;
  const models = keysOf(config);
  const before = known?.books;
  const providers = new Set([...models].map(providerOf));
  state.scopes = set(state.scopes, directory, config);
  state.strict = strictestOf(state.scopes);
  makeRoom(state);
  if (config.books !== before) rebook(state, directory);
  state.models = mapSome(state.models, (key) => models.has(key), unblocked);
  state.providers = mapSome(state.providers, (provider) => providers.has(provider), unblocked);
}

/** Models whose health is known, beyond which that of directories which are not open is forgotten. */
const MODELS_KEPT = 1_000;

/** A directory is gone, its chains with it; what is known of its models stays. */
export function onScopeClosed({ state }: Work, { directory }: EventOf<'scope.closed'>): undefined {
  state.scopes = remove(state.scopes, directory);
  state.strict = strictestOf(state.scopes);
}

/** Forgets the books of directories that are not open, where there are too many of them. */
function makeRoom(state: Draft): void {
  if (entries(state.models).length <= MODELS_KEPT) return;
  const open = new Set(entries(state.scopes).flatMap(([, scope]) => [...keysOf(scope)]));
  const kept = (key: HealthKey): boolean => unbooked(key) === key || open.has(key);
  const providers = new Set([...open].map(providerOf));
  state.models = fromEntries(entries(state.models).filter(([key]) => kept(key)));
  state.providers = fromEntries(
    entries(state.providers).filter(([key]) => unbooked(key) === key || providers.has(key)),
  );
}

/** Whose account a request went to may be seen only when it leaves: what comes of it is written into the right book. */
function rebook(state: Draft, directory: string): void {
  each(state.attempts, (attempt, id) => {
    const { model, key: old = model, permit } = attempt;
    const key = keyIn(state, directory, model);
    if (attempt.directory !== directory || key === old) return;
    putPair(state, old, abortCall(pairOf(state, old), permit));
    state.attempts = set(state.attempts, id, { ...attempt, key });
  });
}

const unblocked = (health: Health): Health => (health.block ? { ...health, block: null } : health);

/** Where the health is kept of every model that a directory may ask. */
const keysOf = (scope: ScopeConfig): ReadonlySet<HealthKey> =>
  new Set(modelsOf(scope).map((model) => keyBy(scope, model)));

type Numbers = HealthNumbers['breaker'];

/**
 * The strictest breaker of each model under {@link withinKey}, where a directory's agents have other numbers than the directory; empty
 * where none have, as in most.
 */
export function strictestOf(scopes: Table<ScopeConfig>): Table<Numbers> {
  let strict = emptyTable<Numbers>();
  for (const [directory, scope] of entries(scopes)) {
    if (!scope.enabled) continue;
    for (const [key, breaker] of breakersIn(scope))
      if (!isSame(breaker, scope.health.breaker)) strict = set(strict, withinKey(directory, key), breaker);
  }
  return strict;
}

/** The strictest breaker of each model of one directory, of all its agents that name it. */
function breakersIn(scope: ScopeConfig): ReadonlyMap<HealthKey, Numbers> {
  const { agents, backupModel, health } = scope;
  const found = new Map<HealthKey, Numbers>();
  for (const { chain, breaker } of Object.values(agents)) {
    const own = breaker ? { ...health.breaker, ...breaker } : health.breaker;
    for (const model of chain) {
      const key = keyBy(scope, model);
      const known = found.get(key) ?? own;
      found.set(key, known === own ? own : stricter(known, own));
    }
  }
  const backup = backupModel === null ? null : keyBy(scope, backupModel);
  if (backup !== null && !found.has(backup)) found.set(backup, health.breaker);
  return found;
}

const isSame = (a: Numbers, b: Numbers): boolean =>
  a.failureThreshold === b.failureThreshold &&
  a.windowMs === b.windowMs &&
  a.cooldownMs === b.cooldownMs &&
  a.growth === b.growth &&
  a.maxCooldownMs === b.maxCooldownMs;

const stricter = (a: Numbers, b: Numbers): Numbers => ({
  failureThreshold: Math.min(a.failureThreshold, b.failureThreshold),
  windowMs: Math.max(a.windowMs, b.windowMs),
  cooldownMs: Math.max(a.cooldownMs, b.cooldownMs),
  growth: Math.max(a.growth, b.growth),
  maxCooldownMs: Math.max(a.maxCooldownMs ?? MAX_COOLDOWN_MS, b.maxCooldownMs ?? MAX_COOLDOWN_MS),
});
