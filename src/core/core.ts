import type { ConfigRow, PanelHost, PushData, PushName, Snapshot } from '../contract';
import { type EngineEvent, type EngineState, initialState, type Step, type SyncedHealth, step } from '../engine';
import { asSeenBy, entries, exportHealth, isGranted, positionIn, redactEvidence, shiftState } from '../engine/tools';
import {
  asEngineEvent,
  asEngineHealth,
  type CompanionEvent,
  SyncedHealth as HealthOnWire,
  isNoted,
  type RelayedAct,
  ScopeConfigured,
  transitMs,
} from '../protocol';
import { eventOf } from './acts/acts';
import { createBehind } from './acts/behind';
import { createDrills, type Drills } from './acts/drills';
import { type Companion, createInstances } from './acts/instances';
import { createPeople } from './acts/people';
import { createProbes } from './acts/probes';
import type { KindReader } from './base/kind-reader';
import { listen, tellEach } from './base/listen';
import { createLogTime } from './base/log-time';
import { projectOf } from './base/project';
import type { AppEvent, LogRecord } from './base/record';
import { createBooks } from './history/books';
import { drillRow, isLate, plainRow, probeRow, resetRow, rowsOf } from './history/event-rows';
import { createHistory } from './history/history';
import { createInbox } from './history/inbox';
import { createPulse } from './history/pulse';
import { createReading } from './history/reading';
import { createSessionEnds } from './history/session-ends';
import { createUsageBook } from './history/usage';
import { createNotices, isAtWork } from './notices';
import { watchClock } from './ports/clock-watch';
import { dataHandlers } from './ports/data';
import { demoHandlers } from './ports/demo';
import type { CorePorts } from './ports/ports';
import { preferencesHandlers } from './ports/preferences';
import { setupHandlers } from './ports/setup';
import { browserShell } from './ports/shell';
import type { ScorecardDesk } from './scorecard/desk';
import { buildSnapshot, EVENTS_SHOWN } from './snapshot';

export type { Companion } from './acts/instances';

/** What a companion has to know to agree with the app. */
export type HealthSync = Readonly<{ seenSeq: number | null; rev: number; sentAt: number; health: SyncedHealth }>;

/** What a companion says of an event; `dropped` is how many it had to forget that were never written. */
type Told = Readonly<{
  seq: number;
  ageMs: number;
  sentAt: number;
  dropped?: number | undefined;
  event: CompanionEvent;
}>;

/** The application without a host: one engine, one log, one snapshot. */
export type Core = Readonly<{
  host: PanelHost;
  /** Takes in the log of an earlier life, oldest first, before anything else happens. */
  replay(records: Iterable<LogRecord>): void;
  /** A companion is there. @returns the last number the core has of it; null when it knows none. */
  connected(companion: Companion): number | null;
  /** Something happened in an OpenCode process, `ageMs` before it was sent. Numbers already known are ignored. */
  told(instance: string, said: Told): void;
  /** Records stand in the file of the log: who said them may be told. */
  written(records: readonly LogRecord[]): void;
  /** Records that no file will hold: the disk took nothing for too long, and too many waited. */
  givenUp(records: readonly LogRecord[]): void;
  /** The last number of a companion that is in that file; null when none is. */
  keptOf(instance: string): number | null;
  /** Calls back when records have been written. @returns what ends it. */
  onWritten(listener: () => void): () => void;
  lost(instance: string): void;
  /** A companion of another version knocked. */
  incompatible(companion: Companion | null): void;
  /** What companions have found out by themselves, while no core was there to be told. */
  learned(health: SyncedHealth): void;
  /** Something to say of where history is kept, in words for people. */
  noteHistory(notice: string): void;
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
  /** A companion has taken in the view of that `rev`. */
  taken(instance: string, rev: number): void;
  /** Calls back with each act of a person that a companion has to carry out. @returns what ends it. */
  onAct(listener: (event: RelayedAct) => void): () => void;
  /** Drills that companions make for a person. */
  drills: Pick<Drills, 'onAsk' | 'ended'>;
  /** Calls back whenever companions should hear of health again. @returns what ends it. */
  onHealth(listener: () => void): () => void;
  /** Calls back when a session ends. @returns what ends it. */
  onSessionEnd(listener: (session: string, directory: string) => void): () => void;
  /** Figures, and what they are exported as. */
  desk: ScorecardDesk;
  /** A newer version lies ready to be started. */
  updateReady(version: string): void;
  /** Hands what waits to the store. */
  flush(): void;
  /** The machine may have slept: what ends at a moment of the wall clock is set right. */
  woken(): void;
  state(): EngineState;
  dispose(): void;
}>;

