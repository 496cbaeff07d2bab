import type { Environment } from '../base/state-home';
import { findOpencode, findOpencodes, generationOf, type OpencodeSearch } from '../opencode/binary';

/** Finds an OpenCode that can play a run, or says why there is none. */
export async function findPlayer(env: Environment): Promise<OpencodeSearch> {
  const binary = (await findOpencodes(env)).find((found) => generationOf(found) === 1);
  if (binary !== undefined) return { ok: true, binary };
  const search = await findOpencode(env);
  if (!search.ok) return search;
  const { path, version } = search.binary;
  return { ok: false, reason: `A council is played in OpenCode 1 so far, and ${path} is OpenCode ${version}` };
}
