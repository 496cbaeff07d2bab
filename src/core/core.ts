import type { ConfigRow, EventRow, InstanceRow, PanelHost, PushData, PushName, Snapshot } from '../contract';
import {
  type EngineEvent,
  type EngineState,
  exportHealth,
  initialState,
  type SyncedHealth,
  step,
  viewOf,
} from '../engine';
import { asEngineEvent, type CompanionEvent } from '../protocol';
import { type DraftRow, plainRow, rowsOf } from './event-rows';
import type { CorePorts } from './ports';
import type { AppEvent, LogRecord } from './record';
import { buildSnapshot, projectOf } from './snapshot';

/** Rows of "what happened" kept in memory. */
const EVENTS_KEPT = 500;
/** Instances that are gone and still shown. */
const GONE_SHOWN = 5;

/** One OpenCode process, as its companion introduced itself. */
export type Companion = Readonly<{ instance: string; epoch: string; pid: number; opencode: string; plugin: string }>;

/** What a companion has to know to agree with the app. */
export type HealthSync = Readonly<{ ackSeq: number | null; rev: number; health: SyncedHealth }>;

/** The application without a host: one engine, one log, one snapshot. */
export type Core = Readonly<{
  host: PanelHost;
  /** Takes in the log of an earlier life, oldest first, before anything else happens. */
  replay(records: readonly LogRecord[]): void;
  /** A companion is there. @returns the last number the core has of it; null when it knows none. */
  connected(companion: Companion): number | null;
  /** Something happened in an OpenCode process, `ageMs` ago. Numbers already known are ignored. */
  told(instance: string, said: Readonly<{ seq: number; ageMs: number; event: CompanionEvent }>): void;
  lost(instance: string): void;
  /** A companion of another version knocked. */
  incompatible(companion: Companion | null): void;
  /** Problems of configuration files, for the snapshot. */
  setConfig(rows: readonly ConfigRow[]): void;
  syncFor(instance: string): HealthSync;
  /** Calls back whenever companions should hear of health again. @returns what ends it. */
  onHealth(listener: () => void): () => void;
  state(): EngineState;
  dispose(): void;
}>;

type InstanceState = { row: InstanceRow; epoch: string; lastSeq: number | null };

