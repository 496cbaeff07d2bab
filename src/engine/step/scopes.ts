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
 * A changed configuration lifts blocks, an identical one does not. A starting process sends it twice, without and with
 * the host's models, so each start counts: the user may have fixed a key.
 */
export function onConfigured({ state }: Work, { directory, config }: EventOf<'scope.configured'>): undefined {
  const existing = get(state.scopes, directory);
  if (existing !== undefined && JSON.stringify(existing) === JSON.stringify(config)) return;
  const models = keysOf(config);
  const before = existing?.books;
  const providers = new Set([...models].map(providerOf));
  state.scopes = set(state.scopes, directory, config);
  state.strict = strictestOf(state.scopes);
  makeRoom(state);
  if (config.books !== before) rebook(state, directory);
  state.models = mapSome(state.models, (key) => models.has(key), unblocked);
  state.providers = mapSome(state.providers, (provider) => providers.has(provider), unblocked);
}

/** Beyond this, partitions without an open directory are removed. */
const MODELS_KEPT = 1_000;

export function onScopeClosed({ state }: Work, { directory }: EventOf<'scope.closed'>): undefined {
  state.scopes = remove(state.scopes, directory);
  state.strict = strictestOf(state.scopes);
}

function makeRoom(state: Draft): void {
  if (entries(state.models).length <= MODELS_KEPT) return;
  const open = new Set(entries(state.scopes).flatMap(([, scope]) => [...keysOf(scope)]));
  const isStored = (key: HealthKey): boolean => unbooked(key) === key || open.has(key);
  const providers = new Set([...open].map(providerOf));
  state.models = fromEntries(entries(state.models).filter(([key]) => isStored(key)));
  state.providers = fromEntries(
    entries(state.providers).filter(([key]) => unbooked(key) === key || providers.has(key)),
  );
}

/** The account may be known only when the request leaves. */
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

const keysOf = (scope: ScopeConfig): ReadonlySet<HealthKey> =>
  new Set(modelsOf(scope).map((model) => keyBy(scope, model)));

type Numbers = HealthNumbers['breaker'];

/** Only models whose numbers differ from their directory's. */
export function strictestOf(scopes: Table<ScopeConfig>): Table<Numbers> {
  let strict = emptyTable<Numbers>();
  for (const [directory, scope] of entries(scopes)) {
    if (!scope.enabled) continue;
    for (const [key, breaker] of breakersIn(scope))
      if (!isSame(breaker, scope.health.breaker)) strict = set(strict, withinKey(directory, key), breaker);
  }
  return strict;
}

function breakersIn(scope: ScopeConfig): ReadonlyMap<HealthKey, Numbers> {
  const { agents, backupModel, health } = scope;
  const found = new Map<HealthKey, Numbers>();
  for (const { chain, breaker } of Object.values(agents)) {
    const own = breaker ? { ...health.breaker, ...breaker } : health.breaker;
    for (const model of chain) {
      const key = keyBy(scope, model);
      const strictest = found.get(key) ?? own;
      found.set(key, strictest === own ? own : stricter(strictest, own));
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
