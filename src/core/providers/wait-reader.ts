import { mapsFor, type ProviderMap } from '../../engine/tools';
import { resetWaitMs } from './reset-time';

/** What a message says, and when it came (Unix ms). */
type Said = Readonly<{ message?: string | undefined; seenAt: number }>;

/** Reads how long a provider asks to be left alone, in ms, where its words name a time on a clock; null where they do not. */
export type WaitReader = (provider: string, said: Said) => number | null;

/**
 * Makes a reader of the times that messages name. Apart from the engine, which knows neither maps nor zones: what is read
 * travels as a plain figure of the evidence, so that every host decides alike whatever its own zone is.
 *
 * @param localZone the zone of this machine by its name, asked for anew with each message.
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
