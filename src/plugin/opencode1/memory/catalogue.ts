import { countError } from '../../../core/base/internal-errors';
import { type Offers, offeredFacts } from '../../../core/base/offers';
import { quietly } from '../../base/quietly';
import type { Client, ListedAgent, ListedProvider } from './types';

export type Listing = Offers &
  Readonly<{
    provable: readonly string[];
    loggedIn: readonly (readonly string[])[];
    /** Their package may refuse to start. */
    uncertain: ReadonlySet<string>;
    agents: readonly string[];
    /** All calls succeeded. */
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

/** Stores no keys from OpenCode's response. Lists nothing if OpenCode does not respond. Never rejects. */
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

const variantsIn = (variants: unknown): Readonly<{ variants: string[] }> | null =>
  typeof variants === 'object' && variants !== null ? { variants: Object.keys(variants) } : null;

/** Without hidden agents; null without a response. The configuration names none of OpenCode's own. */
async function listAgents(client: Client): Promise<readonly string[] | null> {
  const answer = await quietly(() => client._client.get({ url: '/agent' }));
  const listed: unknown = answer?.data;
  if (!Array.isArray(listed)) return null;
  return listed.flatMap((agent: ListedAgent | null) =>
    typeof agent?.name === 'string' && agent.hidden !== true ? [agent.name] : [],
  );
}

/** Null without a response. */
async function listLogins(client: Client): Promise<readonly string[] | null> {
  const answer = await quietly(() => client._client.get({ url: '/provider/auth' }));
  return answer?.data ? Object.keys(answer.data) : null;
}

/** Bundled packages that only use the current `fetch`. OpenAI's may use a web socket. */
const OVER_FETCH: ReadonlySet<string> = new Set([
  '@ai-sdk/openai-compatible',
  '@ai-sdk/anthropic',
  '@ai-sdk/google',
  '@openrouter/ai-sdk-provider',
]);

/** Bundled packages that start with any model. */
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

/** A plugin's login may call its own server first; OpenCode's free models need none. */
const isPlain = ({ id, source }: ListedProvider): boolean => source !== 'custom' || id === 'opencode';

const modelsOf = ({ id, models }: ListedProvider): string[] => Object.keys(models ?? {}).map((name) => `${id}/${name}`);

const provableOf = ({ id, models }: ListedProvider): string[] =>
  Object.entries(models ?? {}).flatMap(([name, { api }]) => (OVER_FETCH.has(api?.npm ?? '') ? [`${id}/${name}`] : []));
