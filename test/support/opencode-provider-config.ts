import { type Wire, wireBasePath } from '../../src/demo/scripted-provider';

/** The providers every test configuration may use; each speaks one wire to the scripted provider. */
export const testProviders = {
  alpha: { wire: 'openai-compatible', npm: '@ai-sdk/openai-compatible' },
  beta: { wire: 'openai-compatible', npm: '@ai-sdk/openai-compatible' },
  claude: { wire: 'anthropic', npm: '@ai-sdk/anthropic' },
  oai: { wire: 'openai-responses', npm: '@ai-sdk/openai' },
  gem: { wire: 'google', npm: '@ai-sdk/google' },
  router: { wire: 'openrouter', npm: '@openrouter/ai-sdk-provider' },
} as const satisfies Record<string, { wire: Wire; npm: string }>;

export type TestProviderId = keyof typeof testProviders;

/** Model ids per provider. Keep ids distinct across providers: scripts and recorded requests are told apart by them. */
export type TestModels = Readonly<Partial<Record<TestProviderId, readonly string[]>>>;

type Options = Readonly<{
  /** Another server than the shared one for single providers, such as a port nobody listens on. */
  baseUrls?: Readonly<Partial<Record<TestProviderId, string>>>;
  contextTokens?: number;
  outputTokens?: number;
}>;

/** The `provider` section of an opencode.json whose models are the scripted provider's at `baseUrl`. */
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
