import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onPush } from '../../src/contract/contract';
import type { Snapshot } from '../../src/contract/snapshot';
import {
  refusedPort,
  type ScriptedProvider,
  startScriptedProvider,
  type Wire,
  wireBasePath,
} from '../../src/demo/scripted-provider';
import type { OpenedCore } from '../../src/node/attach-core';
import { type OpenOptions, openCore } from '../../src/node/open-core';
import {
  createSandbox,
  type OpencodeBinary,
  type OpencodeServer,
  type Sandbox,
  startOpencode,
} from '../../src/node/opencode';
import { builtPlugin } from './built-companion';
import { knowOpencode } from './known-opencode';
import { opencodeBinary } from './opencode-binary';
import { thrifty } from './thrift';

export const PACKAGES: Readonly<Record<Wire, string>> = {
  'openai-compatible': '@ai-sdk/openai-compatible',
  anthropic: '@ai-sdk/anthropic',
  'openai-responses': '@ai-sdk/openai',
  google: '@ai-sdk/google',
  openrouter: '@openrouter/ai-sdk-provider',
};

const UNSEEN = pathToFileURL(join(import.meta.dirname, 'unseen-provider.mjs')).href;

/** Short enough to see a model recover. */
export const QUICK = {
  cooldownMs: 3_000,
  retryOriginalAfterMs: 3_000,
  quotaCooldownMs: 3_000,
  restMs: 3_000,
  firstTokenTimeoutMs: 5_000,
  stallTimeoutMs: 5_000,
} as const;

type ByChain = Readonly<Record<string, unknown>> | ((chain: readonly string[]) => Readonly<Record<string, unknown>>);

const settingsFor = (settings: ByChain | undefined, chain: readonly string[]) =>
  typeof settings === 'function' ? settings(chain) : settings;

export type CaseOptions = Readonly<{
  /** Models in the chain, the lead included; each has its own provider. */
  models?: number;
  wires?: readonly Wire[];
  /** Position of a provider with a port that has no listener. */
  refusedAt?: number;
  /** Position of a provider without an API key. */
  keylessAt?: number;
  /** Position of a model that its provider does not have. */
  unknownAt?: number;
  /** Cost of a million tokens by position in OpenCode's configuration; null without a price. */
  costs?: readonly (Readonly<Record<string, number>> | null)[];
  /** OpenCode's variants of the model, by position and name. */
  variants?: readonly Readonly<Record<string, unknown>>[];
  /** Position of another model of the lead's provider. */
  ofLeadAt?: number;
  /** Position of a provider package that uses no fetch. */
  unseenAt?: number;
  packages?: Readonly<Record<number, string>>;
  /** Provider addresses by position, instead of the scripted one. */
  addresses?: Readonly<Record<number, string>>;
  /** Replaces the short defaults. */
  defaults?: Readonly<Record<string, unknown>>;
  config?: ByChain;
  agents?: ByChain;
  patterns?: readonly unknown[];
  git?: boolean;
  /** False omits model-fallback.json; a text is written unchanged. */
  fallback?: false | string;
}>;

/** A project with unique models, so that failures of other cases do not affect it. */
export type Case = Readonly<{
  directory: string;
  chain: readonly string[];
  /** Model ids of the scripted provider. */
  ids: readonly string[];
  configure(defaults: Readonly<Record<string, unknown>>): Promise<void>;
}>;

/** Creates one project for many cases. */
export type MakeNeighbours = (
  options: readonly NeighbourOptions[],
  shared: Pick<CaseOptions, 'defaults' | 'git'>,
) => Promise<readonly Neighbour[]>;

export type Stage = Readonly<{
  binary: OpencodeBinary;
  provider: ScriptedProvider;
  sandbox: Sandbox;
  server: OpencodeServer;
  home: string;
  makeCase(options?: CaseOptions): Promise<Case>;
  makeNeighbours: MakeNeighbours;
  openApp(): Promise<App>;
  close(): Promise<void>;
}>;

