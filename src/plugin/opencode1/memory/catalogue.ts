import { countError } from '../../../core/base/internal-errors';
import { type Offers, offeredFacts } from '../../../core/base/offers';
import { quietly } from '../../base/quietly';
import type { Client, ListedAgent, ListedProvider } from './types';

/** What OpenCode listed, of that the models a proof may name, and the agents people and other agents talk to. */
export type Listing = Offers &
  Readonly<{
    provable: readonly string[];
    /** Models of each provider that a plugin logs in. */
    loggedIn: readonly (readonly string[])[];
    /** Models whose package may refuse to start. */
    uncertain: ReadonlySet<string>;
    agents: readonly string[];
    /** OpenCode has answered each of the calls. */
    isWhole: boolean;
  }>;

export const NOTHING_LISTED: Listing = {
  models: [],
  catalogue: {},
  provable: [],
  loggedIn: [],
  uncertain: new Set(),
  agents: [],
  isWhole: false,
};

/**
 * Asks OpenCode for its models: names, sizes, prices and what they can read. Of what else the answer holds, keys among it,
 * only the address of a provider is looked at, and not kept. Nothing is listed when OpenCode does not answer; never rejects.
 */
export async function listModels(client: Client): Promise<Listing> {
  try {
    const [{ data }, listedAgents, listedLogins] = await Promise.all([
      client.config.providers(),
      listAgents(client),
      listLogins(client),
    ]);
    const providers = data?.providers ?? [];
    const [agents, logins] = [listedAgents ?? [], listedLogins ?? []];
    const entries = providers.flatMap(({ id, models, options }) =>
      Object.entries(models ?? {}).map(([name, model]) => {
        const { variants, ...listed } = model;
        const facts = offeredFacts(name, { ...listed, ...variantsIn(variants) }, options?.baseURL);
        return [`${id}/${name}`, data?.default?.[id] === name ? { ...facts, isPreferred: true } : facts] as const;
      }),
    );
    const provable = providers.filter((each) => isPlain(each) && !logins.includes(each.id)).flatMap(provableOf);
    const loggedIn = providers.filter(({ id }) => logins.includes(id)).map(modelsOf);
    return {
      models: entries.map(([model]) => model),
      catalogue: Object.fromEntries(entries),
      provable,
      loggedIn,
      uncertain: new Set(providers.flatMap(uncertainOf)),
      agents,
      isWhole: listedAgents !== null && listedLogins !== null,
    };
  } catch (error) {
    countError('models.read', error);
    return NOTHING_LISTED;
  }
}

/** Those a person has turned off are not there any more. */
const variantsIn = (variants: unknown): Readonly<{ variants: string[] }> | null =>
  typeof variants === 'object' && variants !== null ? { variants: Object.keys(variants) } : null;

/** Which agents there are, the hidden ones left out; the configuration names none that is OpenCode's own. Null without an answer. */
async function listAgents(client: Client): Promise<readonly string[] | null> {
  const answer = await quietly(() => client._client.get({ url: '/agent' }));
  const listed: unknown = answer?.data;
  if (!Array.isArray(listed)) return null;
  return listed.flatMap((agent: ListedAgent | null) =>
    typeof agent?.name === 'string' && agent.hidden !== true ? [agent.name] : [],
  );
}

/** Providers that a plugin can log in; null without an answer. */
async function listLogins(client: Client): Promise<readonly string[] | null> {
  const answer = await quietly(() => client._client.get({ url: '/provider/auth' }));
  return answer?.data ? Object.keys(answer.data) : null;
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

/** Packages that OpenCode bundles and that start with any model. */
const CERTAIN: ReadonlySet<string> = new Set([
  ...OVER_FETCH,
  ...[
    'openai',
    'xai',
    'mistral',
    'groq',
    'deepinfra',
    'cerebras',
    'cohere',
    'togetherai',
    'perplexity',
    'vercel',
    'gateway',
    'alibaba',
    'github-copilot',
  ].map((name) => `@ai-sdk/${name}`),
]);

const uncertainOf = ({ id, models }: ListedProvider): string[] =>
  Object.entries(models ?? {}).flatMap(([name, { api }]) =>
    api?.npm === undefined || CERTAIN.has(api.npm) ? [] : [`${id}/${name}`],
  );

/** A login of a plugin may ask its own server first; OpenCode's own free models need none. */
const isPlain = ({ id, source }: ListedProvider): boolean => source !== 'custom' || id === 'opencode';

const modelsOf = ({ id, models }: ListedProvider): string[] => Object.keys(models ?? {}).map((name) => `${id}/${name}`);

/** Models of a provider whose requests surely come by fetch, so that none reaches it when fetch is ours. */
const provableOf = ({ id, models }: ListedProvider): string[] =>
  Object.entries(models ?? {}).flatMap(([name, { api }]) => (OVER_FETCH.has(api?.npm ?? '') ? [`${id}/${name}`] : []));
