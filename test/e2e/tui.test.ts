import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { builtPlugin } from '../support/built-companion';
import { describeGenerations, openWorld, type World } from '../support/lives';
import { opencodeBinary } from '../support/opencode-binary';
import { opencode2Binary } from '../support/opencode2/real';
import { hasTerminal, openTerminal } from '../support/terminal';

const PRICE = { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 };
/** Three cents for what goes in and three for what comes out. */
const USED = { inputTokens: 10_000, outputTokens: 2_000 };

/** An interface that starts on a busy machine takes a while. */
const PATIENCE = { timeout: 45_000, interval: 200 };

const TUI_FILE = join(builtPlugin(), '..', 'opencode-understudy-tui.js');

/** OpenCode 1 draws the line for whoever names it in `tui.json`; OpenCode 2 loads it with the companion's folder. */
const INTERFACES = {
  'OpenCode 1': {
    command: async () => [(await opencodeBinary()).path],
    allow: async ({ sandbox }: World) => {
      const list = JSON.stringify({ plugin: [pathToFileURL(TUI_FILE).href] });
      await writeFile(join(sandbox.configDirectory, 'tui.json'), list);
    },
  },
  'OpenCode 2': { command: async () => [opencode2Binary().path, '--standalone'], allow: async () => undefined },
} as const;

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

describeGenerations('given the terminal interface of %s with the part of Understudy', 'OpenCode 2', (generation) => {
  const open = async () => {
    const opened = await openWorld(generation);
    world = opened;
    const { command, allow } = INTERFACES[generation];
    await allow(opened);
    const start = async (directory: string, columns?: number) => {
      const env = { ...opened.sandbox.env, UNDERSTUDY_HOME: opened.home };
      const [program = '', ...args] = await command();
      const terminal = openTerminal({ command: program, args, directory, env, ...(columns ? { columns } : {}) });
      onTestFinished(terminal.close);
      return terminal;
    };
    return { ...opened, start };
  };

  it.runIf(hasTerminal())(
    'when the lead is limited, then a line says whose model speaks, why, until when and what that one has used, and a toast tells of the switch',
    async () => {
      const { provider, makeCase, start } = await open();
      const { directory, ids } = await makeCase({
        defaults: { cooldownMs: 600_000, retryOriginalAfterMs: 600_000 },
        costs: [PRICE, PRICE],
      });
      const [lead = '', understudy = ''] = ids;
      provider.script(lead, [{ kind: 'status', status: 429 }]);
      provider.script(understudy, [{ kind: 'text', text: 'UNDERSTUDY ANSWERS', usage: USED }]);
      const terminal = await start(directory);
      await expect.poll(terminal.screen, PATIENCE).toContain(`build: ${lead} not used yet`);
      terminal.type('Say hello');
      await expect.poll(terminal.screen, PATIENCE).toContain('Say hello');
      terminal.press('Enter');
      await expect.poll(terminal.screen, PATIENCE).toContain('UNDERSTUDY ANSWERS');
      const line = `build: ${understudy} (2 of 2), ${lead} is rate limited (429), back about 00:00, 12k tokens, $0.06`;
      await expect.poll(() => asOneLine(terminal.screen()), PATIENCE).toContain(line);
      // Beside it a toast, which breaks its sentence into lines of its own.
      await expect.poll(() => asOneLine(terminal.screen()), PATIENCE).toContain('Understudy');
    },
  );
});

/** Times are those of the machine, and a narrow place breaks a line. */
const asOneLine = (screen: string): string => screen.replace(/[\s\u2500-\u259f]+/g, ' ').replace(/\d\d:\d\d/g, '00:00');