export type App = OpenedCore &
  Readonly<{
    snapshot(): Promise<Snapshot>;
    until(fits: (snapshot: Snapshot) => boolean, limitMs?: number): Promise<Snapshot>;
  }>;

export async function openApp(home: string, options: Partial<OpenOptions> = {}): Promise<App> {
  const env = { ...process.env, ...options.env, UNDERSTUDY_HOME: home };
  const core = await openCore({ version: '0.0.0', runtime: 'test', ...options, env });
  const snapshot = async (): Promise<Snapshot> => core.host.handlers['snapshot.get'](null);
  const until = (fits: (snapshot: Snapshot) => boolean, limitMs = 60_000): Promise<Snapshot> =>
    new Promise((resolve, reject) => {
      let last: Snapshot | null = null;
      const settle = (value: Snapshot): void => {
        last = value;
        if (!fits(value)) return;
        stop();
        clearTimeout(timer);
        resolve(value);
      };
      const stop = onPush(core.host, 'snapshot', settle);
      const timer = setTimeout(() => {
        stop();
        reject(
          new Error(`no snapshot fitted within ${limitMs} ms; the last was ${JSON.stringify(last)?.slice(0, 3_000)}`),
        );
      }, limitMs);
      void snapshot().then(settle, reject);
    });
  return { ...core, snapshot, until };
}

/**
 * The sandbox for OpenCodes with configured models only. OpenCode reads its catalogue of thousands of models in each
 * project, half the work of a first turn; the demo and users have it. Also disables Bun's last compiler tier,
 * which takes a tenth of a start and pays off only after hours.
 * @param isThrifty disables garbage collection too, see `thrifty`.
 */
export async function lean(sandbox: Sandbox, { isThrifty = true } = {}): Promise<Sandbox> {
  const path = join(sandbox.root, 'models.json');
  await writeFile(path, '{}\n');
  const made = { ...sandbox, env: { ...sandbox.env, OPENCODE_MODELS_PATH: path, BUN_JSC_useFTLJIT: '0' } };
  return isThrifty ? thrifty(made) : made;
}

/**
 * Starts everything once for a test file.
 * @param plugins Plugin files; the built companion by default.
 * @param env More of OpenCode's environment.
 * @param hasCatalogue Loads OpenCode's catalogue as for users: for measurements.
 */
