/** Failures within the window that raise the alert. Source: docs/failures.md, health. */
export const ALERT_FAILURES = 10;
export const ALERT_WINDOW_MS = 300_000;
/** Lower than the start of an episode, so that a steady drip raises one alert. */
const CLEAR_BELOW = 5;

/** Times are on the scorecard's clock. */
export type Alert = Readonly<{
  /** Counts from 1; only a new number needs a notice. */
  episode: number;
  since: number;
  /** End of the episode without further failures. */
  until: number;
}>;

export type AlertTrack = Readonly<{
  failures: readonly number[];
  /** Null before the first. */
  alert: Alert | null;
}>;

export const quietTrack: AlertTrack = { failures: [], alert: null };

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

export function alertAt(track: AlertTrack, now: number): Alert | null {
  return track.alert && now < track.alert.until ? track.alert : null;
}

export function newAlert(before: AlertTrack, after: AlertTrack): Alert | null {
  return after.alert && after.alert.episode !== before.alert?.episode ? after.alert : null;
}