type PushListener = <P extends PushName>(name: P, data: PushData<P>) => void;

/** The log is put aside when it is long: what the clocks said is written down again every so many records. */
const READ_CLOCK_EVERY = 10_000;

/** Health as companions hear it: the same for all that probe nothing. `at` is engine ms, `sentAt` wall clock. */
type Exported = Readonly<{ state: EngineState; at: number; sentAt: number; health: SyncedHealth }>;
/** It is told to so many as hear of it within this time, in ms; how old it is goes with it. */
const EXPORT_KEPT_MS = 50;

/** Makes a core on its ports. */
export function createCore(ports: CorePorts, app: Snapshot['app']): Core {
  const { clock, log } = ports;
  const books = createBooks(clock, ports.store);
  const history = createHistory({ ...books, events: ports.store?.events ?? null });
  const inbox = createInbox();
  const pulse = createPulse();
  const usage = createUsageBook();
  const instances = createInstances(clock);
  const behind = createBehind(instances.connected);
  /** Revisions of the last change: of models, and of pins and the pause. */
  const changedAt = new Map<string, number>();
  const setAt = new Map<string, number>();
  const pushListeners = new Set<PushListener>();
  const healthListeners = new Set<() => void>();
  const actListeners = new Set<(event: RelayedAct) => void>();
  const writtenListeners = new Set<() => void>();
  const time = watchClock(clock);
  const logTime = createLogTime();
  const drills = createDrills(clock, {
    whereOpen: instances.whereOpen,
    tell: (result) => act({ type: 'drill.ended', result }, clock.now()),
  });
  const endListeners = new Set<(session: string, directory: string) => void>();
  const ends = createSessionEnds(clock, (session, directory) => {
    const { turns, fallbacksOut: fallbacks, cost } = reading.desk.report({ session }).overall;
    const figures = { turns: turns.total, fallbacks, cost: cost.total };
    notices.tell({ what: 'finished', session, project: projectOf(directory), ...figures });
    tellEach(endListeners, (listener) => listener(session, directory));
  });
  let state: EngineState = initialState;
  let rev = 0;
  let config: readonly ConfigRow[] = [];
  let settings = 0;
  let cached: Snapshot | null = null;
  let exported: Exported | null = null;
  let isScheduled = false;
  let isReplaying = false;
  let cancelWake: (() => void) | null = null;
  /** When those who are connected came, in engine ms. */
  const arrivedAt = new Map<string, number>();

  const append = (said: Omit<LogRecord, 'v' | 'n'>): void => {
    const n = books.number();
    log.append({ v: 1, n, ...said });
    if (n % READ_CLOCK_EVERY === 0) readClock();
  };
  const wallOf = (engineMs: number): number => Math.round(engineMs + (isReplaying ? logTime : time).offsetMs());
  const readClock = (): void => {
    const read = time.read();
    if (read) act({ type: 'clock.read', clock: read, movedMs: 0 }, clock.now());
  };
  /** What was known in earlier lives is as much older as time has gone by since, whatever the wall clock was set to. */
  const beginLife = (): void => {
    const read = time.read();
    if (!read) return;
    const at = clock.now();
    const event = { type: 'clock.read', clock: read, movedMs: logTime.movedMs(at, read) } as const;
    append({ at, from: null, event });
    logTime.hear({ at, event });
    act(event, at);
  };

  const publish = (): void => {
    rev++;
    cached = null;
    if (isScheduled || isReplaying) return;
    isScheduled = true;
    // One picture for everything that happened in this moment.
    void Promise.resolve().then(() => {
      isScheduled = false;
      tellEach(healthListeners, (listener) => listener());
      const picture = snapshot();
      tellEach(pushListeners, (listener) => listener('snapshot', picture));
    });
  };

  const apply = (event: EngineEvent, at: number, source: string | null = null): Step => {
    const before = state;
    ports.onStep?.(before, event, at);
    const result = step(state, event, at, ports.random());
    state = result.state;
    behind.changed(before, state, source);
    for (const fact of result.facts) if (fact.type === 'model.changed') changedAt.set(fact.model, rev + 1);
    // A reset tells of itself, for all the models it touched.
    const facts = event.type === 'health.reset' ? result.facts.filter(isLate) : result.facts;
    const alert = books.take(event, result, { state, wall: wallOf(at) });
    for (const row of rowsOf({ ...result, facts }, { state, now: at, wallOf })) history.note(row, wallOf(at));
    inbox.hear(event, result.notes, wallOf(at));
    notices.hear({ event, after: state, result, now: at, wallOf, isAlarming: alert !== null });
    pulse.hear({ life: result.life, facts: result.facts, at: wallOf(at) });
    if (event.type === 'switch.carried' && event.ok) history.timeSwitch(event.turn, event.durationMs);
    if (event.type === 'scope.configured' && event.config.enabled)
      history.note(plainRow('config.loaded', { detail: projectOf(event.directory) }), wallOf(at));
    if (alert) history.note(plainRow('failures.many', { until: alert.until }), wallOf(at));
    if (!isReplaying) {
      // Before it connected, its companion was alone and reported ends itself.
      ends.hear(event, at, source !== null && at < (arrivedAt.get(source) ?? 0));
      wakeFor(result.wakeAt);
    }
    publish();
    return result;
  };

  const wakeFor = (at: number | null): void => {
    cancelWake?.();
    cancelWake = at === null ? null : clock.schedule(Math.max(0, at - clock.now()), tick);
  };

  const woken = (): void => {
    const parted = time.parted();
    if (!parted) return;
    if (parted.sleptMs > 0) act({ type: 'host.resumed', asleepMs: parted.sleptMs }, clock.now());
    if (parted.setMs !== 0) readClock();
    notices.look();
  };

  const tick = (): void => {
    woken();
    const at = clock.now();
    const before = history.count();
    apply({ type: 'tick' }, at);
    if (history.count() !== before) append({ at, from: null, event: { type: 'tick' } });
  };

  const leave = (instance: string, at: number): void => {
    const left = instances.workedIn(instance).filter((place) => !instances.isOpenElsewhere(instance, place));
    if (!instances.leave(instance, wallOf(at))) return;
    if (isAtWork(state, left, at)) notices.tell({ what: 'lost' });
    drills.lost(instance);
    behind.drop(instance);
    arrivedAt.delete(instance);
    history.note(plainRow('instance.lost'), wallOf(at));
    for (const directory of left) ends.left(directory);
    publish();
  };

  const act = (event: AppEvent, at: number): void => {
    // What begins a new log is not added to the old one.
    if (!isReplaying && event.type !== 'data.erased') append({ at, from: null, event });
    switch (event.type) {
      case 'instance.connected':
        instances.arrive(event, wallOf(at));
        arrivedAt.set(event.instance, at);
        behind.add(event.instance);
        notices.tell({ what: 'connected' });
        history.note(plainRow('instance.connected', { state: 'ready', detail: event.opencode }), wallOf(at));
        publish();
        break;
      case 'instance.lost':
        leave(event.instance, at);
        break;
      case 'health.reset':
        apply(event, at);
        history.note(resetRow(event), wallOf(at));
        break;
      case 'health.learned':
        apply({ type: 'health.synced', health: asEngineHealth(event.health) }, at);
        break;
      case 'person.acted':
        apply(eventOf(event), at);
        break;
      case 'drill.ended':
        history.note(drillRow(event.result), wallOf(at));
        publish();
        break;
      case 'probe.ended':
        history.note(probeRow(event.model, event.result), wallOf(at));
        if (event.result.ok) notices.tell({ what: 'answered', model: event.model, of: null, lead: null });
        publish();
        break;
      case 'clock.read':
        if (event.movedMs !== 0) state = shiftState(state, event.movedMs);
        publish();
        break;
      case 'tick':
      case 'host.resumed':
      case 'lease.requested':
        apply(event, at);
        break;
      case 'notice.told':
      case 'notice.read':
        notices.take(event, at);
        break;
      case 'data.erased':
        for (const { instance, seq, directories } of event.heard) {
          instances.remember(instance);
          instances.hear(instance, seq);
          if (isReplaying) instances.keep(instance, seq);
          for (const directory of directories) instances.opened(instance, directory);
        }
        for (const scope of event.scopes) apply(asEngineEvent(scope), at);
        history.note(plainRow('history.notice', { detail: 'Everything recorded before was deleted' }), wallOf(at));
        publish();
        break;
    }
  };

  /** Forgets everything but who is there and how directories are configured. @returns what the new log begins with. */
  const beginAnew = (): LogRecord => {
    const at = clock.now();
    const read = time.read();
    const event: AppEvent = {
      type: 'data.erased',
      ...(read ? { clock: read } : {}),
      heard: instances.shown().flatMap((instance) => {
        const seq = instances.seenOf(instance);
        return seq === null ? [] : [{ instance, seq, directories: [...instances.directoriesOf(instance)] }];
      }),
      scopes: entries(state.scopes).map(([directory, config]) =>
        ScopeConfigured.parse({ type: 'scope.configured', directory, config }),
      ),
    };
    for (const memory of [books, history, inbox, pulse, usage, notices]) memory.forget();
    changedAt.clear();
    setAt.clear();
    ends.forget();
    state = initialState;
    behind.tell(null);
    const record: LogRecord = { v: 1, n: books.number(), at, from: null, event };
    act(event, at);
    return record;
  };

  const accept = (instance: string, said: Readonly<{ seq: number; at: number; event: CompanionEvent }>): void => {
    if (isReplaying) instances.remember(instance);
    if (!instances.hear(instance, said.seq)) return;
    if (isReplaying) instances.keep(instance, said.seq);
    const event = withoutSecrets(said.event);
    if (event.type === 'scope.configured') instances.opened(instance, event.directory);
    if (!isReplaying) append({ at: said.at, from: { instance, seq: said.seq }, event });
    if (isNoted(event)) {
      if (event.type === 'usage.recorded') usage.add({ ...event, position: positionIn(state, event) });
      books.note(event, { state, wall: wallOf(said.at) });
      publish();
      return;
    }
    if (event.type === 'scope.closed') {
      instances.closed(instance, event.directory);
      if (instances.isOpenElsewhere(instance, event.directory)) {
        publish();
        return;
      }
    }
    apply(asEngineEvent(event), said.at, instance);
    if (event.type === 'health.reset') history.note(resetRow(event), wallOf(said.at));
  };

  const lease = (instance: string, model: string): boolean => {
    const epoch = instances.epochOf(instance);
    const at = clock.now();
    if (epoch === null || isGranted(state, model, epoch, at)) return true;
    const event = { type: 'lease.requested', model, epoch } as const;
    const { grants } = state;
    const isOk = apply(event, at, instance).notes.some(({ code, ok }) => code === 'lease.answered' && ok);
    if (state.grants !== grants) append({ at, from: null, event });
    return isOk;
  };

  const snapshot = (): Snapshot => {
    const now = clock.now();
    cached ??= buildSnapshot({
      rev,
      state,
      // One clock for the moment and for all that is reckoned from it, also while somebody sets the other.
      wall: wallOf(now),
      now,
      wallOf,
      app,
      connection: instances.connection(),
      instances: instances.rows(),
      events: history.rows(EVENTS_SHOWN),
      config: [...config],
      unknownPhrases: inbox.count(),
      settings,
      unreadNotices: notices.unread(),
      pulse,
      usage,
    });
    return cached;
  };

  const newSettings = (): void => {
    settings++;
    notices.look();
    publish();
  };

  /** A model's state is a matter of time: an old picture is drawn again even when nothing happened. */
  const freshSnapshot = (): Snapshot => {
    woken();
    cached = null;
    return snapshot();
  };

  const notices = createNotices({
    ...{ clock, preferences: ports.preferences ?? null, isDemo: app.isDemo ?? false },
    isReplaying: () => isReplaying,
    record: (event) => act(event, clock.now()),
    push: (data) => {
      tellEach(pushListeners, (listener) => listener('notice', data));
    },
    onChange: publish,
  });

  const people = createPeople({
    ...{ now: clock.now, changedAt, setAt, act, apply, append, settle: log.settle },
    rev: () => rev,
    state: () => state,
    relay: (event) => {
      tellEach(actListeners, (listener) => listener(event));
    },
  });

  const reading = createReading({
    ...{ clock, log, store: ports.store, version: app.version },
    ...{ books, history, inbox, pulse },
    state: () => state,
    recent: () => freshSnapshot().sessions,
  });

  const probe = createProbes({
    ask: ports.probe ?? null,
    rowOf: (model) => freshSnapshot().models.find((row) => row.model === model) ?? null,
    projectOf: (model) =>
      snapshot().models.find((row) => row.model === model)?.apart?.[0] ??
      snapshot().chains.find(({ chain }) => chain.some((link) => link.model === model))?.directory ??
      null,
    hasChangedSince: (model, seen) => (changedAt.get(model) ?? 0) > seen,
    rev: () => rev,
    tell: (model, result) => act({ type: 'probe.ended', model, result, actor: 'panel' }, clock.now()),
    bringBack: (model) => act({ type: 'health.reset', target: { model }, actor: 'panel' }, clock.now()),
  });

  return {
    host: {
      handlers: {
        'snapshot.get': freshSnapshot,
        ...reading.handlers,
        ...people,
        'drill.run': drills.run,
        ...dataHandlers(ports.data ?? null, { flush: books.flush, beginAnew }),
        'model.probe': probe,
        ...demoHandlers(ports.demo ?? null),
        ...browserShell(),
        ...notices.writing(setupHandlers(ports.setup ?? null, freshSnapshot)),
        ...preferencesHandlers(ports.preferences ?? null, newSettings),
        ...notices.handlers,
      },
      subscribe: (listener) => listen(pushListeners, listener),
    },
    replay(records) {
      isReplaying = true;
      for (const { n, at, from, event } of records) {
        logTime.hear({ at, event });
        books.replaying(n);
        if (from) accept(from.instance, { seq: from.seq, at, event: event as CompanionEvent });
        else act(event as AppEvent, at);
      }
      books.replayed();
      beginLife();
      for (const instance of instances.connected()) leave(instance, clock.now());
      notices.replayed();
      isReplaying = false;
      tick();
    },
    connected(companion) {
      const heard = instances.heardOf(companion);
      act({ type: 'instance.connected', ...companion }, clock.now());
      return heard;
    },
    told(instance, { seq, ageMs, sentAt, dropped = 0, event }) {
      woken();
      if (instances.drop(instance, dropped)) publish();
      accept(instance, { seq, at: clock.now() - ageMs - transitMs(sentAt, clock.wall()), event });
    },
    written(records) {
      for (const { from, event } of records) {
        if (from) instances.keep(from.instance, from.seq);
        // What it deleted is not written any more, and nobody has to tell it again.
        if (event.type === 'data.erased') for (const { instance, seq } of event.heard) instances.keep(instance, seq);
      }
      tellEach(writtenListeners, (listener) => listener());
    },
    givenUp(records) {
      for (const { from } of records) if (from) instances.lose(from.instance);
      publish();
    },
    keptOf: instances.keptOf,
    onWritten: (listener) => listen(writtenListeners, listener),
    lost: (instance) => act({ type: 'instance.lost', instance }, clock.now()),
    incompatible(companion) {
      if (companion) notices.tell({ what: 'differs', version: companion.plugin });
      if (instances.knock(companion)) publish();
    },
    learned(health) {
      // What the log could not hold is not taken in either: a replay has to come to the same.
      const { data } = HealthOnWire.safeParse(health);
      if (data) act({ type: 'health.learned', health: data }, clock.now());
    },
    noteHistory(notice) {
      history.note(plainRow('history.notice', { detail: notice }), clock.wall());
      publish();
    },
    setConfig(rows, readers = []) {
      config = rows;
      inbox.setReaders(readers);
      notices.configured(rows);
      newSettings();
    },
    lease,
    syncFor(instance) {
      const seen = asSeenBy(state, instances.epochOf(instance) ?? '');
      const at = clock.now();
      if (exported?.state !== seen || at - exported.at > EXPORT_KEPT_MS)
        exported = { state: seen, at, sentAt: clock.wall(), health: exportHealth(seen, at) };
      const { sentAt, health } = exported;
      return { seenSeq: instances.seenOf(instance), rev: behind.viewFor(instance), sentAt, health };
    },
    isBehind: behind.has,
    taken: behind.taken,
    onAct: (listener) => listen(actListeners, listener),
    drills,
    onHealth: (listener) => listen(healthListeners, listener),
    onSessionEnd: (listener) => listen(endListeners, listener),
    desk: reading.desk,
    updateReady: (version) => notices.tell({ what: 'update', version }),
    flush: books.flush,
    woken,
    state: () => state,
    dispose() {
      books.flush();
      ends.forget();
      notices.close();
      cancelWake?.();
      pushListeners.clear();
      healthListeners.clear();
      actListeners.clear();
      writtenListeners.clear();
    },
  };
}

/** Companions redact what they send; what is written down for good does not depend on that. */
const withoutSecrets = (event: CompanionEvent): CompanionEvent =>
  event.type === 'attempt.failed' ? { ...event, evidence: redactEvidence(event.evidence) } : event;
