import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { decisionOn } from '../../scripts/benchmark-names.mjs';
import { readToml } from '../../scripts/read-toml.mjs';
import { refresh, withClone } from '../../scripts/refresh-benchmarks.mjs';
import { tempFolder } from '../node/temp-folder';

const PRO = `
[[benchmarks]]
name = "SWE-Bench Pro"
score = 51.9
metric = "resolve rate"
dataset = "public"
source = "https://a.test/pro"
`;
const HARD = `
[[benchmarks]]
name = "Terminal-Bench Hard"
score = 15
metric = "success rate"
source = "https://a.test/hard"
date = "2026-06-02"
`;
const MODEL = 'release_date = "2026-02-05"\n';
const SERVED = 'base_model = "anthropic/opus"\n';

/** Files of a made-up models.dev, as they are committed. */
const FILES = {
  LICENSE: 'MIT License',
  'models/anthropic/opus.toml': `${MODEL}${PRO}`,
  'providers/anthropic/models/opus.toml': SERVED,
  'providers/openrouter/models/anthropic/opus-1.toml': SERVED,
  'providers/openrouter/models/other.toml': 'name = "Other"\n',
  'providers/logo.svg': '<svg/>',
};

async function checkout(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await tempFolder();
  git(folder, 'init', '--quiet');
  await commit(folder, files);
  return folder;
}

async function commit(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  git(folder, 'add', '--all');
  git(folder, '-c', 'user.name=t', '-c', 'user.email=t@a.test', 'commit', '--quiet', '--message', 'as it is');
}

function git(folder: string, ...args: string[]): string {
  const env = { ...process.env, GIT_COMMITTER_DATE: '2026-07-02T00:40:28+08:00' };
  return execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', env }).trim();
}

/** What is said, and the exit code. */
function refreshed(from: string, into: string, isCheck = false): { code: 0 | 1; said: string[] } {
  const said: string[] = [];
  const code = refresh({ from, into, isCheck }, (line) => said.push(line));
  return { code, said };
}

const dataIn = async (into: string) => JSON.parse(await readFile(join(into, 'models-dev.json'), 'utf8'));

