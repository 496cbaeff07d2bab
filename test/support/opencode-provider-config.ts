import { type Wire, wireBasePath } from '../../src/demo/scripted-provider';

export const testProviders = {
  alpha: { wire: 'openai-compatible', npm: '@ai-sdk/openai-compatible' },
  beta: { wire: 'openai-compatible', npm: '@ai-sdk/openai-compatible' },
  claude: { wire: 'anthropic', npm: '@ai-sdk/anthropic' },
  oai: { wire: 'openai-responses', npm: '@ai-sdk/openai' },
  gem: { wire: 'google', npm: '@ai-sdk/google' },
  router: { wire: 'openrouter', npm: '@openrouter/ai-sdk-provider' },
} as const satisfies Record<string, { wire: Wire; npm: string }>;

export type TestProviderId = keyof typeof testProviders;

/** Model ids per provider; must be unique, because scripts and requests are matched by them. */
export type TestModels = Readonly<Partial<Record<TestProviderId, readonly string[]>>>;

type Options = Readonly<{
  /** Servers of single providers, such as a port without a listener. */
  baseUrls?: Readonly<Partial<Record<TestProviderId, string>>>;
  contextTokens?: number;
  outputTokens?: number;
}>;

export function providerConfig(baseUrl: string, models: TestModels, options: Options = {}): Record<string, unknown> {
  const { baseUrls = {}, contextTokens = 128_000, outputTokens = 8_000 } = options;
  const limit = { context: contextTokens, output: outputTokens };
  const entries = (Object.keys(models) as TestProviderId[]).map((id) => {
    const { wire, npm } = testProviders[id];
    const provider = {
      name: id,
      npm,
      options: { baseURL: `${baseUrls[id] ?? baseUrl}/${id}${wireBasePath(wire)}`, apiKey: `${id}-not-a-real-key` },
      models: Object.fromEntries((models[id] ?? []).map((model) => [model, { name: model, tool_call: true, limit }])),
    };
    return [id, provider] as const;
  });
  return Object.fromEntries(entries);
}
