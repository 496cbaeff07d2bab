import type { AgentReason, AgentRecord } from '../contract/agent-record';
import type { AgentRow, ModelRow, QuestionRow, SessionRow, Snapshot } from '../contract/snapshot';
import { causeIn, rowIn } from './model-rows';

type Link = AgentRow['chain'][number];
/** The fields that depend on the state. */
type Standing = Pick<AgentRecord, 'state' | 'model' | 'reason' | 'since' | 'until' | 'clock' | 'action'>;
type Subject = Readonly<{ row: AgentRow; session: SessionRow; snapshot: Snapshot; isLive: boolean }>;

/** A model that is probed takes no other request. */
const UNAVAILABLE: readonly Link['state'][] = ['cooling', 'open', 'blocked', 'probing'];

/** True if no request goes to this model of a chain. */
export const isOut = ({ state, code }: Link): boolean =>
  UNAVAILABLE.includes(state) || (state === 'held' && code !== 'held.closed');

/** True if a message may go to this model of a chain, now or after its probe. */
export const isAskable = (link: Link): boolean => !isOut(link) || link.isEarly === true || link.state === 'probing';

/** True if a message goes to this model only if no other takes it. */
const comesLast = ({ state, code }: Link): boolean => state === 'resting' || (code?.startsWith('rest.') ?? false);

/** The model of a chain that gets the next message; null when none takes it. */
export const nextIn = (chain: readonly Link[]): string | null =>
  (
    chain.find((link) => !(isOut(link) || comesLast(link))) ??
    chain.find((link) => !isOut(link)) ??
    chain.find(isAskable)
  )?.model ?? null;

/** An agent of a live session, with its record. */
export type LiveAgent = Readonly<{ row: AgentRow; record: AgentRecord; directory: string; project: string }>;
type Recorded = Readonly<{ records: readonly AgentRecord[]; live: readonly LiveAgent[] }>;

/** Cached per snapshot, as every surface reads them. */
const recorded = new WeakMap<Snapshot, Recorded>();

function recordedIn(snapshot: Snapshot): Recorded {
  const existing = recorded.get(snapshot);
  if (existing) return existing;
  const all = snapshot.sessions.flatMap((session) => {
    const { agents, directory, project } = session;
    return agents.map((row) => ({ row, record: recordOf(row, session, snapshot), directory, project }));
  });
  const made = { records: all.map(({ record }) => record), live: all.filter(({ record }) => record.isLive) };
  recorded.set(snapshot, made);
  return made;
}

/** The record of each agent in each session of a snapshot, in its order. */
export const recordsOf = (snapshot: Snapshot): readonly AgentRecord[] => recordedIn(snapshot).records;

/** Agents of live sessions, with their records. */
export const liveRows = (snapshot: Snapshot): readonly LiveAgent[] => recordedIn(snapshot).live;

/** The record of one agent of a session. */
export function recordOf(row: AgentRow, session: SessionRow, snapshot: Snapshot): AgentRecord {
  const isLive = session.isLive && !hasEnded(row) && !isSucceeded(session, snapshot);
  const standing = standingOf({ row, session, snapshot, isLive });
  const position = Math.max(
    0,
    row.chain.findIndex(({ model }) => model === standing.model),
  );
  return {
    key: row.key,
    agent: row.agent,
    session: row.session,
    parentSession: row.parentSession,
    directory: session.directory,
    project: session.project,
    ...(session.title === undefined ? {} : { title: session.title }),
    isLive,
    isRunning: isLive && row.runningSince !== undefined,
    primary: row.lead,
    position: position + 1,
    of: row.chain.length,
    ...standing,
  };
}

/** True if a sub-agent has finished its task. */
const hasEnded = ({ parentSession, status, isLeftOut }: AgentRow): boolean =>
  parentSession !== null && status !== 'working' && !isLeftOut;

/** True if the user continues in a newer session of the same OpenCode and project. */
const isSucceeded = ({ isIdle, instance, directory, at }: SessionRow, { sessions }: Snapshot): boolean =>
  isIdle &&
  sessions.some(
    (other) => other.isLive && other.instance === instance && other.directory === directory && other.at > at,
  );

const PLAIN = { reason: null, until: null, clock: null, action: null } as const;

