import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensurePackage } from '../../../scripts/ensure-package.mjs';
import { refusedPort, type ScriptedProvider, startScriptedProvider } from '../../../src/cli/demo/scripted-provider';
import {
  createSandbox,
  findOpencode,
  generationOf,
  type OpencodeBinary,
  startOpencode,
  startOpencode2,
} from '../../../src/node/opencode';
import { companionFolder, putCompanion } from '../../../src/node/setup/companion-files';
import { builtPlugin } from '../../support/built-companion';
import { type Case, type CaseOptions, makeCase } from '../../support/stage';
import type { Unmeasured } from '../bench-row';
import { openRoom1, openRoom2, type Room } from './rooms';

/** An OpenCode that is to survive a failure, by whatever plugin it has. */
export type Subject = Readonly<{
  name: string;
  /** Its companion's state home. */
  home: string;
  provider: ScriptedProvider;
  /** Whether it is to leave a failing model; else that model recovers at once and is asked again. */
  canSwitch: boolean;
  makeCase: () => Promise<Case>;
  open: (made: Case) => Promise<Room>;
  close: () => Promise<void>;
}>;

/** Long enough that nothing recovers during a run. */
const DEFAULTS = { cooldownMs: 600_000, retryOriginalAfterMs: 600_000, restMs: 600_000 };

const SLIM = 'oh-my-opencode-slim';
const SLIM_VERSION = '2.2.24';
/** The agent whose models its configuration names in order. */
const SLIM_AGENT = 'orchestrator';

/** The OpenCodes that were named, each with its version; the second generation is absent where none can be had. */
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

/** Where an OpenCode runs: in git repositories, with a state home that goes with it, unless said otherwise. */
type Setting = Readonly<{ isGit?: boolean; home?: string }>;

/** Starts an OpenCode with the companion; the caller closes it. */
export const openOurs = (binary: OpencodeBinary, setting: Setting = {}): Promise<Subject> =>
  openSubject(binary, {
    ...{ ...setting, name: `companion on ${binary.version}`, canSwitch: true, case: { defaults: DEFAULTS } },
    plugin: async (home) => {
      if (generationOf(binary) < 2) return builtPlugin();
      const put = await putCompanion({ home, source: builtPlugin() });
      if (!put.ok) throw new Error(put.reason);
      return companionFolder(home);
    },
  });

/** Starts an OpenCode with the plugin users would otherwise take; the caller closes it. @throws Error when it cannot be had. */
export async function openSlim(binary: OpencodeBinary, setting: Setting = {}): Promise<Subject> {
  const folder = await ensurePackage(SLIM, SLIM_VERSION);
  return await openSubject(binary, {
    ...{ ...setting, name: slimOn(binary), canSwitch: true, case: { fallback: false } },
    ...{ agent: SLIM_AGENT, configure: configureSlim, plugin: (home) => slimPlugin(binary, folder, home) },
  });
}

const slimOn = ({ version }: OpencodeBinary): string => `${SLIM} ${SLIM_VERSION} on ${version}`;

/** Starts every subject that is to be had on an OpenCode; the caller closes them. The companion comes first. */
export async function openSubjects(
  binary: OpencodeBinary,
): Promise<Readonly<{ subjects: readonly Subject[]; missing: readonly Unmeasured[] }>> {
  const ours = await openOurs(binary);
  const alone = await openSubject(binary, {
    ...{ name: `OpenCode alone on ${binary.version}`, canSwitch: false, case: { fallback: false } },
  });
  try {
    return { subjects: [ours, await openSlim(binary), alone], missing: [] };
  } catch (error) {
    return { subjects: [ours, alone], missing: [{ name: slimOn(binary), why: (error as Error).message }] };
  }
}

/** What tells one subject from another. */
type Kind = Setting &
  Readonly<{
    name: string;
    canSwitch: boolean;
    case: CaseOptions;
    /** What OpenCode loads, given the state home. */
    plugin?: (home: string) => Promise<string>;
    agent?: string;
    configure?: (made: Case) => Promise<void>;
  }>;

async function openSubject(binary: OpencodeBinary, kind: Kind): Promise<Subject> {
  const isSecond = generationOf(binary) >= 2;
  const root = await mkdtemp(join(tmpdir(), 'us-'));
  const home = kind.home ?? join(root, 'u');
  const plugin = await kind.plugin?.(home);
  const plugins = plugin === undefined ? [] : [pathToFileURL(plugin).href];
  const sandbox = await createSandbox({
    root,
    git: kind.isGit ?? true,
    config: { [isSecond ? 'plugins' : 'plugin']: plugins },
  });
  const [provider, refused] = await Promise.all([startScriptedProvider(), refusedPort()]);
  const options = { binary, sandbox, env: { UNDERSTUDY_HOME: home } };
  const started = isSecond ? await secondOf(options) : await firstOf(options);
  let number = 0;
  return {
    ...{ name: kind.name, canSwitch: kind.canSwitch, home, provider },
    async makeCase() {
      const place = { sandbox, providerUrl: provider.url, refused, number: ++number };
      const made = await makeCase(place, kind.case);
      await kind.configure?.(made);
      return made;
    },
    open: ({ directory }) => started.open({ directory, ...(kind.agent ? { agent: kind.agent } : {}) }),
    async close() {
      await started.stop();
      await provider.close();
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

type Started = Readonly<{ open: (where: Parameters<typeof openRoom1>[1]) => Promise<Room>; stop: () => Promise<void> }>;

async function firstOf(options: Parameters<typeof startOpencode>[0]): Promise<Started> {
  const server = await startOpencode(options);
  return { open: (where) => openRoom1(server, where), stop: async () => void (await server.stop()) };
}

async function secondOf(options: Parameters<typeof startOpencode2>[0]): Promise<Started> {
  const server = await startOpencode2(options);
  return { open: (where) => openRoom2(server, where), stop: async () => void (await server.stop()) };
}

/** OpenCode 1 takes the file it exports; OpenCode 2 a folder, whose `server.js` is what the package calls `./server`. */
async function slimPlugin(binary: OpencodeBinary, folder: string, home: string): Promise<string> {
  if (generationOf(binary) < 2) return join(folder, 'dist', 'index.js');
  const loaded = join(home, '..', SLIM);
  await mkdir(loaded, { recursive: true });
  const server = pathToFileURL(join(folder, 'dist', 'server', 'index.js')).href;
  await writeFile(join(loaded, 'server.js'), `export { default } from ${JSON.stringify(server)};\n`);
  return loaded;
}

/** As its documentation says: an agent's models in order, the fallback on; nothing that asks the network. */
async function configureSlim({ directory, chain }: Case): Promise<void> {
  const settings = {
    autoUpdate: false,
    disabled_mcps: ['context7', 'gh_grep'],
    fallback: { enabled: true },
    agents: { [SLIM_AGENT]: { model: chain } },
  };
  const folder = join(directory, '.opencode');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${SLIM}.json`), JSON.stringify(settings, null, 2));
}
