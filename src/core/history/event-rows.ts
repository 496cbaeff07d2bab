import type { DrillResult } from '../../contract/drill';
import type { ProbeResult } from '../../contract/probe';
import type { EventRow } from '../../contract/snapshot';
import {
  type CouncilFact,
  type Decision,
  type EngineState,
  type Fact,
  type FactOf,
  type FailureKind,
  type HealthKey,
  keyIn,
  lastFailureOf,
  type ModelState,
  type PersonFact,
  type SessionFact,
  SPREAD,
  type Step,
  standingOf,
  unbooked,
} from '../../engine';
import { get, preferredAtIn, speakerKey } from '../../engine/tools';
import { requestPrice } from '../../wording/probe-words';
import type { AppEvent } from '../base/record';
import { budgetNear, nearOf } from '../headroom/rows';

export type DraftRow = Omit<EventRow, 'id' | 'at'> & Readonly<{ turn: string | null; agoMs?: number }>;

const EMPTY: DraftRow = {
  code: '',
  state: 'info',
  agent: null,
  session: null,
  model: null,
  to: null,
  kind: null,
  status: null,
  until: null,
  detail: null,
  durationMs: null,
  trace: [],
  turn: null,
};

export const plainRow = (code: string, fields: Partial<DraftRow> = {}): DraftRow => ({ ...EMPTY, ...fields, code });

export function resetRow({
  target,
  actor,
}: Pick<Extract<AppEvent, { type: 'health.reset' }>, 'target' | 'actor'>): DraftRow {
  if ('model' in target) return plainRow('reset.model', { model: target.model, state: 'ready', actor });
  return plainRow('provider' in target ? 'reset.provider' : 'reset.all', {
    state: 'ready',
    detail: 'provider' in target ? target.provider : null,
    actor,
  });
}

export function drillRow(result: DrillResult): DraftRow {
  if (!result.ok) return plainRow('drill.failed', { detail: result.reason });
  const { agent, from: model, to, tookMs } = result;
  return plainRow('drill.passed', { agent, model, to, durationMs: Math.round(tookMs) });
}

export function probeRow(model: string, result: ProbeResult): DraftRow {
  const durationMs = Math.round(result.tookMs);
  if (result.ok)
    return plainRow('probe.passed', { model, durationMs, state: 'ready', detail: requestPrice(result.cost) });
  const { kind, status, reason: detail } = result;
  return plainRow('probe.failed', { model, durationMs, kind, status, detail });
}

type RowContext = Readonly<{
  /** Questions may be repeated after a load, and are still open. */
  isConfigured?: boolean;
  state: EngineState;
  /** Engine ms. */
  now: number;
  wallOf(engineMs: number): number;
}>;

export function rowsOf({ decisions, facts }: Pick<Step, 'decisions' | 'facts'>, moment: RowContext): DraftRow[] {
  const isLeftOut = facts.some(({ type }) => type === 'speaker.degraded');
  const drafts = [
    ...decisions.map((decision) => {
      // The fact's row names the paused agent and the number of active ones.
      const isRepeated = decision.code.startsWith('degraded.') && isLeftOut;
      return isRepeated ? null : decisionRow(decision, moment);
    }),
    ...facts.map((fact) => {
      const news = toldIn(fact);
      return news && toldRow(news, moment);
    }),
  ].filter((row) => row !== null);
  const reported = new Set(drafts.flatMap(({ model }) => (model === null ? [] : [model])));
  const changes = (which: readonly Fact[], models: ReadonlySet<string>): DraftRow[] =>
    which.map((fact) => changeRow(fact, models, moment)).filter((row) => row !== null);
  return [
    ...changes(facts.filter(isLate), new Set()),
    ...drafts,
    ...changes(
      facts.filter((fact) => fact.type === 'model.changed' && !isLate(fact)),
      reported,
    ),
    ...changes(
      facts.filter((fact) => fact.type !== 'model.changed'),
      reported,
    ),
  ];
}

/** Time alone caused the fact before a timer fired. */
export const isLate = (fact: Fact): boolean => fact.type === 'model.changed' && (fact.agoMs ?? 0) > 0;

