import { findOpencode, type OpencodeBinary } from '../../src/node/opencode';

let found: OpencodeBinary | undefined;

/**
 * The OpenCode the tests drive; throws with the reason when there is none. The set-up has asked it for its version, which takes
 * a second, and named it to all workers.
 */
export async function opencodeBinary(): Promise<OpencodeBinary> {
  if (found) return found;
  const { OPENCODE_BIN: path, UNDERSTUDY_OPENCODE_VERSION: version } = process.env;
  if (path && version) return { path, version };
  let search = await findOpencode(process.env);
  // It answers late on a machine that others keep busy.
  if (!search.ok) search = await findOpencode(process.env);
  if (!search.ok) throw new Error(search.reason);
  found = search.binary;
  return found;
}
