import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { mkdir, writeFile } from '../base/disk';
import { PINNED_OPENCODE_VERSION } from './binary';
import { homeFolders, sandboxEnvironment } from './environment';

/** Contents of an `opencode.json`. */
export type OpencodeConfig = Readonly<Record<string, unknown>>;

export type ProjectOptions = Readonly<{
  /** Creates a real git repository with one commit of all files; OpenCode then takes snapshots. */
  git: boolean;
  /** Relative path with forward slashes -> contents. */
  files?: Readonly<Record<string, string>>;
  /** The project's own `opencode.json`, merged by OpenCode over the sandbox's. */
  config?: OpencodeConfig;
}>;

export type SandboxOptions = ProjectOptions &
  Readonly<{
    /** The caller's folder, existing or not; the caller removes it. */
    root: string;
  }>;

/** A separate OpenCode home with project directories in it. */
export type Sandbox = Readonly<{
  root: string;
  home: string;
  /** `$XDG_CONFIG_HOME/opencode`: global plugins and configuration go here. */
  configDirectory: string;
  /** The whole environment for OpenCode processes; nothing else is inherited. */
  env: Readonly<Record<string, string>>;
  /** The first project's directory. */
  directory: string;
  /** Creates another project and returns its directory. */
  addProject: (name: string, options: ProjectOptions) => Promise<string>;
}>;

/** Keeps OpenCode from using the network, asking questions, and requesting a title before each first answer. */
const QUIET_CONFIG = {
  $schema: 'https://opencode.ai/config.json',
  autoupdate: false,
  share: 'disabled',
  lsp: false,
  formatter: false,
  permission: { '*': 'allow' },
} as const;

const execute = promisify(execFile);

/**
 * Creates the home, its global configuration and a first project called `project`.
 * @throws Error if git is requested and not installed.
 */
export async function createSandbox({ root, config, ...project }: SandboxOptions): Promise<Sandbox> {
  await mkdir(root, { recursive: true });
  // OpenCode reports real paths; a temporary folder behind a link (macOS) would never compare equal.
  const realRoot = await realpath(root);
  const folders = homeFolders(join(realRoot, 'home'));
  const configDirectory = join(folders.config, 'opencode');
  const env = sandboxEnvironment(folders, process.env);
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true });
  await writeNpmStub(configDirectory);
  await writeJson(join(configDirectory, 'opencode.json'), withQuietDefaults(config ?? {}));
  const addProject = (name: string, options: ProjectOptions) => createProject(join(realRoot, name), options, env);
  const directory = await addProject('project', project);
  return { root: realRoot, home: folders.home, configDirectory, env, directory, addProject };
}

/**
 * Merges the caller's configuration over the quiet one; keeps its agents, and disables the title agent unless it has
 * one.
 */
function withQuietDefaults(config: OpencodeConfig): OpencodeConfig {
  const agents = (config.agent ?? {}) as Readonly<Record<string, unknown>>;
  return { ...QUIET_CONFIG, ...config, agent: { title: { disable: true }, ...agents } };
}

async function createProject(
  directory: string,
  { git, files = {}, config }: ProjectOptions,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  await mkdir(directory, { recursive: true });
  await writeNpmStub(join(directory, '.opencode'));
  if (config !== undefined) await writeJson(join(directory, 'opencode.json'), config);
  for (const [path, contents] of Object.entries(files)) {
    const target = join(directory, ...path.split('/'));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, contents);
  }
  if (git) await commitEverything(directory, env);
  return directory;
}

/**
 * Makes OpenCode treat its plugin package as installed in a configuration directory. Otherwise the first start waits
 * for an npm install, for a minute or more without access to the registry.
 */
async function writeNpmStub(directory: string): Promise<void> {
  const dependencies = { '@opencode-ai/plugin': PINNED_OPENCODE_VERSION };
  await mkdir(join(directory, 'node_modules'), { recursive: true });
  await writeJson(join(directory, 'package.json'), { dependencies });
  await writeJson(join(directory, 'package-lock.json'), {
    name: 'opencode-config',
    lockfileVersion: 3,
    packages: { '': { dependencies } },
  });
  await writeFile(join(directory, '.gitignore'), 'node_modules\npackage.json\npackage-lock.json\n.gitignore\n');
}

async function commitEverything(directory: string, env: Readonly<Record<string, string>>): Promise<void> {
  const identity = [
    '-c',
    'user.name=Understudy',
    '-c',
    'user.email=understudy@localhost',
    '-c',
    'commit.gpgsign=false',
  ];
  const git = async (...args: readonly string[]) => {
    await execute('git', [...identity, ...args], { cwd: directory, env, windowsHide: true });
  };
  try {
    await git('init', '--quiet', '--initial-branch=main');
    await git('add', '--all');
    await git('commit', '--quiet', '--allow-empty', '--message', 'Start');
  } catch (error) {
    throw new Error(`could not make a git repository in ${directory}; is git installed?`, { cause: error });
  }
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
}
