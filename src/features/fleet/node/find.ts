import { MAX_CONFIG_BYTES, readText } from '../../../node/base/read-text';
import { preferencesPath } from '../../../node/config/preferences-path';

/** Keys may use escapes. */
const MAY_NAME_ONE = /fleet|\\u/;

/** Also works for invalid files. Never rejects. */
export async function mayNameFleet(home: string): Promise<boolean> {
  const file = await readText(preferencesPath(home), MAX_CONFIG_BYTES);
  return file.kind === 'text' ? MAY_NAME_ONE.test(file.text) : file.kind !== 'missing';
}
