import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually';
import { type PanelProcess, startPanel } from '../support/panel-process';

const ROOT = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);
const GONE = 'Understudy is not running.';

/** The commands that a page of ours tells people to put into their bars, by the bar. */
async function documented(): Promise<Readonly<Record<'tmux' | 'waybar' | 'starship', string>>> {
  const page = await readFile(join(ROOT, 'docs', 'cli.md'), 'utf8');
  const of = (pattern: RegExp): string => pattern.exec(page)?.[1] ?? '';
  return {
    tmux: of(/^set -g status-right '#\((.+)\)'$/m),
    waybar: of(/"exec": "([^"]+)"/),
    starship: of(/^command = '''\n([\s\S]+?)'''$/m),
  };
}

// The snippet for a prompt is for Linux, and says so.
describe.skipIf(process.platform !== 'linux')('given a status bar as the page on the command line sets it up', () => {
  let root: string;
  let env: NodeJS.ProcessEnv;
  let panel: PanelProcess;
  let commands: Awaited<ReturnType<typeof documented>>;
  const file = () => join(root, 'u', 'status-line.txt');

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'us-'));
    const program = join(root, 'understudy');
    await writeFile(
      program,
      `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'out', 'cli', 'understudy.js')}" "$@"\n`,
    );
    await chmod(program, 0o755);
    env = { ...process.env, UNDERSTUDY_HOME: join(root, 'u'), PATH: `${root}${delimiter}${process.env.PATH}` };
    commands = await documented();
    panel = await startPanel(join(root, 'u'), env);
    await eventually(() => stat(file()).catch(() => null));
  });
  afterEach(async () => {
    await panel?.kill();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  });

  const outputOf = async (command: string): Promise<string> =>
    (await run('sh', ['-c', command], { env })).stdout.trim();
  const shown = (): Promise<readonly string[]> =>
    Promise.all([commands.tmux, commands.waybar, commands.starship].map(outputOf));

  it('when Understudy runs, then all three show its sentence, and once it was killed none says that all is well', async () => {
    expect(await shown()).toEqual(Array(3).fill('Waiting for OpenCode.'));
    await panel.kill();
    expect(await readFile(file(), 'utf8')).toContain('Waiting for OpenCode.');
    expect(await shown()).toEqual([GONE, GONE, '']);
  });

  it('when another process has got its number, or its time is over, then the one that reads the file shows nothing', async () => {
    const text = await readFile(file(), 'utf8');
    const told = async (change: (text: string) => string): Promise<string | undefined> => {
      await writeFile(file(), change(text));
      return await outputOf(commands.starship);
    };
    expect(await told((same) => same)).toBe('Waiting for OpenCode.');
    expect(await told((same) => same.replace(/^pid .*$/m, 'pid 1'))).toBe('');
    expect(await told((same) => same.replace(/^until .*$/m, 'until 1000'))).toBe('');
    expect(await told((same) => same.replace(/^until .*$/m, `until ${Math.round(Date.now() / 1_000) + 600}`))).toBe(
      'Waiting for OpenCode.',
    );
  });
});
