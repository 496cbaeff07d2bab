import type { OpencodeConfig, ProjectOptions } from '../node/opencode';
import { type ScriptedProvider, type ScriptedStep, type Wire, wireBasePath } from './scripted-provider';

type DemoModel = Readonly<{ provider: string; id: string; name: string; wire: Wire; npm: string }>;

const LEAD: DemoModel = {
  provider: 'aurora',
  id: 'aurora-large',
  name: 'Aurora Large',
  wire: 'openai-compatible',
  npm: '@ai-sdk/openai-compatible',
};
const UNDERSTUDY: DemoModel = {
  provider: 'borealis',
  id: 'swift-mini',
  name: 'Swift Mini',
  wire: 'anthropic',
  npm: '@ai-sdk/anthropic',
};
const SECOND: DemoModel = {
  provider: 'cirrus',
  id: 'cirrus-pro',
  name: 'Cirrus Pro',
  wire: 'google',
  npm: '@ai-sdk/google',
};
const MODELS = [LEAD, UNDERSTUDY, SECOND] as const;

const fullName = ({ provider, id }: DemoModel): string => `${provider}/${id}`;

/** The part after the first slash. */
export const modelIdOf = (model: string): string => model.slice(model.indexOf('/') + 1);

export const AGENT = 'build';
export const LEAD_MODEL = fullName(LEAD);
export const UNDERSTUDY_MODEL = fullName(UNDERSTUDY);
export const CHAIN: readonly string[] = MODELS.map(fullName);
/** Enough time to see the primary return. */
export const RETRY_AFTER_S = 120;

export const FIRST_PROMPT = 'Why does a theatre keep an understudy?';
export const FIRST_ANSWER =
  'So that the evening goes on when the lead cannot. The understudy knows the lines, steps in where the lead fell silent, and hands the part back when the lead is well again.';
export const NEXT_PROMPT = 'And who is speaking now?';

const NEXT_ANSWER = 'The understudy. The lead still rests, so nobody knocked at its door.';
const LEAD_ANSWER = 'The lead, well rested. Thank you to the understudy for stepping in.';
const SECOND_ANSWER = 'The second understudy: the others are out.';
const PACE_MS = 12;

/** The primary fails once, then answers like the others. */
export function scriptModels(provider: ScriptedProvider): void {
  const message = `Rate limit reached for ${LEAD.id}. Please try again in ${RETRY_AFTER_S} seconds.`;
  const refusal = { error: { message, type: 'rate_limit_error', param: null, code: 'rate_limit_exceeded' } };
  const say = (text: string) => ({ kind: 'text', text, paceMs: PACE_MS }) as const;
  const headers = { 'retry-after': String(RETRY_AFTER_S) };
  provider.script(LEAD.id, [{ kind: 'status', status: 429, body: refusal, headers }, say(LEAD_ANSWER)]);
  provider.script(UNDERSTUDY.id, [say(FIRST_ANSWER), say(NEXT_ANSWER)]);
  provider.script(SECOND.id, [say(SECOND_ANSWER)]);
}

const TROUBLES: readonly ScriptedStep[] = [
  { kind: 'status', status: 429, headers: { 'retry-after': '20' } },
  { kind: 'cut', text: 'The house lights go down, and then' },
  { kind: 'status', status: 500 },
  { kind: 'emptyStop' },
  { kind: 'status', status: 503 },
  { kind: 'sseError', message: 'Overloaded', text: 'First the curtain, ' },
  { kind: 'status', status: 529 },
];
const [LEAD_FAILS_EVERY, UNDERSTUDY_FAILS_EVERY] = [3, 5];

export function scriptTroubles(provider: ScriptedProvider): void {
  const answer = (text: string): ScriptedStep => ({ kind: 'text', text, paceMs: PACE_MS });
  let next = 0;
  const failing = (every: number, text: string) => {
    let requests = 0;
    return (): ScriptedStep =>
      requests++ % every === 0 ? (TROUBLES[next++ % TROUBLES.length] ?? answer(text)) : answer(text);
  };
  provider.script(LEAD.id, failing(LEAD_FAILS_EVERY, LEAD_ANSWER));
  provider.script(UNDERSTUDY.id, failing(UNDERSTUDY_FAILS_EVERY, NEXT_ANSWER));
  provider.script(SECOND.id, [answer(SECOND_ANSWER)]);
}

/** A project with the demo's chain, served at `providerUrl`; in git, so that snapshots are enabled. */
export function demoProject(providerUrl: string): ProjectOptions {
  const fallback = {
    agents: { [AGENT]: { fallbackModels: CHAIN.slice(1) }, '*': { fallbackModels: [fullName(SECOND)] } },
  };
  return {
    git: true,
    config: {
      model: LEAD_MODEL,
      provider: Object.fromEntries(MODELS.map((model) => providerEntry(model, providerUrl))),
    },
    files: {
      'README.md': '# Theatre\n\nA project that exists for the length of a demo.\n',
      '.opencode/model-fallback.json': `${JSON.stringify(fallback, null, 2)}\n`,
    },
  };
}

function providerEntry(model: DemoModel, providerUrl: string): readonly [string, OpencodeConfig] {
  const baseURL = `${providerUrl}${wireBasePath(model.wire)}`;
  const details = { name: model.name, tool_call: true, limit: { context: 128_000, output: 8_000 } };
  const options = { baseURL, apiKey: 'not-a-real-key' };
  return [model.provider, { name: model.provider, npm: model.npm, options, models: { [model.id]: details } }];
}
