import { TRAY_ICONS, type TrayIcon } from './tray-view';

/** The icon that is shown, and the one that waits to be shown since a moment of a clock that never goes back, in ms. */
export type SteadyIcon = Readonly<{ shown: TrayIcon; waiting: Readonly<{ icon: TrayIcon; since: number }> | null }>;

/** An OpenCode that starts anew is gone for a moment. */
const GONE_MS = 5_000;
const STABLE_MS = 3_000;

/** The icon before anything is known. */
export const FIRST_ICON: SteadyIcon = { shown: 'healthy-idle', waiting: null };

/** The icon once `wanted` is what the snapshot says: a worse one comes at once, a better one when it has lasted. */
export function steadied(icon: SteadyIcon, wanted: TrayIcon, now: number): SteadyIcon {
  if (wanted === icon.shown) return { shown: wanted, waiting: null };
  const since = icon.waiting?.icon === wanted ? icon.waiting.since : now;
  return now - since >= waitMs(icon.shown, wanted)
    ? { shown: wanted, waiting: null }
    : { shown: icon.shown, waiting: { icon: wanted, since } };
}

/** When the icon that waits is due; null when none does. */
export const dueAt = ({ shown, waiting }: SteadyIcon): number | null =>
  waiting === null ? null : waiting.since + waitMs(shown, waiting.icon);

/** The icon after the machine slept: nothing has lasted that nobody saw. */
export const awoken = ({ shown, waiting }: SteadyIcon, now: number): SteadyIcon => ({
  shown,
  waiting: waiting && { ...waiting, since: now },
});

function waitMs(shown: TrayIcon, wanted: TrayIcon): number {
  if (wanted === 'disconnected') return GONE_MS;
  return TRAY_ICONS.indexOf(wanted) < TRAY_ICONS.indexOf(shown) ? 0 : STABLE_MS;
}
