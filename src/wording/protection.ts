import type { AgentRecord } from '../contract/agent-record';
import { INTERNAL_AGENTS } from '../contract/opencode-agents';
import type { AgentRow, ChainRow, SessionRow, Snapshot } from '../contract/snapshot';
import { nextIn, recordOf } from './agent-record';
import { chainKey } from './chain-words';
import { rowIn } from './model-rows';

/** One agent of one project: who leads it, and who could stand in. */
export type ProtectedAgent = Readonly<{
  directory: string;
  agent: string;
  /** Its models in order, the primary first; empty where nobody knows which it is asked with. */
  chain: AgentRow['chain'];
  /** Whether somebody stands in for its primary: nobody, or nobody while fallback is off in its project. */
  cover: 'some' | 'none' | 'off';
  /** A spent budget lets no request out. */
  isHalted: boolean;
  /** Its record in the newest live session; null for none. */
  record: AgentRecord | null;
  /** Whether the next message goes to a fallback model. */
  isPrimaryOut: boolean;
}>;

type Covered = Omit<ProtectedAgent, 'isPrimaryOut'>;

/** Which agents go on when their primary fails. */
export type Protection = Readonly<{
  agents: readonly ProtectedAgent[];
  /** How many names there are, and how many of those are protected wherever they are known. */
  of: number;
  protected: number;
}>;

/** Every agent that is known where an OpenCode is open: by its chain, because OpenCode told of it, or because it spoke. */
export function protectionOf(snapshot: Snapshot): Protection {
  const known = new Map<string, Covered>();
  const add = (agent: Covered): void => void known.set(chainKey(agent), agent);
  if (snapshot.connection.status === 'connected') {
    for (const row of snapshot.chains) {
      const { directory, agent, isAlone, isHalted = false } = row;
      // A title that nobody makes stops no work.
      if (agent === '*' || INTERNAL_AGENTS.has(agent)) continue;
      add({ directory, agent, chain: wholeOf(row), cover: isAlone ? 'none' : 'some', isHalted, record: null });
    }
    for (const other of snapshot.others) if (!INTERNAL_AGENTS.has(other.agent)) add(ofOther(snapshot, other));
    for (const session of snapshot.sessions)
      for (const row of session.isLive ? session.agents : []) {
        const before = known.get(chainKey({ directory: session.directory, agent: row.agent }));
        if (before?.record == null) add(ofRow(snapshot, session, row, before));
      }
  }
  const agents = [...known.values()].map((agent) => ({ ...agent, isPrimaryOut: isPrimaryOut(agent, snapshot) }));
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
  const known =
    lead === null ? undefined : (rest.find(({ model }) => model === lead) ?? linkOf(models, directory, lead));
  const chain = known ? [known, ...rest.filter(({ model }) => model !== known.model)] : rest;
  const cover = by === 'rest' ? 'some' : by === 'off' ? 'off' : 'none';
  return { directory, agent, chain, cover, isHalted, record: null };
}

/** A chain with the model of last resort, which comes after all of it. */
export const wholeOf = ({ chain, backup }: ChainRow): AgentRow['chain'] => (backup ? [...chain, backup] : chain);

function linkOf(models: Snapshot['models'], directory: string, model: string): AgentRow['chain'][number] {
  const row = rowIn(models, directory, model);
  return { model, state: row?.state ?? 'unseen', code: row?.code ?? null };
}

/** A conversation tells best which models an agent has: a person may have chosen its primary there. */
function ofRow(snapshot: Snapshot, session: SessionRow, row: AgentRow, before: Covered | undefined): Covered {
  const { directory } = session;
  const record = recordOf(row, session, snapshot);
  const isHalted = record.state === 'budgetSpent';
  const known = { directory, agent: row.agent, chain: row.chain, isHalted, record };
  if (row.isAlone) return { ...known, cover: 'none' };
  // Where no chain is in force nobody says of an agent that it is alone.
  const isOn = snapshot.chains.some((chain) => chain.directory === directory);
  return { ...known, cover: isOn ? 'some' : (before?.cover ?? (row.chain.length > 1 ? 'some' : 'none')) };
}
