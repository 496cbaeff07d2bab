import * as z from 'zod';
import type { ModelAbilities } from '../../contract/snapshot';
import { type ModelFacts, unaccounted } from '../../engine';
import { ModelFacts as FactsOnTheWire } from '../../protocol';
import { later } from './later';

const VARIANTS_MAX = 50;
const ACCOUNTS_MAX = 50;
const PROVIDERS_MAX = 200;

/** A missing field is unknown. */
export type OfferedFacts = ModelFacts &
  Readonly<{
    isLocal?: boolean;
    isPreferred?: boolean;
    released?: string;
    status?: string;
    variants?: readonly string[];
  }>;

export const KeptFacts = later(() =>
  FactsOnTheWire.unwrap().extend({
    isLocal: z.boolean().optional(),
    isPreferred: z.boolean().optional(),
    released: z.string().max(20).optional(),
    status: z.string().max(20).optional(),
    variants: z.array(z.string().max(100)).max(VARIANTS_MAX).optional(),
  }),
);

/** By provider, the active account first; only providers with several. */
export type OfferedAccounts = Readonly<Record<string, readonly string[]>>;

const KeptAccounts = later(() =>
  z.tuple([
    z.string().regex(/^[^/@\s]{1,100}$/),
    z
      .array(z.string().regex(/^[\p{L}\p{N}._-]{1,60}$/u))
      .min(2)
      .max(ACCOUNTS_MAX),
  ]),
);

/** Skips a provider with an invalid label. */
export function keptAccounts(accounts: unknown): OfferedAccounts {
  const entries = typeof accounts === 'object' && accounts !== null ? Object.entries(accounts) : [];
  const validEntries = entries.flatMap(([provider, labels]) => {
    const first = Array.isArray(labels) ? labels.slice(0, ACCOUNTS_MAX) : labels;
    const { data } = KeptAccounts.safeParse([provider, first]);
    return data === undefined ? [] : [data];
  });
  return Object.fromEntries(validEntries.slice(0, PROVIDERS_MAX));
}

export type Offers = Readonly<{
  models: readonly string[];
  catalogue: Readonly<Record<string, OfferedFacts>>;
  /** Absent if OpenCode has one account per provider, or if that is unknown. */
  accounts?: OfferedAccounts;
  tellsAccounts?: boolean;
}>;

/** With or without the account; empty for an unknown model. */
export const factsIn = (catalogue: Offers['catalogue'], model: string): OfferedFacts => {
  const key = [model, unaccounted(model)].find((name) => Object.hasOwn(catalogue, name));
  return (key === undefined ? undefined : catalogue[key]) ?? {};
};

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
  variants?: readonly string[];
}>;

/** @param address the provider's address, if it differs. */
export function offeredFacts(name: string, model: ListedModel, address = model.api?.url): OfferedFacts {
  const { family, limit, capabilities, cost, status, release_date: released, variants } = model;
  const vendor = vendorIn(`${name} ${family ?? ''}`);
  const input = cost?.input ?? 0;
  const output = cost?.output ?? 0;
  return {
    // OpenCode writes 0 for an unknown context.
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

/** No public weights: at a local address these models are behind a gateway. */
const NEVER_LOCAL = /claude|gemini|grok|gpt-(?!oss)/;

const NEAR_HOST =
  /^(?:localhost|.*\.(?:localhost|local)|host\.docker\.internal|\[::1\]|0\.0\.0\.0|(?:127|10)(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2})$/;

function isNear(address: string | undefined): boolean {
  const host =
    address === undefined ? null : (/^https?:\/\/(?:[^/@]*@)?(\[[^\]]*\]|[^:/?#]*)/i.exec(address)?.[1] ?? null);
  return host !== null && NEAR_HOST.test(host.toLowerCase());
}
