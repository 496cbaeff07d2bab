import type { RequestsSeen } from '../contract/requests-seen';
import type {
  AgentRow,
  ChainRow,
  EventRow,
  InstanceRow,
  ModelAbilities,
  ModelRow,
  SessionRow,
  Snapshot,
} from '../contract/snapshot';
import {
  chainOf,
  type EngineState,
  keyIn,
  lastFailureOf,
  providerOf,
  type Shortage,
  SPREAD,
  unbooked,
} from '../engine';
import {
  connectionOf,
  type EngineView,
  entries,
  factsOf,
  get,
  haltedBy,
  shortNow,
  spreadNow,
  stoppedBy,
  viewOf,
} from '../engine/tools';
import { handsOn, peopleRows } from './acts/people-rows';
import { asAbilities } from './base/offers';
import { projectOf } from './base/project';
import { accountRows, nearOf } from './headroom/rows';
import type { Pulse } from './history/pulse';
import type { UsageBook } from './history/usage';
import { shownWait } from './waits';

type SpeakerView = EngineView['speakers'][number];
type SessionView = EngineView['sessions'][number];
type ModelView = EngineView['models'][number];
type ChainLink = EngineView['chains'][number]['chain'][number];

const SESSION_OVER_MS = 30 * 60_000;
export const EVENTS_SHOWN = 50;
const SESSIONS_SHOWN = 20;

export type Surroundings = Readonly<{
  rev: number;
  state: EngineState;
  wall: number;
  /** Engine ms of the view. */
  now: number;
  /** Must be the same in every snapshot, or each one would differ from the last. */
  wallOf(engineMs: number): number;
  app: Snapshot['app'];
  connection: Snapshot['connection'];
  instances: readonly InstanceRow[];
  tellerOf(session: string): string | null;
  /** Null if unknown or not allowed. */
  titleOf(session: string): string | null;
  events: readonly EventRow[];
  lastDrill: EventRow | null;
  config: Snapshot['config'];
  unknownPhrases: number;
  unknownHeaders: Snapshot['unknownHeaders'];
  budgets: Snapshot['budgets'];
  settings: number;
  unreadNotices: number;
  urgentNotices: number;
  councils: Snapshot['councils'];
  pulse: Pick<Pulse, 'recent' | 'since'>;
  /** By provider. */
  requests: ReadonlyMap<string, RequestsSeen>;
  usage: UsageBook;
}>;

export function buildSnapshot(around: Surroundings): Snapshot {
  const { wallOf } = around;
  const shown = shownConversations(around);
  const families = new Set(shown.flatMap(({ family }) => family.map(({ session }) => session)));
  const view = viewOf(around.state, around.now, (session) => families.has(session));
  const moment = { state: around.state, now: around.now, wallOf };
  const isOpen = openPlans(around);
  return {
    v: 1,
    rev: around.rev,
    at: Math.round(around.wall),
    app: around.app,
    connection: around.connection,
    instances: [...around.instances],
    sessions: sessionRows(shown, view.speakers, around),
    chains: view.chains
      .filter(isOpen)
      .map((row) => ({ ...chainRow(row), ...(row.agent === '*' ? {} : halted(row, around)) })),
    others: view.others.filter(isOpen).map((row) => ({ ...row, ...halted(row, around) })),
    models: view.models.map((model) => ({
      ...modelRow(model, wallOf),
      ...handsOn(moment, model.key),
      since: sinceOf(model, around),
      recent: around.pulse.recent(unbooked(model.model), around.wall),
      abilities: abilitiesOf(around.state, unbooked(model.model)),
      usage: around.usage.ofModel(unbooked(model.model)),
      ...seenBy(around.requests.get(providerOf(unbooked(model.model)))),
    })),
    events: around.events.slice(-EVENTS_SHOWN).reverse(),
    lastDrill: around.lastDrill,
    headroom: accountRows(moment),
    budgets: around.budgets,
    unknownHeaders: around.unknownHeaders,
    config: around.config,
    ...peopleRows(moment),
    councils: around.councils,
    unknownPhrases: around.unknownPhrases,
    settings: around.settings,
    unreadNotices: around.unreadNotices,
    urgentNotices: around.urgentNotices,
  };
}

