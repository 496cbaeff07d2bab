import { join } from 'node:path';
import process from 'node:process';
import { QUICK, type Stage } from './stage';

/** A login plugin with a different failure for each provider. */
export const LOGIN = join(process.cwd(), 'test', 'support', 'login-plugin.mjs');
export const SHAPES = [
  ...(['throws', 'rejects', 'limits', 'stores', 'hangs', 'passes'] as const),
  ...(['answers401', 'answers402', 'answers403', 'answers404', 'answers500', 'answers503', 'answers529'] as const),
  ...(['rejectsText', 'rejectsType', 'rejectsNothing', 'cuts', 'falls', 'ends', 'logsIn', 'asks'] as const),
] as const;
export type Shape = (typeof SHAPES)[number] | 'expires';
const KEYS = Object.fromEntries(SHAPES.map((shape) => [`login-${shape}`, { type: 'api', key: 'made-up' }]));
export const ENV = { OPENCODE_AUTH_CONTENT: JSON.stringify(KEYS) };
export const NEXT = 'next-model';
export const ANSWER = { kind: 'text', text: 'NEXT ANSWERS' } as const;
const LIMITED = { kind: 'status', status: 429 } as const;

let projects = 0;

export async function loginProject(
  { provider, sandbox }: Stage,
  shape: Shape,
  more: Readonly<Record<string, unknown>> = {},
  last: readonly string[] = [],
  ids: readonly string[] = ['main-model', 'spare-model'],
) {
  const baseURL = `${provider.url}/v1`;
  const limit = { context: 128_000, output: 8_000 };
  const models = (...ids: string[]) => Object.fromEntries(ids.map((id) => [id, { name: id, tool_call: true, limit }]));
  const of = (...ids: string[]) => ({ npm: '@ai-sdk/openai-compatible', options: { baseURL }, models: models(...ids) });
  provider.script('main-model', [LIMITED]);
  provider.script(NEXT, [ANSWER]);
  const fallback = {
    defaults: { ...QUICK, firstTokenTimeoutMs: 2_000 },
    agents: { '*': { fallbackModels: [`next/${NEXT}`, ...last] } },
  };
  return sandbox.addProject(`login-${++projects}`, {
    git: true,
    config: {
      model: `login-${shape}/main-model`,
      // OpenCode 1 does not start with a login for an unknown provider.
      provider: {
        ...Object.fromEntries([...SHAPES, 'expires'].map((each) => [`login-${each}`, of(...ids)])),
        next: { ...of(NEXT), options: { baseURL, apiKey: 'x' } },
      },
      ...more,
    },
    files: { '.opencode/model-fallback.json': JSON.stringify(fallback) },
  });
}