/** Makes a core on its ports. */
export function createCore(ports: CorePorts, app: Snapshot['app']): Core {
  const { clock, log } = ports;
  let state: EngineState = initialState;
  let rev = 0;
  let nextId = 1;
  let config: readonly ConfigRow[] = [];
  let connection: Snapshot['connection'] = { status: 'waiting', since: clock.wall() };
  let cached: Snapshot | null = null;
  let isScheduled = false;
  let isReplaying = false;
  let cancelWake: (() => void) | null = null;
  const events: (EventRow & { turn: string | null })[] = [];
  const instances = new Map<string, InstanceState>();
  const changedAt = new Map<string, number>();
  const pushListeners = new Set<<P extends PushName>(name: P, data: PushData<P>) => void>();
  const healthListeners = new Set<() => void>();

  const wallOf = (engineMs: number): number => Math.round(clock.wall() + engineMs - clock.now());

  const note = (draft: DraftRow, at: number): void => {
    events.push({ ...draft, id: nextId++, at: wallOf(at) });
    if (events.length > EVENTS_KEPT) events.shift();
  };

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

  const apply = (event: EngineEvent, at: number): void => {
    const result = step(state, event, at, ports.random());
    state = result.state;
    for (const fact of result.facts) if (fact.type === 'model.changed') changedAt.set(fact.model, rev + 1);
    for (const row of rowsOf(result.decisions, result.facts, { state, now: at, wallOf })) note(row, at);
    if (event.type === 'switch.carried' && event.ok) timeSwitch(event.turn, event.durationMs);
    if (event.type === 'scope.configured' && event.config.enabled)
      note(plainRow('config.loaded', { detail: projectOf(event.directory) }), at);
    if (!isReplaying) wakeFor(result.wakeAt);
    publish();
  };

  const timeSwitch = (turn: string, durationMs: number): void => {
    const row = events.findLast((event) => event.turn === turn && event.to !== null);
    if (row) row.durationMs = durationMs;
  };

  const wakeFor = (at: number | null): void => {
    cancelWake?.();
    cancelWake = at === null ? null : clock.schedule(Math.max(0, at - clock.now()), tick);
  };

  const tick = (): void => {
    const at = clock.now();
    const before = nextId;
    apply({ type: 'tick' }, at);
    if (nextId !== before) log.append({ v: 1, at, from: null, event: { type: 'tick' } });
  };

  const act = (event: AppEvent, at: number): void => {
    if (!isReplaying) log.append({ v: 1, at, from: null, event });
    switch (event.type) {
      case 'instance.connected':
        arrive(event, at);
        break;
      case 'instance.lost':
        leave(event.instance, at);
        break;
      case 'health.reset':
        apply(event, at);
        note(resetRow(event.target), at);
        break;
      case 'tick':
        apply(event, at);
        break;
    }
  };

  const arrive = (companion: Companion, at: number): void => {
    const { instance, epoch, pid, opencode, plugin } = companion;
    const known = instances.get(instance);
    const row: InstanceRow = {
      instance,
      pid,
      opencode,
      plugin,
      directories: known?.row.directories ?? [],
      status: 'connected',
      since: wallOf(at),
    };
    instances.set(instance, { row, epoch, lastSeq: known?.epoch === epoch ? known.lastSeq : null });
    note(plainRow('instance.connected', { state: 'ready', detail: opencode }), at);
    link();
  };

  const leave = (instance: string, at: number): void => {
    const known = instances.get(instance);
    if (known?.row.status !== 'connected') return;
    known.row = { ...known.row, status: 'lost', since: wallOf(at) };
    const gone = [...instances].filter(([, other]) => other.row.status !== 'connected');
    for (const [key] of gone.slice(0, Math.max(0, gone.length - GONE_SHOWN))) instances.delete(key);
    note(plainRow('instance.lost'), at);
    link();
  };

  /** An instance whose arrival stood in a part of the log that is no longer kept. */
  const forgotten = (instance: string): InstanceState => {
    const row: InstanceRow = {
      instance,
      pid: 0,
      opencode: '',
      plugin: '',
      directories: [],
      status: 'lost',
      since: clock.wall(),
    };
    const known = { row, epoch: '', lastSeq: null };
    instances.set(instance, known);
    return known;
  };

  const link = (): void => {
    const isConnected = [...instances.values()].some(({ row }) => row.status === 'connected');
    const status = isConnected ? 'connected' : instances.size > 0 ? 'lost' : 'waiting';
    if (status !== connection.status) connection = { status, since: clock.wall() };
    publish();
  };

  const accept = (instance: string, said: Readonly<{ seq: number; at: number; event: CompanionEvent }>): void => {
    const known = instances.get(instance) ?? (isReplaying ? forgotten(instance) : undefined);
    if (!known || (known.lastSeq !== null && said.seq <= known.lastSeq)) return;
    known.lastSeq = said.seq;
    if (said.event.type === 'scope.configured' && !known.row.directories.includes(said.event.directory)) {
      known.row = { ...known.row, directories: [...known.row.directories, said.event.directory] };
    }
    if (!isReplaying) log.append({ v: 1, at: said.at, from: { instance, seq: said.seq }, event: said.event });
    apply(asEngineEvent(said.event), said.at);
  };

  const snapshot = (): Snapshot => {
    const now = clock.now();
    cached ??= buildSnapshot(viewOf(state, now), {
      rev,
      wall: clock.wall(),
      now,
      app,
      connection,
      instances: [...instances.values()].map(({ row }) => row),
      events: events.map(({ turn: _, ...row }) => row),
      config: [...config],
    });
    return cached;
  };

  /** A model's state is a matter of time: an old picture is drawn again even when nothing happened. */
  const freshSnapshot = (): Snapshot => {
    cached = null;
    return snapshot();
  };

  const reset: PanelHost['handlers']['health.reset'] = ({ target, rev: seen }) => {
    const stale = [...changedAt].find(([model, at]) => at > seen && isMeant(target, model));
    if (stale) return { accepted: false, reason: `${stale[0]} has changed since you looked. Look again, then decide.` };
    act({ type: 'health.reset', target, actor: 'panel' }, clock.now());
    return { accepted: true, rev };
  };

  return {
    host: {
      handlers: { 'snapshot.get': freshSnapshot, 'health.reset': reset },
      subscribe(listener) {
        pushListeners.add(listener);
        return () => pushListeners.delete(listener);
      },
    },
    replay(records) {
      isReplaying = true;
      for (const { at, from, event } of records) {
        if (from) accept(from.instance, { seq: from.seq, at, event: event as CompanionEvent });
        else act(event as AppEvent, at);
      }
      for (const [instance, known] of instances) if (known.row.status === 'connected') leave(instance, clock.now());
      isReplaying = false;
      tick();
    },
    connected(companion) {
      const known = instances.get(companion.instance);
      act({ type: 'instance.connected', ...companion }, clock.now());
      return known?.epoch === companion.epoch ? known.lastSeq : null;
    },
    told(instance, { seq, ageMs, event }) {
      accept(instance, { seq, at: clock.now() - ageMs, event });
    },
    lost: (instance) => act({ type: 'instance.lost', instance }, clock.now()),
    incompatible(companion) {
      if (companion) {
        const { instance, epoch, pid, opencode, plugin } = companion;
        const row: InstanceRow = {
          instance,
          pid,
          opencode,
          plugin,
          directories: [],
          status: 'incompatible',
          since: clock.wall(),
        };
        instances.set(instance, { row, epoch, lastSeq: null });
      }
      if (connection.status !== 'connected') connection = { status: 'incompatible', since: clock.wall() };
      publish();
    },
    setConfig(rows) {
      config = rows;
      publish();
    },
    syncFor(instance) {
      return { ackSeq: instances.get(instance)?.lastSeq ?? null, rev, health: exportHealth(state, clock.now()) };
    },
    onHealth(listener) {
      healthListeners.add(listener);
      return () => healthListeners.delete(listener);
    },
    state: () => state,
    dispose() {
      cancelWake?.();
      pushListeners.clear();
      healthListeners.clear();
    },
  };
}

type Target = Extract<AppEvent, { type: 'health.reset' }>['target'];

const isMeant = (target: Target, model: string): boolean => {
  if ('all' in target) return true;
  return 'model' in target ? target.model === model : model.startsWith(`${target.provider}/`);
};

function resetRow(target: Target): DraftRow {
  if ('model' in target) return plainRow('reset.model', { model: target.model, state: 'ready' });
  return plainRow('provider' in target ? 'reset.provider' : 'reset.all', {
    state: 'ready',
    detail: 'provider' in target ? target.provider : null,
  });
}