/**
 * A killed OpenCode does not report that its project is closed: the project counts as closed while another one is
 * open. If none is, the last state stays visible.
 */
function openPlans({ instances, connection }: Surroundings): (plan: Readonly<{ directory: string }>) => boolean {
  const connected = instances.filter(({ status }) => status === 'connected');
  const open = new Set(connected.flatMap(({ directories }) => directories));
  return ({ directory }) => connection.status !== 'connected' || open.has(directory);
}

/** Active ones first; sub-agents belong to the session that started them. */
function shownConversations(around: Surroundings): Conversation[] {
  const sessions = entries(around.state.sessions).map(([, session]) => session);
  const parents = new Map(sessions.map(({ session, parent }) => [session, parent]));
  const whereOpen = openPlaces(around);
  return [...groupBy(sessions, ({ session }) => rootOf(parents, session))]
    .map(([root, family]) => conversationOf(root, family, whereOpen, around.now))
    .sort((a, b) => Number(b.isLive) - Number(a.isLive) || b.at - a.at)
    .slice(0, SESSIONS_SHOWN);
}

type WhereOpen = (root: SessionView, family: readonly SessionView[]) => InstanceRow | undefined;

/**
 * If the last companion of a conversation is known, no other one may replace it: after `opencode run` ends, the next
 * OpenCode in its directory is unrelated.
 */
function openPlaces({ instances, tellerOf }: Pick<Surroundings, 'instances' | 'tellerOf'>): WhereOpen {
  const byDirectory = groupBy(
    instances
      .filter(({ status }) => status === 'connected')
      .flatMap((row) => row.directories.map((directory) => ({ directory, row }))),
    ({ directory }) => directory,
  );
  return ({ directory }, family) => {
    const open = byDirectory.get(directory) ?? [];
    const last = family.toSorted((a, b) => b.at - a.at).find(({ session }) => tellerOf(session) !== null);
    if (!last) return open[0]?.row;
    const teller = tellerOf(last.session);
    return open.find(({ row }) => row.instance === teller)?.row;
  };
}

function sessionRows(
  shown: readonly Conversation[],
  speakers: readonly SpeakerView[],
  around: Surroundings,
): SessionRow[] {
  const roots = new Map(shown.flatMap(({ root, family }) => family.map(({ session }) => [session, root.session])));
  const bySession = groupBy(speakers, ({ session }) => roots.get(session) ?? session);
  return shown.map((conversation) => sessionRow(conversation, bySession.get(conversation.root.session) ?? [], around));
}

function rootOf(parents: ReadonlyMap<string, string | null>, session: string): string {
  let at = session;
  for (let depth = 0; depth < 10; depth++) {
    const parent = parents.get(at);
    if (!parent || !parents.has(parent)) return at;
    at = parent;
  }
  return at;
}

type Conversation = Readonly<{
  root: SessionView;
  family: readonly SessionView[];
  instance: InstanceRow | undefined;
  isIdle: boolean;
  isLive: boolean;
  /** Engine ms of its last activity. */
  at: number;
}>;

function conversationOf(id: string, family: readonly SessionView[], whereOpen: WhereOpen, now: number): Conversation {
  const root = family.find(({ session }) => session === id) ?? (family[0] as SessionView);
  const instance = whereOpen(root, family);
  const isIdle = family.every((each) => each.isIdle);
  const at = Math.max(...family.map((each) => each.at));
  const isLive = instance !== undefined && (!isIdle || now - at < SESSION_OVER_MS);
  return { root, family, instance, isIdle, isLive, at };
}

function sessionRow(
  { root, family, instance, isIdle, isLive, at }: Conversation,
  speakers: readonly SpeakerView[],
  around: Surroundings,
): SessionRow {
  const { wallOf, usage } = around;
  const { session, directory, turns } = root;
  const parents = new Map(family.map((each) => [each.session, each.parent]));
  const title = around.titleOf(session);
  return {
    session,
    directory,
    project: projectOf(directory),
    ...(title === null ? {} : { title }),
    instance: instance?.instance ?? '',
    isLive,
    isIdle,
    at: wallOf(at),
    turns,
    requests: requestsOf(family),
    agents: speakers.map((speaker) => agentRow(speaker, parents.get(speaker.session) ?? null, around)).sort(byUrgency),
    usage: usage.ofSessions(family.map((each) => each.session)),
  };
}

