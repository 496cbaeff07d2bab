import * as z from 'zod';
import type { ModelAbilities } from '../../contract/snapshot';
import { type ModelFacts, unaccounted } from '../../engine';
import { ModelFacts as FactsOnTheWire } from '../../protocol';
import { later } from './later';

/** Variants of one model that are remembered. */
const VARIANTS_MAX = 50;
/** Accounts of one provider that are remembered, and providers that have any. */
const ACCOUNTS_MAX = 50;
const PROVIDERS_MAX = 200;

/** What OpenCode says of a model, as far as it helps to choose one. A missing field is not known. */
export type OfferedFacts = ModelFacts &
  Readonly<{
    /** It runs on this machine, or in its own network. */
    isLocal?: boolean;
    /** The one OpenCode itself would take of its provider. */
    isPreferred?: boolean;
    /** When it came out, as `2026-01-31`. */
    released?: string;
    status?: string;
    /** The ways of answering that OpenCode has for it; absent where it does not say. */
    variants?: readonly string[];
  }>;

/** The same as it is kept in a file. */
export const KeptFacts = later(() =>
  FactsOnTheWire.unwrap().extend({
    isLocal: z.boolean().optional(),
    isPreferred: z.boolean().optional(),
    released: z.string().max(20).optional(),
    status: z.string().max(20).optional(),
    variants: z.array(z.string().max(100)).max(VARIANTS_MAX).optional(),
  }),
);

/** The accounts a user has of providers, each by its label, the one in use first; only of providers with several. */
export type OfferedAccounts = Readonly<Record<string, readonly string[]>>;

/** A provider, and what its accounts are called as it can be written into a chain. */
const KeptAccounts = later(() =>
  z.tuple([
    z.string().regex(/^[^/@\s]{1,100}$/),
    z
      .array(z.string().regex(/^[\p{L}\p{N}._-]{1,60}$/u))
      .min(2)
      .max(ACCOUNTS_MAX),
  ]),
);

/** The accounts in what is data from outside: of a provider whose labels are out of bounds nothing is known. */
export function keptAccounts(accounts: unknown): OfferedAccounts {
  const entries = typeof accounts === 'object' && accounts !== null ? Object.entries(accounts) : [];
  const known = entries.flatMap(([provider, labels]) => {
    const first = Array.isArray(labels) ? labels.slice(0, ACCOUNTS_MAX) : labels;
    const { data } = KeptAccounts.safeParse([provider, first]);
    return data === undefined ? [] : [data];
  });
  return Object.fromEntries(known.slice(0, PROVIDERS_MAX));
}

/** The models a user could use in a directory, each as `provider/model`. */
export type Offers = Readonly<{
  models: readonly string[];
  catalogue: Readonly<Record<string, OfferedFacts>>;
  /** Absent where OpenCode keeps one account of each provider, and where it is not known whether it does. */
  accounts?: OfferedAccounts;
  tellsAccounts?: boolean;
}>;

/** What is known of a model on offer, whichever account is asked for it; nothing of one that is not. */
export const factsIn = (catalogue: Offers['catalogue'], model: string): OfferedFacts => {
  const known = [model, unaccounted(model)].find((name) => Object.hasOwn(catalogue, name));
  return (known === undefined ? undefined : catalogue[known]) ?? {};
};

/** The same as people are shown it. */
export const asAbilities = ({ context, vision, tools, priceIn, priceOut }: ModelFacts): ModelAbilities => ({
  context: context ?? null,
  vision: vision ?? null,
  tools: tools ?? null,
  priceIn: priceIn ?? null,
  priceOut: priceOut ?? null,
});

export type ListedModel = Readonly<{
  family?: string;
  status?: string;
  release_date?: string;
  api?: Readonly<{ url?: string; npm?: string }>;
  limit?: Readonly<{ context?: number }>;
  capabilities?: Readonly<{ toolcall?: boolean; input?: Readonly<{ image?: boolean }> }>;
  cost?: Readonly<{ input?: number; output?: number }>;
  /** Their names. */
  variants?: readonly string[];
}>;

/**
 * What is worth knowing of a model in OpenCode's list.
 *
 * @param address where its provider is asked, when that is not what the model says; only looked at.
 */
export function offeredFacts(name: string, model: ListedModel, address = model.api?.url): OfferedFacts {
  const { family, limit, capabilities, cost, status, release_date: released, variants } = model;
  const vendor = vendorIn(`${name} ${family ?? ''}`);
  const input = cost?.input ?? 0;
  const output = cost?.output ?? 0;
  return {
    // OpenCode fills in zero for what it does not know.
    ...(limit?.context ? { context: limit.context } : {}),
    ...(capabilities?.input?.image === undefined ? {} : { vision: capabilities.input.image }),
    ...(capabilities?.toolcall === undefined ? {} : { tools: capabilities.toolcall }),
    ...(vendor === null ? {} : { vendor }),
    ...(input > 0 || output > 0 ? { priceIn: input, priceOut: output } : {}),
    ...(isNear(address) && !NEVER_LOCAL.test(name.toLowerCase()) ? { isLocal: true } : {}),
    ...(released ? { released } : {}),
    ...(status === undefined || status === 'active' ? {} : { status }),
    ...(variants === undefined ? {} : { variants: variants.slice(0, VARIANTS_MAX) }),
  };
}

/** Whose model it is, wherever it is hosted. Names as the vendors' own providers have them in OpenCode. */
const VENDORS: readonly (readonly [RegExp, string])[] = [
  [/claude/, 'anthropic'],
  [/\b(?:chat)?gpt|\bo[134](?:-|\b)|codex/, 'openai'],
  [/gemini|gemma/, 'google'],
  [/grok/, 'xai'],
  [/mi[sx]tral|devstral|codestral|magistral|ministral/, 'mistral'],
  [/deepseek/, 'deepseek'],
  [/qwen|qwq/, 'alibaba'],
  [/kimi|moonshot/, 'moonshotai'],
  [/\bglm/, 'zai'],
  [/llama/, 'meta'],
  [/minimax/, 'minimax'],
  [/\bcommand-/, 'cohere'],
];

function vendorIn(name: string): string | null {
  const lower = name.toLowerCase();
  return VENDORS.find(([pattern]) => pattern.test(lower))?.[1] ?? null;
}

/** Nobody has the weights of these: behind a near address stands a gateway. */
const NEVER_LOCAL = /claude|gemini|grok|gpt-(?!oss)/;

const NEAR_HOST =
  /^(?:localhost|.*\.(?:localhost|local)|host\.docker\.internal|\[::1\]|0\.0\.0\.0|(?:127|10)(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2})$/;

function isNear(address: string | undefined): boolean {
  const host =
    address === undefined ? null : (/^https?:\/\/(?:[^/@]*@)?(\[[^\]]*\]|[^:/?#]*)/i.exec(address)?.[1] ?? null);
  return host !== null && NEAR_HOST.test(host.toLowerCase());
}
