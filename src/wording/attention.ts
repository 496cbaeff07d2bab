import type { PersonAct } from '../contract/acts';
import type { AgentRecord } from '../contract/agent-record';
import type { BudgetRow } from '../contract/budget';
import type { Page } from '../contract/shell';
import type { ModelRow, QuestionRow, SessionRow, Snapshot } from '../contract/snapshot';
import type { CouncilRunRow } from '../features/council/contract/council-run';
import { clockOf, isAskable, isOut, type LiveAgent, liveRows, recordOf } from './agent-record';
import { chainKey } from './chain-words';
import { rowIn } from './model-rows';
import { type ProtectedAgent, type Protection, protectionOf } from './protection';

/** Kinds of entries of the attention queue, the worst first. */
export const ATTENTION = [
  'apart',
  'question',
  'councilQuestion',
  'waiting',
  'stuck',
  'exhausted',
  'leftOut',
  'failing',
  'unmoved',
  'unable',
  'spent',
  'paused',
  'councilPaused',
  'silent',
  'unprotected',
  'needsYou',
  'pinned',
  'away',
  'lastLeft',
] as const;
export type AttentionKind = (typeof ATTENTION)[number];

/**
 * The action for an entry: answer, undo its cause, open a view, or wait. `until` is its end in Unix ms; null if it ends with
 * the next message of the agent.
 */
export type Way =
  | Readonly<{ kind: 'answer' }>
  | Readonly<{ kind: 'act'; does: 'bringBack' | 'resume' | 'letGo'; act: PersonAct }>
  | Readonly<{
      kind: 'go';
      does: 'add' | 'protect' | 'switchOn' | 'fix' | 'look' | 'connect' | 'open';
      view: Page;
      detail?: string;
    }>
  | Readonly<{ kind: 'ends'; until: number | null }>
  /** The user answers in OpenCode, or the provider's first token ends it. */
  | Readonly<{ kind: 'lasts'; since: number }>;

/** One entry. */
export type Attention = Readonly<{ key: string; way: Way }> &
  (
    | Readonly<{ kind: 'apart'; status: 'lost' | 'incompatible' }>
    /** `directory` is null if its session is not in the snapshot. */
    | Readonly<{ kind: 'question'; question: QuestionRow; directory: string | null }>
    | (Readonly<{ kind: 'stuck' }> & LiveAgent)
    /** A prompt of OpenCode is open. */
    | (Readonly<{ kind: 'waiting' }> & LiveAgent)
    /** The first token of its request is late. */
    | (Readonly<{ kind: 'silent' }> & LiveAgent)
    | (Readonly<{ kind: 'leftOut' }> & LiveAgent)
    /** `until`: the return of the first model of its chain; null if unknown. */
    | (Readonly<{ kind: 'exhausted'; until: number | null }> & LiveAgent)
    | (Readonly<{ kind: 'away' }> & LiveAgent)
    /** An agent pinned to a model: no other model answers if it fails. */
    | Readonly<{ kind: 'pinned'; pin: Snapshot['pins'][number] }>
    | Readonly<{ kind: 'councilQuestion' | 'councilPaused'; council: CouncilRunRow }>
    | Readonly<{ kind: 'failing'; session: SessionRow }>
    /** In an open OpenCode, running turns cannot switch. */
    | Readonly<{ kind: 'unmoved'; opencode: string; moves: 'again' | 'watch' }>
    | Readonly<{ kind: 'spent'; budget: BudgetRow }>
    | Readonly<{ kind: 'paused'; until: number | null }>
    /** `bare`: agents without another entry about it. */
    | Readonly<{ kind: 'unprotected'; protection: Protection; bare: Protection['agents'] }>
    | Readonly<{ kind: 'needsYou'; provider: string; models: readonly ModelRow[] }>
    /**
     * No model takes the next message, or only one is left. `agents` have no other entry; `until` is the return of the first
     * unavailable model, null if unknown.
     */
    | Readonly<{
        kind: 'unable' | 'lastLeft';
        agents: Protection['agents'];
        until: number | null;
        clock: AgentRecord['clock'];
      }>
  );

export type AttentionOf<Kind extends AttentionKind> = Extract<Attention, { kind: Kind }>;

