import { EVERY_PROVIDER } from './apart';
import { type ConfigSources, type HostModels, sourcesInOrder } from './sources';

/**
 * The same host without the accounts of providers that a project's files of OpenCode's say something of: an address of the
 * project's own would be sent every key of the user's, one after the other. Of files that are still to be read nobody knows.
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
