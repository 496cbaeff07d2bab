import type { WindowRow } from '../contract/headroom';
import type { Snapshot } from '../contract/snapshot';
import { trayTexts } from '../texts';
import { accountsAt, backPhrase, isFull, type LimitOf, nearPlans, notesOf } from '../wording/headroom-page-words';
import { accountPhrase, partPhrase, windowPhrase } from '../wording/headroom-words';
import { when } from '../wording/wording';
import { label } from './tray-agents';

/** The levels of the icon, one asset of each shape for each; below them it has none. */
export const TRAY_LEVELS = ['near', 'full'] as const;
export type TrayLevel = (typeof TRAY_LEVELS)[number];

/** From this part of a plan on the icon and its tooltip tell of it. */
const NEAR = 0.8;

/** The limits that come near, as they are known at the time of the snapshot, the worst first. */
export const limitsNear = ({ headroom, at }: Snapshot): readonly LimitOf[] => nearPlans(accountsAt(headroom, at));

/** How near the nearest limit is: the icon says no more than that. */
export function trayLevel(snapshot: Snapshot): TrayLevel | null {
  const limits = limitsNear(snapshot);
  if (limits.some(({ window }) => isFull(window))) return 'full';
  return limits.some(isClose) ? 'near' : null;
}

/** The worst of the limits that the icon has a level for; null while it has none. */
export const closeLimit = (snapshot: Snapshot): LimitOf | null => limitsNear(snapshot).find(isClose) ?? null;

const isClose = ({ window }: LimitOf): boolean => isFull(window) || (window.used ?? 0) >= NEAR;

/** "anthropic 5 h limit 72 %, full about 15:34, back 16:40": when it is back always, how it goes until then where there is room. */
export function limitLabel({ account, window }: LimitOf, now: number, max: number): string {
  const name = `${accountPhrase(account)} ${windowPhrase(window)} ${usedText(window)}`;
  // That it is an estimate stands before the figure already.
  const notes = notesOf({ ...window, source: 'provider' }, now);
  const told = [notes, shortNotes(window, now), []].map((more) =>
    [name, ...more, backPhrase(window, now)].filter(Boolean).join(', '),
  );
  return label(told.find((said) => [...said].length <= max) ?? told.at(-1) ?? name, max);
}

/** "refused", "full ~15:34". */
function shortNotes(window: WindowRow, now: number): readonly string[] {
  const said = trayTexts().headroom;
  if (window.isRefusing && !window.isOverdrawable) return [said.refused];
  const fullAt = window.forecast?.fullAt ?? null;
  return fullAt === null ? [] : [said.full(when(fullAt, now))];
}

/** "84 %" of the fullest plan; empty where none is known. */
export function fullestPart({ headroom, at }: Snapshot): string {
  const plans = accountsAt(headroom, at).flatMap(({ windows }) => windows.filter(({ isPlan }) => isPlan));
  const fullest = plans.toSorted((a, b) => (b.used ?? -1) - (a.used ?? -1))[0];
  return fullest ? usedText(fullest) : '';
}

function usedText({ used, source }: WindowRow): string {
  if (used === null) return '';
  const said = partPhrase(used);
  return source === 'provider' ? said : `~${said}`;
}
