import { findOpencode, type OpencodeBinary } from '../../src/node/opencode';

let found: OpencodeBinary | undefined;

/**
 * The OpenCode under test. The set-up stores its version for all workers, because reading it takes a second. Throws
 * with the reason if there is none.
 */
export async function opencodeBinary(): Promise<OpencodeBinary> {
  if (found) return found;
  const { OPENCODE_BIN: path, UNDERSTUDY_OPENCODE_VERSION: version } = process.env;
  if (path && version) return { path, version };
  let search = await findOpencode(process.env);
  // On a busy machine the first attempt may time out.
  if (!search.ok) search = await findOpencode(process.env);
  if (!search.ok) throw new Error(search.reason);
  found = search.binary;
  return found;
}
