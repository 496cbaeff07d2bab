import type { HealthKey } from '../base/ids';
import { entries, get } from '../base/table';
import type { Window } from '../base/window';
import { OWED_MAX, WINDOWS_MAX } from '../headroom/keep';
import { isPast } from '../headroom/window';
import { retimed, shifted } from '../state/shift';
import type { EngineState } from '../state/state';
import { compare, type Rank } from './rank';

/** `clearedAt`: the user's last reset; only newer reports count. */
type SharedWindows = Readonly<{ windows: readonly Window[]; clearedAt?: number }>;
export type SharedAccounts = readonly (readonly [account: HealthKey, said: SharedWindows])[];

/** @param offsetMs wall minus engine time. */
export const windowsOf = ({ windows }: EngineState, offsetMs: number): SharedAccounts =>
  entries(windows).map(([account, list]) => [account, { windows: retimed(list, (at) => Math.round(at + offsetMs)) }]);

export const shiftedWindows = (all: SharedAccounts = [], deltaMs: number): SharedAccounts =>
  all.map(([account, { windows, clearedAt }]) => [
    account,
    { windows: shifted(windows, deltaMs), ...(clearedAt === undefined ? {} : { clearedAt: clearedAt + deltaMs }) },
  ]);

export const windowsInForce = (
  all: SharedAccounts,
  wall: number,
): readonly (readonly [HealthKey, readonly Window[]])[] =>
  all.map(([account, { windows }]) => [account, inForceOf(windows.filter((window) => !isPast(window, wall)))]);

export const forgottenIn = (before: EngineState, after: EngineState, clearedAt: number): SharedAccounts =>
  entries(before.windows).flatMap(([account, windows]) =>
    windows.length > 0 && get(after.windows, account) === undefined ? [[account, { windows: [], clearedAt }]] : [],
  );

/** Of concurrent reports the fuller one applies. */
export function mergedWindows(one: SharedAccounts = [], other: SharedAccounts = []): SharedAccounts {
  const all = new Map(one);
  for (const [account, entry] of other) {
    const existing = all.get(account);
    all.set(account, existing ? mergedAccount(existing, entry) : entry);
  }
  return [...all].sort(([a], [b]) => (a < b ? -1 : 1));
}

const WORDS_MAX = 8;

function mergedAccount(one: SharedWindows, other: SharedWindows): SharedWindows {
  const clearedAt = Math.max(one.clearedAt ?? Number.NEGATIVE_INFINITY, other.clearedAt ?? Number.NEGATIVE_INFINITY);
  const words = new Map<string, Window[]>();
  for (const window of [...one.windows, ...other.windows])
    if (window.at > clearedAt) words.set(windowName(window), [...(words.get(windowName(window)) ?? []), window]);
  const heardAt = (all: readonly Window[]): number => Math.max(...all.map(({ at }) => at));
  const newestWords = [...words]
    .sort(([a, first], [b, second]) => heardAt(second) - heardAt(first) || (a < b ? -1 : 1))
    .slice(0, WINDOWS_MAX)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    windows: newestWords.flatMap(([, all]) => newest(all)),
    ...(Number.isFinite(clearedAt) ? { clearedAt } : {}),
  };
}

const windowName = ({ id, model }: Window): string => `${id}\n${model ?? ''}`;

/** Drops reports whose response preceded another's request; the fullest first. */
function newest(words: readonly Window[]): readonly Window[] {
  const once = new Map<string, Window>();
  for (const word of words) {
    const name = JSON.stringify(windowRank(word));
    const existing = once.get(name);
    once.set(name, existing ? mergedWord(existing, word) : word);
  }
  const all = [...once.values()];
  const isOlder = (word: Window, other: Window): boolean => other.asOf >= word.at && word.asOf < other.at;
  return all
    .filter((word) => all.every((other) => other === word || !isOlder(word, other)))
    .sort((a, b) => compare(windowRank(b), windowRank(a)))
    .slice(0, WORDS_MAX);
}

/** Identifies a response; the fuller report ranks higher. */
const windowRank = ({ used, asOf, at, resetAt }: Window): Rank => [used, asOf, at, resetAt ?? -1];

/** The same response at two hosts: requests that ended at either still count. */
function mergedWord(one: Window, other: Window): Window {
  const owed = new Map([...one.owed, ...other.owed].map((each) => [`${each.at} ${each.part}`, each]));
  const pace = (one.pace?.samples ?? 0) >= (other.pace?.samples ?? 0) ? one.pace : other.pace;
  const step = (one.step?.count ?? 0) >= (other.step?.count ?? 0) ? one.step : other.step;
  return {
    ...one,
    owed: [...owed.values()].sort((a, b) => a.at - b.at).slice(-OWED_MAX),
    passed: Math.max(one.passed, other.passed),
    pace,
    step,
    isRefusing: one.isRefusing || other.isRefusing,
  };
}

const inForceOf = (windows: readonly Window[]): readonly Window[] => {
  const first = new Map<string, Window>();
  for (const window of windows) if (!first.has(windowName(window))) first.set(windowName(window), window);
  return [...first.values()];
};
