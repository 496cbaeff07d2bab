import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Snapshot } from '../../src/contract/snapshot';
import { NIGHTLY, nightlyIf } from '../support/nightly';
import { admittedBy } from '../support/panel-client';

const script = join(import.meta.dirname, '..', '..', 'scripts', 'demo.mjs');
const CLI = join(import.meta.dirname, '..', '..', 'out', 'cli', 'understudy.js');

/** A demo that runs in a temporary folder of its own. */
type Demo = Readonly<{
  child: ChildProcessWithoutNullStreams;
  output(): string;
  errors(): string;
  /** Resolves when the output so far, from `from` on, holds the text. */
  until(text: string, from?: number): Promise<void>;
  ended: Promise<number | null>;
}>;

let folder: string;
let temporary: string;
let demo: Demo | null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'us-'));
  temporary = join(folder, 't');
  await mkdir(temporary);
  demo = null;
});
afterEach(async () => {
  demo?.child.kill('SIGTERM');
  await demo?.ended;
  await rm(folder, { recursive: true, force: true });
});

function startDemo(args: readonly string[], env: NodeJS.ProcessEnv = {}): Demo {
  const home = { TMPDIR: temporary, TEMP: temporary, TMP: temporary };
  // A user's own Understudy must not matter; neither must colours that a runner forces.
  const whole = { ...process.env, ...home, UNDERSTUDY_HOME: join(folder, 'users-own'), NO_COLOR: '1', ...env };
  const child = spawn(process.execPath, [script, ...args], { env: whole });
  const watchers = new Set<() => void>();
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    for (const look of watchers) look();
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)));
  const until = (text: string, from = 0): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!output.slice(from).includes(text)) return;
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      void ended.then(() => reject(new Error(`the demo ended without "${text}":\n${output}\n${errors}`)));
      look();
    });
  demo = { child, output: () => output, errors: () => errors, until, ended };
  return demo;
}

/** What the demo left in its temporary folder; `opencode --version` itself leaves a folder of that name, and a library. */
const leftovers = async (): Promise<string[]> =>
  (await readdir(temporary)).filter((name) => name !== 'opencode' && !/^\.bun-.*\.so$/.test(name));

/** What the demo's log comes to when it is taken in again. */
async function replayed(): Promise<unknown> {
  const [stage = ''] = (await leftovers()).filter((name) => name.startsWith('understudy-'));
  const log = join(folder, 'demo.jsonl');
  await copyFile(join(temporary, stage, 'u', 'events.jsonl'), log);
  return JSON.parse((await promisify(execFile)(process.execPath, [CLI, 'report', 'replay', log, '--json'])).stdout);
}

/** The panel's picture, as a browser would get it at the printed address. */
async function snapshotAt(url: string): Promise<Snapshot> {
  const page = await fetch(url);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="root">')]);
  const answer = await fetch(`${new URL(url).origin}/rpc/snapshot.get`, {
    method: 'POST',
    headers: { authorization: (await admittedBy(url)).authorization ?? '', 'content-type': 'application/json' },
    body: JSON.stringify({ input: null }),
  });
  return Snapshot.parse(((await answer.json()) as { value: unknown }).value);
}

/** One spaced line from wrapped ones. */
const flat = (text: string): string => text.replace(/\s+/g, ' ');

const FIRST_TURN = new RegExp(
  [
    'failed aurora/aurora-large answered 429: “Rate limit reached for aurora-large\\. .*120 seconds\\.” ',
    'classified rate_limit: cooling until \\d\\d:\\d\\d:\\d\\d, in 2 min, provider says ',
    'switched aurora/aurora-large → borealis/swift-mini, 2 of 3 in the chain, in [\\d.]+ ms ',
    'answered borealis/swift-mini: “So that the evening goes on .* is well again\\.” ',
    "measured [\\d.]+ ms from the failed response to the next provider's request ",
    'transcript 1 user message; aurora/aurora-large was called once',
  ].join(''),
);

/** Both generations; a machine where no OpenCode 2 can be had plays on the first alone. */
const GENERATIONS = [1, ...(process.env.OPENCODE2_BIN ? [2] : [])];
const binaryOf = (generation: number): NodeJS.ProcessEnv =>
  generation === 1 ? {} : { OPENCODE_BIN: process.env.OPENCODE2_BIN };

