import { MAX_CONFIG_BYTES, readText } from '../base/read-text';
import { preferencesPath } from '../config/preferences-path';
import { type FleetFound, readFleet } from './settings';

/** What preferences hold that name a fleet: a key may be written with escapes as well. */
const MAY_NAME_ONE = /fleet|\\u/;

/**
 * Finds the fleet that a machine is in, for a process that should start as if there were none: unless the preferences may name one,
 * nothing but their text is looked at. Never rejects. @param version of this Understudy, which it tells others.
 */
export async function findFleet(home: string, env: NodeJS.ProcessEnv, version: string): Promise<FleetFound> {
  const file = await readText(preferencesPath(home), MAX_CONFIG_BYTES);
  if (file.kind === 'text' ? !MAY_NAME_ONE.test(file.text) : file.kind === 'missing') return { kind: 'off' };
  return await readFleet(home, env, version);
}
