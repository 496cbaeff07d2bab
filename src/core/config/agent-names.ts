import { AGENTS_MAX } from '../../protocol';
import type { ConfigFile } from './schema';
import type { Complain, HostModels } from './sources';
import { EVERY_OTHER } from './written';

/**
 * The most important first: the user's own, then `*`, then OpenCode's, so that agents added by a project are dropped
 * first.
 */
export function namesOf(
  inputs: Readonly<{ merged: ConfigFile; own: ConfigFile; host: HostModels; complain: Complain }>,
): readonly string[] {
  const { merged, own, host, complain } = inputs;
  const written = Object.keys(merged.agents ?? {});
  const forAll = written.includes(EVERY_OTHER) ? [EVERY_OTHER] : [];
  const names = [...new Set([...Object.keys(own.agents ?? {}), ...forAll, ...Object.keys(host.leads), ...written])];
  if (names.length > AGENTS_MAX)
    complain('agents.too_many', ['agents'], `There are ${names.length} agents; the first ${AGENTS_MAX} count.`);
  return names.slice(0, AGENTS_MAX);
}
