import type { Environment } from '../base/state-home';
import { findOpencode, findOpencodes, generationOf, type OpencodeSearch } from '../opencode/binary';

/**
 * Finds an OpenCode that can play a run, or says why there is none: of both generations the first, where participants are children of the
 * session that asked, and are gone with it.
 */
export async function findPlayer(env: Environment): Promise<OpencodeSearch> {
  const found = await findOpencodes(env);
  const binary = found.find((each) => generationOf(each) === 1) ?? found[0];
  return binary === undefined ? await findOpencode(env) : { ok: true, binary };
}
