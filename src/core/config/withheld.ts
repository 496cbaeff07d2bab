import { EVERY_PROVIDER } from './apart';
import { type ConfigSources, type HostModels, sourcesInOrder } from './sources';

/**
 * A project's address would receive all keys of the user. Files that are still being read may configure any provider.
 */
export function withheldFrom(host: HostModels, sources: ConfigSources): HostModels {
  if (host.accounts === undefined) return host;
  const projects = sourcesInOrder(sources).filter(({ isProjects }) => isProjects === true);
  const named = new Set(projects.flatMap(({ providers = [] }) => providers));
  const isEvery = sources.late?.isFirst === true || named.has(EVERY_PROVIDER);
  const withheld = Object.keys(host.accounts).filter((provider) => isEvery || named.has(provider));
  if (withheld.length === 0) return host;
  const left = Object.entries(host.accounts).filter(([provider]) => !withheld.includes(provider));
  return { ...host, accounts: Object.fromEntries(left), withheld };
}
