import { modelIdOf } from '../../../demo/scenario';
import { wireBasePath } from '../../../demo/scripted-provider';
import type { OpencodeConfig } from '../../../node/opencode';

/** Invented prices, US dollars per million tokens. */
type PlayedModel = Readonly<{ vendor: string; id: string; name: string; input: number; output: number }>;

const [CLAUDE, CLAUDE_SMALL, GPT, GPT_SMALL, GEMINI, GEMINI_SMALL] = [
  { vendor: 'anthropic', id: 'claude-large', name: 'Claude Large', input: 3, output: 15 },
  { vendor: 'anthropic', id: 'claude-small', name: 'Claude Small', input: 1, output: 5 },
  { vendor: 'openai', id: 'gpt-large', name: 'GPT Large', input: 2, output: 12 },
  { vendor: 'openai', id: 'gpt-small', name: 'GPT Small', input: 0.5, output: 2 },
  { vendor: 'google', id: 'gemini-large', name: 'Gemini Large', input: 2, output: 10 },
  { vendor: 'google', id: 'gemini-small', name: 'Gemini Small', input: 0.5, output: 2 },
] as const satisfies readonly PlayedModel[];
const MODELS: readonly PlayedModel[] = [CLAUDE, CLAUDE_SMALL, GPT, GPT_SMALL, GEMINI, GEMINI_SMALL];

/** Like a router: `scripted/vendor/name`. */
const PROVIDER = 'scripted';
const fullName = ({ vendor, id }: PlayedModel): string => `${PROVIDER}/${vendor}/${id}`;

const speaker = (model: PlayedModel, fallback: PlayedModel) => ({
  model: fullName(model),
  fallback: fullName(fallback),
  vendor: model.vendor,
});

export const SPEAKERS = {
  claude: speaker(CLAUDE, CLAUDE_SMALL),
  gpt: speaker(GPT, GPT_SMALL),
  gemini: speaker(GEMINI, GEMINI_SMALL),
} as const;

export const DYING = 'gpt';

export const MODEL_IDS: readonly string[] = MODELS.map((model) => modelIdOf(fullName(model)));

export const DYING_MODEL_ID = modelIdOf(SPEAKERS[DYING].model);

export function castConfig(providerUrl: string): OpencodeConfig {
  const models = MODELS.map((model) => {
    const { name, input, output } = model;
    const limit = { context: 128_000, output: 8_000 };
    return [modelIdOf(fullName(model)), { name, tool_call: true, limit, cost: { input, output } }] as const;
  });
  const options = { baseURL: `${providerUrl}${wireBasePath('openai-compatible')}`, apiKey: 'not-a-real-key' };
  const provider = { name: PROVIDER, npm: '@ai-sdk/openai-compatible', options, models: Object.fromEntries(models) };
  return { model: SPEAKERS.claude.model, provider: { [PROVIDER]: provider } };
}