/** The first state that applies, the most severe first. */
function standingOf(of: Subject): Standing {
  const { row, session } = of;
  const idle: Standing = { ...PLAIN, state: 'idle', model: row.active, since: session.at };
  if (!of.isLive) return idle;
  const question = questionOf(of);
  if (row.isLeftOut) return { ...idle, state: 'paused', reason: failureOf(row), since: row.since, action: 'bringBack' };
  if (question) return waitsForAnswer(of, question);
  if (row.waitsFor) return waitsInOpenCode(of, row.waitsFor);
  if (row.waits) return waitsForRetry(row, row.waits);
  if (row.halted) return budgetSpent(of, row.halted);
  const isRunning = row.runningSince !== undefined;
  const usable = nextIn(row.chain);
  const pin = pinOf(of);
  const lead = row.chain[0];
  if (row.chain.length > 0 && usable === null && !isRunning) return allUnavailable(of);
  // While switching is paused, each message goes to the primary.
  const isPaused = of.snapshot.pause !== null && !isRunning && lead !== undefined;
  const next = isPaused ? (isOut(lead) ? null : lead.model) : usable;
  if (row.status === 'exhausted' && next !== null)
    return { ...idle, model: next, reason: reason('stopped', next), action: 'sendAgain' };
  if (isPaused)
    return { ...idle, model: lead.model, reason: isOut(lead) ? causeOf(lead, of.snapshot, session.directory) : null };
  if (row.silentSince !== undefined)
    return { ...PLAIN, state: 'waitsForFirstToken', model: row.active, since: row.silentSince };
  if (pin && !isRunning && pin.model === row.lead)
    return { ...idle, model: pin.model, reason: reason('pinned', pin.model), until: pin.until, action: 'unpin' };
  if (row.position > 0 && !row.isSpread) return onFallback(of);
  const spread = row.isSpread ? spreadOf(row) : null;
  return isRunning
    ? { ...PLAIN, state: 'running', model: row.active, reason: spread, since: row.runningSince ?? row.since }
    : { ...idle, reason: spread };
}

const reason = (
  code: AgentReason['code'],
  model: string,
  rest: Partial<Pick<AgentReason, 'kind' | 'status' | 'near' | 'machine'>> = {},
): AgentReason => ({ code, model, kind: null, status: null, ...rest });

/** The failure for which an agent left its primary. */
function failureOf({ why }: AgentRow): AgentReason | null {
  if (!why) return null;
  const { kind, status, from, near } = why;
  return near ? reason('near', from, { near }) : reason('failed', from, { kind, status });
}

const spreadOf = ({ why, lead }: AgentRow): AgentReason => reason('spread', lead, why?.near ? { near: why.near } : {});

const questionOf = ({ row, snapshot }: Subject): QuestionRow | undefined =>
  snapshot.connection.status === 'lost'
    ? undefined
    : snapshot.questions.find(({ session, agent }) => session === row.session && agent === row.agent);

function waitsForAnswer({ row, session }: Subject, question: QuestionRow): Standing {
  const { model, kind, near, isOut: isHeld, skippedAt, since = session.at } = question;
  const cause = near
    ? reason('near', model, { near })
    : isHeld
      ? reason('held', model)
      : reason('failed', model, { kind });
  return {
    state: 'waitsForAnswer',
    model: row.active,
    reason: cause,
    since,
    action: 'answer',
    until: skippedAt,
    clock: null,
  };
}

const waitsInOpenCode = ({ row }: Subject, { what, since }: NonNullable<AgentRow['waitsFor']>): Standing =>
  what === 'permission'
    ? { ...PLAIN, state: 'waitsForPermission', model: row.active, since, action: 'allowInOpenCode' }
    : { ...PLAIN, state: 'waitsForAnswer', model: row.active, since, action: 'answerInOpenCode' };

function waitsForRetry({ active, isAlone }: AgentRow, waits: NonNullable<AgentRow['waits']>): Standing {
  const { by, model, kind, status, since, until, isLoop, near, isGiven } = waits;
  const cause = isLoop
    ? reason('loop', model)
    : near
      ? reason('near', model, { near })
      : reason('failed', model, { kind, status });
  const action = by === 'host' && isAlone ? 'addModel' : until === null ? 'lookAtModel' : null;
  // OpenCode uses only times set by the provider.
  const clock = until === null ? null : isGiven || by === 'host' ? 'provider' : 'ours';
  return { state: 'waitsForRetry', model: active, reason: cause, since, until, clock, action };
}

