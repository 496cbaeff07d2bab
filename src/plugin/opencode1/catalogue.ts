import { type Offers, offeredFacts } from '../../core/offers';
import type { Client } from './types';

/** Nothing is known, and nothing is refused for it. */
export const NOTHING_LISTED: Offers = { models: [], catalogue: {} };

/**
 * Asks OpenCode for its models: names, sizes, prices and what they can read. Of what else the answer holds, keys among it,
 * only the address of a provider is looked at, and not kept. Nothing is listed when OpenCode does not answer; never rejects.
 */
export async function listModels(client: Client): Promise<Offers> {
  try {
    const { data } = await client.config.providers();
    const entries = (data?.providers ?? []).flatMap(({ id, models, options }) =>
      Object.entries(models ?? {}).map(([name, model]) => {
        const facts = offeredFacts(name, model, options?.baseURL);
        return [`${id}/${name}`, data?.default?.[id] === name ? { ...facts, isPreferred: true } : facts] as const;
      }),
    );
    return { models: entries.map(([model]) => model), catalogue: Object.fromEntries(entries) };
  } catch {
    return NOTHING_LISTED;
  }
}
