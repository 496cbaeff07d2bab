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

/** What a companion says of an event; `dropped` is how many it had to forget that were never written. */
type CompanionRecord = Readonly<{
  seq: number;
  ageMs: number;
  sentAt: number;
  dropped?: number | undefined;
  event: CompanionEvent;
}>;

/** The border to companions: what they tell, what they are told, and what of it is safe on the disk. */
export type Companions = Readonly<{
  /** A companion is there. @returns the last number the core has of it; null when it knows none. */
  connected(companion: Companion): number | null;
  /** Something happened in an OpenCode process, `ageMs` before it was sent. Numbers already known are ignored. */
  told(instance: string, said: CompanionRecord): void;
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
  /** The picture is another. */
  changed(): void;
}>;

/** Takes in what a companion said, `at` engine ms. A number that is known is ignored. */
type Accept = (instance: string, said: Readonly<{ seq: number; at: number; event: CompanionEvent }>) => void;

/** Health as companions hear it: the same for all that probe nothing. `at` is engine ms, `sentAt` wall clock. */
type Exported = Readonly<{ state: EngineState; at: number; sentAt: number; health: SyncedHealth }>;
/** It is told to so many as hear of it within this time, in ms; how old it is goes with it. */
const EXPORT_KEPT_MS = 50;

/** @returns the border, and how an event that a companion has told is taken in. */
export function createCompanions(parts: CompanionParts): Companions & Readonly<{ accept: Accept }> {
  const { clock, life, acts, instances, behind, changed } = parts;
  const writtenListeners = new Set<() => void>();
  const accept = accepting(parts);
  return {
    accept,
    connected(companion) {
      const heard = instances.heardOf(companion);
      acts.record({ type: 'instance.connected', ...companion }, clock.now());
      return heard;
    },
    told(instance, { seq, ageMs, sentAt, dropped = 0, event }) {
      life.woken();
      if (instances.drop(instance, dropped)) changed();
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
      // What the log could not hold is not taken in either: a replay has to come to the same.
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

/** How an event that a companion has told is taken in: written down, then given to whom it is for. */
function accepting({ life, instances, history, books, usage, changed }: CompanionParts): Accept {
  return (instance, said) => {
    if (life.isReplaying()) instances.remember(instance);
    if (!instances.hear(instance, said.seq)) return;
    if (life.isReplaying()) instances.keep(instance, said.seq);
    const event = withoutSecrets(said.event);
    if (event.type === 'scope.configured') instances.opened(instance, event.directory, event);
    if (!life.isReplaying()) life.append({ at: said.at, from: { instance, seq: said.seq }, event });
    if (isNoted(event)) {
      if (event.type === 'usage.recorded') usage.add({ ...event, position: positionIn(life.state(), event) });
      books.note(event, { state: life.state(), wall: life.wallOf(said.at) });
      changed();
      return;
    }
    if (event.type === 'scope.closed') {
      instances.closed(instance, event.directory);
      if (instances.isOpenElsewhere(instance, event.directory)) {
        const config = instances.configElsewhere(instance, event.directory);
        if (config) life.apply(asEngineEvent(config), said.at);
        changed();
        return;
      }
    }
    life.apply(asEngineEvent(event), said.at, instance);
    if (event.type === 'health.reset') history.note(resetRow(event), life.wallOf(said.at));
  };
}

/** What a companion is to know of health: drawn up once for all that hear of it at the same moment. */
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

/** Companions redact what they send; what is written down for good does not depend on that. */
const withoutSecrets = (event: CompanionEvent): CompanionEvent =>
  event.type === 'attempt.failed' ? { ...event, evidence: redactEvidence(event.evidence) } : event;
