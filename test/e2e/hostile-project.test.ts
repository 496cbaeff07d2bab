import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textOf } from '../../src/node/opencode';
import { type Case, openStage, type Stage } from '../support/stage';

let stage: Stage;
/** The slowest first answer in an ordinary project, in ms: it grows with what else the machine has to do. */
let usualMs = 0;

beforeAll(async () => {
  stage = await openStage();
  for (let round = 0; round < 4; round++) {
    const ms = await firstAnswer(await stage.makeCase({ models: 1, git: false }));
    // The first of all warms everybody up.
    if (round > 0) usualMs = Math.max(usualMs, ms);
  }
});
afterAll(() => stage?.close());

/** Asks a lead that is well. @returns how long the answer took, in ms. */
async function firstAnswer({ directory, ids }: Case, expected = 'UNDERSTUDY ANSWERS'): Promise<number> {
  const { provider, server } = stage;
  provider.script(ids[0] ?? '', [{ kind: 'text', text: expected }]);
  const from = performance.now();
  const answer = await server.prompt(await server.createSession(directory), { text: 'One' });
  expect(textOf(answer)).toBe(expected);
  await server.dispose(directory);
  return performance.now() - from;
}

const OWN = '.opencode/model-fallback.json';
const megabytes = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${stage.server.pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
const listed = (count: number, name: (at: number) => string, value: (at: number) => unknown): unknown =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [name(at), value(at)]));

/** What a repository may hold to keep its reader busy. */
const SHAPES: readonly (readonly [string, (put: Put, directory: string) => Promise<unknown>])[] = [
  ['a map that is an endless device', ({ link }) => link('.opencode/providers/x.json', '/dev/zero')],
  ['a file that is an endless device', ({ link }) => link(OWN, '/dev/zero')],
  [
    'a pipe nobody writes to',
    async ({ write }, directory) => {
      await write('.opencode/providers/a.txt', '');
      await rm(join(directory, OWN));
      execFileSync('mkfifo', [join(directory, '.opencode/providers/x.json'), join(directory, OWN)]);
    },
  ],
  [
    'thousands of chains for another plugin',
    ({ write }) =>
      write(
        '.opencode/oh-my-opencode-theseus.json',
        JSON.stringify({
          fallback: {
            chains: listed(
              60_000,
              (at) => `a${at}`,
              () => ['p/m'],
            ),
          },
        }),
      ),
  ],
  [
    'thousands of agents',
    ({ write }) =>
      write(
        OWN,
        JSON.stringify({
          agents: listed(
            3_000,
            (at) => `a${at}`,
            () => ({ policy: 'no' }),
          ),
        }),
      ),
  ],
  [
    'a book of YAML',
    ({ write }) =>
      write(
        '.opencode/agent/x.md',
        `---\nfallback: [a/b]\n${Array.from({ length: 3_000 }, (_, at) => `k${at}: ${at}`).join('\n')}\n---\n`,
      ),
  ],
  [
    'a hundred maps of wrong values',
    async ({ write }) => {
      for (let at = 0; at < 100; at++)
        await write(
          `.opencode/providers/m${at}.json`,
          JSON.stringify({
            version: 1,
            provider: 'p',
            codes: listed(
              2_000,
              (code) => `c${code}`,
              () => 7,
            ),
          }),
        );
    },
  ],
  [
    'thousands of patterns for all models',
    ({ write }) => write(OWN, JSON.stringify({ agents: { build: { fallbackModels: Array(12_000).fill('*/*') } } })),
  ],
];

type Put = Readonly<{
  write(path: string, text: string): Promise<void>;
  link(path: string, to: string): Promise<void>;
}>;

function putIn(directory: string): Put {
  const made = async (path: string): Promise<string> => {
    const target = join(directory, path);
    await mkdir(dirname(target), { recursive: true });
    await rm(target, { force: true });
    return target;
  };
  return {
    write: async (path, text) => writeFile(await made(path), text),
    link: async (path, to) => symlink(to, await made(path)),
  };
}

describe.skipIf(process.platform !== 'linux')('given a repository that is made to keep its reader busy', () => {
  it.each(SHAPES)(
    'when it has %s, then its first answer comes as soon as elsewhere, and memory stays',
    async (what, make) => {
      const seen: { ms: number; mb: number }[] = [];
      const isWell = ({ ms, mb }: { ms: number; mb: number }): boolean => ms < 2 * usualMs + 1_000 && mb < 200;
      // What the project itself takes, it takes each time; what others do on this machine, it does not.
      while (seen.length < 3 && !seen.some(isWell)) {
        const project = await stage.makeCase({ models: 1, git: false });
        await make(putIn(project.directory), project.directory);
        const before = megabytes();
        const ms = await firstAnswer(project, 'THE LEAD ANSWERS');
        seen.push({ ms: Math.round(ms), mb: Math.round(megabytes() - before) });
      }
      console.log(`${what}: ${JSON.stringify(seen)}, elsewhere ${Math.round(usualMs)} ms`);
      expect(seen.at(-1)).toSatisfy(isWell);
    },
  );
});
