import type { EventRow, ModelRow, Snapshot } from '../contract/snapshot';
import { accountIn, kindPhrase as englishPhrase, type FailureKind, type ModelState, unbooked } from '../engine/names';
import { kindTexts, modelTexts, spokenLanguage, stateTexts, wordTexts } from '../texts';

/** The label of a model's state. Source: docs/states.md. */
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

/** The model's name without its provider path, with its account and a mark for its own partition, if any. */
export function shortName(model: string): string {
  const name = model.slice(model.lastIndexOf('/') + 1);
  // A provider's pattern has no name without the provider.
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

/** The time left in rounded units, never negative: "14 min", "0:42", "2 h". */
export function remaining(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds < 60) return `0:${String(seconds).padStart(2, '0')}`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} d`;
}

/** A clock time in the local time zone, `14:32`, optionally with seconds. */
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
/** Up to these distances, in ms, a clock time and a day of the week are unambiguous. */
const CLOCK_ENOUGH_MS = 72_000_000;
const WEEKDAY_ENOUGH_MS = 561_600_000;

/** "reported by build-7": a machine of the fleet. */
export const knownFrom = (machine: string): string => stateTexts().knownFrom(machine);

/** The same text as the beginning of a sentence. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The owner of a time. */
export const ownerPhrase = (source: 'provider' | 'estimate'): string => stateTexts().owners[source];

/** The state of the connection to OpenCode. */
export const connectionLabel = (status: Snapshot['connection']['status']): string => stateTexts().connection[status];

/** The label of a decision's verdict on a model. */
export const traceLabel = (verdict: EventRow['trace'][number]['verdict']): string => stateTexts().verdicts[verdict];

/** A duration without seconds: "under 1 min", "4 min", "2 h". */
export function elapsed(ms: number): string {
  return ms < 60_000 ? wordTexts().underAMinute : remaining(ms);
}

/** A measured time: "900 ms", "1.4 s", "2.5 min", "1 h". */
export function measured(ms: number): string {
  const tenths = (count: number) => wordTexts().decimal(String(Math.round(10 * count) / 10));
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${tenths(ms / 1_000)} s`;
  return ms < 3_600_000 ? `${tenths(ms / 60_000)} min` : `${tenths(ms / 3_600_000)} h`;
}

export type Noun = keyof ReturnType<typeof wordTexts>['counts'];

/** "1 turn", "2 turns". */
export const counted = (count: number, noun: Noun): string => wordTexts().counts[noun](count);

/** The name of an agent; `*` is the chain for all other agents. */
export const agentLabel = (agent: string): string => (agent === '*' ? wordTexts().everyOtherAgent : agent);

/** A share with at most one decimal: "83.3 %"; a text if there is no data. */
export function percent(share: number | null): string {
  if (share === null) return wordTexts().noData;
  const shown = { style: 'percent', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(spokenLanguage(), shown).format(share).replace(/\s*%/, '\u{202f}%');
}

/** The last folder name of a path, with either separator. */
export const folderName = (path: string): string => path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
