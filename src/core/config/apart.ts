import type { HealthNumbers } from '../../engine';
import { wordsOf } from './leading';
import { breakerOf } from './numbers';
import type { ConfigFile } from './schema';
import { DEFAULTS } from './schema';
import type { ConfigSource } from './sources';

export const EVERY_PROVIDER = '*';
export const MAX_PROVIDERS = 100;
const MAX_NAME = 200;

/**
 * Providers with separate health in this directory, because the project names failures, shortens time limits, sets
 * stricter numbers or defines a provider. Otherwise its results would count in other directories. Source: ADR 0028.
 * @param own the user's own files merged. @param merged the configuration in force.
 */
export function apartIn(
  { own, merged }: Readonly<{ own: ConfigFile; merged: ConfigFile }>,
  numbersOf: (config: ConfigFile) => HealthNumbers,
  projects: readonly ConfigSource[],
): readonly string[] {
  const isWhole =
    JSON.stringify(merged.patterns) !== JSON.stringify(own.patterns) ||
    isHarder(numbersOf(merged), numbersOf(own)) ||
    Object.keys(merged.agents ?? {}).some((agent) => isHarderFor(agent, { own, merged }, numbersOf(own).breaker)) ||
    LIMITS.some((limit) => limitOf(merged, limit) < limitOf(own, limit));
  const providers = new Set(projects.flatMap(({ providers = [] }) => providers));
  const isTellable = providers.size <= MAX_PROVIDERS && [...providers].every(({ length }) => length <= MAX_NAME);
  return isWhole || !isTellable ? [EVERY_PROVIDER] : [...providers];
}

function isHarderFor(
  agent: string,
  { own, merged }: Readonly<{ own: ConfigFile; merged: ConfigFile }>,
  numbers: HealthNumbers['breaker'],
): boolean {
  const of = (config: ConfigFile) => breakerOf(config, wordsOf(config, agent)) ?? numbers;
  const [mine, theirs] = [of(own), of(merged)];
  return theirs.failureThreshold < mine.failureThreshold || theirs.cooldownMs > mine.cooldownMs;
}

const LIMITS = ['firstTokenTimeoutMs', 'stallTimeoutMs'] as const;
const limitOf = ({ defaults }: ConfigFile, limit: (typeof LIMITS)[number]): number =>
  defaults?.[limit] ?? DEFAULTS[limit];

function isHarder(theirs: HealthNumbers, own: HealthNumbers): boolean {
  const more = (['cooldownMs', 'quotaCooldownMs', 'retryOriginalAfterMs', 'restMs'] as const).some(
    (name) => theirs[name] > own[name],
  );
  const { breaker, network } = theirs;
  return (
    more ||
    // A shorter window drops the failures of all directories that share a breaker.
    breaker.windowMs !== own.breaker.windowMs ||
    (['cooldownMs', 'growth'] as const).some((name) => breaker[name] > own.breaker[name]) ||
    (breaker.maxCooldownMs ?? 0) > (own.breaker.maxCooldownMs ?? 0) ||
    breaker.failureThreshold < own.breaker.failureThreshold ||
    network.failureThreshold < own.network.failureThreshold ||
    network.cooldownMs > own.network.cooldownMs ||
    theirs.shadow !== own.shadow ||
    JSON.stringify(theirs.flapping) !== JSON.stringify(own.flapping)
  );
}
