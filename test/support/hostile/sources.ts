export type Source = Readonly<{
  path: string;
  /** Valid content: the only fallback model; in a map, a code with its name. */
  good(model: string): string;
  /** We validate its text; for other files we report only that they cannot be read. */
  isOurs: boolean;
  isOpenCodes: boolean;
}>;

const ours = { isOurs: true, isOpenCodes: false };
const theirs = { isOurs: false, isOpenCodes: true };
const plugins = { isOurs: false, isOpenCodes: false };
const own = (model: string) => JSON.stringify({ agents: { build: { fallbackModels: [model] } } });
const opencode = (model: string) => JSON.stringify({ agent: { build: { fallback_models: [model] } } });
const agent = (model: string) => `---\nfallback_models: [${model}]\n---\nBuild.\n`;
const theseus = (model: string) => JSON.stringify({ fallback: { chains: { build: [model] } } });
const single = (model: string) => JSON.stringify({ fallbackModel: model });
const map = (model: string) =>
  JSON.stringify({ version: 1, provider: 'openai', codes: { [model.replaceAll('/', '_')]: 'quota' } });

export const SOURCES: readonly Source[] = [
  { path: '.opencode/model-fallback.json', good: own, ...ours },
  { path: '.opencode/model-fallback.jsonc', good: own, ...ours },
  { path: '.opencode/providers/x.json', good: map, ...ours },
  { path: '.opencode/providers/x.jsonc', good: map, ...ours },
  { path: '.opencode/oh-my-opencode-theseus.json', good: theseus, ...plugins },
  { path: '.opencode/oh-my-opencode-theseus.jsonc', good: theseus, ...plugins },
  { path: '.opencode/rate-limit-fallback.json', good: single, ...plugins },
  { path: '.opencode/opencode-rate-limit-fallback.json', good: single, ...plugins },
  { path: 'opencode.json', good: opencode, ...theirs },
  { path: 'opencode.jsonc', good: opencode, ...theirs },
  { path: '.opencode/opencode.json', good: opencode, ...theirs },
  { path: '.opencode/opencode.jsonc', good: opencode, ...theirs },
  { path: '.opencode/agent/build.md', good: agent, ...theirs },
  { path: '.opencode/agents/build.md', good: agent, ...theirs },
];

export const FOLDERS: readonly Readonly<{ path: string; isOpenCodes: boolean }>[] = [
  { path: '.opencode', isOpenCodes: true },
  { path: '.opencode/agent', isOpenCodes: true },
  { path: '.opencode/agents', isOpenCodes: true },
  { path: '.opencode/providers', isOpenCodes: false },
];
