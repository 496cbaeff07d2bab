import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { npmCommand } from '../../scripts/npm-command.mjs';
import type { OpencodeBinary, Sandbox } from '../../src/node/opencode';
import { homeFolders, sandboxEnvironment } from '../../src/node/opencode/environment';
import { providerConfig } from './opencode-provider-config';

export type Ran = Readonly<{ code: number; out: string; err: string }>;

/** A user with an OpenCode, npm and an empty home; the path has nothing else. */
export type NpmUser = Readonly<{
  sandbox: Pick<Sandbox, 'directory' | 'env'>;
  npx(...words: readonly string[]): Promise<Ran>;
  /** Runs a packed file with npx in the project. */
  npxFile(file: string, ...words: readonly string[]): Promise<Ran>;
  opencode(...words: readonly string[]): Promise<Ran>;
  run(program: string, words: readonly string[]): Promise<Ran>;
  startPanel(folder: string): Promise<Readonly<{ stop(): Promise<void> }>>;
  /** Paths in the home, without OpenCode's records, and contents of configuration files. */
  files(): Promise<readonly string[]>;
  close(): Promise<void>;
}>;

type About = Readonly<{
  binary: OpencodeBinary;
  /** Address of the scripted provider of the project's two models. */
  provider: string;
  registry: string;
}>;

/** Limit for a start of OpenCode on a busy machine. */
const LIMIT_MS = 120_000;
/** OpenCode names these by time, process or content. */
const RECORDS = /(?:^|\/)(?:log|snapshot|storage|session_diff)\/|(?:^|\/)locks(?:\/|$)|\.db-(?:shm|wal)$|\.lock$/;

export async function createNpmUser({ binary, provider, registry }: About): Promise<NpmUser> {
  const root = await mkdtemp(join(tmpdir(), 'us-npx-'));
  const [home, bin, directory] = ['home', 'bin', 'project'].map((name) => join(root, name)) as [string, string, string];
  for (const folder of [home, bin, directory]) await mkdir(folder);
  await symlink(process.execPath, join(bin, 'node'));
  await symlink('/bin/sh', join(bin, 'sh'));
  await symlink(binary.path, join(bin, 'opencode'));
  const config = {
    ...{ model: 'alpha/lead-model', autoupdate: false, share: 'disabled', agent: { title: { disable: true } } },
    provider: providerConfig(provider, { alpha: ['lead-model'], beta: ['understudy-model'] }),
  };
  await writeFile(join(directory, 'opencode.json'), JSON.stringify(config));
  const env = {
    ...sandboxEnvironment(homeFolders(home), { ...process.env, PATH: bin, Path: bin }),
    npm_config_registry: registry,
    npm_config_cache: join(root, 'npm'),
    NO_COLOR: '1',
  };
  const run: NpmUser['run'] = (program, words) =>
    new Promise((resolve) => {
      const options = { cwd: directory, env, windowsHide: true, timeout: LIMIT_MS };
      const child = execFile(program, words, options, (error, out, err) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err });
      });
      child.stdin?.end();
    });
  const { command, args } = npmCommand();
  const panels: ChildProcess[] = [];
  const exec = (what: string, words: readonly string[]): Promise<Ran> =>
    run(command, [...args, 'exec', '--yes', '--', what, ...words]);
  return {
    sandbox: { directory, env },
    run,
    npx: (...words) => exec('opencode-understudy@latest', words),
    async npxFile(file, ...words) {
      await copyFile(file, join(directory, basename(file)));
      return await exec(`./${basename(file)}`, words);
    },
    opencode: (...words) => run(join(bin, 'opencode'), words),
    async startPanel(folder) {
      const words = [join(folder, 'cli', 'understudy.js'), 'panel', '--no-open', '--port', '0'];
      const child = spawn(process.execPath, words, { cwd: directory, env, stdio: ['ignore', 'pipe', 'inherit'] });
      panels.push(child);
      const ended = once(child, 'exit');
      await Promise.race([once(child.stdout, 'data'), ended]);
      return {
        async stop() {
          child.kill('SIGTERM');
          await ended;
        },
      };
    },
    async files() {
      const paths = (await readdir(home, { recursive: true })).filter((path) => !RECORDS.test(path)).toSorted();
      const configs = paths.filter((path) => /(?:^|\/)(?:opencode|tui|cli)\.jsonc?$/.test(path));
      const texts = await Promise.all([
        ...configs.map((path) => readFile(join(home, path), 'utf8')),
        readFile(join(directory, 'opencode.json'), 'utf8'),
      ]);
      return [...paths, ...(await readdir(directory)).toSorted(), ...texts];
    },
    async close() {
      for (const child of panels) child.kill('SIGKILL');
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
