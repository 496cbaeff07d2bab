import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GROUPS, type PlayedPromise, type Results, summaryOf } from '../../scripts/promises.mjs';
import {
  differencesOf,
  differenceText,
  knownBefore,
  type Means,
  newestOf,
  watch,
  watchInto,
} from '../../scripts/watch-opencode.mjs';
import { tempFolder } from '../node/temp-folder';

/** What a watch of the week before has left behind. */
async function ofLastWeek() {
  const folder = await tempFolder();
  const path = join(folder, 'difference.md');
  await writeFile(path, 'of last week');
  return { folder, path };
}

const held: PlayedPromise = { place: 'a turn', title: 'when it is well', outcome: 'held', why: '' };
const broken: PlayedPromise = { place: 'a turn', title: 'when it answers 429', outcome: 'failed', why: 'no answer' };

const RESULTS: Results = {
  '1.17.19': { turns: summaryOf([held, broken], '2026-11-22') },
  '1.18.34': { turns: summaryOf([held], '2026-11-22') },
  '2.0.15': { promises: summaryOf([held], '2026-11-22') },
};

describe('given what a registry lists', () => {
  it('when the newest of a generation are wanted, then by number, and without nightly builds', () => {
    const listed = ['0.0.0-dev-202609212252', '1.18.9', '1.18.34', '1.19.0-beta.1', '1.2.27', '2.0.15', '12.0.0'];
    expect([newestOf(listed, 1), newestOf(listed, 2), newestOf([], 1)]).toEqual([
      ['1.18.34', '1.18.9', '1.2.27'],
      ['2.0.15'],
      [],
    ]);
  });
});

describe('given docs/releases.json', () => {
  it.each([
    ['1.18.35', '1.18.34'],
    ['1.18.34', '1.18.34'],
    ['1.18.3', '1.17.19'],
    ['1.14.0', '1.17.19'],
    ['2.1.0', '2.0.15'],
    ['3.0.0', undefined],
  ])('when %s is held against it, then by what was seen on %s', (version, expected) => {
    expect(knownBefore(RESULTS, version)?.version).toBe(expected);
  });

  it('when a promise fails, then it differs only where it had not failed before', () => {
    const played = [{ group: 'turns', promises: [held, broken] }];
    const difference = { group: 'turns', promise: 'a turn: when it answers 429', why: 'no answer' };
    expect(differencesOf(played, knownBefore(RESULTS, '1.18.35'))).toEqual([difference]);
    expect(differencesOf(played, knownBefore(RESULTS, '1.17.20'))).toEqual([]);
    expect(differencesOf(played, null)).toEqual([difference]);
  });
});

describe('given differences', () => {
  it('when they are told, then each promise stands under its release with its reason', () => {
    const difference = { group: 'turns', promise: 'a turn: when `it` answers 429', why: 'no answer\nat all ```' };
    const releases = [
      { version: '1.18.35', known: '1.18.34', differences: [difference] },
      { version: '2.1.0', known: null, differences: [difference, difference] },
      { version: '3.0.0', known: null, differences: [] },
    ];
    const item = "- **turns**: a turn: when `it` answers 429\n  ```text\n  no answer\n  at all '''\n  ```\n";
    expect(differenceText({ date: '2026-11-22', releases, notes: ['OpenCode 4: the registry names no release'] })).toBe(
      [
        '# What differs on OpenCode 1.18.35 and 2.1.0\n\nLooked at on 2026-11-22.\n',
        `## OpenCode 1.18.35\n\nOne promise does not hold that does on 1.18.34:\n\n${item}`,
        `## OpenCode 2.1.0\n\n2 promises do not hold:\n\n${item}${item}`,
        '## What could not be looked at\n\n- OpenCode 4: the registry names no release\n',
      ].join('\n'),
    );
  });

  it('when there are very many, then the text still fits into an issue', () => {
    const differences = Array.from({ length: 500 }, (_, n) => ({
      group: 'matrix',
      promise: `${n}`,
      why: 'x'.repeat(500),
    }));
    const text = differenceText({
      date: '2026-11-22',
      releases: [{ version: '1.19.0', known: null, differences }],
      notes: [],
    });
    expect(text.length).toBeLessThan(65_536);
    expect(text).toMatch(/The rest does not fit in here\.\n$/);
  });
});

