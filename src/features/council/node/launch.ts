import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mkdir, writeFile } from '../../../node/base/disk';
import { type Environment, variablesOf } from '../../../node/base/state-home';
import { generationOf, type OpencodeBinary } from '../../../node/opencode/binary';
import { contentIn } from '../../../node/opencode/config-content';
import { type Serving, startServing } from '../../../node/opencode/server';
import { companionFolder, updateCompanion } from '../../../node/setup/companion-files';
import { detectSetup } from '../../../node/setup/install';
import { type Place, RUN_VARIABLE, runFolder, STARTER_VARIABLE } from './run-folder';

export type LaunchOptions = Readonly<{
  binary: OpencodeBinary;
  place: Place;
  home: string;
  /** The user's, because OpenCode needs its logins. */
  env: Environment;
  companion: string;
  signal?: AbortSignal;
}>;

/**
 * Disables everything that changes files or starts programs because of a file, and questions, which no user can
 * answer.
 */
const QUIET = {
  lsp: false,
  formatter: false,
  snapshot: false,
  share: 'disabled',
  autoupdate: false,
  permission: { doom_loop: 'allow' },
} as const;

/** OpenCode also reads project settings in parent folders. */
const CLOSED: Readonly<Record<string, string>> = {
  OPENCODE_DISABLE_PROJECT_CONFIG: '1',
  OPENCODE_DISABLE_CLAUDE_CODE: '1',
  OPENCODE_DISABLE_EXTERNAL_SKILLS: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
};

export type Launched = Pick<Serving, 'child' | 'url' | 'headers'> & Readonly<{ stop(): Promise<void> }>;

/** @throws Error with the end of its output if it does not start. */
export async function launch({ binary, place, home, env, companion, signal }: LaunchOptions): Promise<Launched> {
  const isSecond = generationOf(binary) > 1;
  const isListed = await isInstalled({ place, home, env, companion });
  const added = isListed ? null : isSecond ? await folderWith(companion, { home, run: place.run }) : companion;
  const content = (isSecond ? contentFor2 : contentFor)(env, added);
  const password = randomBytes(24).toString('base64url');
  const serving = await startServing({
    binary,
    sandbox: { directory: place.directory, env: variablesOf(env) },
    env: {
      ...(place.isOwn ? CLOSED : {}),
      // OpenCode 2 reads two names, and the user may have set either.
      ...(isSecond ? { OPENCODE_PASSWORD: password, OPENCODE_SERVER_PASSWORD: password } : {}),
      OPENCODE_CONFIG_CONTENT: JSON.stringify(content),
      [RUN_VARIABLE]: place.run,
      // The follower of the run may have started this process.
      [STARTER_VARIABLE]: env[STARTER_VARIABLE] ?? String(process.pid),
      UNDERSTUDY_HOME: home,
      PWD: place.directory,
    },
    ...(signal ? { signal } : {}),
  });
  const { child, url, headers } = serving;
  try {
    // OpenCode loads plugins with the first request for a directory.
    const path = isSecond ? '/api/location' : '/session';
    const query = isSecond ? 'location[directory]' : 'directory';
    const response = await fetch(`${url}${path}?${new URLSearchParams({ [query]: place.directory })}`, { headers });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`OpenCode returned ${response.status} when opening ${place.directory}`);
  } catch (error) {
    await child.stop();
    throw error;
  }
  return { child, url, headers, stop: async () => void (await child.stop()) };
}

/** Two companions would play a run twice. */
async function isInstalled({ place, home, env, companion }: Omit<LaunchOptions, 'binary'>): Promise<boolean> {
  const at = { env, home, directory: place.isOwn ? null : place.directory, source: companion };
  const { files, loose } = await detectSetup(at);
  const isListed = files.some((file) => 'found' in file && file.found.companions.length > 0);
  if (!isListed && loose.length === 0) return false;
  await updateCompanion(at);
  return true;
}

function contentFor(
  { OPENCODE_CONFIG_CONTENT }: Environment,
  companion: string | null,
): Readonly<Record<string, unknown>> {
  const theirs = contentIn(OPENCODE_CONFIG_CONTENT ?? '{}');
  const plugins = Array.isArray(theirs.plugin) ? theirs.plugin : [];
  const added = companion === null ? [] : [pathToFileURL(companion).href];
  return { ...theirs, ...QUIET, plugin: [...plugins, ...added] };
}

/**
 * OpenCode 2 renamed two keys. It uses the user's database because of the logins: another one (`OPENCODE_DB`) has only
 * models with keys elsewhere. [seen: 2.0.15]
 */
function contentFor2(
  { OPENCODE_CONFIG_CONTENT }: Environment,
  folder: string | null,
): Readonly<Record<string, unknown>> {
  const theirs = contentIn(OPENCODE_CONFIG_CONTENT ?? '{}');
  const plugins = Array.isArray(theirs.plugins) ? theirs.plugins : [];
  const { lsp, formatter, share, autoupdate, snapshot: snapshots } = QUIET;
  const added = folder === null ? [] : [pathToFileURL(folder).href];
  return { ...theirs, lsp, formatter, share, autoupdate, snapshots, plugins: [...plugins, ...added] };
}

/**
 * Returns the folder with OpenCode 2's companion (ADR 0021): the installed one, so that no plugin is listed twice,
 * otherwise one of the run.
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
