import { findOpencode, type OpencodeBinary } from '../../src/node/opencode';

let found: OpencodeBinary | undefined;

/** The OpenCode the tests drive, asked once for its version by all files of a worker; throws with the reason when there is none. */
export async function opencodeBinary(): Promise<OpencodeBinary> {
  if (found) return found;
  let search = await findOpencode(process.env);
  // It answers late on a machine that others keep busy.
  if (!search.ok) search = await findOpencode(process.env);
  if (!search.ok) throw new Error(search.reason);
  found = search.binary;
  return found;
}
