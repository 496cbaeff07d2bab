import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensurePackage } from '../../scripts/ensure-package.mjs';
import { refusedPort, type ScriptedProvider, startScriptedProvider } from '../../src/demo/scripted-provider';
import {
  createSandbox,
  findOpencode,
  generationOf,
  type OpencodeBinary,
  type Sandbox,
  type StartOptions,
} from '../../src/node/opencode';
import { companionFolder, putCompanion } from '../../src/node/setup/companion-files';
import { builtPlugin } from '../support/built-companion';
import { type Case, type CaseOptions, makeCase } from '../support/stage';

/** One side of a comparison: an OpenCode with a plugin or without. */
export type Kind = Readonly<{
  name: string;
  case: CaseOptions;
  agent?: string;
  /** Provides the plugin and returns the path that OpenCode loads. @throws Error if the plugin is not available. */
  plugin?: (binary: OpencodeBinary, home: string) => Promise<string>;
  configure?: (made: Case) => Promise<void>;
}>;

/** The home of an OpenCode that is not running yet, and a provider for its projects. */
export type Home = Readonly<{
  /** The companion's state folder. */
  state: string;
  provider: ScriptedProvider;
  start: StartOptions & Readonly<{ sandbox: Sandbox }>;
  makeCase: () => Promise<Case>;
  /** Stops the provider and deletes the folder. */
  remove: () => Promise<void>;
}>;

/** A git repository and a new state folder are the default. */
export type Setting = Readonly<{ isGit?: boolean; state?: string }>;

/** Long enough that no model recovers during a run. */
const DEFAULTS = { cooldownMs: 600_000, retryOriginalAfterMs: 600_000, restMs: 600_000 };

const SLIM_PACKAGE = 'oh-my-opencode-slim';
const SLIM_VERSION = '2.2.24';
/** The agent with an ordered list of models in its configuration. */
const SLIM_AGENT = 'orchestrator';

export const ALONE: Kind = { name: 'OpenCode alone', case: { fallback: false } };

export const TRIVIAL: Kind = { name: 'a trivial plugin', case: { fallback: false }, plugin: writeTrivial };

export const SLIM: Kind = {
  name: `${SLIM_PACKAGE} ${SLIM_VERSION}`,
  case: { fallback: false },
  agent: SLIM_AGENT,
  plugin: slimPlugin,
  configure: configureSlim,
};

export const OURS: Kind = { name: 'companion', case: { defaults: DEFAULTS }, plugin: ourPlugin };

/** The companion of OpenCode 1 with marks: see `switch/marks.mjs`. */
export const MARKED: Kind = { ...OURS, plugin: (_, home) => writeMarked(home) };

/** The file in a state folder that has the marks. */
export const marksIn = (state: string): string => join(state, 'marks.jsonl');

/** The pinned OpenCode of each generation; the second one is absent where it is not available. */
export async function benchedOpencodes(): Promise<readonly OpencodeBinary[]> {
  const { OPENCODE_BIN, OPENCODE2_BIN } = process.env;
  const searches = await Promise.all(
    [OPENCODE_BIN, OPENCODE2_BIN].filter(Boolean).map((path) => findOpencode({ OPENCODE_BIN: path })),
  );
  return searches.map((search) => {
    if (!search.ok) throw new Error(search.reason);
    return search.binary;
  });
}

/** Makes a home with OpenCode's whole catalogue and no flag of the engine; the caller removes it. */
export async function makeHome(binary: OpencodeBinary, kind: Kind, setting: Setting = {}): Promise<Home> {
  const root = await mkdtemp(join(tmpdir(), 'us-'));
  const removeRoot = () => rm(root, { recursive: true, force: true, maxRetries: 5 });
  try {
    const state = setting.state ?? join(root, 'u');
    const plugin = await kind.plugin?.(binary, state);
    const plugins = plugin === undefined ? [] : [pathToFileURL(plugin).href];
    const config = { [generationOf(binary) < 2 ? 'plugin' : 'plugins']: plugins };
    const sandbox = await createSandbox({ root, git: setting.isGit ?? true, config });
    const [provider, refused] = await Promise.all([startScriptedProvider(), refusedPort()]);
    let number = 0;
    return {
      state,
      provider,
      start: { binary, sandbox, env: { UNDERSTUDY_HOME: state } },
      async makeCase() {
        const made = await makeCase({ sandbox, providerUrl: provider.url, refused, number: ++number }, kind.case);
        await kind.configure?.(made);
        return made;
      },
      async remove() {
        await provider.close();
        await removeRoot();
      },
    };
  } catch (error) {
    await removeRoot();
    throw error;
  }
}

async function ourPlugin(binary: OpencodeBinary, home: string): Promise<string> {
  if (generationOf(binary) < 2) return builtPlugin();
  const put = await putCompanion({ home, source: builtPlugin() });
  if (!put.ok) throw new Error(put.reason);
  return companionFolder(home);
}

async function slimPlugin(binary: OpencodeBinary, home: string): Promise<string> {
  const folder = await ensurePackage(SLIM_PACKAGE, SLIM_VERSION);
  if (generationOf(binary) < 2) return join(folder, 'dist', 'index.js');
  const server = pathToFileURL(join(folder, 'dist', 'server', 'index.js')).href;
  return writePlugin(home, SLIM_PACKAGE, `export { default } from ${JSON.stringify(server)};\n`);
}

async function writeTrivial(binary: OpencodeBinary, home: string): Promise<string> {
  const text = `export default { id: 'trivial', server: async () => ({}), setup: async () => undefined };\n`;
  const folder = await writePlugin(home, 'trivial', text);
  return generationOf(binary) < 2 ? join(folder, 'server.js') : folder;
}

async function writeMarked(home: string): Promise<string> {
  const marks = pathToFileURL(join(import.meta.dirname, '..', '..', 'test', 'bench', 'switch', 'marks.mjs')).href;
  const [from, what, file] = [marks, pathToFileURL(builtPlugin()).href, marksIn(home)].map((text) =>
    JSON.stringify(text),
  );
  const text = `import companion from ${what};\nimport { marked } from ${from};\nexport default marked(companion, ${file});\n`;
  return join(await writePlugin(home, 'marked', text), 'server.js');
}

/** Writes a plugin. OpenCode 1 loads its file `server.js`, OpenCode 2 its folder. */
async function writePlugin(home: string, name: string, text: string): Promise<string> {
  const folder = join(home, name);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'server.js'), text);
  return folder;
}

/** Writes what its documentation recommends: an agent's models in order, fallback on. No part needs the network. */
async function configureSlim({ directory, chain }: Case): Promise<void> {
  const settings = {
    autoUpdate: false,
    disabled_mcps: ['context7', 'gh_grep'],
    fallback: { enabled: true },
    agents: { [SLIM_AGENT]: { model: chain } },
  };
  const folder = join(directory, '.opencode');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${SLIM_PACKAGE}.json`), JSON.stringify(settings, null, 2));
}
