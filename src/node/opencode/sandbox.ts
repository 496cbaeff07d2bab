import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { mkdir, writeFile } from '../base/disk';
import { PINNED_OPENCODE_VERSION } from './binary';
import { homeFolders, sandboxEnvironment } from './environment';

export type OpencodeConfig = Readonly<Record<string, unknown>>;

export type ProjectOptions = Readonly<{
  /** With git, OpenCode takes snapshots. */
  git: boolean;
  /** By relative path with forward slashes. */
  files?: Readonly<Record<string, string>>;
  config?: OpencodeConfig;
}>;

export type SandboxOptions = ProjectOptions &
  Readonly<{
    /** The caller removes it. */
    root: string;
  }>;

export type Sandbox = Readonly<{
  root: string;
  home: string;
  /** `$XDG_CONFIG_HOME/opencode`. */
  configDirectory: string;
  /** Nothing else is inherited. */
  env: Readonly<Record<string, string>>;
  directory: string;
  addProject: (name: string, options: ProjectOptions) => Promise<string>;
}>;

/** No network, questions or title requests. */
const QUIET_CONFIG = {
  $schema: 'https://opencode.ai/config.json',
  autoupdate: false,
  share: 'disabled',
  lsp: false,
  formatter: false,
  permission: { '*': 'allow' },
} as const;

const execute = promisify(execFile);

/** @throws Error if git is requested and not installed. */
export async function createSandbox({ root, config, ...project }: SandboxOptions): Promise<Sandbox> {
  await mkdir(root, { recursive: true });
  // OpenCode reports real paths (macOS: a temporary folder behind a link).
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

/** Keeps the caller's agents. */
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

/** OpenCode would install its plugin package with npm first: a minute or more without the registry. */
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
