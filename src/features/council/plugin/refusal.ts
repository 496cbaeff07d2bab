import { DEFAULT_AGENT } from '../../../contract/opencode-agents';
import { nearOf } from '../../../core/headroom/rows';
import { get, haltedBy, kindOfShort, set, shortFor } from '../../../engine/tools';
import { momentOf } from '../../../plugin/base/moment';
import type { Companion } from '../../../plugin/runtime/host';
import { nearPhrase } from '../../../wording/headroom-words';
import type { TurnFault } from '../rules/base/types';

type At = Readonly<{ companion: Pick<Companion, 'brain' | 'refresh'>; directory: string }>;

/** Spent budget or nearly reached limit that would stop an agent's request. */
export async function refusalOf({ companion, directory }: At, model: string): Promise<TurnFault | null> {
  if (!(await companion.refresh())) return null;
  const { state, now } = momentOf(companion.brain);
  const scope = get(state.scopes, directory);
  // A policy that requires approval does not switch at a limit, but a council has its own approval.
  const scopes = scope ? set(state.scopes, directory, { ...scope, abilities: [] }) : state.scopes;
  // OpenCode counts speakers under this agent.
  const speaker = { directory, agent: DEFAULT_AGENT };
  const short = haltedBy(state, speaker, model, now) ?? shortFor({ ...state, scopes, money: [] }, speaker, model, now);
  if (short === null) return null;
  const hintMs = short.until === null ? null : Math.max(0, short.until - now);
  return { kind: kindOfShort(short), message: nearPhrase(model, nearOf(short)), hintMs, isPartial: false };
}
