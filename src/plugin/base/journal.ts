import type { EngineEvent } from '../../engine';
import type { Noted } from '../../protocol';

export type JournalEntry = Readonly<{ seq: number; at: number; event: EngineEvent | Noted }>;

const JOURNAL_MAX = 2_000;

const COUNTS: readonly string[] = ['money.counted', 'headroom.counted'];

export type Journal = Readonly<{
  add(event: JournalEntry['event'], at: number): JournalEntry;
  /** Number of the last stored entry; 0 for none. */
  lastSeq(): number;
  since(seq: number): readonly JournalEntry[];
  /** An app connected with entries up to `haveSeq`: dropped ones after it are lost. */
  met(haveSeq: number): void;
  /** The app wrote all entries up to `seq` to disk. */
  acknowledged(seq: number): void;
  /** Removes an entry that cannot be sent and counts it as lost. */
  unsendable(seq: number): void;
  /** Number of entries dropped unacknowledged, or unsendable. */
  dropped(): number;
}>;

export function createJournal(): Journal {
  const entries: JournalEntry[] = [];
  /** A late app needs each directory's configuration, even if the entry was dropped. */
  const scopes = new Map<string, JournalEntry>();
  /** Likewise the last counts of budgets and limits. */
  const counts = new Map<string, JournalEntry>();
  let lastSeq = 0;
  let ackSeq = 0;
  /** Dropped unacknowledged, the latest `riskSeq`: an app that received them may still write them. */
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
      const stored = [...scopes.values()].find((entry) => entry.seq === seq);
      if (at === -1 && !stored) return;
      if (at !== -1) entries.splice(at, 1);
      if (stored?.event.type === 'scope.configured') scopes.delete(stored.event.directory);
      lost++;
    },
    dropped: () => lost + atRisk,
  };
}
