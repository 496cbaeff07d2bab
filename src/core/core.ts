import type { ConfigRow, DrillResult, PanelHost, PushData, PushName, QueryOutput, Snapshot } from '../contract';
import {
  chainOf,
  type EngineEvent,
  type EngineState,
  initialState,
  type Step,
  type SyncedHealth,
  step,
} from '../engine';
import { speakerKey } from '../engine/state';
import { get } from '../engine/table';
import { asSeenBy, exportHealth, isGranted, redactEvidence, viewOf } from '../engine/tools';
import { asEngineEvent, type CompanionEvent, type RelayedAct, transitMs, type UsageRecorded } from '../protocol';
import { eventOf, objectionTo, refusalIn, relayOf, subjectOf } from './acts';
import { createDrills, type DrillAsked } from './drills';
import { drillRow, plainRow, resetRow, rowsOf } from './event-rows';
import { createHistory } from './history';
import { createInbox } from './inbox';
import { type Companion, createInstances } from './instances';
import type { KindReader } from './kind-reader';
import type { CorePorts } from './ports';
import type { AppEvent, LogRecord } from './record';
import { setupHandlers } from './setup';
import { buildSnapshot, projectOf } from './snapshot';
import { createUsageBook } from './usage';

export type { Companion } from './instances';

/** What a companion has to know to agree with the app. */
export type HealthSync = Readonly<{ ackSeq: number | null; rev: number; sentAt: number; health: SyncedHealth }>;

/** The application without a host: one engine, one log, one snapshot. */
export type Core = Readonly<{
  host: PanelHost;
  /** Takes in the log of an earlier life, oldest first, before anything else happens. */
  replay(records: readonly LogRecord[]): void;
  /** A companion is there. @returns the last number the core has of it; null when it knows none. */
  connected(companion: Companion): number | null;
  /** Something happened in an OpenCode process, `ageMs` before it was sent. Numbers already known are ignored. */
  told(instance: string, said: Readonly<{ seq: number; ageMs: number; sentAt: number; event: CompanionEvent }>): void;
  lost(instance: string): void;
  /** A companion of another version knocked. */
  incompatible(companion: Companion | null): void;
  /** Problems of configuration files, for the snapshot, and what these files call failures: that is unknown no more. */
  setConfig(rows: readonly ConfigRow[], readers?: readonly KindReader[]): void;
  /** May this companion make the one probe of a model? A yes keeps others from it until its outcome, or its end in 10 min. */
  lease(instance: string, model: string): boolean;
  syncFor(instance: string): HealthSync;
  /**
   * Whether health has changed by somebody else's doing since this companion last heard of it: what its own events
   * change it knows already.
   */
  isBehind(instance: string): boolean;
  /** Calls back with each act of a person that a companion has to carry out. @returns what ends it. */
  onAct(listener: (event: RelayedAct) => void): () => void;
  /** Calls back with each drill that a companion has to make. @returns what ends it. */
  onDrill(listener: (asked: DrillAsked) => void): () => void;
  /** A companion tells how its drill came out. */
  drilled(instance: string, id: string, result: DrillResult): void;
  /** Calls back whenever companions should hear of health again. @returns what ends it. */
  onHealth(listener: () => void): () => void;
  state(): EngineState;
  dispose(): void;
}>;

/**
 * A companion ignores a view of health that is older than its own latest events; those are on their way, and within this
 * time, in ms, it is told again after each of them.
 */
const BEHIND_MS = 1_000;

/** What companions mirror. */
const SYNCED = ['models', 'providers', 'manual', 'pins', 'pause'] as const;

type PushListener = <P extends PushName>(name: P, data: PushData<P>) => void;
type Target = Extract<AppEvent, { type: 'health.reset' }>['target'];

