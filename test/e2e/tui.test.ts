import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openWorld, type World } from '../support/lives';
import { opencodeBinary } from '../support/opencode-binary';
import { builtPlugin } from '../support/stage';
import { hasTerminal, openTerminal } from '../support/terminal';

let world: World;

beforeAll(async () => {
  // The interface is an OpenCode of its own: no other one has to run.
  if (hasTerminal()) world = await openWorld('OpenCode 1');
});
afterAll(() => world?.close());

const PRICE = { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 };
/** Three cents for what goes in and three for what comes out. */
const USED = { inputTokens: 10_000, outputTokens: 2_000 };

/** An interface that starts on a busy machine takes a while. */
const PATIENCE = { timeout: 45_000, interval: 200 };

describe.skipIf(!hasTerminal())('given OpenCode’s terminal interface with the part of Understudy in tui.json', () => {
  it('when the lead is limited, then the prompt says who speaks, at home and in the session, and what that one has used', async () => {
    const { provider, sandbox, home } = world;
    const { directory, ids } = await world.makeCase({
      defaults: { cooldownMs: 600_000, retryOriginalAfterMs: 600_000 },
      costs: [PRICE, PRICE],
    });
    const [lead = '', understudy = ''] = ids;
    provider.script(lead, [{ kind: 'status', status: 429 }]);
    provider.script(understudy, [{ kind: 'text', text: 'UNDERSTUDY ANSWERS', usage: USED }]);
    const file = join(builtPlugin(), '..', 'opencode-understudy-tui.js');
    await writeFile(join(sandbox.configDirectory, 'tui.json'), JSON.stringify({ plugin: [pathToFileURL(file).href] }));

    const env = { ...sandbox.env, UNDERSTUDY_HOME: home };
    const { path: command } = await opencodeBinary();
    const terminal = openTerminal({ command, directory, env });
    onTestFinished(terminal.close);
    await expect.poll(terminal.screen, PATIENCE).toContain(`${lead} not used yet`);
    terminal.type('Say hello');
    await expect.poll(terminal.screen, PATIENCE).toContain('Say hello');
    terminal.press('Enter');
    await expect.poll(terminal.screen, PATIENCE).toContain('UNDERSTUDY ANSWERS');
    await expect
      .poll(terminal.screen, PATIENCE)
      .toMatch(
        new RegExp(
          `${understudy} \\(2 of 2\\), ${lead} cooling until about \\d\\d:\\d\\d, 12k tokens,[\\s┃]+\\$0\\.06`,
        ),
      );
  });
});