describe('given a checkout of models.dev', () => {
  it('when it is taken for the first time, then values, ids, release dates and the license are there', async () => {
    const [from, into] = [await checkout(FILES), join(await tempFolder(), 'benchmarks')];
    const head = git(from, 'rev-parse', 'HEAD');
    expect(refreshed(from, into)).toEqual({
      code: 0,
      said: [
        '+ anthropic/opus swe_bench_pro (metric: resolve rate, dataset: public) https://a.test/pro: 51.9 percent',
        'ids: 1 added, 0 removed, 0 changed',
        'release dates: 1 added, 0 removed, 0 changed',
        'the license',
        `Written as of ${head} of 2026-07-02.`,
      ],
    });
    expect(await dataIn(into)).toEqual({
      notice: expect.stringContaining('MIT License'),
      source: 'https://github.com/anomalyco/models.dev',
      commit: head,
      date: '2026-07-02',
      values: [
        {
          record: 'anthropic/opus',
          benchmark: 'swe_bench_pro',
          value: 51.9,
          unit: 'percent',
          source: 'https://a.test/pro',
          date: null,
          note: 'metric: resolve rate, dataset: public',
        },
      ],
      aliases: { 'anthropic/opus': ['openrouter/anthropic/opus-1'] },
      released: { 'anthropic/opus': '2026-02-05' },
    });
    expect(await readFile(join(into, 'models-dev-LICENSE.txt'), 'utf8')).toBe('MIT License');
  });

  it('when a value is added, changed and removed, then a check says each, writes nothing and ends with 1', async () => {
    const into = await tempFolder();
    const from = await checkout({ ...FILES, 'models/xai/grok.toml': `${MODEL}${HARD}` });
    refreshed(from, into);
    const before = await readFile(join(into, 'models-dev.json'), 'utf8');
    await rm(join(from, 'models/xai/grok.toml'));
    const changed = PRO.replace('51.9', '52');
    await commit(from, {
      'models/anthropic/opus.toml': `${MODEL}${changed}${HARD}`,
      'providers/vercel/models/opus.toml': SERVED,
    });
    const differences = [
      '+ anthropic/opus terminalbench_hard (metric: success rate) https://a.test/hard: 15 percent of 2026-06-02',
      '~ anthropic/opus swe_bench_pro (metric: resolve rate, dataset: public) https://a.test/pro: 51.9 percent, now 52 percent',
      '- xai/grok terminalbench_hard (metric: success rate) https://a.test/hard: 15 percent of 2026-06-02',
      'ids: 1 added, 0 removed, 0 changed',
      'release dates: 0 added, 1 removed, 0 changed',
    ];
    const check = refreshed(from, into, true);
    expect({ ...check, said: check.said.toSorted() }).toEqual({ code: 1, said: differences.toSorted() });
    expect(await readFile(join(into, 'models-dev.json'), 'utf8')).toBe(before);
    expect(refreshed(from, into).code).toBe(0);
    expect((await dataIn(into)).values.map(({ value }: { value: number }) => value)).toEqual([52, 15]);
  });

  it('when only the commit is another, then nothing has changed and the file stays as it is', async () => {
    const [from, into] = [await checkout(FILES), await tempFolder()];
    refreshed(from, into);
    const before = await readFile(join(into, 'models-dev.json'), 'utf8');
    const head = git(from, 'rev-parse', 'HEAD');
    await commit(from, { 'README.md': 'more of it' });
    const nothing = { code: 0, said: [`Nothing has changed since ${head} of 2026-07-02.`] };
    expect([refreshed(from, into, true), refreshed(from, into)]).toEqual([nothing, nothing]);
    expect(await readFile(join(into, 'models-dev.json'), 'utf8')).toBe(before);
  });

  it('when nothing was there and it is only checked, then nothing is there afterwards', async () => {
    const into = join(await tempFolder(), 'benchmarks');
    expect(refreshed(await checkout(FILES), into, true).code).toBe(1);
    expect(existsSync(into)).toBe(false);
  });

  it('when it names a benchmark that nobody has decided on, then that is said and not taken', async () => {
    const unknown =
      '[[benchmarks]]\nname = "GPQA Diamond"\nscore = 88.1\nmetric = "pass@1"\nsource = "https://a.test"\n';
    const [from, into] = [await checkout({ ...FILES, 'models/a/b.toml': MODEL + unknown }), await tempFolder()];
    expect(refreshed(from, into).said).toContain(
      '? GPQA Diamond, metric: pass@1: nobody has decided on it (1), see benchmark-names.mjs',
    );
    expect((await dataIn(into)).values).toHaveLength(1);
  });

  it('when a model is served under a link, then the id of the link counts, and one that leads nowhere does not', async () => {
    const from = await checkout(FILES);
    await mkdir(join(from, 'providers/azure/models'), { recursive: true });
    await symlink('../../anthropic/models/opus.toml', join(from, 'providers/azure/models/linked.toml'));
    await symlink('../../anthropic/models/gone.toml', join(from, 'providers/azure/models/broken.toml'));
    const into = await tempFolder();
    refreshed(from, into);
    expect((await dataIn(into)).aliases['anthropic/opus']).toEqual(['azure/linked', 'openrouter/anthropic/opus-1']);
  });

  it.each([
    ['models/a/b.toml', `${MODEL}${PRO.replace('51.9', '151.9')}`, /b\.toml: .*151\.9 is no number from 0 to 100/],
    ['models/a/b.toml', `${MODEL}${PRO.replace('51.9', '"52 %"')}`, /"52 %" is no number/],
    ['models/a/b.toml', `${MODEL}${PRO.replace('https', 'http')}`, /is no https address/],
    ['models/a/b.toml', 'release_date = "spring"\n', /b\.toml: "spring" is no date/],
    ['providers/a/models/b.toml', 'base_model = "a/gone"\n', /b\.toml: there is no model "a\/gone"/],
    ['providers/a/models/b.toml', 'name = "B"\nbase_model = 2026-07-02\n', /b\.toml:2: "2026-07-02" is not read here/],
  ])('when %s is not what it has to be, then it says so and writes nothing', async (path, text, message) => {
    const [from, into] = [await checkout({ ...FILES, [path]: text }), await tempFolder()];
    expect(() => refreshed(from, into)).toThrow(message);
    expect(await readdir(into)).toEqual([]);
  });
});