/** All entries of the attention queue, the worst first. Headlines of all surfaces come from it. */
export function attentionOf(snapshot: Snapshot): readonly Attention[] {
  const agents = agentsIn(snapshot);
  const protection = protectionOf(snapshot);
  const troubles = agents.flatMap((of) => troubleOf(of));
  const away = agents.filter(({ record }) => record.state === 'onFallback').map((of) => awayOf(of));
  const ofAgents = [...questionsOf(snapshot), ...troubles, ...leftOutOf(snapshot), ...lastingOf(agents), ...away];
  const items = [
    ...apartOf(snapshot),
    ...ofAgents,
    ...councilsOf(snapshot),
    ...failingOf(snapshot),
    ...unmovedOf(snapshot),
    ...spentOf(snapshot, agents),
    ...pausedOf(snapshot),
    ...unprotectedOf(protection, troubles),
    ...needsOf(snapshot, troubles),
    ...pinnedOf(snapshot, agents),
    ...aheadOf(protection, snapshot, ofAgents),
  ];
  // The headline names the first entry, and the detail is about it.
  const rank = (item: Attention): number => ATTENTION.indexOf(item.kind) + (isOfBudget(item) ? 0.5 : 0);
  return items.toSorted((a, b) => rank(a) - rank(b));
}

export const isOfBudget = (item: Attention): boolean => 'record' in item && item.record.state === 'budgetSpent';

const agentKey = ({ row, directory }: LiveAgent): string => chainKey({ directory, agent: row.agent });

/** Agents of live sessions, each once per project and state. */
function agentsIn(snapshot: Snapshot): readonly LiveAgent[] {
  const seen = new Set<string>();
  return liveRows(snapshot).filter((of) => {
    if (of.record.state === 'paused') return false;
    const key = `${agentKey(of)} ${groupOf(of.record)}`;
    return !seen.has(key) && seen.add(key) !== null;
  });
}

/** True if the last turn ended without an answer although a model is available. */
const isStopped = ({ reason }: AgentRecord): boolean => reason?.code === 'stopped';

/** Groups the states in which no model can continue. */
function groupOf(record: AgentRecord): string {
  if (isStopped(record) || record.state === 'budgetSpent') return 'allModelsUnavailable';
  return record.state === 'running' ? 'idle' : record.state;
}

function apartOf({ connection: { status } }: Snapshot): AttentionOf<'apart'>[] {
  if (status !== 'lost' && status !== 'incompatible') return [];
  return [{ kind: 'apart', key: 'apart', status, way: { kind: 'go', does: 'connect', view: 'setup' } }];
}

/** Protection is incomplete if running turns cannot switch. */
function unmovedOf({ instances }: Snapshot): AttentionOf<'unmoved'>[] {
  const found = instances.flatMap(({ status, opencode, moves }) =>
    status === 'connected' && moves !== undefined ? [{ opencode, moves }] : [],
  );
  // Of several instances, the one with the least protection.
  const worst = found.find(({ moves }) => moves === 'watch') ?? found[0];
  const way: Way = { kind: 'go', does: 'look', view: 'setup' };
  return worst ? [{ kind: 'unmoved', key: 'unmoved', ...worst, way }] : [];
}

/** Questions of live sessions. */
function questionsOf({ questions, sessions, connection }: Snapshot): AttentionOf<'question'>[] {
  if (connection.status === 'lost') return [];
  return questions.flatMap((question) => {
    const isIn = ({ session, agents }: SessionRow): boolean =>
      session === question.session || agents.some((row) => row.session === question.session);
    const { isLive = true, directory = null } = sessions.find(isIn) ?? {};
    const item = {
      kind: 'question',
      key: `question ${question.id}`,
      question,
      directory,
      way: { kind: 'answer' },
    } as const;
    return isLive ? [item] : [];
  });
}

function troubleOf(of: LiveAgent): (AttentionOf<'stuck'> | AttentionOf<'exhausted'>)[] {
  const { record } = of;
  const way = wayOf(of);
  if (record.state === 'waitsForRetry') return [{ kind: 'stuck', key: `stuck ${agentKey(of)}`, ...of, way }];
  if (groupOf(record) !== 'allModelsUnavailable') return [];
  return [{ kind: 'exhausted', key: `exhausted ${agentKey(of)}`, ...of, until: record.until, way }];
}

