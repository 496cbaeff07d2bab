import { BUILT_IN_AGENTS } from '../../contract/opencode-agents';
import { NO_HOST } from '../../core/config';
import { keptModels } from '../base/kept-models';
import { type Environment, stateHome } from '../base/state-home';
import { effectiveWritten, type WantedChain } from './chains';

const EVERY_OTHER = '*';

/** The chain for all other agents is exported for OpenCode's built-in agents. */
export async function exportedChains(directory: string, env: Environment): Promise<readonly WantedChain[]> {
  const host = (await keptModels(stateHome(env), directory)) ?? NO_HOST;
  const { [EVERY_OTHER]: shared = [], ...own } = await effectiveWritten(directory, env, host);
  const all = { ...Object.fromEntries(BUILT_IN_AGENTS.map((agent) => [agent, shared])), ...own };
  return Object.entries(all)
    .map(([agent, models]) => ({ agent, models }))
    .filter(({ models }) => models.length > 1);
}
