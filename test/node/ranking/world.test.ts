import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rankingWorld } from '../../../src/features/ranking/node/world';
import { keepModels } from '../../../src/node/base/kept-models';
import { tempFolder } from '../temp-folder';

const MODELS = ['anthropic/opus', 'openai/gpt', 'ollama/qwen'];

type Said = Readonly<{ agents?: object; models?: readonly string[]; leads?: Readonly<Record<string, string | null>> }>;

async function worldOf(agent: string, { agents = {}, models = MODELS, leads = { build: 'anthropic/opus' } }: Said) {
  const root = await tempFolder();
  const [home, directory, config] = ['home', 'project', 'config'].map((name) => join(root, name)) as [
    string,
    ...string[],
  ];
  const [project = '', own = ''] = [directory, config];
  await mkdir(project);
  await mkdir(join(own, 'opencode'), { recursive: true });
  await writeFile(join(own, 'opencode', 'model-fallback.json'), JSON.stringify({ agents }));
  await keepModels(home, project, { models: [...models], catalogue: {}, leads, defaultModel: null });
  const env = { HOME: root, XDG_CONFIG_HOME: own, UNDERSTUDY_HOME: home };
  return await rankingWorld({ directory: project, env, home, source: '' }, agent);
}

describe('given whom an agent asks', () => {
  it.each([
    [
      'its own chain names its primary',
      { build: { fallbackModels: ['openai/gpt', 'anthropic/opus'] } },
      ['openai/gpt', 'anthropic/opus'],
    ],
    [
      'its own chain has what follows alone',
      { build: { fallbackModels: ['openai/gpt'] } },
      ['anthropic/opus', 'openai/gpt'],
    ],
    [
      'its own chain has its primary in a pattern',
      { build: { fallbackModels: ['openai/gpt', 'anthropic/*'] } },
      ['openai/gpt', 'anthropic/*'],
    ],
    [
      'the chain of all others is in force',
      { '*': { fallbackModels: ['openai/gpt', 'ollama/*'] } },
      ['anthropic/opus', 'openai/gpt', 'ollama/*'],
    ],
    [
      'its own entry has a policy alone',
      { '*': { fallbackModels: ['openai/gpt'] }, build: { policy: 'swift' } },
      ['anthropic/opus', 'openai/gpt'],
    ],
    ['no chain is written', {}, ['anthropic/opus']],
  ])('when %s, then the present chain begins with who leads, and has all who follow', async (_, agents, present) => {
    expect((await worldOf('build', { agents })).present).toEqual(present);
  });

  it('when it is all others, then their chain is as it is written', async () => {
    const agents = { '*': { fallbackModels: ['openai/gpt'] } };
    expect((await worldOf('*', { agents })).present).toEqual(['openai/gpt']);
    expect((await worldOf('*', { agents })).lead).toBeNull();
    expect(await worldOf('build', { agents })).toMatchObject({ lead: 'anthropic/opus', written: [] });
  });
});

describe('given names of a hostile project', () => {
  it('when no chain could hold a model, or no file an agent, then neither is there, and the others are', async () => {
    const wrong = ['', 'nothing', 'a/b\u001b[31m', `a/${'x'.repeat(400)}`];
    const leads = { build: 'a/b\u001b[31m', ['x'.repeat(101)]: 'openai/gpt', constructor: 'openai/gpt' };
    const world = await worldOf('build', { models: [...wrong, ...MODELS], leads });
    expect(world.offers.models).toEqual(MODELS);
    expect(world.present).toEqual([]);
    expect(world.agents).toContain('constructor');
    expect(world.agents.filter(({ length }) => length > 100)).toEqual([]);
  });
});
