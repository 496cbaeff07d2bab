import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCodeConfigText, theseusConfigText } from '../../../src/contract/opencode-config';
import { type HostModels, NO_HOST, parseForeign, resolveScope } from '../../../src/core/config';
import { keepModels } from '../../../src/node/base/kept-models';
import { exportedChains } from '../../../src/node/config/chain-export';
import { tempFolder } from '../temp-folder';

/** The chains of a project whose user has these; `leads` is what OpenCode has told, null for nothing. */
async function exported(
  agents: object,
  leads: Readonly<Record<string, string | null>> | null,
  told: Partial<HostModels> = {},
) {
  const root = await tempFolder();
  const [directory, home] = [join(root, 'project'), join(root, 'home')];
  await mkdir(join(root, 'opencode'));
  await writeFile(join(root, 'opencode', 'model-fallback.json'), JSON.stringify({ agents }));
  const host = { models: ['a/1', 'b/2', 'local/x', 'local/y'], defaultModel: 'a/1' };
  if (leads !== null) await keepModels(home, directory, { ...host, leads, ...told });
  return await exportedChains(directory, { OPENCODE_CONFIG_DIR: join(root, 'opencode'), UNDERSTUDY_HOME: home });
}

describe('given chains of a user', () => {
  it('when OpenCode has told its models, then each agent has its lead first, patterns filled in, and that of * where it has none', async () => {
    const agents = {
      review: { fallbackModels: ['local/*'] },
      alone: { fallbackModels: [] },
      '*': { fallbackModels: ['b/2'] },
    };
    expect(await exported(agents, { review: 'b/2', build: null })).toEqual([
      { agent: 'build', models: ['a/1', 'b/2'] },
      { agent: 'plan', models: ['a/1', 'b/2'] },
      { agent: 'review', models: ['b/2', 'local/x', 'local/y'] },
    ]);
  });

  it('when one of them is by another account, then it stays in the chain as it is named', async () => {
    const agents = { build: { fallbackModels: ['b@work/2', 'b@gone/2'] } };
    const accounts = { b: ['home', 'work'] };
    expect(await exported(agents, { build: 'a/1' }, { accounts })).toEqual([
      { agent: 'build', models: ['a/1', 'b@work/2'] },
    ]);
  });

  it('when it has told nothing yet, then they are as they are written, without patterns', async () => {
    const agents = { review: { fallbackModels: ['a/1', 'b/2', 'local/*'] }, build: { fallbackModels: ['local/*'] } };
    expect(await exported(agents, null)).toEqual([{ agent: 'review', models: ['a/1', 'b/2'] }]);
  });

  it.each([
    ['OpenCode', openCodeConfigText, '/p/opencode.json', { type: 'opencode' }],
    ['oh-my-opencode-theseus', theseusConfigText, '/p/oh-my-opencode-theseus.json', { type: 'theseus' }],
  ] as const)(
    'when what is written for %s is read again, then the chains are the same',
    async (_, textOf, path, kind) => {
      const chains = await exported({ '*': { fallbackModels: ['a/1', 'b/2'] } }, {});
      const read = parseForeign(textOf(chains), path, kind);
      if (read === null) throw new Error('it is not read at all');
      const { config, problems } = resolveScope({ global: null, project: null, foreign: [{ path, ...read }] }, NO_HOST);
      expect(problems).toEqual([]);
      expect(Object.entries(config.agents).map(([agent, { chain }]) => ({ agent, models: chain }))).toEqual(chains);
      expect(chains).toHaveLength(2);
    },
  );
});
