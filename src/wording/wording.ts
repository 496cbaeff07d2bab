import type { EventRow, ModelRow, Snapshot } from '../contract/snapshot';
import { accountIn, kindPhrase as englishPhrase, type FailureKind, type ModelState, unbooked } from '../engine/names';
import { kindTexts, modelTexts, spokenLanguage, stateTexts, wordTexts } from '../texts';

/** The word for a model's state, on every surface. Source: docs/states.md. */
export const stateWord = (state: ModelState): string => stateTexts().labels[state];

/** The same within a sentence: "it is now …". */
export const stateWithin = (state: ModelState): string => stateTexts().within[state];

/** "rate limited (429)": completes the sentence "MODEL is …". */
export function kindPhrase(kind: FailureKind, status: number | null): string {
  const plain = englishPhrase(kind, null);
  return kindTexts().of(kind, plain) + englishPhrase(kind, status).slice(plain.length);
}

/** "gpt-5 is rate limited (429)". */
export const failurePhrase = (model: string, kind: FailureKind, status: number | null): string =>
  kindTexts().isSo(shortName(model), kindPhrase(kind, status));

/** The model's name without its provider path; with the account where a certain one is meant, and of health that is kept apart with a word that says so. */
export function shortName(model: string): string {
  const name = model.slice(model.lastIndexOf('/') + 1);
  // A pattern for all of a provider has no name without it.
  if (name === '*') return model;
  const account = accountIn(unbooked(model));
  const named = account === null ? name : `${name} (${account})`;
  return unbooked(model) === model ? named : modelTexts().apart.named(named);
}

/** "Degraded 2/3", "Cooling": a state with its count. */
export function stateLabel(row: Pick<ModelRow, 'state' | 'failures' | 'failureThreshold'>): string {
  const label = stateWord(row.state);
  return row.state === 'degraded' ? `${label} ${row.failures}/${row.failureThreshold}` : label;
}

/** "14 min", "0:42", "2 h": the time left, in the steps people can use; never negative. */
export function remaining(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds < 60) return `0:${String(seconds).padStart(2, '0')}`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} d`;
}

/** A clock time in the reader's own zone, `14:32`; with seconds when asked. */
export function clock(at: number, withSeconds = false): string {
  return new Date(at).toTimeString().slice(0, withSeconds ? 8 : 5);
}

/** A time that may be days away: `14:32`, `Mon 09:00`, `1 Dec`; both wall clock. */
export function when(at: number, now: number): string {
  const aheadMs = at - now;
  if (Math.abs(aheadMs) < CLOCK_ENOUGH_MS) return clock(at);
  const language = spokenLanguage();
  if (aheadMs > 0 && aheadMs < WEEKDAY_ENOUGH_MS)
    return `${new Date(at).toLocaleDateString(language, { weekday: 'short' })} ${clock(at)}`;
  return new Date(at).toLocaleDateString(language, { day: 'numeric', month: 'short' });
}
/** So far ahead a clock time is taken for that of today or the coming night, and a day of the week for the next one. */
const CLOCK_ENOUGH_MS = 72_000_000;
const WEEKDAY_ENOUGH_MS = 561_600_000;

/** "known from build-7": another machine of the fleet has found it out. */
export const knownFrom = (machine: string): string => stateTexts().knownFrom(machine);

/** The same text as the beginning of a sentence. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Whose clock a time is. */
export const ownerPhrase = (source: 'provider' | 'estimate'): string => stateTexts().owners[source];

/** What the connection to OpenCode is, in two words at most where it is well. */
export const connectionLabel = (status: Snapshot['connection']['status']): string => stateTexts().connection[status];

/** What a decision did with a model it considered. */
export const traceLabel = (verdict: EventRow['trace'][number]['verdict']): string => stateTexts().verdicts[verdict];

/** How long something has lasted, without seconds: "under 1 min", "4 min", "2 h". */
export function elapsed(ms: number): string {
  return ms < 60_000 ? wordTexts().underAMinute : remaining(ms);
}

/** "900 ms", "1.4 s", "2.5 min", "1 h": a time that was measured. */
export function measured(ms: number): string {
  const tenths = (count: number) => wordTexts().decimal(String(Math.round(10 * count) / 10));
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${tenths(ms / 1_000)} s`;
  return ms < 3_600_000 ? `${tenths(ms / 60_000)} min` : `${tenths(ms / 3_600_000)} h`;
}

export type Noun = keyof ReturnType<typeof wordTexts>['counts'];

/** "1 turn", "2 turns". */
export const counted = (count: number, noun: Noun): string => wordTexts().counts[noun](count);

/** An agent as people call it; `*` is a chain for whoever has none of their own. */
export const agentLabel = (agent: string): string => (agent === '*' ? wordTexts().everyOtherAgent : agent);

/** A share as people read it, with one digit at most: "83.3 %"; said in words where there is nothing to take a part of. */
export function percent(share: number | null): string {
  if (share === null) return wordTexts().noData;
  const shown = { style: 'percent', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(spokenLanguage(), shown).format(share).replace(/\s*%/, '\u{202f}%');
}

/** Last folder name of a path, whatever the system's separator: what people call a project. */
export const folderName = (path: string): string => path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