/** The action or time that ends the state of an agent. */
function wayOf(of: LiveAgent): Way {
  const { action, reason, model, until, agent, directory } = of.record;
  switch (action) {
    case 'addModel':
      return { kind: 'go', does: 'add', view: 'chains', detail: agentKey(of) };
    case 'fixModel':
      return { kind: 'go', does: 'fix', view: 'models', detail: reason?.model ?? model };
    case 'lookAtModel':
      return { kind: 'go', does: 'look', view: 'models', detail: reason?.model ?? model };
    case 'raiseBudget':
      return { kind: 'go', does: 'look', view: 'headroom' };
    case 'unpin':
      return letGo(directory, agent);
    default:
      return { kind: 'ends', until };
  }
}

const letGo = (directory: string, agent: string): Way => ({
  kind: 'act',
  does: 'letGo',
  act: { type: 'agent.pinned', directory, agent, model: null, forMs: null },
});

/** The first model of a chain to return; undefined if no time is known. */
function firstBack({ chain, directory }: ProtectedAgent, { models, at }: Snapshot): ModelRow | undefined {
  const rows = chain.flatMap((link) => (isOut(link) ? (rowIn(models, directory, link.model) ?? []) : []));
  const timed = rows.filter(({ until }) => until !== null && until > at);
  return timed.toSorted((one, other) => (one.until ?? 0) - (other.until ?? 0))[0];
}

/** Prompts of OpenCode, and requests whose first token is late. */
function lastingOf(agents: readonly LiveAgent[]): (AttentionOf<'waiting'> | AttentionOf<'silent'>)[] {
  return agents.flatMap((of): (AttentionOf<'waiting'> | AttentionOf<'silent'>)[] => {
    const { state, since, action } = of.record;
    const way = { kind: 'lasts', since } as const;
    if (action === 'allowInOpenCode' || action === 'answerInOpenCode')
      return [{ kind: 'waiting', key: `waiting ${agentKey(of)}`, ...of, way }];
    return state === 'waitsForFirstToken' ? [{ kind: 'silent', key: `silent ${agentKey(of)}`, ...of, way }] : [];
  });
}

function leftOutOf(snapshot: Snapshot): AttentionOf<'leftOut'>[] {
  return liveRows(snapshot)
    .filter(({ record }) => record.state === 'paused')
    .map((of) => {
      const act: PersonAct = { type: 'speaker.retried', session: of.row.session, agent: of.row.agent };
      return { kind: 'leftOut', key: `leftOut ${of.row.key}`, ...of, way: { kind: 'act', does: 'bringBack', act } };
    });
}

/** Only councils that are being run wait for the user. */
function councilsOf({ councils }: Snapshot): AttentionOf<'councilQuestion' | 'councilPaused'>[] {
  return councils.flatMap((council) => {
    const { run, state, isPlayed, question } = council;
    const kind = question !== null ? 'councilQuestion' : PAUSED.includes(state) ? 'councilPaused' : null;
    if (kind === null || !isPlayed) return [];
    const way = { kind: 'go', does: 'open', view: 'council', detail: run } as const;
    return [{ kind, key: `${kind} ${run}${question === null ? '' : ` ${question.id}`}`, council, way }];
  });
}

const PAUSED: readonly CouncilRunRow['state'][] = ['paused', 'paused_for_user'];

/** Time for which the end of a turn is reported, in ms. */
const ENDED_MS = 600_000;

/** True while a session goes on, and for some minutes after its last turn, unless the user has gone on in another one. */
const isPresent = ({ isLive, isIdle, directory, at }: SessionRow, { sessions, at: now }: Snapshot): boolean =>
  isLive &&
  (!isIdle || (now - at < ENDED_MS && !sessions.some((other) => other.directory === directory && other.at > at)));

