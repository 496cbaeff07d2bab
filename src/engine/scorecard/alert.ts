/** Failures within the window that raise the alert. Source: docs/failures.md, health. */
export const ALERT_FAILURES = 10;
/** The window of the alert, in ms. */
export const ALERT_WINDOW_MS = 300_000;
/** An episode ends when fewer than this many are left in the window: half, so that a steady drip raises one alert. */
const CLEAR_BELOW = 5;

/** An episode of many failures. Times are on the scorecard's clock. */
export type Alert = Readonly<{
  /** Counts episodes from 1: a new number is a new alert, and the only thing to tell anybody about. */
  episode: number;
  since: number;
  /** When the episode ends if nothing fails until then. */
  until: number;
}>;

export type AlertTrack = Readonly<{
  /** Times of the last failures, at most as many as raise the alert. */
  failures: readonly number[];
  /** The current or the last episode; null before the first. */
  alert: Alert | null;
}>;

export const quietTrack: AlertTrack = { failures: [], alert: null };

/** Takes in one failure at `now`. A failure exactly one window old has left. */
export function trackFailure(track: AlertTrack, now: number): AlertTrack {
  const recent = track.failures.filter((at) => at <= now && now - at < ALERT_WINDOW_MS);
  const failures = [...recent, now].slice(-ALERT_FAILURES);
  const { alert } = track;
  const clearing = failures[failures.length - CLEAR_BELOW];
  const until = clearing === undefined ? 0 : clearing + ALERT_WINDOW_MS;
  if (alert && now < alert.until) return { failures, alert: { ...alert, until: Math.max(alert.until, until) } };
  if (failures.length < ALERT_FAILURES) return { failures, alert };
  return { failures, alert: { episode: (alert?.episode ?? 0) + 1, since: now, until } };
}

/** The episode that is on at `now`; null when all is quiet. It starts at `since` and is over at `until`. */
export function alertAt(track: AlertTrack, now: number): Alert | null {
  return track.alert && now < track.alert.until ? track.alert : null;
}

/** The episode that began between two states of a scorecard: what a notice is due for, once; null when none did. */
export function newAlert(before: AlertTrack, after: AlertTrack): Alert | null {
  return after.alert && after.alert.episode !== before.alert?.episode ? after.alert : null;
}
