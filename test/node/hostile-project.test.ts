import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveScope } from '../../src/core/config';
import { planChain } from '../../src/node/config/chains';
import { configPaths } from '../../src/node/config/config-files';
import { loadConfig } from '../../src/node/config/config-reader';
import { planInstall } from '../../src/node/setup/install';
import { tempFolder } from './temp-folder';

/** A thousand models, as OpenCode lists them. */
const MODELS = Array.from({ length: 1_000 }, (_, at) => `p${at % 20}/m${at}`);
const HOST = { leads: { build: 'p0/m0' }, defaultModel: 'p0/m0', models: MODELS };
const OUTSIDE = JSON.stringify({ agents: { build: { fallbackModels: ['p1/m1'] } } });
const INSIDE = JSON.stringify({ agents: { build: { fallbackModels: ['p2/m2'] } } });
const AGENT = '---\nfallback_models: [p1/m1]\n---\n';
const MAP = JSON.stringify({ version: 1, provider: 'openai', codes: { tea_break: 'quota' } });

type Place = Readonly<{
  project: string;
  outside: string;
  /** Writes a file of the project, by its path in it. */
  put(path: string, text: string): Promise<void>;
  /** Makes a link in the project that leads elsewhere. */
  link(path: string, to: string): Promise<void>;
}>;

async function place(): Promise<Place & { env: NodeJS.ProcessEnv }> {
  const root = await tempFolder();
  const [project, outside] = [join(root, 'project'), join(root, 'outside')];
  const made = async (path: string): Promise<string> => {
    await mkdir(dirname(path), { recursive: true });
    return path;
  };
  const put = async (path: string, text: string) => writeFile(await made(join(project, path)), text);
  await made(join(project, '.opencode', 'x'));
  for (const [name, text] of [
    ['model-fallback.json', OUTSIDE],
    ['agent/build.md', AGENT],
    ['providers/openai.json', MAP],
  ] as const)
    await writeFile(await made(join(outside, name)), text);
  return {
    ...{ project, outside, put, env: { XDG_CONFIG_HOME: join(root, 'config') } },
    link: async (path, to) => symlink(to, await made(join(project, path))),
  };
}

/** What a project comes to: its agents' chain, its provider maps, and how much is said to be wrong with it. */
async function read({ project, env }: Awaited<ReturnType<typeof place>>) {
  const paths = configPaths(project, env);
  const { sources, maps } = await loadConfig(paths);
  const { config, problems } = resolveScope(sources, HOST);
  return { chain: config.agents.build?.chain ?? [], agents: Object.keys(config.agents).length, problems, maps };
}

const many = (count: number, of: (at: number) => unknown) => Array.from({ length: count }, (_, at) => of(at));
const OWN = '.opencode/model-fallback.json';

/** Each makes a project of a stranger's; what it says counts as little as what it leads to. */
const SHAPES: readonly (readonly [string, (at: Place) => Promise<unknown>])[] = [
  ['its file is a link out of it', ({ link, outside }) => link(OWN, join(outside, 'model-fallback.json'))],
  ['its file is a relative link out of it', ({ link }) => link(OWN, '../../outside/model-fallback.json')],
  [
    'its folder is a link out of it',
    async ({ project, link, outside }) => {
      await rm(join(project, '.opencode'), { recursive: true });
      await link('.opencode', outside);
    },
  ],
  ['its agents are a link out of it', ({ link, outside }) => link('.opencode/agent', join(outside, 'agent'))],
  [
    'one agent is a link out of it',
    ({ link, outside }) => link('.opencode/agent/build.md', join(outside, 'agent/build.md')),
  ],
  [
    'a folder of agents is a link out of it',
    ({ link, outside }) => link('.opencode/agent/deep', join(outside, 'agent')),
  ],
  ['its agents are a link to a whole system', ({ link }) => link('.opencode/agent', '/usr')],
  ['its agents are a link to /proc', ({ link }) => link('.opencode/agents', '/proc')],
  ['its maps are a link out of it', ({ link, outside }) => link('.opencode/providers', join(outside, 'providers'))],
  [
    'one map is a link out of it',
    ({ link, outside }) => link('.opencode/providers/x.json', join(outside, 'providers/openai.json')),
  ],
  ['its map is an endless device', ({ link }) => link('.opencode/providers/x.json', '/dev/zero')],
  ['its file is an endless device', ({ link }) => link(OWN, '/dev/zero')],
  ['its file is a device that waits', ({ link }) => link(OWN, '/dev/tty')],
  ['its file is a pipe nobody writes to', async ({ project }) => execFileSync('mkfifo', [join(project, OWN)])],
  [
    'its map is a pipe nobody writes to',
    async ({ put, project }) => {
      await put('.opencode/providers/a.txt', '');
      execFileSync('mkfifo', [join(project, '.opencode/providers/x.json')]);
    },
  ],
  ['its file is a folder', ({ put }) => put(`${OWN}/x`, '')],
  ['its file is a link to itself', ({ link }) => link(OWN, 'model-fallback.json')],
  [
    'its file is larger than 128 kB',
    ({ put }) => put(OWN, `{"agents":{"build":{"fallbackModels":["p2/m2"${' '.repeat(131_072)}]}}}`),
  ],
  [
    'OpenCode’s file of it is larger than 128 kB',
    ({ put }) =>
      put(
        'opencode.json',
        JSON.stringify({ agent: { build: { fallback_models: ['p2/m2'] } }, x: 'x'.repeat(131_072) }),
      ),
  ],
  ['it nests deeper than a stack', ({ put }) => put(OWN, `${'['.repeat(60_000)}`)],
  [
    'it nests deeper than a stack in its agents',
    ({ put }) => put('.opencode/agent/build.md', `---\nfallback_models: ${'['.repeat(8_000)}\n---\n`),
  ],
  [
    'its agent has more YAML than a book',
    ({ put }) =>
      put(
        '.opencode/agent/build.md',
        `---\nfallback_models: [p2/m2]\n${many(3_000, (at) => `key${at}: ${at}`).join('\n')}\n---\n`,
      ),
  ],
  [
    'its agent’s YAML doubles itself',
    ({ put }) =>
      put(
        '.opencode/agent/build.md',
        `---\na: &a [x,x,x,x]\n${many(9, (at) => `b${at}: &b${at} [${at === 0 ? '*a,*a,*a,*a,*a,*a,*a' : `*b${at - 1},`.repeat(7)}]`).join('\n')}\nfallback_models: *b8\n---\n`,
      ),
  ],
  ['its file is UTF-16', async ({ project }) => writeFile(join(project, OWN), Buffer.from(INSIDE, 'utf16le'))],
];