const keyOf = (model: string, session: string | undefined, state: EngineState): HealthKey =>
  keyIn(state, (session === undefined ? undefined : get(state.sessions, session)?.directory) ?? '', model);

export type RowFact =
  | PersonFact
  | CouncilFact
  | Exclude<SessionFact, FactOf<'event.ignored' | 'lease.answered' | 'headroom.passed'>>
  | FactOf<'breaker.shadow' | 'breaker.stale' | 'network.stale'>;
export type FactFields = Readonly<{
  session?: string;
  agent?: string;
  turn?: string;
  model?: string;
  to?: string | null;
  kind?: FailureKind;
  actor?: string;
  count?: number;
  of?: number;
  forMs?: number | null;
}>;

function toldIn(fact: Fact): RowFact | null {
  switch (fact.type) {
    case 'turn.began':
    case 'turn.ended':
    case 'attempt.began':
    case 'attempt.ended':
    case 'speaker.moved':
    case 'speaker.carried':
    case 'switch.failed':
    case 'chain.exhausted':
    case 'session.rested':
    case 'model.changed':
    case 'health.reset':
    case 'phrase.unknown':
    case 'question.put':
    case 'question.nudged':
    case 'question.skipped':
    // The history has it once, as `session.outage`.
    case 'prompt.warned':
    case 'lease.answered':
    case 'headroom.passed':
    case 'event.ignored':
      return null;
    default:
      return fact;
  }
}

export function toldRow(fact: RowFact, { state, now, wallOf }: RowContext): DraftRow {
  if (fact.type === 'money.passed') return budgetRow(fact, { now, wallOf });
  if (fact.type === 'headroom.drains') {
    const { session, agent, model, short } = fact;
    return plainRow(fact.type, { state: 'info', session, agent, model, near: nearOf(short) });
  }
  const { forMs = null, count, of, session, agent, turn, model, to, kind, actor }: FactFields = fact;
  const key = model === undefined ? null : keyOf(model, session, state);
  return plainRow(codeOf(fact), {
    state: key === null ? 'info' : standingOf(state, key, now).state,
    agent: agent ?? null,
    session: session ?? null,
    turn: turn ?? null,
    model: model ?? null,
    to: to ?? null,
    kind: kind ?? null,
    until: forMs === null ? null : wallOf(now + forMs),
    ...(actor === undefined ? {} : { actor }),
    ...(count === undefined || of === undefined ? {} : { tally: { count, of } }),
  });
}

function budgetRow(fact: FactOf<'money.passed'>, { now, wallOf }: Pick<RowContext, 'now' | 'wallOf'>): DraftRow {
  const { endsInMs, session, agent } = fact;
  return plainRow(fact.mark < 1 ? 'money.passed' : 'money.spent', {
    state: 'info',
    agent,
    session,
    near: budgetNear(fact),
    until: endsInMs === null ? null : wallOf(now + endsInMs),
  });
}

const codeOf = (fact: RowFact): string =>
  fact.type === 'question.answered' ? (fact.isYes ? 'question.accepted' : 'question.declined') : fact.type;

export function decisionRow(decision: Decision, moment: RowContext): DraftRow | null {
  const { action, failure } = decision;
  if (action.kind === 'keep' || (action.kind === 'pass' && failure === null) || isStay(decision, moment)) return null;
  const model = subjectOf(decision, moment);
  const key = model === null ? null : keyOf(model, decision.session, moment.state);
  const standing = key === null ? null : standingOf(moment.state, key, moment.now);
  const until = backAt(decision, key, moment);
  const isLeft = action.kind === 'redirect' || action.kind === 'switch';
  const last = isLeft && key !== null ? lastFailureOf(moment.state, key) : null;
  const behind = last?.kind === standing?.kind ? last : null;
  const { short } = decision;
  return {
    code: decision.code,
    // A model that is left before its limit is available.
    state: short ? 'info' : action.kind === 'home' ? 'ready' : (standing?.state ?? 'info'),
    agent: decision.agent,
    session: decision.session,
    turn: decision.turn,
    model,
    to: 'to' in action ? action.to : null,
    kind: short ? null : (failure?.kind ?? standing?.kind ?? null),
    status: short ? null : ((failure ?? behind)?.status ?? null),
    until: until === null ? null : moment.wallOf(until),
    detail: failure?.message || null,
    durationMs: null,
    ...(short ? { near: nearOf(short) } : failure?.isRepeated ? { isRepeated: true } : {}),
    trace: decision.trace.map(({ model, position, verdict, code, state }) => ({
      model,
      position,
      verdict,
      code,
      state,
    })),
  };
}

