import { findOpencode, type OpencodeBinary } from '../../src/node/opencode';

/** The OpenCode the tests drive; throws with the reason when there is none. */
export async function opencodeBinary(): Promise<OpencodeBinary> {
  const search = await findOpencode(process.env);
  if (!search.ok) throw new Error(search.reason);
  return search.binary;
}
