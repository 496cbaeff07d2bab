import { BUILT_IN_AGENTS } from '../../contract/opencode-agents';
import { NO_HOST } from '../../core/config';
import { keptModels } from '../base/kept-models';
import { type Environment, stateHome } from '../base/state-home';
import { effectiveWritten, type WantedChain } from './chains';

const EVERY_OTHER = '*';

/**
 * Every chain of a directory with somebody to fall back to, under an agent's own name and with its patterns filled in, as far
 * as OpenCode has told its models here. The chain of every other agent stands for those that OpenCode always has.
 */
export async function exportedChains(directory: string, env: Environment): Promise<readonly WantedChain[]> {
  const host = (await keptModels(stateHome(env), directory)) ?? NO_HOST;
  const { [EVERY_OTHER]: shared = [], ...own } = await effectiveWritten(directory, env, host);
  const all = { ...Object.fromEntries(BUILT_IN_AGENTS.map((agent) => [agent, shared])), ...own };
  return Object.entries(all)
    .map(([agent, models]) => ({ agent, models }))
    .filter(({ models }) => models.length > 1);
}