function budgetSpent({ row, session }: Subject, { near, until }: NonNullable<AgentRow['halted']>): Standing {
  const cause = reason('near', row.active, { near });
  const { active: model } = row;
  return { state: 'budgetSpent', model, reason: cause, since: session.at, until, clock: null, action: 'raiseBudget' };
}

/** The model that needs the user, or else the one that returns first, gives the reason. */
function allUnavailable({ row, session, snapshot }: Subject): Standing {
  const { models, at } = snapshot;
  const rows = row.chain.flatMap((link) => {
    const found = rowIn(models, session.directory, link.model);
    return found ? [{ link, found }] : [];
  });
  const timed = rows.filter(({ found }) => found.until !== null && found.until > at);
  const first = timed.toSorted((a, b) => (a.found.until ?? 0) - (b.found.until ?? 0))[0];
  const blocked = row.chain.find(({ state }) => state === 'blocked');
  const link = blocked ?? first?.link ?? row.chain[0];
  const model = link?.model ?? row.active;
  const until = first?.found.until ?? null;
  return {
    state: 'allModelsUnavailable',
    model,
    reason: link ? causeOf(link, snapshot, session.directory) : null,
    since: session.at,
    until,
    clock: clockOf(first?.found.source ?? null),
    action: blocked ? 'fixModel' : until === null ? 'lookAtModel' : null,
  };
}

/** The owner of a time; null if the user set it. */
export const clockOf = (source: ModelRow['source']): AgentRecord['clock'] =>
  source && (source === 'provider' ? 'provider' : 'ours');

/** The reason why a model of a chain is not used, from its own health only. */
function causeOf({ model, code }: Link, { models }: Snapshot, directory: string): AgentReason {
  const row = rowIn(models, directory, model);
  const cause = code ?? row?.code ?? '';
  const machine = row?.machine === undefined ? {} : { machine: row.machine };
  if (cause.startsWith('held.')) return reason('held', model, machine);
  return reason('failed', model, { ...causeIn(cause, row?.lastFailure ?? null), ...machine });
}

const pinOf = ({ row, session, snapshot }: Subject): Snapshot['pins'][number] | undefined =>
  snapshot.pins.find(({ directory, agent }) => directory === session.directory && agent === row.agent);

function onFallback(of: Subject): Standing {
  const { row, session, snapshot } = of;
  const { active, since, lead, why, runningSince } = row;
  const pin = pinOf(of);
  // Between two turns, the model of the next message counts.
  const next = runningSince === undefined ? (pin?.model ?? nextIn(row.chain) ?? active) : active;
  const fallback = { state: 'onFallback', model: next === lead ? active : next, since } as const;
  if (pin)
    return {
      ...fallback,
      reason: reason('pinned', pin.model),
      action: 'unpin',
      until: pin.until,
      clock: null,
    };
  const first = row.chain[0];
  const isBlocked = first?.state === 'blocked';
  const machine = first && rowIn(snapshot.models, session.directory, first.model)?.machine;
  const now = first && isOut(first) ? causeOf(first, snapshot, session.directory) : null;
  // The user or another failure may have made it unavailable after the switch.
  const isOther = now?.code === 'held' || (now?.kind != null && now.kind !== why?.kind && !why?.near);
  const until = isBlocked ? null : (why?.until ?? null);
  const cause =
    until === null && first && !isOut(first) && !comesLast(first) && !why?.near
      ? reason('available', lead)
      : isOther
        ? now
        : (withMachine(failureOf(row), machine) ?? now ?? reason('chosen', lead));
  return {
    ...fallback,
    reason: cause,
    until,
    clock: until === null ? null : clockOf(why?.source ?? null),
    action: isBlocked ? 'fixModel' : null,
  };
}

const withMachine = (cause: AgentReason | null, machine: string | undefined): AgentReason | null =>
  cause && cause.code === 'failed' && machine !== undefined ? { ...cause, machine } : cause;
