import { TRAY_ICONS, type TrayIcon } from './tray-view';

/** `since` is monotonic. */
export type SteadyIcon = Readonly<{ shown: TrayIcon; waiting: Readonly<{ icon: TrayIcon; since: number }> | null }>;

/** An OpenCode that restarts is gone for a moment. */
const GONE_MS = 5_000;
const STABLE_MS = 3_000;

export const FIRST_ICON: SteadyIcon = { shown: 'healthy-idle', waiting: null };

/** Only a better icon has to last first. */
export function steadied(icon: SteadyIcon, wanted: TrayIcon, now: number): SteadyIcon {
  if (wanted === icon.shown) return { shown: wanted, waiting: null };
  const since = icon.waiting?.icon === wanted ? icon.waiting.since : now;
  return now - since >= waitMs(icon.shown, wanted)
    ? { shown: wanted, waiting: null }
    : { shown: icon.shown, waiting: { icon: wanted, since } };
}

/** Null if none waits. */
export const dueAt = ({ shown, waiting }: SteadyIcon): number | null =>
  waiting === null ? null : waiting.since + waitMs(shown, waiting.icon);

/** Time asleep does not count. */
export const awoken = ({ shown, waiting }: SteadyIcon, now: number): SteadyIcon => ({
  shown,
  waiting: waiting && { ...waiting, since: now },
});

function waitMs(shown: TrayIcon, wanted: TrayIcon): number {
  if (wanted === 'disconnected') return GONE_MS;
  return TRAY_ICONS.indexOf(wanted) < TRAY_ICONS.indexOf(shown) ? 0 : STABLE_MS;
}
