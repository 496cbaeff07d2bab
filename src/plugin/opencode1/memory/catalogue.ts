import { type Offers, offeredFacts } from '../../../core/base/offers';
import type { Client, ListedProvider } from './types';

/** What OpenCode listed, and of that the models a proof may name. */
export type Listing = Offers & Readonly<{ provable: readonly string[] }>;

/** Nothing is known, and nothing is refused for it. */
export const NOTHING_LISTED: Listing = { models: [], catalogue: {}, provable: [] };

/**
 * Asks OpenCode for its models: names, sizes, prices and what they can read. Of what else the answer holds, keys among it,
 * only the address of a provider is looked at, and not kept. Nothing is listed when OpenCode does not answer; never rejects.
 */
export async function listModels(client: Client): Promise<Listing> {
  try {
    const { data } = await client.config.providers();
    const providers = data?.providers ?? [];
    const entries = providers.flatMap(({ id, models, options }) =>
      Object.entries(models ?? {}).map(([name, model]) => {
        const facts = offeredFacts(name, model, options?.baseURL);
        return [`${id}/${name}`, data?.default?.[id] === name ? { ...facts, isPreferred: true } : facts] as const;
      }),
    );
    const provable = providers.filter(isPlain).flatMap(provableOf);
    return { models: entries.map(([model]) => model), catalogue: Object.fromEntries(entries), provable };
  } catch {
    return NOTHING_LISTED;
  }
}

/**
 * Packages that come with OpenCode and ask over the fetch of the moment, and over nothing else. Not OpenAI's, which may
 * speak over a web socket.
 */
const OVER_FETCH: ReadonlySet<string> = new Set([
  '@ai-sdk/openai-compatible',
  '@ai-sdk/anthropic',
  '@ai-sdk/google',
  '@openrouter/ai-sdk-provider',
]);

/** A login of a plugin may ask its own server first; OpenCode's own free models need none. */
const isPlain = ({ id, source }: ListedProvider): boolean => source !== 'custom' || id === 'opencode';

/** Models of a provider whose requests surely come by fetch, so that none reaches it when fetch is ours. */
const provableOf = ({ id, models }: ListedProvider): string[] =>
  Object.entries(models ?? {}).flatMap(([name, { api }]) => (OVER_FETCH.has(api?.npm ?? '') ? [`${id}/${name}`] : []));
