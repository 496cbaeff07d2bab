import { pathToFileURL } from 'node:url';
import type { Environment } from '../base/state-home';
import { generationOf, type OpencodeBinary } from '../opencode/binary';
import { contentIn } from '../opencode/config-content';
import { type Serving, startServing } from '../opencode/server';
import { type Place, RUN_VARIABLE } from './run-folder';

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
export type Launched = Pick<Serving, 'child' | 'url'> & Readonly<{ stop(): Promise<void> }>;

/**
 * Starts an OpenCode with the companion in it, which plays the run it finds there. @throws Error with the end of its output when it does not
 * come up.
 */
export async function launch({ binary, place, home, env, companion, signal }: LaunchOptions): Promise<Launched> {
  const given = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const serving = await startServing({
    binary,
    sandbox: { directory: place.directory, env: given },
    env: {
      ...(place.isOwn ? CLOSED : {}),
      OPENCODE_CONFIG_CONTENT: JSON.stringify(contentFor(env, companion)),
      [RUN_VARIABLE]: place.run,
      UNDERSTUDY_HOME: home,
      PWD: place.directory,
    },
    ...(signal ? { signal } : {}),
  });
  const { child, url, headers } = serving;
  try {
    // Plugins are loaded when a directory is first asked about.
    const path = generationOf(binary) === 1 ? '/session' : '/api/location';
    const query = generationOf(binary) === 1 ? 'directory' : 'location[directory]';
    const asked = await fetch(`${url}${path}?${new URLSearchParams({ [query]: place.directory })}`, { headers });
    await asked.arrayBuffer();
    if (!asked.ok) throw new Error(`OpenCode answered ${asked.status} when it was asked to open ${place.directory}`);
  } catch (error) {
    await child.stop();
    throw error;
  }
  return { child, url, stop: async () => void (await child.stop()) };
}

/** The user's own content, with ours: of plugins of one name OpenCode loads one. */
function contentFor({ OPENCODE_CONFIG_CONTENT }: Environment, companion: string): Readonly<Record<string, unknown>> {
  const theirs = contentIn(OPENCODE_CONFIG_CONTENT ?? '{}');
  const plugins = Array.isArray(theirs.plugin) ? theirs.plugin : [];
  return { ...theirs, ...QUIET, plugin: [...plugins, pathToFileURL(companion).href] };
}