/** Makes a core on its ports. */
export function createCore(ports: CorePorts, app: Snapshot['app']): Core {
  const { clock, log } = ports;
  const history = createHistory();
  const inbox = createInbox();
  const usage = createUsageBook();
  const instances = createInstances(clock);
  /** Revisions of the last change: of models, and of pins and the pause. */
  const changedAt = new Map<string, number>();
  const setAt = new Map<string, number>();
  const pushListeners = new Set<PushListener>();
  const healthListeners = new Set<() => void>();
  const actListeners = new Set<(event: RelayedAct) => void>();
  const drillListeners = new Set<(asked: DrillAsked) => void>();
  const drills = createDrills(clock, (asked) => {
    for (const listener of drillListeners) listener(asked);
  });
  let state: EngineState = initialState;
  let rev = 0;
  let config: readonly ConfigRow[] = [];
  let cached: Snapshot | null = null;
  let isScheduled = false;
  let isReplaying = false;
  let cancelWake: (() => void) | null = null;
  const behindUntil = new Map<string, number>();

  const wallOf = (engineMs: number): number => Math.round(clock.wall() + engineMs - clock.now());

  const publish = (): void => {
    rev++;
    cached = null;
    if (isScheduled || isReplaying) return;
    isScheduled = true;
    // One picture for everything that happened in this moment.
    void Promise.resolve().then(() => {
      isScheduled = false;
      for (const listener of healthListeners) listener();
      for (const listener of pushListeners) listener('snapshot', snapshot());
    });
  };

  const apply = (event: EngineEvent, at: number, source: string | null = null): Step => {
    const before = state;
    const result = step(state, event, at, ports.random());
    state = result.state;
    if (SYNCED.some((part) => before[part] !== state[part])) tellOthers(source);
    for (const fact of result.facts) if (fact.type === 'model.changed') changedAt.set(fact.model, rev + 1);
    // A reset tells of itself, for all the models it touched.
    const facts = event.type === 'health.reset' ? [] : result.facts;
    for (const row of rowsOf({ ...result, facts }, { state, now: at, wallOf })) history.note(row, wallOf(at));
    inbox.hear(event, result.notes, wallOf(at));
    if (event.type === 'switch.carried' && event.ok) history.timeSwitch(event.turn, event.durationMs);
    if (event.type === 'scope.configured' && event.config.enabled)
      history.note(plainRow('config.loaded', { detail: projectOf(event.directory) }), wallOf(at));
    if (!isReplaying) wakeFor(result.wakeAt);
    publish();
    return result;
  };

  const tellOthers = (source: string | null): void => {
    for (const instance of instances.connected())
      if (instance !== source) behindUntil.set(instance, clock.now() + BEHIND_MS);
  };

  const wakeFor = (at: number | null): void => {
    cancelWake?.();
    cancelWake = at === null ? null : clock.schedule(Math.max(0, at - clock.now()), tick);
  };

  const tick = (): void => {
    const at = clock.now();
    const before = history.count();
    apply({ type: 'tick' }, at);
    if (history.count() !== before) log.append({ v: 1, at, from: null, event: { type: 'tick' } });
  };

  const leave = (instance: string, at: number): void => {
    if (!instances.leave(instance, wallOf(at))) return;
    drills.lost(instance);
    behindUntil.delete(instance);
    history.note(plainRow('instance.lost'), wallOf(at));
    publish();
  };

  const act = (event: AppEvent, at: number): void => {
    if (!isReplaying) log.append({ v: 1, at, from: null, event });
    switch (event.type) {
      case 'instance.connected':
        instances.arrive(event, wallOf(at));
        behindUntil.set(event.instance, clock.now() + BEHIND_MS);
        history.note(plainRow('instance.connected', { state: 'ready', detail: event.opencode }), wallOf(at));
        publish();
        break;
      case 'instance.lost':
        leave(event.instance, at);
        break;
      case 'health.reset':
        apply(event, at);
        history.note(resetRow(event.target), wallOf(at));
        break;
      case 'person.acted':
        apply(eventOf(event), at);
        break;
      case 'drill.ended':
        history.note(drillRow(event.result), wallOf(at));
        publish();
        break;
      case 'tick':
      case 'lease.requested':
        apply(event, at);
        break;
    }
  };

  const accept = (instance: string, said: Readonly<{ seq: number; at: number; event: CompanionEvent }>): void => {
    if (isReplaying) instances.remember(instance);
    if (!instances.hear(instance, said.seq)) return;
    const event = withoutSecrets(said.event);
    if (event.type === 'scope.configured') instances.opened(instance, event.directory);
    if (!isReplaying) log.append({ v: 1, at: said.at, from: { instance, seq: said.seq }, event });
    if (event.type === 'usage.recorded') {
      usage.add({ ...event, position: positionIn(state, event) });
      publish();
      return;
    }
    if (event.type === 'scope.closed' && instances.isOpenElsewhere(instance, event.directory)) return;
    apply(asEngineEvent(event), said.at, instance);
    if (event.type === 'health.reset') history.note(resetRow(event.target), wallOf(said.at));
  };

  const lease = (instance: string, model: string): boolean => {
    const epoch = instances.epochOf(instance);
    const at = clock.now();
    if (epoch === null || isGranted(state, model, epoch, at)) return true;
    const event = { type: 'lease.requested', model, epoch } as const;
    const { grants } = state;
    const isOk = apply(event, at, instance).notes.some(({ code, ok }) => code === 'lease.answered' && ok);
    if (state.grants !== grants) log.append({ v: 1, at, from: null, event });
    return isOk;
  };

  const snapshot = (): Snapshot => {
    const now = clock.now();
    cached ??= buildSnapshot(viewOf(state, now), {
      rev,
      state,
      wall: clock.wall(),
      now,
      app,
      connection: instances.connection(),
      instances: instances.rows(),
      events: history.rows(),
      config: [...config],
      unknownPhrases: inbox.count(),
      usage,
    });
    return cached;
  };

  /** A model's state is a matter of time: an old picture is drawn again even when nothing happened. */
  const freshSnapshot = (): Snapshot => {
    cached = null;
    return snapshot();
  };

  const reset: PanelHost['handlers']['health.reset'] = ({ target, rev: seen }) => {
    const refuse = (reason: string) => ({ accepted: false as const, reason });
    if (!('all' in target) && !viewOf(state, clock.now()).models.some(({ model }) => isMeant(target, model)))
      return refuse('Understudy knows no such model. Look again, then decide.');
    const stale = [...changedAt].find(([model, at]) => at > seen && isMeant(target, model));
    if (stale) return refuse(`${stale[0]} has changed since you looked. Look again, then decide.`);
    act({ type: 'health.reset', target, actor: 'panel' }, clock.now());
    return { accepted: true, rev };
  };

  const personAct: PanelHost['handlers']['person.act'] = ({ act, actor, rev: seen }): QueryOutput<'person.act'> => {
    const refuse = (reason: string) => ({ accepted: false as const, reason });
    const said = { act, actor };
    const subject = subjectOf(act);
    const at = clock.now();
    const changes = act.type.startsWith('health.') ? changedAt : setAt;
    if (subject && (changes.get(subject.key) ?? 0) > seen)
      return refuse(`${subject.name} has changed since you looked. Look again, then decide.`);
    const objection = objectionTo(said, state, at) ?? refusalIn(apply(eventOf(said), at));
    if (objection !== null) return refuse(objection);
    log.append({ v: 1, at, from: null, event: { type: 'person.acted', ...said } });
    if (subject) changes.set(subject.key, rev);
    const relay = relayOf(said);
    if (relay) for (const listener of actListeners) listener(relay);
    return { accepted: true, rev };
  };

  const drill: PanelHost['handlers']['drill.run'] = async (input) => {
    const instance = instances.whereOpen(input.directory);
    if (instance === null) return { ok: false, reason: notThere(input.directory) };
    const result = await drills.run(instance, input);
    act({ type: 'drill.ended', result }, clock.now());
    return result;
  };

  return {
    host: {
      handlers: {
        'snapshot.get': freshSnapshot,
        'phrases.unknown': inbox.page,
        'health.reset': reset,
        'person.act': personAct,
        'drill.run': drill,
        ...setupHandlers(ports.setup ?? null, freshSnapshot),
      },
      subscribe: (listener) => listen(pushListeners, listener),
    },
    replay(records) {
      isReplaying = true;
      for (const { at, from, event } of records) {
        if (from) accept(from.instance, { seq: from.seq, at, event: event as CompanionEvent });
        else act(event as AppEvent, at);
      }
      for (const instance of instances.connected()) leave(instance, clock.now());
      isReplaying = false;
      tick();
    },
    connected(companion) {
      const heard = instances.heardOf(companion);
      act({ type: 'instance.connected', ...companion }, clock.now());
      return heard;
    },
    told: (instance, { seq, ageMs, sentAt, event }) =>
      accept(instance, { seq, at: clock.now() - ageMs - transitMs(sentAt, clock.wall()), event }),
    lost: (instance) => act({ type: 'instance.lost', instance }, clock.now()),
    incompatible(companion) {
      if (instances.knock(companion)) publish();
    },
    setConfig(rows, readers = []) {
      config = rows;
      inbox.setReaders(readers);
      publish();
    },
    lease,
    syncFor(instance) {
      const seen = asSeenBy(state, instances.epochOf(instance) ?? '');
      const health = exportHealth(seen, clock.now());
      return { ackSeq: instances.ackOf(instance), rev, sentAt: clock.wall(), health };
    },
    isBehind: (instance) => (behindUntil.get(instance) ?? 0) > clock.now(),
    onAct: (listener) => listen(actListeners, listener),
    onDrill: (listener) => listen(drillListeners, listener),
    drilled: drills.ended,
    onHealth: (listener) => listen(healthListeners, listener),
    state: () => state,
    dispose() {
      cancelWake?.();
      pushListeners.clear();
      healthListeners.clear();
      actListeners.clear();
      drillListeners.clear();
    },
  };
}

function listen<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const notThere = (directory: string): string =>
  `no OpenCode with a chain in force runs in ${directory}. Start OpenCode there; "understudy doctor" tells what else is missing`;

const isMeant = (target: Target, model: string): boolean => {
  if ('all' in target) return true;
  return 'model' in target ? target.model === model : model.startsWith(`${target.provider}/`);
};

/** Where in the chain of whoever speaks a model stands; null when the agent, or the model in its chain, is unknown. */
function positionIn(state: EngineState, { session, agent, model }: UsageRecorded): number | null {
  const speaker = get(state.speakers, speakerKey(session, agent));
  const position = speaker ? chainOf(state, speaker).indexOf(model) : -1;
  return position < 0 ? null : position;
}

/** Companions redact what they send; what is written down for good does not depend on that. */
const withoutSecrets = (event: CompanionEvent): CompanionEvent =>
  event.type === 'attempt.failed' ? { ...event, evidence: redactEvidence(event.evidence) } : event;
