import type { AgentRecord } from '../contract/agent-record';
import { INTERNAL_AGENTS } from '../contract/opencode-agents';
import type { AgentRow, ChainRow, SessionRow, Snapshot } from '../contract/snapshot';
import { nextIn, recordOf } from './agent-record';
import { chainKey } from './chain-words';
import { rowIn } from './model-rows';

/** An agent of a project with its primary and its fallback models. */
export type ProtectedAgent = Readonly<{
  directory: string;
  agent: string;
  /** Its models in order, the primary first; empty if unknown. */
  chain: AgentRow['chain'];
  /** The presence of a fallback model; `off` if fallback is disabled in its project. */
  cover: 'some' | 'none' | 'off';
  /** A spent budget lets no request out. */
  isHalted: boolean;
  /** Its record in the newest live session; null for none. */
  record: AgentRecord | null;
  /** The next message goes to a fallback model. */
  isPrimaryOut: boolean;
}>;

type Covered = Omit<ProtectedAgent, 'isPrimaryOut'>;

/** The agents and their protection. */
export type Protection = Readonly<{
  agents: readonly ProtectedAgent[];
  /** The number of agent names, and of those that are protected in all projects. */
  of: number;
  protected: number;
}>;

/** Agents of open projects: from chains, from OpenCode's list, and from live sessions. */
export function protectionOf(snapshot: Snapshot): Protection {
  const agentsByKey = new Map<string, Covered>();
  const add = (agent: Covered): void => void agentsByKey.set(chainKey(agent), agent);
  if (snapshot.connection.status === 'connected') {
    for (const row of snapshot.chains) {
      const { directory, agent, isAlone, isHalted = false } = row;
      // A missing title stops no work.
      if (agent === '*' || INTERNAL_AGENTS.has(agent)) continue;
      add({ directory, agent, chain: wholeOf(row), cover: isAlone ? 'none' : 'some', isHalted, record: null });
    }
    for (const other of snapshot.others) if (!INTERNAL_AGENTS.has(other.agent)) add(ofOther(snapshot, other));
    for (const session of snapshot.sessions)
      for (const row of session.isLive ? session.agents : []) {
        const before = agentsByKey.get(chainKey({ directory: session.directory, agent: row.agent }));
        if (before?.record == null) add(ofRow(snapshot, session, row, before));
      }
  }
  const agents = [...agentsByKey.values()].map((agent) => ({ ...agent, isPrimaryOut: isPrimaryOut(agent, snapshot) }));
  const bare = new Set(agents.filter(({ cover }) => cover !== 'some').map(({ agent }) => agent));
  const names = new Set(agents.map(({ agent }) => agent));
  return { agents, of: names.size, protected: names.size - bare.size };
}

function isPrimaryOut({ directory, agent, chain, cover }: Covered, { pins, pause }: Snapshot): boolean {
  const pin = pins.find((one) => one.directory === directory && one.agent === agent);
  const [first] = chain;
  if (!first) return false;
  return pin ? pin.model !== first.model : cover === 'some' && pause === null && nextIn(chain) !== first.model;
}

function ofOther(
  { chains, models }: Snapshot,
  { directory, agent, lead, by, isHalted = false }: Snapshot['others'][number],
): Covered {
  const plan = by === 'rest' ? chains.find((row) => row.directory === directory && row.agent === '*') : undefined;
  const rest = plan ? wholeOf(plan) : [];
  const first =
    lead === null ? undefined : (rest.find(({ model }) => model === lead) ?? linkOf(models, directory, lead));
  const chain = first ? [first, ...rest.filter(({ model }) => model !== first.model)] : rest;
  const cover = by === 'rest' ? 'some' : by === 'off' ? 'off' : 'none';
  return { directory, agent, chain, cover, isHalted, record: null };
}

/** A chain with the backup model at its end. */
export const wholeOf = ({ chain, backup }: ChainRow): AgentRow['chain'] => (backup ? [...chain, backup] : chain);

function linkOf(models: Snapshot['models'], directory: string, model: string): AgentRow['chain'][number] {
  const row = rowIn(models, directory, model);
  return { model, state: row?.state ?? 'unseen', code: row?.code ?? null };
}

/** A session has the current models of an agent: the user may have chosen its primary there. */
function ofRow(snapshot: Snapshot, session: SessionRow, row: AgentRow, before: Covered | undefined): Covered {
  const { directory } = session;
  const record = recordOf(row, session, snapshot);
  const isHalted = record.state === 'budgetSpent';
  const shared = { directory, agent: row.agent, chain: row.chain, isHalted, record };
  if (row.isAlone) return { ...shared, cover: 'none' };
  // Without an active chain, `isAlone` is never set.
  const isOn = snapshot.chains.some((chain) => chain.directory === directory);
  return { ...shared, cover: isOn ? 'some' : (before?.cover ?? (row.chain.length > 1 ? 'some' : 'none')) };
}
