import { mapsFor, type ProviderMap } from '../../engine/tools';
import { resetWaitMs } from './reset-time';

/** `seenAt` is Unix ms. */
type Said = Readonly<{ message?: string | undefined; seenAt: number }>;

/** Reads the wait in ms from a message that names a time of a clock; null without one. */
export type WaitReader = (provider: string, said: Said) => number | null;

/**
 * Separate from the engine, which knows neither maps nor zones: the wait is passed as a number of the evidence, so
 * that every host decides alike in any zone.
 * @param localZone returns this machine's zone; called for each message.
 */
export function createWaitReader(maps: () => readonly ProviderMap[], localZone: () => string): WaitReader {
  const zones = new Map<string, string | undefined>();
  const zoneOf = (provider: string): string | undefined => {
    if (!zones.has(provider)) zones.set(provider, mapsFor(maps(), provider).find(({ timeZone }) => timeZone)?.timeZone);
    return zones.get(provider);
  };
  return (provider, { message = '', seenAt }) =>
    message === '' ? null : resetWaitMs(message, seenAt, { provider: zoneOf(provider), local: localZone() });
}