describe.each(GENERATIONS)('given the demo on a real OpenCode %i', (generation) => {
  it(
    'when it runs once, then it tells a whole fallback, ends with 0 and leaves nothing behind',
    nightlyIf(generation !== GENERATIONS.at(-1)),
    async () => {
      const run = startDemo(['--once'], binaryOf(generation));
      expect([await run.ended, run.errors()]).toEqual([0, '']);
      expect(flat(run.output())).toContain(`connected companion in OpenCode ${generation}.`);
      expect(flat(run.output())).toMatch(FIRST_TURN);
      expect(flat(run.output())).toContain(
        'chain build: aurora/aurora-large → borealis/swift-mini → cirrus/cirrus-pro',
      );
      expect(await leftovers()).toEqual([]);
    },
  );

  it(
    'when it stays up, then the panel shows the fallback, Enter goes straight to the understudy, and Ctrl+C ends it',
    nightlyIf(generation !== 1),
    async () => {
      const run = startDemo(['--no-open'], binaryOf(generation));
      await run.until('Ctrl+C ends the demo');
      const url = /http:\/\/127\.0\.0\.1:\d+\/\?t=[\w-]+/.exec(run.output())?.[0] ?? '';
      const { models, sessions } = await snapshotAt(url);
      const lead = models.find((row) => row.model === 'aurora/aurora-large');
      expect([lead?.state, lead?.source, sessions[0]?.project, sessions[0]?.agents[0]?.active]).toEqual([
        ...['cooling', 'provider', 'theatre', 'borealis/swift-mini'],
      ]);

      const before = run.output().length;
      run.child.stdin.write('\n');
      await run.until('aurora-large was not called', before);
      expect(flat(run.output().slice(before))).toMatch(
        /skipped aurora\/aurora-large is skipped: cooling until .* provider says redirected .* answered borealis\/swift-mini: “.*” transcript 2 user messages;/,
      );

      const replays = await Promise.all([replayed(), replayed()]);
      expect(replays[0]).toMatchObject({ differences: 0, decisions: expect.toSatisfy((count: number) => count >= 4) });
      expect(replays[1]).toEqual(replays[0]);

      run.child.kill('SIGINT');
      expect([await run.ended, run.errors()]).toEqual([0, '']);
      expect(run.output()).toContain('Demo ended: OpenCode is stopped');
      expect(await leftovers()).toEqual([]);
    },
  );
});

describe('given the demo on a real OpenCode', NIGHTLY, () => {
  it('when it is stopped while OpenCode starts, then it ends with 1, says so and leaves nothing behind', async () => {
    const run = startDemo(['--once']);
    await run.until('starting');
    run.child.kill('SIGTERM');
    expect([await run.ended, run.errors()]).toEqual([
      1,
      'The demo failed: it was stopped before the end of its turn.\n',
    ]);
    expect(await leftovers()).toEqual([]);
  });
});

describe('given an OPENCODE_BIN that is no OpenCode', () => {
  it.each([
    ['tells no version', 'echo hello', /reported no version: hello/],
    [
      'tells a version and ends',
      'if [ "$1" = --version ]; then echo 1.2.3; else echo no serve here; exit 7; fi',
      /OpenCode ended at its start \(exit 7\)\. Its last output:\nno serve here/,
    ],
  ])('when it %s, then the demo ends with 1, the reason and nothing left behind', async (_, body, reason) => {
    const binary = join(folder, 'pretender');
    await writeFile(binary, `#!/bin/sh\n${body}\n`);
    await chmod(binary, 0o755);
    const run = startDemo(['--once'], { OPENCODE_BIN: binary });
    expect(await run.ended).toBe(1);
    expect(run.errors()).toMatch(reason);
    expect(await leftovers()).toEqual([]);
  });

  it('when there is no such file, then the demo ends with 1 and says so', async () => {
    const run = startDemo(['--once'], { OPENCODE_BIN: join(folder, 'nothing') });
    expect(await run.ended).toBe(1);
    expect(run.errors()).toMatch(/^The demo failed: .*nothing \(from OPENCODE_BIN\) is not an executable file\n$/);
  });
});