/** Sessions with failing requests in which no agent has an entry. */
function failingOf(snapshot: Snapshot): AttentionOf<'failing'>[] {
  const isReported = (record: AgentRecord): boolean => !['running', 'idle'].includes(record.state) || isStopped(record);
  return snapshot.sessions
    .filter((session) => isPresent(session, snapshot) && session.requests?.isOutage === true)
    .filter((session) => !session.agents.some((row) => isReported(recordOf(row, session, snapshot))))
    .map((session) => ({
      kind: 'failing',
      key: `failing ${session.session}`,
      session,
      way: { kind: 'go', does: 'look', view: 'sessions', detail: session.session },
    }));
}

/** Spent budgets, except those that the user exceeds and those of ended sessions. */
function spentOf({ budgets, sessions }: Snapshot, agents: readonly LiveAgent[]): AttentionOf<'spent'>[] {
  // The entry of an agent that sends nothing for a budget has the same amounts.
  const reportedLimits = agents.map(({ record }) =>
    record.state === 'budgetSpent' ? record.reason?.near?.limit : null,
  );
  const open = sessions.flatMap(({ isLive, session }) => (isLive ? [session] : []));
  return budgets
    .filter(({ spent, limit, action, isAllowed, session }) => {
      const isGoneBeyond = action === 'ask' && isAllowed;
      return (
        spent >= limit &&
        !isGoneBeyond &&
        !reportedLimits.includes(limit) &&
        (session === null || open.includes(session))
      );
    })
    .map((budget) => ({
      kind: 'spent',
      key: `spent ${budget.id}`,
      budget,
      way: { kind: 'go', does: 'look', view: 'headroom' },
    }));
}

function pausedOf({ pause }: Snapshot): AttentionOf<'paused'>[] {
  if (pause === null) return [];
  const way: Way = { kind: 'act', does: 'resume', act: { type: 'switching.resumed' } };
  return [{ kind: 'paused', key: 'paused', until: pause.until, way }];
}

/** Pins without another entry, in open projects. */
function pinnedOf(snapshot: Snapshot, agents: readonly LiveAgent[]): AttentionOf<'pinned'>[] {
  const { pins, connection, chains, others } = snapshot;
  if (connection.status !== 'connected') return [];
  const isOpen = (one: Readonly<{ directory: string }>) =>
    [...chains, ...others].some(({ directory }) => directory === one.directory);
  const isReported = (one: Snapshot['pins'][number]): boolean =>
    agents.some(
      ({ record: { state, directory, agent } }) =>
        state === 'onFallback' && directory === one.directory && agent === one.agent,
    );
  return pins
    .filter((pin) => isOpen(pin) && !isReported(pin))
    .map((pin) => ({
      kind: 'pinned',
      key: `pinned ${chainKey(pin)}`,
      pin,
      way: letGo(pin.directory, pin.agent),
    }));
}

/** Agents without a fallback model, except those whose own entry offers to add one. */
function unprotectedOf(protection: Protection, troubles: readonly Attention[]): AttentionOf<'unprotected'>[] {
  const added = new Set(troubles.map(({ way }) => (way.kind === 'go' && way.does === 'add' ? way.detail : '')));
  const bare = protection.agents.filter((agent) => agent.cover !== 'some' && !added.has(chainKey(agent)));
  const [first, ...others] = bare;
  if (!first) return [];
  const way: Way = bare.every(({ cover }) => cover === 'off')
    ? { kind: 'go', does: 'switchOn', view: 'settings' }
    : // An agent with an unknown model has no chain to add to.
      others.length === 0 && first.chain.length > 0
      ? { kind: 'go', does: 'add', view: 'chains', detail: chainKey(first) }
      : { kind: 'go', does: 'protect', view: 'setup' };
  return [{ kind: 'unprotected', key: 'unprotected', protection, bare, way }];
}