export async function openStage(
  plugins: readonly string[] = [builtPlugin()],
  env: Readonly<Record<string, string>> = {},
  { hasCatalogue = false } = {},
): Promise<Stage> {
  const binary = await opencodeBinary();
  const provider = await startScriptedProvider();
  const root = await mkdtemp(join(tmpdir(), 'us-'));
  const home = join(root, 'u');
  const config = { plugin: plugins.map((file) => pathToFileURL(file).href) };
  const made = await createSandbox({ root, git: true, config });
  const sandbox = hasCatalogue ? made : await lean(made);
  const refused = await refusedPort();
  await knowOpencode(home, binary);
  const server = await startOpencode({ binary, sandbox, env: { ...env, UNDERSTUDY_HOME: home } });
  let cases = 0;
  const place = (): CasePlace => ({ sandbox, providerUrl: provider.url, refused, number: ++cases });
  return {
    binary,
    provider,
    sandbox,
    server,
    home,
    makeCase: (options = {}) => makeCase(place(), options),
    makeNeighbours: (options, shared) => makeNeighbours(options.map(place), options, shared),
    openApp: () => openApp(home),
    async close() {
      await server.stop();
      await provider.close();
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** `number` is unique among cases. */
export type CasePlace = Readonly<{ sandbox: Sandbox; providerUrl: string; refused: string; number: number }>;

type Cast = Readonly<{
  chain: readonly string[];
  ids: readonly string[];
  providers: Readonly<Record<string, unknown>>;
}>;

function castOf(place: CasePlace, options: CaseOptions): Cast {
  const count = options.models ?? 2;
  const roles = Array.from({ length: count }, (_, position) => (position === 0 ? 'lead' : `understudy${position}`));
  const providers = roles.map((role, at) => `${at === options.ofLeadAt ? roles[0] : role}-${place.number}`);
  const ids = roles.map((role) => `${role}-model-${place.number}`);
  const chain = providers.map((provider, at) => `${provider}/${ids[at]}`);
  const entries = providers.map((_, at) => {
    const wire = options.wires?.[at] ?? options.wires?.at(-1) ?? 'openai-compatible';
    const base = options.addresses?.[at] ?? (options.refusedAt === at ? place.refused : place.providerUrl);
    const limit = { context: 128_000, output: 8_000 };
    const cost = options.costs?.[at];
    const variants = options.variants?.[at];
    const model = {
      name: ids[at],
      tool_call: true,
      limit,
      ...(cost ? { cost } : {}),
      ...(variants ? { variants } : {}),
    };
    const key = options.keylessAt === at ? {} : { apiKey: 'not-a-real-key' };
    return {
      npm: options.packages?.[at] ?? (options.unseenAt === at ? UNSEEN : PACKAGES[wire]),
      options: { baseURL: `${base}${wireBasePath(wire)}`, ...key },
      models: { [options.unknownAt === at ? 'another' : (ids[at] ?? '')]: model },
    };
  });
  const ofOne = (provider: string) => entries.filter((_, at) => providers[at] === provider);
  const all = providers.map((provider) => {
    const models = Object.assign({}, ...ofOne(provider).map((entry) => entry.models));
    return [provider, { ...ofOne(provider)[0], models }];
  });
  return { chain, ids, providers: Object.fromEntries(all) };
}

export async function makeCase(place: CasePlace, options: CaseOptions): Promise<Case> {
  const { chain, ids, providers } = castOf(place, options);
  const fallback = (defaults: Readonly<Record<string, unknown>>): string =>
    JSON.stringify({
      defaults: { ...QUICK, ...options.defaults, ...defaults },
      agents: settingsFor(options.agents, chain) ?? { '*': { fallbackModels: chain.slice(1) } },
      ...(options.patterns ? { patterns: options.patterns } : {}),
    });
  const text = options.fallback === undefined ? fallback({}) : options.fallback;
  const directory = await place.sandbox.addProject(`case-${place.number}`, {
    git: options.git ?? true,
    config: { model: chain[0], provider: providers, ...settingsFor(options.config, chain) },
    files: text === false ? {} : { '.opencode/model-fallback.json': text },
  });
  const path = join(directory, '.opencode', 'model-fallback.json');
  return { directory, chain, ids, configure: (defaults) => writeFile(path, fallback(defaults)) };
}

/** Options of models alone: cases with no other options may share a project. */
export type NeighbourOptions = Pick<CaseOptions, 'models' | 'wires' | 'refusedAt'>;

/** A case in a shared project; its own agent has the chain. */
export type Neighbour = Pick<Case, 'directory' | 'chain' | 'ids'> & Readonly<{ agent: string }>;

export async function makeNeighbours(
  places: readonly CasePlace[],
  options: readonly NeighbourOptions[],
  shared: Pick<CaseOptions, 'defaults' | 'git'>,
): Promise<readonly Neighbour[]> {
  const casts = places.map((place, at) => ({
    ...castOf(place, options[at] ?? {}),
    agent: `agent-${place.number}`,
  }));
  const [first] = places;
  if (first === undefined) return [];
  const agents = casts.map(({ agent, chain }) => [agent, { mode: 'primary', model: chain[0] }]);
  const chains = casts.map(({ agent, chain }) => [agent, { fallbackModels: chain.slice(1) }]);
  const directory = await first.sandbox.addProject(`cases-from-${first.number}`, {
    git: shared.git ?? true,
    config: {
      model: casts[0]?.chain[0],
      agent: Object.fromEntries(agents),
      provider: Object.assign({}, ...casts.map(({ providers }) => providers)),
    },
    files: {
      '.opencode/model-fallback.json': JSON.stringify({
        defaults: { ...QUICK, ...shared.defaults },
        agents: Object.fromEntries(chains),
      }),
    },
  });
  return casts.map(({ agent, chain, ids }) => ({ directory, agent, chain, ids }));
}
