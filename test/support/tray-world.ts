import type { AgentRow, EventRow, ModelRow, Snapshot } from '../../src/contract/snapshot';
import { agentRow, BACK_AT, modelRow, snapshotOf } from './rows';

type State = ModelRow['state'];

/** Short model names; the fourth is in no chain by default. */
export const MODELS = {
  opus: 'anthropic/claude-opus-4-1',
  gpt: 'openai/gpt-5',
  pro: 'google/gemini-3-pro',
  kimi: 'moonshot/kimi-k2-turbo',
} as const;
type Name = keyof typeof MODELS;

/** An agent of the live session, or of `project`; `at` is its position in the chain. */
export type Speaker = Readonly<{
  agent?: string;
  at?: number;
  chain?: readonly Name[];
  project?: string;
  isOut?: boolean;
  isLeftOut?: boolean;
  /** OpenCode retries its primary at 14:32. */
  isStuck?: boolean;
  /** It has no time for its return. */
  hasNoClock?: boolean;
}>;

/** A short form of a snapshot: agents, model states, and further changes. */
export type World = Readonly<{
  speakers?: readonly Speaker[];
  /** Configured chains without a session. */
  chains?: readonly (readonly Name[])[];
  models?: Readonly<Partial<Record<Name, State | Partial<ModelRow>>>>;
  with?: Partial<Snapshot>;
}>;

/** 14:22:10, ten minutes before cooldowns end. */
export const AT = BACK_AT - 600_000;
const CODES: Partial<Record<State, string>> = {
  cooling: 'limit.rate_limit',
  open: 'breaker.open',
  blocked: 'blocked.auth',
  held: 'held.open',
};

const STUCK = { by: 'host', kind: 'rate_limit', status: 429, since: AT, until: BACK_AT } as const;

export function worldOf({ speakers = [], chains = [], models = {}, with: change = {} }: World): Snapshot {
  const rowOf = (name: Name): ModelRow => {
    const said = models[name] ?? 'ready';
    const own = typeof said === 'string' ? { state: said } : said;
    const state = own.state ?? 'ready';
    const isTimed = state === 'cooling' || state === 'open';
    return modelRow({ model: MODELS[name], code: CODES[state] ?? null, until: isTimed ? BACK_AT : null, ...own });
  };
  const linksOf = (names: readonly Name[]): AgentRow['chain'] =>
    names.map((name) => {
      const { model, state, code } = rowOf(name);
      return { model, state, code };
    });
  const agentOf = ({ agent = 'build', at = 0, chain = ['opus', 'gpt', 'pro'], ...is }: Speaker): AgentRow =>
    agentRow({
      agent,
      lead: MODELS[chain[0] ?? 'opus'],
      active: MODELS[chain[at] ?? 'opus'],
      position: at,
      chain: linksOf(chain),
      status: is.isOut || is.isLeftOut ? 'exhausted' : 'working',
      isLeftOut: is.isLeftOut ?? false,
      ...(is.isStuck ? { isAlone: true, waits: { ...STUCK, model: MODELS[chain[0] ?? 'opus'] } } : {}),
      why:
        at === 0
          ? null
          : {
              ...{ kind: 'rate_limit', status: 429, from: MODELS[chain[0] ?? 'opus'], source: 'provider' },
              until: is.hasNoClock ? null : BACK_AT,
            },
    });
  const projects = [...new Set(speakers.map(({ project = 'shop' }) => project))];
  const sessions = projects.map((project, index): Snapshot['sessions'][number] => ({
    ...{ session: `ses_${index + 1}`, directory: `/home/ada/${project}`, project, instance: 'one' },
    ...{ isLive: true, isIdle: false, at: AT - index, turns: 1, usage: null },
    agents: speakers.filter((speaker) => (speaker.project ?? 'shop') === project).map(agentOf),
  }));
  const named = [...speakers.flatMap(({ chain = ['opus', 'gpt', 'pro'] as const }) => chain), ...chains.flat()];
  const known = [...new Set<Name>([...named, ...(Object.keys(models) as Name[])])];
  return snapshotOf([], {
    at: AT,
    sessions,
    models: known.map(rowOf),
    chains: chains.map((names, index) => ({
      ...{ directory: '/home/ada/shop', agent: `spare${index}`, chain: linksOf(names) },
    })),
    ...change,
  });
}

export function eventRow(change: Partial<EventRow> = {}): EventRow {
  return {
    ...{ id: 7, at: AT - 120_000, code: 'switch.lead', state: 'cooling', agent: 'plan', session: 'ses_1' },
    ...{ model: MODELS.opus, to: MODELS.gpt, kind: 'rate_limit', status: 429, until: BACK_AT },
    ...{ detail: null, durationMs: 40, trace: [] },
    ...change,
  };
}
