import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'vite';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { textOf } from '../../src/node/opencode';
import { builtPlugin, copyCompanion } from '../support/built-companion';
import { changesOf } from '../support/globals/changes';
import type { Report } from '../support/globals/host';
import { opencode2Binary, openRealStage } from '../support/opencode2/real';
import { type Case, type CaseOptions, openStage, type Stage } from '../support/stage';

const ROOT = join(import.meta.dirname, '..', '..');
const OUT = join(ROOT, 'out');
const HOSTS = join(ROOT, '.cache', 'globals');
const PROBE = pathToFileURL(join(ROOT, 'test', 'support', 'globals', 'probe.mjs')).href;
const HELLO = { kind: 'text', text: 'HELLO' } as const;
const LIMITED = { kind: 'status', status: 429, headers: { 'retry-after': '840' } } as const;

/** Differences without the name of this build and of the test's folder. */
const named = (found: readonly string[]): readonly string[] =>
  found.map((line) => line.replace(/\(understudy \d\S* \S+\)/, '(understudy <version> <state folder>)'));

async function playedIn(generation: 1 | 2): Promise<Report> {
  const args = [join(HOSTS, 'host.js'), String(generation), pathToFileURL(builtPlugin()).href];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 150_000 });
  return JSON.parse(stdout) as Report;
}

describe('given the built programs', () => {
  it('when they are searched, then none uses zod’s globals, and the npm package has the same companion', async () => {
    const files = (await readdir(OUT, { recursive: true })).filter((path) => /\.c?js$/.test(path));
    const texts = await Promise.all(
      files.map(async (path) => [path, await readFile(join(OUT, path), 'utf8')] as const),
    );
    expect(texts.filter(([, text]) => text.includes('__zod_global')).map(([path]) => path)).toEqual([]);
    const copies = texts.filter(([path]) => basename(path) === basename(builtPlugin())).map(([, text]) => text);
    expect(copies).toHaveLength(2);
    expect(copies[0]).toBe(copies[1]);
  });
});

describe.each([1, 2] as const)('given a small host of generation %s with a zod of its own', (generation) => {
  let report: Report;
  beforeAll(async () => {
    const host = join(ROOT, 'test', 'support', 'globals', 'host.ts');
    const built = { ssr: host, outDir: HOSTS, target: 'node20' };
    await build({ configFile: false, publicDir: false, logLevel: 'warn', build: built });
    // The process ends by itself: nothing of the companion holds it.
    report = await playedIn(generation);
  });

  it('when a turn fails and moves, then the process differs by the documented list alone', () => {
    expect(report.models).toEqual(['lead', 'spare']);
    expect(named(report.during)).toEqual(changesOf(generation));
  });

  it('when the project is closed, then less is left, and the host’s schemas are still compiled', () => {
    expect(named(report.after)).toEqual(changesOf(generation, true));
    expect(report.compiled).toBe(1);
  });
});

type Host = Readonly<{
  stage: Pick<Stage, 'makeCase' | 'provider'>;
  ask(directory: string): Promise<string>;
  close(directory: string): Promise<void>;
}>;

/** Plays messages in a project with the probe, and a failing turn in one with the companion, and compares. */
async function expectListedChanges(generation: 1 | 2, { stage, ...host }: Host): Promise<void> {
  const makeCase = async (lead: typeof HELLO | typeof LIMITED, options: CaseOptions): Promise<Case> => {
    const made = await stage.makeCase(options);
    for (const [at, id] of made.ids.entries()) stage.provider.script(id, [at === 0 ? lead : HELLO]);
    return made;
  };
  const watched = await makeCase(HELLO, { fallback: false });
  const plain = await makeCase(HELLO, { fallback: false });
  const file = join(watched.directory, 'differences.json');
  await mkdir(pluginsOf(watched), { recursive: true });
  const probe = `import { probe } from '${PROBE}';\nexport default probe(${JSON.stringify(file)});\n`;
  await writeFile(join(pluginsOf(watched), 'probe.js'), probe);
  const look = async (): Promise<readonly string[]> => {
    await host.ask(watched.directory);
    return named(JSON.parse(await readFile(file, 'utf8').catch(() => '[]')));
  };
  await look();
  await host.ask(plain.directory);
  await look();
  const unprotected = await look();
  const lookAgain = async () => (await look()).filter((line) => !unprotected.includes(line));
  const moved = await makeCase(LIMITED, {});
  await copyCompanion(pluginsOf(moved));
  expect(await host.ask(moved.directory)).toBe(HELLO.text);
  expect(await lookAgain()).toEqual(changesOf(generation));
  await host.close(moved.directory);
  // OpenCode answers before its plugins have ended.
  await expect.poll(lookAgain).toEqual(changesOf(generation, true));
}

const pluginsOf = ({ directory }: Case): string => join(directory, '.opencode', 'plugins');

describe('given a real OpenCode 1', () => {
  it('when a turn fails and moves, and its project is closed, then its process differs by the documented list', async () => {
    const stage = await openStage([]);
    onTestFinished(() => stage.close());
    await expectListedChanges(1, {
      stage,
      ask: async (directory) =>
        textOf(await stage.server.prompt(await stage.server.createSession(directory), { text: 'go' })),
      close: (directory) => stage.server.dispose(directory),
    });
  });
});

describe.skipIf(opencode2Binary().path === '')('given a real OpenCode 2', () => {
  it('when a turn fails and moves, and its project is closed, then its process differs by the documented list', async () => {
    const stage = await openRealStage(null);
    onTestFinished(() => stage.close());
    await expectListedChanges(2, {
      stage,
      ask: async (directory) => {
        const seat = await stage.sitIn(directory);
        await seat.ask('go');
        return (await seat.said()).join();
      },
      close: (directory) => stage.server.closeProject(directory),
    });
  });
});
