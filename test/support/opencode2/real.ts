import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { refusedPort, startScriptedProvider } from '../../../src/cli/demo/scripted-provider';
import type { PluginKey } from '../../../src/core/edits';
import { companionFolder, putCompanion } from '../../../src/node/install';
import { createSandbox, type Sandbox } from '../../../src/node/opencode';
import { startChild } from '../../../src/node/opencode/child';
import { builtPlugin, makeCase } from '../stage';
import type { Ended } from './host';
import type { Chair, Stage } from './promises';

/** How long one run of a real OpenCode may take. */
const RUN_LIMIT_MS = 120_000;

/**
 * A real OpenCode 2 with the installed companion in one of its lists, and one private server for each message. Written from its documents; no
 * release of it could be run while this was written, so whoever runs it first should expect to mend it.
 */
export async function openRealStage(
  binary: string,
  list: PluginKey = 'plugins',
): Promise<Stage & Readonly<{ close(): Promise<void> }>> {
  const root = await mkdtemp(join(tmpdir(), 'us2-'));
  const home = join(root, 'u');
  const put = await putCompanion({ home, source: builtPlugin(), env: {}, directory: null });
  if (!put.ok) throw new Error(put.reason);
  const config = { [list]: [pathToFileURL(companionFolder(home)).href] };
  const sandbox = await createSandbox({ root, git: true, config });
  const [provider, refused] = await Promise.all([startScriptedProvider(), refusedPort()]);
  let number = 0;
  return {
    provider,
    async open({ models = 2, defaults = {}, config: more, hasTitles = false } = {}) {
      const place = { sandbox, providerUrl: provider.url, refused, number: ++number };
      const written = (names: readonly string[]) => (typeof more === 'function' ? more(names) : (more ?? {})).agents;
      const { ids, chain, directory } = await makeCase(place, {
        models,
        defaults,
        ...(more ? { agents: (names) => written(names) as Readonly<Record<string, unknown>> } : {}),
        config: { agent: { title: { disable: !hasTitles } } },
      });
      const asked = () => ids.map((id) => provider.requests(id).length);
      return { ids, chain, asked, sit: () => sitAt({ binary, sandbox, directory, home }) };
    },
    async close() {
      await provider.close();
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

type Desk = Readonly<{ binary: string; sandbox: Sandbox; directory: string; home: string }>;

function sitAt({ binary, sandbox, directory, home }: Desk): Chair {
  const said: string[] = [];
  let stop = (): void => undefined;
  let isFirst = true;
  return {
    async ask(text): Promise<Ended> {
      const args = ['run', '--standalone', '--format', 'json', ...(isFirst ? [] : ['--continue']), text];
      isFirst = false;
      const env = { ...sandbox.env, PWD: directory, UNDERSTUDY_HOME: home };
      const child = await startChild({ command: binary, args, cwd: directory, env });
      let isStopped = false;
      stop = () => {
        isStopped = true;
        void child.stop();
      };
      const timer = setTimeout(stop, RUN_LIMIT_MS);
      const { exitCode } = await child.exited;
      clearTimeout(timer);
      said.push(...child.stdout().split('\n').flatMap(textsIn));
      if (isStopped) return 'interrupted';
      return exitCode === 0 ? 'succeeded' : { type: 'unknown', message: child.outputTail() };
    },
    stop: () => stop(),
    said: () => said,
  };
}

/** Every text of the assistant's in one line of JSON, whatever it lies in. */
function textsIn(line: string): readonly string[] {
  try {
    const texts: string[] = [];
    JSON.parse(line, (key, value: unknown) => {
      if (key === 'text' && typeof value === 'string') texts.push(value.trim());
      return value;
    });
    return texts;
  } catch {
    return [];
  }
}