function requestsOf(family: readonly SessionView[]): NonNullable<SessionRow['requests']> {
  const all = family.map(({ outcomes = '' }) => connectionOf(outcomes));
  const sum = (of: (one: (typeof all)[number]) => number): number => all.reduce((total, one) => total + of(one), 0);
  return {
    asked: sum(({ events }) => events),
    failed: sum(({ failures }) => failures),
    // The next answer ends the alarm, even before half of the last requests are answered.
    isOutage: family.some(({ outcomes = '' }) => connectionOf(outcomes).isOutage && outcomes.endsWith('0')),
  };
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

const byUrgency = (a: AgentRow, b: AgentRow): number =>
  Number(b.status === 'exhausted') - Number(a.status === 'exhausted') || b.position - a.position || b.since - a.since;

function agentRow(speaker: SpeakerView, parent: string | null, around: Surroundings): AgentRow {
  const { wallOf } = around;
  const waits = shownWait(speaker, around);
  const spread = spreadOf(speaker, around);
  return {
    key: `${speaker.session}|${speaker.agent}`,
    agent: speaker.agent,
    session: speaker.session,
    parentSession: parent,
    lead: speaker.lead,
    active: speaker.active,
    position: speaker.position,
    chain: speaker.chain.map(link),
    status: speaker.status,
    why: whyOf(speaker, spread, around),
    since: wallOf(speaker.since),
    turns: speaker.turns,
    switches: speaker.switches,
    isLeftOut: Boolean(speaker.degraded),
    ...(speaker.isAlone ? { isAlone: true } : {}),
    ...(spread ? { isSpread: true } : {}),
    ...(waits ? { waits } : {}),
    ...(speaker.runningSince === null ? {} : { runningSince: wallOf(speaker.runningSince) }),
    ...(speaker.silentSince === null ? {} : { silentSince: wallOf(speaker.silentSince) }),
    ...(speaker.waitsFor ? { waitsFor: { ...speaker.waitsFor, since: wallOf(speaker.waitsFor.since) } } : {}),
    ...haltOf(speaker, around),
  };
}

function haltOf(speaker: SpeakerView, { state, now, wallOf }: Surroundings): Pick<AgentRow, 'halted'> {
  const { status, active, chain } = speaker;
  const models = chain.map(({ model }) => model);
  const short =
    status === 'exhausted'
      ? haltedBy(state, speaker, active, now)
      : status === 'working'
        ? null
        : stoppedBy(state, speaker, models, now);
  return short ? { halted: { near: nearOf(short), until: short.until === null ? null : wallOf(short.until) } } : {};
}

function halted(row: EngineView['chains' | 'others'][number], { state, now }: Surroundings): { isHalted?: true } {
  const { directory, agent } = row;
  // A budget of one provider does not stop an unknown primary.
  const buying = { directory, agent, lead: ('lead' in row ? row.lead : row.chain[0]?.model) ?? '' };
  const spare = get(state.scopes, directory)?.backupModel ?? [];
  return stoppedBy(state, buying, chainOf(state, buying).concat(spare), now) ? { isHalted: true } : {};
}

type Spread = Readonly<{ short: Shortage | null }>;

/**
 * Null unless the agent uses another account of its available primary; `short` is null once the agent would not stay
 * there.
 */
function spreadOf(speaker: SpeakerView, { state, now }: Surroundings): Spread | null {
  const { why, lead, active, chain } = speaker;
  const isWell = chain[0]?.standing.use === 'first' && shortNow(state, speaker, lead, now) === null;
  if (!why || active === lead || !isWell) return null;
  const short = spreadNow(state, speaker, now);
  return short !== null || why.short?.code === SPREAD ? { short } : null;
}

/** Null on the primary, and if the agent left for a limit that has room again. */
function whyOf(speaker: SpeakerView, spread: Spread | null, { state, now, wallOf }: Surroundings): AgentRow['why'] {
  const { why, homeAt, lead: model } = speaker;
  if (!why) return null;
  // No clock tells when that account has less room again.
  if (spread)
    return (
      spread.short && {
        kind: why.kind,
        status: null,
        from: model,
        until: null,
        source: null,
        near: nearOf(spread.short),
      }
    );
  const cause = leadCause(speaker, why, state);
  const lead = speaker.chain[0]?.standing;
  const isWell = lead?.use === 'first' || (why.short && lead?.kind == null);
  const short = isWell ? shortNow(state, speaker, model, now) : null;
  if (!short && why.short && isWell) return null;
  if (short) {
    const until = short.until === null ? null : wallOf(short.until);
    // Budgets belong to the user.
    const source = short.unit === 'dollars' ? null : short.isEstimate ? 'estimate' : 'provider';
    return { ...cause, until, source, near: nearOf(short) };
  }
  const isProviders = lead?.source === 'provider' && lead.until === homeAt;
  return {
    ...cause,
    until: homeAt === null ? null : wallOf(homeAt),
    // The provider's report ends its cooldown; using the model last for a while is our own rule.
    source: isProviders ? 'provider' : lead?.source || lead?.until !== homeAt ? 'estimate' : null,
  };
}

/** The times in this row are the primary's, so another model's failure does not explain them. */
function leadCause(
  { directory, lead, chain }: SpeakerView,
  { kind, status, from, short }: NonNullable<SpeakerView['why']>,
  state: EngineState,
): Pick<NonNullable<AgentRow['why']>, 'kind' | 'status' | 'from'> {
  const own = chain[0]?.standing.kind ?? null;
  // A primary that was available when the agent left may have failed elsewhere since.
  if (own === null || (from === lead && !short)) return { kind, status, from };
  const last = lastFailureOf(state, keyIn(state, directory, lead));
  return { kind: own, status: last?.kind === own ? last.status : null, from: lead };
}

const link = ({ model, standing, isEarly }: ChainLink) => ({
  model,
  state: standing.state,
  code: standing.code,
  ...(isEarly ? { isEarly } : {}),
});

const chainRow = ({ directory, agent, chain, backup, isAlone }: EngineView['chains'][number]): ChainRow => ({
  directory,
  agent,
  chain: chain.map(link),
  ...(backup ? { backup: link(backup) } : {}),
  ...(isAlone ? { isAlone } : {}),
});

/** By the first project whose OpenCode reports any. */
function abilitiesOf({ scopes }: EngineState, model: string): ModelAbilities {
  const { models } = entries(scopes).find(([, scope]) => scope.models && Object.hasOwn(scope.models, model))?.[1] ?? {};
  return asAbilities(factsOf(models, model));
}

/** A breaker does not store when it opened, `pulse` does. */
function sinceOf({ model, standing }: ModelView, { wallOf, pulse }: Surroundings): number | null {
  if (standing.since !== null) return wallOf(standing.since);
  return standing.state === 'open' ? pulse.since(model, 'open') : null;
}

function modelRow(
  view: ModelView,
  wallOf: (ms: number) => number,
): Omit<ModelRow, 'isolatedBy' | 'hold' | 'usage' | 'recent' | 'abilities' | 'since'> {
  const { standing, last } = view;
  return {
    model: view.model,
    ...(view.apart === null ? {} : { apart: [...view.apart] }),
    provider: view.provider,
    name: view.name,
    state: standing.state,
    code: standing.code,
    ...endOf(standing, wallOf),
    ...(view.machine === null ? {} : { machine: view.machine }),
    failures: standing.failures,
    failureThreshold: view.failureThreshold,
    calls: view.calls,
    failed: view.failed,
    lastFailure: last && { kind: last.kind, status: last.status, message: last.message, at: wallOf(last.at) },
    agents: [...view.agents],
  };
}

/** A probe ends with its answer, not when its permit expires. */
const endOf = ({ state, until, source }: ModelView['standing'], wallOf: (ms: number) => number) =>
  state === 'probing' || until === null ? { until: null, source: null } : { until: wallOf(until), source };

const seenBy = (requests: RequestsSeen | undefined): Pick<ModelRow, 'requests'> => (requests ? { requests } : {});
