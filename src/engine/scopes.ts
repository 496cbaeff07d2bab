import type { EventOf } from './events';
import type { Health } from './health';
import { providerOf } from './ids';
import { mapSome, set } from './table';
import type { Work } from './work';

/** A loaded configuration is a person's act: what waited for one may try again. */
export function onConfigured({ state }: Work, { directory, config }: EventOf<'scope.configured'>): void {
  const models = new Set(Object.values(config.agents).flatMap(({ chain }) => chain));
  if (config.backupModel !== null) models.add(config.backupModel);
  const providers = new Set([...models].map(providerOf));
  state.scopes = set(state.scopes, directory, config);
  state.models = mapSome(state.models, (model) => models.has(model), unblocked);
  state.providers = mapSome(state.providers, (provider) => providers.has(provider), unblocked);
}

const unblocked = (health: Health): Health => (health.block ? { ...health, block: null } : health);
