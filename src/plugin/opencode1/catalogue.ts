import type { Catalogue, ModelFacts } from '../../engine';
import type { Client, ListedModel } from './types';

/** The models OpenCode could use, and what it knows of them. */
export type Listed = Readonly<{ models: readonly string[]; catalogue: Catalogue }>;

/** Nothing is known, and nothing is refused for it. */
export const NOTHING_LISTED: Listed = { models: [], catalogue: {} };

/**
 * Asks OpenCode for its models: names, sizes, prices and what they can read. What else the answer holds, keys among it,
 * is not looked at. Nothing is listed when OpenCode does not answer; never rejects.
 */
export async function listModels(client: Client): Promise<Listed> {
  try {
    const { data } = await client.config.providers();
    const entries = (data?.providers ?? []).flatMap(({ id, models }) =>
      Object.entries(models ?? {}).map(([name, model]) => [`${id}/${name}`, factsOf(name, model)] as const),
    );
    return { models: entries.map(([model]) => model), catalogue: Object.fromEntries(entries) };
  } catch {
    return NOTHING_LISTED;
  }
}

function factsOf(name: string, { family, limit, capabilities, cost }: ListedModel): ModelFacts {
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