/** Moving to the account was news, staying is not. */
function isStay({ code, session, agent }: Decision, { state, now }: RowContext): boolean {
  const speaker = code === SPREAD ? get(state.speakers, speakerKey(session, agent)) : undefined;
  return speaker !== undefined && speaker.since < now;
}

/** Engine ms; for a model that was left, when it is first choice again. */
function backAt({ action, short }: Decision, key: HealthKey | null, { state, now }: RowContext): number | null {
  if (short && action.kind !== 'hold') return short.until;
  switch (action.kind) {
    case 'hold':
      return now + action.waitMs;
    case 'exhausted':
      return action.soonest?.inMs ? now + action.soonest.inMs : null;
    case 'switch':
    case 'redirect':
      return key === null ? null : preferredAtIn(state, key, now);
    case 'home':
    case 'keep':
    case 'pass':
      return null;
  }
}

const isFailed = (model: string, trace: Decision['trace']): boolean =>
  trace.some((entry) => entry.model === model && entry.verdict === 'failed');

function subjectOf({ action, trace, turn }: Decision, { state }: RowContext): string | null {
  if ('from' in action) return action.from;
  // The trace is in the order of the chain; the failure is of the last requested model.
  const last = action.kind === 'exhausted' ? get(state.turns, turn)?.tried.at(-1)?.model : undefined;
  if (last !== undefined) return last;
  if (action.kind === 'home') return action.to;
  if (action.kind === 'hold' && (isFailed(action.to, trace) || !trace.some(({ verdict }) => verdict === 'failed')))
    return action.to;
  return trace.findLast((entry) => entry.verdict === 'failed')?.model ?? trace[0]?.model ?? null;
}

function isByLead({ session, agent, answeredBy, lead }: FactOf<'turn.ended'>, { state }: RowContext): boolean {
  return (
    answeredBy === lead || get(state.speakers, speakerKey(session, agent))?.why?.short?.there?.model === answeredBy
  );
}

const QUIET = new Set<ModelState>(['degraded', 'unseen']);

export function changeRow(fact: Fact, reported: ReadonlySet<string>, moment: RowContext): DraftRow | null {
  switch (fact.type) {
    case 'model.changed': {
      const isTold = reported.has(unbooked(fact.model)) && fact.to !== 'open';
      if (isTold || QUIET.has(fact.to)) return null;
      const { agoMs = 0, forMs } = fact;
      const until = forMs === null ? null : moment.wallOf(moment.now - agoMs + forMs);
      const isUnproven = fact.to === 'ready' && moment.isConfigured === true;
      return plainRow(
        isUnproven ? 'model.retry' : fact.code === 'held.flapping' ? 'model.flapping' : `model.${fact.to}`,
        {
          model: fact.model,
          state: fact.to,
          kind: kindFor(fact.to, fact.kind),
          until,
          ...(agoMs > 0 ? { agoMs } : {}),
        },
      );
    }
    case 'turn.ended':
      if (fact.answeredBy === null || fact.isExhausted || (fact.switches === 0 && isByLead(fact, moment))) return null;
      return plainRow('turn.finished', {
        agent: fact.agent,
        session: fact.session,
        model: fact.answeredBy,
        turn: fact.turn,
        state: 'ready',
      });
    case 'switch.failed':
      return plainRow('carry.failed', {
        agent: fact.agent,
        session: fact.session,
        model: fact.from,
        to: fact.to,
        turn: fact.turn,
        detail: fact.reason || null,
      });
    default:
      return null;
  }
}

const kindFor = (state: ModelState, kind: FailureKind | null): FailureKind | null => (state === 'ready' ? null : kind);