describe('given a week', () => {
  const asked: string[] = [];
  const means = (more: Partial<Means> = {}): Means => {
    asked.length = 0;
    return {
      listVersions: async (generation) => (generation === 1 ? ['1.18.34', '1.18.35'] : ['2.0.15']),
      fetch: async (_, version) => `/bin/${version}`,
      play: async ({ version, binary, group }) => {
        asked.push(`${version} ${group.name} ${binary}`);
        return { promises: [held] };
      },
      results: RESULTS,
      date: '2026-11-22',
      ...more,
    };
  };
  const playing = (name: string, result: Awaited<ReturnType<Means['play']>>) =>
    means({ play: async ({ group }) => (group.name === name ? result : { promises: [held] }) });

  it('when all holds on the newest of both generations, then every group was played on it and the end is 0', async () => {
    expect(await watch(means())).toEqual({
      exitCode: 0,
      words: ['OpenCode 1.18.35: nothing differs', 'OpenCode 2.0.15: nothing differs'],
      text: null,
    });
    expect(asked).toEqual(
      GROUPS.map(({ generation, name }) =>
        generation === 1 ? `1.18.35 ${name} /bin/1.18.35` : `2.0.15 ${name} /bin/2.0.15`,
      ),
    );
  });

  it('when a promise no longer holds, then the end is 3 and it is told', async () => {
    const { exitCode, words, text } = await watch(playing('turns', { promises: [held, broken] }));
    expect([exitCode, words]).toEqual([3, ['OpenCode 1.18.35: 1 differ', 'OpenCode 2.0.15: nothing differs']]);
    expect(text).toContain('- **turns**: a turn: when it answers 429');
  });

  it('when something differs early, then it is written at once, stays, and the end is 3', async () => {
    const { path } = await ofLastWeek();
    const seen: (string | null)[] = [];
    const play: Means['play'] = async ({ group }) => {
      seen.push(await readFile(path, 'utf8').catch(() => null));
      return { promises: [group.name === 'turns' ? broken : held] };
    };
    const said: string[] = [];
    expect(await watchInto(path, means({ play }), (line) => said.push(line))).toBe(3);
    const before = GROUPS.findIndex(({ name }) => name === 'turns') + 1;
    expect(seen.slice(0, before)).toEqual(Array(before).fill(null));
    expect(new Set(seen.slice(before))).toEqual(new Set([await readFile(path, 'utf8')]));
    expect(seen.at(-1)).toContain('- **turns**: a turn: when it answers 429');
    expect(said).toEqual(['OpenCode 1.18.35: 1 differ', 'OpenCode 2.0.15: nothing differs']);
  });

  it.each([
    ['nothing differs', { promises: [held] }, 0],
    ['nothing could be played', { unplayed: 'no Chromium' }, 1],
  ] as const)(
    'when %s, then no difference is left from the week before, and the file is gone',
    async (_, result, code) => {
      const { folder, path } = await ofLastWeek();
      expect(await watchInto(path, means({ play: async () => result }), () => undefined)).toBe(code);
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it('when a group could not be played, then that is no difference, and the end is 1', async () => {
    expect(await watch(playing('turns', { unplayed: 'no Chromium' }))).toMatchObject({
      exitCode: 1,
      words: expect.arrayContaining(['OpenCode 1.18.35, turns: no Chromium']),
      text: null,
    });
  });

  it('when the newest is listed but cannot be fetched, then the one before is looked at', async () => {
    const fetch: Means['fetch'] = (_, version) =>
      version === '1.18.35' ? Promise.reject(new Error('not there')) : Promise.resolve(`/bin/${version}`);
    expect(await watch(means({ fetch }))).toMatchObject({
      exitCode: 0,
      words: ['OpenCode 1.18.34: nothing differs', 'OpenCode 2.0.15: nothing differs'],
    });
  });

  it('when a generation cannot be fetched at all, then the other is looked at, and the end is 1, not 3', async () => {
    const fetch: Means['fetch'] = (generation, version) =>
      generation === 2 ? Promise.reject(new Error(`${version} could not be fetched`)) : Promise.resolve('/bin/x');
    expect(await watch(means({ fetch }))).toEqual({
      exitCode: 1,
      words: ['OpenCode 1.18.35: nothing differs', '2.0.15 could not be fetched'],
      text: null,
    });
  });

  it('when the registry does not answer, then the end is 1, and it is told which generation was not looked at', async () => {
    const listVersions = () => Promise.reject(new Error('no registry'));
    expect(await watch(means({ listVersions }))).toEqual({
      exitCode: 1,
      words: ['OpenCode 1: no registry', 'OpenCode 2: no registry'],
      text: null,
    });
  });
});
