import type { WindowRow } from '../contract/headroom';
import type { Snapshot } from '../contract/snapshot';
import { trayTexts } from '../texts';
import { accountsAt, backPhrase, isFull, type LimitOf, nearPlans, notesOf } from '../wording/headroom-page-words';
import { accountPhrase, partPhrase, windowPhrase } from '../wording/headroom-words';
import { when } from '../wording/wording';
import { label } from './tray-agents';

export const TRAY_LEVELS = ['near', 'full'] as const;
export type TrayLevel = (typeof TRAY_LEVELS)[number];

/** Share of a plan from which the icon shows a level. */
const NEAR = 0.8;

/** Worst first, at the snapshot's time. */
export const limitsNear = ({ headroom, at }: Snapshot): readonly LimitOf[] => nearPlans(accountsAt(headroom, at));

export function trayLevel(snapshot: Snapshot): TrayLevel | null {
  const limits = limitsNear(snapshot);
  if (limits.some(({ window }) => isFull(window))) return 'full';
  return limits.some(isClose) ? 'near' : null;
}

export const closeLimit = (snapshot: Snapshot): LimitOf | null => limitsNear(snapshot).find(isClose) ?? null;

const isClose = ({ window }: LimitOf): boolean => isFull(window) || (window.used ?? 0) >= NEAR;

/** "anthropic 5 h limit 72 %, full about 15:34, back 16:40" */
export function limitLabel({ account, window }: LimitOf, now: number, max: number): string {
  const name = `${accountPhrase(account)} ${windowPhrase(window)} ${usedText(window)}`;
  // The figure already shows an estimate.
  const notes = notesOf({ ...window, source: 'provider' }, now);
  const phrases = [notes, shortNotes(window, now), []].map((more) =>
    [name, ...more, backPhrase(window, now)].filter(Boolean).join(', '),
  );
  return label(phrases.find((phrase) => [...phrase].length <= max) ?? phrases.at(-1) ?? name, max);
}

/** "refused", "full ~15:34". */
function shortNotes(window: WindowRow, now: number): readonly string[] {
  const texts = trayTexts().headroom;
  if (window.isRefusing && !window.isOverdrawable) return [texts.refused];
  const fullAt = window.forecast?.fullAt ?? null;
  return fullAt === null ? [] : [texts.full(when(fullAt, now))];
}

/** Empty without a plan. */
export function fullestPart({ headroom, at }: Snapshot): string {
  const plans = accountsAt(headroom, at).flatMap(({ windows }) => windows.filter(({ isPlan }) => isPlan));
  const fullest = plans.toSorted((a, b) => (b.used ?? -1) - (a.used ?? -1))[0];
  return fullest ? usedText(fullest) : '';
}

function usedText({ used, source }: WindowRow): string {
  if (used === null) return '';
  const phrase = partPhrase(used);
  return source === 'provider' ? phrase : `~${phrase}`;
}
