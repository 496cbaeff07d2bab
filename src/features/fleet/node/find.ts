import { MAX_CONFIG_BYTES, readText } from '../../../node/base/read-text';
import { preferencesPath } from '../../../node/config/preferences-path';

/** Text of the preferences that may name a fleet: a key may be written with escapes as well. */
const MAY_NAME_ONE = /fleet|\\u/;

/** Whether the preferences may name a fleet, by their text alone; also where the file cannot be read. Never rejects. */
export async function mayNameFleet(home: string): Promise<boolean> {
  const file = await readText(preferencesPath(home), MAX_CONFIG_BYTES);
  return file.kind === 'text' ? MAY_NAME_ONE.test(file.text) : file.kind !== 'missing';
}
