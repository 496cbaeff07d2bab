import { mapsFor, type ProviderMap } from '../../engine/tools';
import { resetWaitMs } from './reset-time';

/** `seenAt` is Unix ms. */
type Said = Readonly<{ message?: string | undefined; seenAt: number }>;

/** In ms; null if the message names no time. */
export type WaitReader = (provider: string, response: Said) => number | null;

/**
 * The engine knows neither maps nor zones: it gets a number, so that every host decides alike. @param localZone called
 * for each message.
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
