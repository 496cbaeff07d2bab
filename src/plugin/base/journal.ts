import type { EngineEvent } from '../../engine';
import type { Noted } from '../../protocol';

/** An event of this process, numbered in the order it happened, for the app. */
export type JournalEntry = Readonly<{ seq: number; at: number; event: EngineEvent | Noted }>;

/** Entries kept for an app that appears later, or has not written them yet; older ones are forgotten first. */
const JOURNAL_MAX = 2_000;

const COUNTS: readonly string[] = ['money.counted', 'headroom.counted'];

export type Journal = Readonly<{
  /** Writes an event down. */
  add(event: JournalEntry['event'], at: number): JournalEntry;
  /** Number of the last entry that an app can hear of; 0 before the first. */
  lastSeq(): number;
  /** Entries after `seq`, oldest first. */
  since(seq: number): readonly JournalEntry[];
  /** An app is there, and has heard of this process up to that number: what it misses and is forgotten here stays lost. */
  met(haveSeq: number): void;
  /** All up to that number is on the app's disk. */
  acknowledged(seq: number): void;
  /** No app can be told of that entry: it is lost, and nobody waits for it. */
  unsendable(seq: number): void;
  /** How many entries were forgotten that no app has acknowledged, or can be told. */
  dropped(): number;
}>;

/** An empty journal. */
export function createJournal(): Journal {
  const entries: JournalEntry[] = [];
  /** The present configuration of each directory: an app that appears late needs it whatever has been forgotten. */
  const scopes = new Map<string, JournalEntry>();
  /** And how much of budgets and limits is used, as was last counted. */
  const counts = new Map<string, JournalEntry>();
  let lastSeq = 0;
  let ackSeq = 0;
  /** Forgotten unacknowledged, the latest of them `riskSeq`: the app that has heard them may still write them. */
  let atRisk = 0;
  let riskSeq = 0;
  let lost = 0;

  const forget = (entry: JournalEntry): void => {
    if (entry.seq <= ackSeq || isScope(entry)) return;
    atRisk++;
    riskSeq = entry.seq;
  };
  const isScope = (entry: JournalEntry): boolean =>
    counts.get(entry.event.type) === entry ||
    (entry.event.type === 'scope.configured' && scopes.get(entry.event.directory) === entry);
  /** Those of them that are after `seq`: the oldest were forgotten first. */
  const atRiskAfter = (seq: number): number => Math.max(0, Math.min(atRisk, riskSeq - seq));

  return {
    add(event, at) {
      const entry = { seq: ++lastSeq, at, event };
      entries.push(entry);
      if (event.type === 'scope.configured') scopes.set(event.directory, entry);
      if (event.type === 'scope.closed') scopes.delete(event.directory);
      if (COUNTS.includes(event.type)) counts.set(event.type, entry);
      const oldest = entries.length > JOURNAL_MAX ? entries.shift() : undefined;
      if (oldest) forget(oldest);
      return entry;
    },
    lastSeq: () => entries.at(-1)?.seq ?? 0,
    since(seq) {
      const firstKept = entries[0]?.seq ?? lastSeq + 1;
      const forgotten = [...scopes.values(), ...counts.values()].filter(
        (entry) => entry.seq > seq && entry.seq < firstKept,
      );
      return [...forgotten.sort((a, b) => a.seq - b.seq), ...entries.filter((entry) => entry.seq > seq)];
    },
    met(haveSeq) {
      const missed = atRiskAfter(haveSeq);
      lost += missed;
      atRisk -= missed;
      riskSeq = Math.min(riskSeq, haveSeq);
    },
    acknowledged(seq) {
      ackSeq = Math.max(ackSeq, seq);
      atRisk = atRiskAfter(seq);
    },
    unsendable(seq) {
      const at = entries.findIndex((entry) => entry.seq === seq);
      const kept = [...scopes.values()].find((entry) => entry.seq === seq);
      if (at === -1 && !kept) return;
      if (at !== -1) entries.splice(at, 1);
      if (kept?.event.type === 'scope.configured') scopes.delete(kept.event.directory);
      lost++;
    },
    dropped: () => lost + atRisk,
  };
}