describe.skipIf(process.platform === 'win32')('given a project of a stranger', () => {
  it.each(SHAPES)('when %s, then nothing of that counts, and it is read to its end', async (_, make) => {
    const stranger = await place();
    await make(stranger);
    const { chain, maps, problems } = await read(stranger);
    expect([chain, maps.maps, problems.length <= 100]).toEqual([['p0/m0'], [], true]);
  });

  it('when its files are links inside it, then they count', async () => {
    const friend = await place();
    await friend.put('shared/model-fallback.json', INSIDE);
    await friend.put('shared/maps/openai.json', MAP);
    await friend.link(OWN, '../shared/model-fallback.json');
    await friend.link('.opencode/providers', '../shared/maps');
    const { chain, maps } = await read(friend);
    expect([chain, maps.maps.length]).toEqual([['p0/m0', 'p2/m2'], 1]);
  });

  it('when it is opened through a link of the user’s, then it counts', async () => {
    const friend = await place();
    await friend.put(OWN, INSIDE);
    const alias = join(friend.outside, 'alias');
    await symlink(friend.project, alias);
    expect((await read({ ...friend, project: alias })).chain).toEqual(['p0/m0', 'p2/m2']);
  });

  it.each([
    [
      'thousands of chains for another plugin',
      '.opencode/oh-my-opencode-theseus.json',
      { fallback: { chains: Object.fromEntries(many(5_000, (at) => [`a${at}`, ['p2/m2']]) as [string, unknown][]) } },
      200,
    ],
    [
      'thousands of agents',
      OWN,
      {
        agents: Object.fromEntries(
          many(3_000, (at) => [`a${at}`, { fallbackModels: ['p2/m2'] }]) as [string, unknown][],
        ),
      },
      200,
    ],
    [
      'thousands of patterns for all models',
      OWN,
      { agents: { build: { fallbackModels: many(12_000, () => '*/*') } } },
      1,
    ],
    [
      'hundreds of wrong agents',
      OWN,
      { agents: Object.fromEntries(many(2_000, (at) => [`a${at}`, { wrong: 1 }]) as [string, unknown][]) },
      200,
    ],
    [
      'thousands of keys that nobody knows',
      OWN,
      Object.fromEntries(many(9_000, (at) => [`k${at}`, 1]) as [string, unknown][]),
      1,
    ],
    ['models that nobody has', OWN, { agents: { '*': { fallbackModels: many(100, (at) => `no/x${at}`) } } }, 2],
  ] as const)(
    'when it has %s, then as many count as may, and what is said of it stays short',
    async (_, path, content, atMost) => {
      const stranger = await place();
      await stranger.put(path, JSON.stringify(content));
      const { agents, chain, problems } = await read(stranger);
      expect([agents <= atMost, chain.length <= 100, problems.length > 0, problems.length <= 100]).toEqual(
        many(4, () => true),
      );
    },
  );

  it('when a chain of its is to be written through a link out of it, then that is refused, and the file stays', async () => {
    const stranger = await place();
    await stranger.link(OWN, join(stranger.outside, 'model-fallback.json'));
    await stranger.link('opencode.json', join(stranger.outside, 'model-fallback.json'));
    const { env, project } = stranger;
    const change = { agent: 'build', models: ['p3/m3'], scope: 'project', create: false, actor: 'test' } as const;
    const place_ = { env, home: join(stranger.outside, 'u'), directory: project, source: 'none' };
    const plans = [
      await planChain(project, env, change),
      await planInstall(place_, { scope: 'project', actor: 'test' }),
    ];
    for (const plan of plans)
      expect(plan).toMatchObject({ ok: false, reason: expect.stringMatching(/a link that leads out of the project/) });
    expect(await readFile(join(stranger.outside, 'model-fallback.json'), 'utf8')).toBe(OUTSIDE);
  });
});