describe('given no checkout', () => {
  it('when a folder that lies in one is named, then its commit is not taken for that of models.dev', async () => {
    const inside = join(await checkout(FILES), 'models');
    expect(() => refreshed(inside, inside)).toThrow(/is no checkout of models\.dev/);
    expect(() => refreshed(join(inside, 'none'), inside)).toThrow(/is no checkout of models\.dev/);
  });

  it('when it is cloned, then the clone is gone afterwards, also after a failure', async () => {
    const address = pathToFileURL(await checkout(FILES)).href;
    const into = await tempFolder();
    const clone = withClone((folder) => {
      expect(refreshed(folder, into).code).toBe(0);
      return folder;
    }, address);
    expect(existsSync(clone)).toBe(false);
    let failed = '';
    const fail = (folder: string) => {
      failed = folder;
      throw new RangeError('no');
    };
    expect(() => withClone(fail, address)).toThrow('no');
    expect([failed === '', existsSync(failed)]).toEqual([false, false]);
  });
});

describe('given what models.dev calls its benchmarks', () => {
  it.each([
    [{ name: 'SWE-Bench Pro', metric: 'resolve rate', dataset: 'public' }, 'swe_bench_pro percent'],
    [{ name: 'SWE-Bench Pro', metric: 'pass@1', dataset: 'hard-aa', harness: 'Codex' }, 'another set of tasks'],
    [{ name: 'SWE Bench Pro' }, 'the source declares no unit'],
    [{ name: 'GPQA Diamond' }, 'the source declares no unit'],
    [{ name: 'Terminal-Bench Hard', metric: 'success rate' }, 'terminalbench_hard percent'],
    [{ name: 'Terminal-Bench', metric: 'pass@1', version: '2.1', harness: 'Codex' }, 'not Hard'],
    [{ name: 'Artificial Analysis Coding Index', metric: 'index' }, 'coding_index index'],
    [{ name: 'Artificial Analysis Coding Agent Index', metric: 'average pass@1' }, 'of an agent with a model'],
    [{ name: 'SWE-Bench Verified', metric: 'resolved', harness: 'Codex' }, 'undecided'],
    [{ name: 'SciCode', metric: 'accuracy' }, 'undecided'],
  ])('when it is %j, then it is %s', (result, expected) => {
    const decision = decisionOn(result) ?? { why: 'undecided' };
    expect('benchmark' in decision ? `${decision.benchmark} ${decision.unit}` : decision.why).toContain(expected);
  });
});

describe('given a text in TOML', () => {
  it('when it is of the kind models.dev has, then all of it is read', () => {
    const text = [
      '# made up',
      'name = "A \\"b\\"\tc" # said',
      'limit = 1_000_000',
      'cost = -0.25',
      'is = true',
      'list = [ "a", # first',
      '  { type = "b", values = ["c"] }, {},',
      ']',
      '[one.two]',
      'a-b = 1\r',
      '[[benchmarks]]',
      '[[benchmarks]]',
      'score = 2',
    ].join('\n');
    expect(readToml(text, 'a.toml')).toEqual({
      head: {
        name: 'A "b"\tc',
        limit: 1_000_000,
        cost: -0.25,
        is: true,
        list: ['a', { type: 'b', values: ['c'] }, {}],
      },
      tables: [
        { name: 'one.two', isList: false, values: { 'a-b': 1 } },
        { name: 'benchmarks', isList: true, values: {} },
        { name: 'benchmarks', isList: true, values: { score: 2 } },
      ],
    });
  });

  it.each([
    ['a = 1\nb = 0x10', 'a.toml:2: "0x10"'],
    ['a = 1 b = 2', 'a.toml:1: " b = 2"'],
    ['a.b = 1', 'a.toml:1: "a.b = 1"'],
    ['a = """long"""', 'a.toml:1:'],
    ["a = 'literal'", 'a.toml:1: "\'literal\'"'],
    ['a = 1e3', 'a.toml:1: "1e3"'],
    ['a = [1 2]', 'a.toml:1: "2]"'],
    ['a = [1', 'a.toml:1: ""'],
    ['a = { b = 1', 'a.toml:1: ""'],
    ['a = 1\na = 2', 'a.toml:2: a a second time'],
    ['[a]\n[a]', 'a.toml:2: the table a a second time'],
  ])('when it has %j, then it is refused with its place', (text, message) => {
    expect(() => readToml(text, 'a.toml')).toThrow(message);
  });
});
