import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStage, type Stage } from './stage';

const PASSWORD = 'made-up';
/** A port without a listener. */
const CLOSED = 'http://127.0.0.1:9';
const LOOPBACK = '127.0.0.1,localhost';
const ENV = {
  OPENCODE_SERVER_PASSWORD: PASSWORD,
  // Plugins reach no other host.
  ...{ HTTP_PROXY: CLOSED, HTTPS_PROXY: CLOSED, NO_PROXY: LOOPBACK },
  ...{ http_proxy: CLOSED, https_proxy: CLOSED, no_proxy: LOOPBACK },
  // opencode-supermemory does nothing without a key.
  SUPERMEMORY_API_KEY: 'made-up',
};
/** opencode-skills does nothing without a skill. */
const SKILL = '---\nname: made-up\ndescription: A made-up skill for a test of plugins.\n---\n\nDo nothing.\n';
/** OpenCode 1.17.19 to 1.18.34 skip plugins with such a name in their path, without a report. */
const SKIPPED = /opencode-(?:openai-codex|copilot)-auth/;
const FAILURE = /failed to (?:load|install) plugin|plugin config hook failed|Plugin \S+ skipped/i;
const REGISTRIES = ['/provider/auth', '/agent', '/command', '/experimental/tool/ids'];

/** Popular plugins, with a text that each adds to OpenCode: a login, a tool, a command, a line of output or a file. */
export const PLUGINS = [
  ['opencode-anthropic-auth', '0.0.13', 'Claude Pro/Max'],
  ['oh-my-opencode', '4.19.4', 'call_omo_agent'],
  ['oh-my-opencode-slim', '2.2.24', 'wait_for_user'],
  ['opencode-antigravity-auth', '1.6.0', 'OAuth with Google (Antigravity)'],
  ['opencode-copilot-auth', '0.0.9', 'Login with GitHub Copilot'],
  ['opencode-gemini-auth', '1.3.8', 'OAuth with Google (Gemini CLI)'],
  ['opencode-openai-codex-auth', '4.4.0', 'ChatGPT Plus/Pro'],
  ['@tarquinen/opencode-dcp', '3.1.14', 'dcp-compress'],
  ['opencode-lmstudio', '0.3.0', 'LM Studio plugin initialized'],
  ['opencode-supermemory', '2.0.10', '"supermemory"'],
  ['opencode-pty', '0.1.3', 'pty_spawn'],
  ['opencode-wakatime', '1.3.9', '.wakatime'],
  ['@different-ai/opencode-browser', '4.6.1', 'browser_open_tab'],
  ['opencode-skills', '0.1.7', 'skills_made_up'],
  ['opencode-swarm', '5.1.0', 'detect_domains'],
] as const;

/** Returns the path of the file that OpenCode 1 loads, below the folder of a plugin package. */
function entryOf(folder: string): string {
  const { main, module, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const named = [exports?.['./server'], main, module, exports?.['.'], 'index.ts', 'index.js'];
  const files = named.map((file) => file?.import ?? file);
  const entry = files.find((file) => typeof file === 'string' && existsSync(join(folder, file)));
  if (entry === undefined) throw new Error(`${folder} names no file for OpenCode`);
  return entry;
}

export type PluginStage = Stage &
  Readonly<{
    /** Returns the lines in which OpenCode reports plugins that it could not load. */
    loadFailures(): readonly string[];
    /** Texts that plugins may have added to OpenCode, its output and its home. */
    additions(directory: string): Promise<string>;
  }>;

/**
 * Opens a stage without a network and records how OpenCode loads plugins.
 * @param plugins Package folders and single files.
 * @param env More of OpenCode's environment.
 */
export async function openPluginStage(
  plugins: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<PluginStage> {
  const links = await mkdtemp(join(tmpdir(), 'us-'));
  const files = plugins.map(async (plugin, index) => {
    if (/\.m?js$/.test(plugin)) return plugin;
    if (!SKIPPED.test(plugin)) return join(plugin, entryOf(plugin));
    // The link has another name.
    const link = join(links, `plugin-${index}`);
    await symlink(plugin, link, 'junction');
    return join(link, entryOf(plugin));
  });
  const stage = await openStage(await Promise.all(files), { ...ENV, ...env });
  const { server, sandbox } = stage;
  const skill = join(sandbox.configDirectory, 'skills', 'made-up');
  await mkdir(skill, { recursive: true });
  await writeFile(join(skill, 'SKILL.md'), SKILL);
  const events = await readGlobalEvents(server.url);
  const logs = join(sandbox.home, '.local', 'share', 'opencode', 'log');
  return {
    ...stage,
    loadFailures: () => {
      // OpenCode 1.18.34 reports a failed import in an event only, and a failed call in its log only.
      const texts = readdirSync(logs).map((file) => readFileSync(join(logs, file), 'utf8'));
      return [events(), ...texts].flatMap((text) => text.split('\n')).filter((line) => FAILURE.test(line));
    },
    additions: async (directory) => {
      const lists = await Promise.all(REGISTRIES.map((path) => server.request('GET', path, { directory })));
      return [server.stdout(), ...readdirSync(sandbox.home), ...lists.map((list) => JSON.stringify(list))].join('\n');
    },
    close: async () => {
      await stage.close();
      await rm(links, { recursive: true, force: true });
    },
  };
}

/** Subscribes to the events of all projects. A subscription to one project begins after its plugins have loaded. */
async function readGlobalEvents(url: string): Promise<() => string> {
  const authorization = `Basic ${Buffer.from(`opencode:${PASSWORD}`).toString('base64')}`;
  const { body } = await fetch(`${url}/global/event`, { headers: { authorization } });
  let text = '';
  const read = async () => {
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
  };
  // The end of OpenCode breaks the connection.
  void read().catch(() => undefined);
  return () => text;
}
