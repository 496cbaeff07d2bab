import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS, userWithEverything } from '../cli/all-commands';
import { startApp } from '../cli/real-cli';
import { STAND_IN_ENV, standInCommand } from '../support/desktop/launch';
import { filesBelow } from '../support/files-below';
import { NIGHTLY } from '../support/nightly';
import { opencodeBinary } from '../support/opencode-binary';
import { COMMAND_LINE, type OutputRun, PANEL, readHead, readLate } from '../support/program-output';

/** More than any pipe holds. */
const PAD_CHARS = 300_000;
const PARALLEL_RUNS = 6;
const ENDLESS = new Set(['panel']);
/** Exit codes of real processes: the fake OpenCode cannot play the demo. */
const CODES: Readonly<Record<string, number>> = { demo: 1 };

async function place() {
  const user = await userWithEverything();
  return { ...user, directory: join(user.root, 'project') };
}

/** Runs each command in a process of its own. @returns the outcomes by command. */
async function runEach<Outcome>(run: (run: OutputRun, root: string) => Promise<Outcome>) {
  const waiting = Object.entries(COMMANDS);
  const outcomes: Record<string, Outcome> = {};
  const work = async (): Promise<void> => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [words, [given]] = next;
      const { root, env, directory, commandLine } = await place();
      const isEndless = ENDLESS.has(words);
      const args = commandLine(words, isEndless ? ['--no-open'] : given);
      outcomes[words] = await run({ args, env, directory, padChars: PAD_CHARS, isEndless }, root);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_RUNS }, work));
  return outcomes;
}

// All of them end by the same function as the help.
describe('given each command with 300,000 characters of output', NIGHTLY, () => {
  it('when the reader starts late, then it receives all of them', async () => {
    const outcomes = await runEach(readLate);
    for (const [words, { code, read, written }] of Object.entries(outcomes))
      expect.soft([words, code, read]).toEqual([words, CODES[words] ?? COMMANDS[words]?.[2], written]);
  });

  it('when the reader closes the output, then the command ends with 0, without a text and without a lock', async () => {
    const outcomes = await runEach(async (run, root) => {
      const outcome = await readHead(run);
      return { ...outcome, locks: (await filesBelow(root)).filter((path) => /\.(?:lock|tmp)\b/.test(path)) };
    });
    for (const [words, outcome] of Object.entries(outcomes))
      expect.soft([words, outcome]).toEqual([words, { code: 0, other: '', locks: [] }]);
  });
});

describe('given another program, or another kind of output', () => {
  const programs: readonly (readonly [string, readonly string[], readonly string[], number])[] = [
    ['the help', COMMAND_LINE, ['--help'], 0],
    ['an unknown command', COMMAND_LINE, ['nonsense'], 2],
    ['the headless shell', PANEL, ['--help'], 0],
    ['an unknown option of the headless shell', PANEL, ['--nonsense'], 2],
    ['the command line of the desktop app', [...standInCommand().slice(1), '--cli', '--'], ['--help'], 0],
  ];
  for (const [what, program, args, code] of programs)
    it(
      `when ${what} has a late reader, or one that closes the output, then all is written`,
      what === 'the help' ? {} : NIGHTLY,
      async () => {
        const { env, directory } = await place();
        const run = { program, args, env: { ...env, ...STAND_IN_ENV }, directory, padChars: PAD_CHARS };
        const late = await readLate(run);
        expect([late.code, late.read]).toEqual([code, late.written]);
        expect(await readHead(run)).toEqual({ code: 0, other: '' });
      },
    );

  for (const out of [[], ['--out', '-']])
    it(
      `when 1,500 own values are exported with ${JSON.stringify(out)}, then a late reader receives all of them`,
      NIGHTLY,
      async () => {
        const { root, env, directory, run } = await place();
        const rows = Array.from({ length: 1_500 }, (__, at) => `maker/model-${at},${at / 100}`);
        await writeFile(join(root, 'FILE'), ['model,swe_bench_pro', ...rows].join('\n'));
        expect((await run('chains data import', ['FILE'])).code).toBe(0);
        const late = await readLate({ args: ['chains', 'data', 'export', '--all', ...out], env, directory });
        expect([late.code, late.read]).toEqual([0, late.written]);
        expect(late.out).toContain('maker/model-1499');
        expect(await readdir(directory)).toEqual(['x']);
      },
    );

  it.skipIf(process.platform !== 'linux')('when the disk is full, then the command fails and reports it', async () => {
    const { env, directory } = await place();
    const full = openSync('/dev/full', 'w');
    const args = [...COMMAND_LINE, 'config', '--json'];
    const { status, stderr } = spawnSync(process.execPath, args, {
      cwd: directory,
      env,
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    expect([status, String(stderr)]).toEqual([
      1,
      'The output could not be written: ENOSPC: no space left on device, write\n',
    ]);
  });
});

describe('given a command that runs until it is stopped', () => {
  it('when the reader of "watch" closes the output, then it ends with 0', async () => {
    const user = await place();
    await startApp(user);
    const { env, directory } = user;
    expect(await readHead({ args: ['watch', '--json'], env, directory, padChars: PAD_CHARS })).toEqual({
      code: 0,
      other: '',
    });
  });

  it('when the reader of the demo closes the output, then it ends with 0 and leaves nothing behind', async () => {
    const { root, env, directory } = await place();
    const temporary = join(root, 't');
    await mkdir(temporary);
    const demo = { ...env, OPENCODE_BIN: (await opencodeBinary()).path, TMPDIR: temporary };
    const head = await readHead({ args: ['demo', '--no-open'], env: demo, directory, padChars: PAD_CHARS });
    expect([head, await readdir(temporary)]).toEqual([{ code: 0, other: '' }, []]);
  });
});
