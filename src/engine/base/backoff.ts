/** `jitter` is a share: 0.2 spreads a delay by a fifth either way. */
export type Backoff = Readonly<{ baseMs: number; capMs: number; jitter: number }>;

/** Source: docs/failures.md, backoff. */
export const DEFAULT_BACKOFF: Backoff = { baseMs: 1_000, capMs: 30_000, jitter: 0.2 };

/** A longer hint is a cooldown. Source: docs/failures.md, backoff. */
export const HINT_WAIT_MAX_MS = 60_000;

/**
 * Exponential delay in ms, capped after the jitter.
 * @param attempt 0 for the first retry.
 * @param random uniform sample in [0, 1).
 * @throws RangeError if `attempt` is negative or not an integer.
 */
export function backoffMs(attempt: number, random: number, config: Backoff = DEFAULT_BACKOFF): number {
  if (!Number.isInteger(attempt) || attempt < 0)
    throw new RangeError(`attempt must be a non-negative integer, got ${attempt}`);
  const grown = Math.min(config.capMs, config.baseMs * 2 ** Math.min(attempt, 52));
  return Math.max(0, Math.round(Math.min(config.capMs, grown * (1 + config.jitter * (2 * random - 1)))));
}

/**
 * Delay in ms; null if the hint is a cooldown. A hint only lengthens it: many providers send "0", which would cause a
 * storm of requests.
 */
export function retryDelayMs(
  attempt: number,
  inputs: Readonly<{ hintMs: number | null; random: number }>,
  config: Backoff = DEFAULT_BACKOFF,
  hintMaxMs: number = HINT_WAIT_MAX_MS,
): number | null {
  if ((inputs.hintMs ?? 0) > hintMaxMs) return null;
  return Math.max(inputs.hintMs ?? 0, backoffMs(attempt, inputs.random, config));
}
