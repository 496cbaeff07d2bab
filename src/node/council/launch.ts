import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mkdir, writeFile } from '../base/disk';
import type { Environment } from '../base/state-home';
import { generationOf, type OpencodeBinary } from '../opencode/binary';
import { contentIn } from '../opencode/config-content';
import { type Serving, startServing } from '../opencode/server';
import { companionFolder } from '../setup/install';
import { type Place, RUN_VARIABLE, runFolder } from './run-folder';

/** What an OpenCode is started for a run with. */
export type LaunchOptions = Readonly<{
  binary: OpencodeBinary;
  place: Place;
  home: string;
  /** The user's own, because it goes with their logins. */
  env: Environment;
  /** The built companion. */
  companion: string;
  signal?: AbortSignal;
}>;

/** Nothing that could change a file, or start a program because of one. A participant that repeats itself is not asked about it: nobody is there. */
const QUIET = {
  lsp: false,
  formatter: false,
  snapshot: false,
  share: 'disabled',
  autoupdate: false,
  permission: { doom_loop: 'allow' },
} as const;

/** What a stranger's folder could add where OpenCode looks into the folders above its own. */
const CLOSED: Readonly<Record<string, string>> = {
  OPENCODE_DISABLE_PROJECT_CONFIG: '1',
  OPENCODE_DISABLE_CLAUDE_CODE: '1',
  OPENCODE_DISABLE_EXTERNAL_SKILLS: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
};

/** An OpenCode that plays one run. */
export type Launched = Pick<Serving, 'child' | 'url' | 'headers'> & Readonly<{ stop(): Promise<void> }>;

/**
 * Starts an OpenCode with the companion in it, which plays the run it finds there. @throws Error with the end of its output when it does not
 * come up.
 */
export async function launch({ binary, place, home, env, companion, signal }: LaunchOptions): Promise<Launched> {
  const given = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const isSecond = generationOf(binary) > 1;
  const content = isSecond
    ? contentFor2(env, await folderWith(companion, { home, run: place.run }))
    : contentFor(env, companion);
  const password = randomBytes(24).toString('base64url');
  const serving = await startServing({
    binary,
    sandbox: { directory: place.directory, env: given },
    env: {
      ...(place.isOwn ? CLOSED : {}),
      // Of its two names in OpenCode 2 the user may have set one.
      ...(isSecond ? { OPENCODE_PASSWORD: password, OPENCODE_SERVER_PASSWORD: password } : {}),
      OPENCODE_CONFIG_CONTENT: JSON.stringify(content),
      [RUN_VARIABLE]: place.run,
      UNDERSTUDY_HOME: home,
      PWD: place.directory,
    },
    ...(signal ? { signal } : {}),
  });
  const { child, url, headers } = serving;
  try {
    // Plugins are loaded when a directory is first asked about.
    const path = isSecond ? '/api/location' : '/session';
    const query = isSecond ? 'location[directory]' : 'directory';
    const asked = await fetch(`${url}${path}?${new URLSearchParams({ [query]: place.directory })}`, { headers });
    await asked.arrayBuffer();
    if (!asked.ok) throw new Error(`OpenCode answered ${asked.status} when it was asked to open ${place.directory}`);
  } catch (error) {
    await child.stop();
    throw error;
  }
  return { child, url, headers, stop: async () => void (await child.stop()) };
}

/** The user's own content, with ours: of plugins of one name OpenCode loads one. */
function contentFor({ OPENCODE_CONFIG_CONTENT }: Environment, companion: string): Readonly<Record<string, unknown>> {
  const theirs = contentIn(OPENCODE_CONFIG_CONTENT ?? '{}');
  const plugins = Array.isArray(theirs.plugin) ? theirs.plugin : [];
  return { ...theirs, ...QUIET, plugin: [...plugins, pathToFileURL(companion).href] };
}

/**
 * The same for OpenCode 2, which has its own names for two of these. Its database stays the user's: their logins lie in it, so that with one of
 * the run's own (`OPENCODE_DB`) it knows only models whose keys stand elsewhere. [seen: 2.0.15]
 */
function contentFor2({ OPENCODE_CONFIG_CONTENT }: Environment, folder: string): Readonly<Record<string, unknown>> {
  const theirs = contentIn(OPENCODE_CONFIG_CONTENT ?? '{}');
  const plugins = Array.isArray(theirs.plugins) ? theirs.plugins : [];
  const { lsp, formatter, share, autoupdate, snapshot: snapshots } = QUIET;
  return { ...theirs, lsp, formatter, share, autoupdate, snapshots, plugins: [...plugins, pathToFileURL(folder).href] };
}

/**
 * The folder that OpenCode 2 loads the companion from (ADR 0021): the installed one, so that no plugin is listed twice, else one in the run's
 * folder that leads to the file.
 */
async function folderWith(companion: string, { home, run }: Readonly<{ home: string; run: string }>): Promise<string> {
  const installed = companionFolder(home);
  if (existsSync(join(installed, SERVER))) return installed;
  const folder = join(runFolder(home, run), 'plugin');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, SERVER), `export { default } from ${JSON.stringify(pathToFileURL(companion).href)};\n`);
  return folder;
}

const SERVER = 'server.js';