/** Agents with fallback models that have no model, or only one, for the next message. */
function aheadOf(
  protection: Protection,
  snapshot: Snapshot,
  reported: readonly Attention[],
): AttentionOf<'unable' | 'lastLeft'>[] {
  const covered = protection.agents.filter(
    (agent) => agent.cover === 'some' && !reported.some((item) => isAbout(item, agent)),
  );
  const groups = [
    { kind: 'unable', left: 0 },
    { kind: 'lastLeft', left: 1 },
  ] as const;
  return groups.flatMap(({ kind, left }) => {
    const theirs = covered.filter(({ chain }) => chain.length > 0 && chain.filter(isAskable).length === left);
    // Each entry has one time, and it holds for all of its agents.
    const ends = theirs.map((agent) => ({ agent, back: firstBack(agent, snapshot) }));
    return [...new Set(ends.map(({ back }) => back?.until ?? null))].flatMap((until, at) => {
      const some = ends.filter(({ back }) => (back?.until ?? null) === until);
      const agents = some.map(({ agent }) => agent);
      const [first] = some;
      const way = wayAhead(agents, until);
      const key = at === 0 || !first ? kind : `${kind} ${chainKey(first.agent)}`;
      return way ? [{ kind, key, agents, until, clock: clockOf(first?.back?.source ?? null), way }] : [];
    });
  });
}

function wayAhead(agents: Protection['agents'], until: number | null): Way | null {
  const out = agents.flatMap(({ chain }) => chain.filter(isOut));
  const [first] = out;
  if (!first) return null;
  if (until !== null) return { kind: 'ends', until };
  const blocked = out.find(({ state }) => state === 'blocked');
  return { kind: 'go', does: blocked ? 'fix' : 'look', view: 'models', detail: (blocked ?? first).model };
}

/** Models of chains that need the user, by provider, without those that another entry opens. */
function needsOf({ chains, sessions, models }: Snapshot, troubles: readonly Attention[]): AttentionOf<'needsYou'>[] {
  const chained = new Set([
    ...chains.flatMap(({ directory, chain }) => chain.map(({ model }) => rowIn(models, directory, model))),
    ...sessions.flatMap(({ isLive, directory, agents }) =>
      isLive ? agents.flatMap(({ chain }) => chain.map(({ model }) => rowIn(models, directory, model))) : [],
    ),
  ]);
  const led = new Set(troubles.map(({ way }) => (way.kind === 'go' && way.does === 'fix' ? way.detail : '')));
  const isReported = ({ provider }: ModelRow): boolean => [...led].some((model) => model?.startsWith(`${provider}/`));
  const blocked = models.filter((row) => row.state === 'blocked' && chained.has(row) && !isReported(row));
  return [...new Set(blocked.map(({ provider }) => provider))].map((provider) => {
    const theirs = blocked.filter((row) => row.provider === provider);
    return {
      kind: 'needsYou',
      key: `needsYou ${provider}`,
      provider,
      models: theirs,
      way: { kind: 'go', does: 'fix', view: 'models', detail: theirs[0]?.model ?? '' },
    };
  });
}

function awayOf(of: LiveAgent): AttentionOf<'away'> {
  const { action, until, reason } = of.record;
  const way: Way =
    action === null && until === null && reason?.code !== 'available' && reason?.code !== 'near'
      ? { kind: 'go', does: 'look', view: 'models', detail: of.record.primary }
      : wayOf(of);
  return { kind: 'away', key: `away ${agentKey(of)}`, ...of, way };
}

type Named = Readonly<{ directory: string; agent: string }>;

function isAbout(item: Attention, { directory, agent }: Named): boolean {
  const isIt = (named: Named): boolean => named.directory === directory && named.agent === agent;
  if ('row' in item) return isIt({ directory: item.directory, agent: item.row.agent });
  if (item.kind === 'pinned') return isIt(item.pin);
  if (item.kind === 'question') return item.directory !== null && isIt({ ...item.question, directory: item.directory });
  return 'agents' in item && item.agents.some(isIt);
}

/** The worst entry of an agent in a project, with its session if it belongs to one; null without an entry. */
export function worstOf(
  items: readonly Attention[],
  agent: Named & Readonly<{ cover: ProtectedAgent['cover'] }>,
): Readonly<{ kind: AttentionKind; of: Pick<LiveAgent, 'row' | 'record'> | null }> | null {
  const own = items.find((item) => isAbout(item, agent));
  const isBare = agent.cover !== 'some';
  if (own && !(isBare && ATTENTION.indexOf(own.kind) > ATTENTION.indexOf('unprotected')))
    return { kind: own.kind, of: 'row' in own ? own : null };
  return isBare ? { kind: 'unprotected', of: null } : null;
}
