import type { Environment } from '../../../node/base/state-home';
import { findOpencode, findOpencodes, generationOf, type OpencodeSearch } from '../../../node/opencode/binary';

/**
 * Prefers generation 1, in which participants are children of the requesting session and are deleted with it.
 * @param generation the one that already has the sessions.
 */
export async function findPlayer(env: Environment, generation?: number): Promise<OpencodeSearch> {
  const found = await findOpencodes(env);
  const of = (wanted: number) => found.find((each) => generationOf(each) === wanted);
  const binary = generation === undefined ? (of(1) ?? found[0]) : of(generation);
  if (binary !== undefined) return { ok: true, binary };
  const search = await findOpencode(env);
  if (!search.ok || generation === undefined) return search;
  return {
    ok: false,
    reason: `The participants of this run are in OpenCode ${generation}, which is not installed here`,
  };
}
