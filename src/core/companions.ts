import type { EngineState, SyncedHealth } from '../engine';
import { asSeenBy, exportHealth, isGranted, positionIn, redactEvidence } from '../engine/tools';
import { asEngineEvent, type CompanionEvent, SyncedHealth as HealthOnWire, isNoted, transitMs } from '../protocol';
import type { Behind } from './acts/behind';
import type { Companion, Instances } from './acts/instances';
import type { AppActs } from './app-acts';
import { listen, tellEach } from './base/listen';
import type { LogRecord } from './base/record';
import type { Books } from './history/books';
import { resetRow } from './history/event-rows';
import type { History } from './history/history';
import type { UsageBook } from './history/usage';
import type { Life } from './life';
import type { Notices } from './notices';
import type { Clock } from './ports/ports';

export type HealthSync = Readonly<{ seenSeq: number | null; rev: number; sentAt: number; health: SyncedHealth }>;

type CompanionRecord = Readonly<{
  seq: number;
  ageMs: number;
  sentAt: number;
  dropped?: number | undefined;
  event: CompanionEvent;
}>;

export type Companions = Readonly<{
  /** @returns the companion's last sequence number here; null for a new one. */
  connected(companion: Companion): number | null;
  /** `ageMs` is the event's age when sent. Ignores duplicate numbers. */
  told(instance: string, record: CompanionRecord): void;
  written(records: readonly LogRecord[]): void;
  /** The disk failed for too long and too many records waited. */
  givenUp(records: readonly LogRecord[]): void;
  keptOf(instance: string): number | null;
  onWritten(listener: () => void): () => void;
  lost(instance: string): void;
  incompatible(companion: Companion | null): void;
  learned(health: SyncedHealth): void;
  /** A grant blocks others until the probe's outcome, or for 10 min. */
  lease(instance: string, model: string): boolean;
  syncFor(instance: string): HealthSync;
  isBehind(instance: string): boolean;
  taken(instance: string, rev: number): void;
}>;

export type CompanionParts = Readonly<{
  clock: Clock;
  life: Life;
  acts: AppActs;
  books: Books;
  history: History;
  usage: UsageBook;
  notices: Notices;
  instances: Instances;
  behind: Behind;
  changed(): void;
}>;

/** `at` is engine ms. Ignores duplicate numbers. */
type Accept = (instance: string, record: Readonly<{ seq: number; at: number; event: CompanionEvent }>) => void;

type Exported = Readonly<{ state: EngineState; at: number; sentAt: number; health: SyncedHealth }>;
/** In ms; the export's age is sent with it. */
const EXPORT_KEPT_MS = 50;

export function createCompanions(parts: CompanionParts): Companions & Readonly<{ accept: Accept }> {
  const { clock, life, acts, instances, behind, changed } = parts;
  const writtenListeners = new Set<() => void>();
  const accept = accepting(parts);
  return {
    accept,
    connected(companion) {
      const lastSeq = instances.heardOf(companion);
      acts.record({ type: 'instance.connected', ...companion }, clock.now());
      return lastSeq;
    },
    told(instance, { seq, ageMs, sentAt, dropped = 0, event }) {
      life.woken();
      if (instances.drop(instance, dropped)) changed();
      accept(instance, { seq, at: clock.now() - ageMs - transitMs(sentAt, clock.wall()), event });
    },
    written(records) {
      for (const { from, event } of records) {
        if (from) instances.keep(from.instance, from.seq);
        // Deleted records are not written any more, and no companion has to send them again.
        if (event.type === 'data.erased') for (const { instance, seq } of event.heard) instances.keep(instance, seq);
      }
      tellEach(writtenListeners, (listener) => listener());
    },
    givenUp(records) {
      for (const { from } of records) if (from) instances.lose(from.instance);
      changed();
    },
    keptOf: instances.keptOf,
    onWritten: (listener) => listen(writtenListeners, listener),
    lost: (instance) => acts.record({ type: 'instance.lost', instance }, clock.now()),
    incompatible(companion) {
      if (companion) parts.notices.tell({ what: 'differs', version: companion.plugin });
      if (instances.knock(companion)) changed();
    },
    learned(health) {
      // Apply only what the log can hold, so that a replay gives the same state.
      const { data } = HealthOnWire.safeParse(health);
      if (data) acts.record({ type: 'health.learned', health: data }, clock.now());
    },
    lease(instance, model) {
      const epoch = instances.epochOf(instance);
      const at = clock.now();
      if (epoch === null || isGranted(life.state(), model, epoch, at)) return true;
      const event = { type: 'lease.requested', model, epoch } as const;
      const { grants } = life.state();
      const isOk = life
        .apply(event, at, instance)
        .facts.some((fact) => fact.type === 'lease.answered' && fact.isGranted);
      if (life.state().grants !== grants) life.append({ at, from: null, event });
      return isOk;
    },
    syncFor: syncing(parts),
    isBehind: behind.has,
    taken: behind.taken,
  };
}

function accepting({ life, instances, history, books, usage, changed }: CompanionParts): Accept {
  return (instance, record) => {
    if (life.isReplaying()) instances.remember(instance);
    if (!instances.hear(instance, record.seq)) return;
    if (life.isReplaying()) instances.keep(instance, record.seq);
    const event = withoutSecrets(record.event);
    if (event.type === 'scope.configured') instances.opened(instance, event.directory, event);
    if (!life.isReplaying()) life.append({ at: record.at, from: { instance, seq: record.seq }, event });
    if (isNoted(event)) {
      if (event.type === 'usage.recorded') usage.add({ ...event, position: positionIn(life.state(), event) });
      books.note(event, { state: life.state(), wall: life.wallOf(record.at) });
      changed();
      return;
    }
    if (event.type === 'scope.closed') {
      instances.closed(instance, event.directory);
      if (instances.isOpenElsewhere(instance, event.directory)) {
        const config = instances.configElsewhere(instance, event.directory);
        if (config) life.apply(asEngineEvent(config), record.at);
        changed();
        return;
      }
    }
    life.apply(asEngineEvent(event), record.at, instance);
    if (event.type === 'health.reset') history.note(resetRow(event), life.wallOf(record.at));
  };
}

function syncing({ clock, life, instances, behind }: CompanionParts): Companions['syncFor'] {
  let exported: Exported | null = null;
  return (instance) => {
    const state = asSeenBy(life.state(), instances.epochOf(instance) ?? '');
    const at = clock.now();
    if (exported?.state !== state || at - exported.at > EXPORT_KEPT_MS)
      exported = { state, at, sentAt: clock.wall(), health: exportHealth(state, at) };
    const { sentAt, health } = exported;
    return { seenSeq: instances.seenOf(instance), rev: behind.viewFor(instance), sentAt, health };
  };
}

/** Companions redact what they send; the log must not depend on that. */
const withoutSecrets = (event: CompanionEvent): CompanionEvent =>
  event.type === 'attempt.failed' ? { ...event, evidence: redactEvidence(event.evidence) } : event;
