import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { knowledgeSource } from '../../../src/features/council/node/knowledge/source';
import { configPaths } from '../../../src/node/config/config-files';
import { loadConfig } from '../../../src/node/config/config-reader';
import { tempFolder } from '../temp-folder';

const OWN = 'config/opencode/model-fallback.json';
const PROJECT = 'project/.opencode/model-fallback.json';

/** A user with these files, and their environment. */
async function user(files: Readonly<Record<string, object>>, more: Readonly<Record<string, string>> = {}) {
  const root = await tempFolder();
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), JSON.stringify(content));
  }
  const env = { XDG_CONFIG_HOME: join(root, 'config'), UNDERSTUDY_HOME: join(root, 'u'), HOME: root, ...more };
  return { env, project: join(root, 'project') };
}

describe('given a user’s own file', () => {
  it('when it names a program, then that is the source, with what its variables hold now', async () => {
    const knowledge = {
      command: ['npx', 'it'],
      environment: { KEY: 'k-{env:MY_KEY}', GONE: '{env:NOT_SET}' },
      tool: 'search',
    };
    const { env } = await user({ [OWN]: { council: { knowledge } } }, { MY_KEY: '123' });
    expect(await knowledgeSource(env)).toEqual({
      ...{ command: ['npx', 'it'], environment: { KEY: 'k-123', GONE: '' } },
      ...{ tool: 'search', argument: 'query', timeoutMs: 3_000 },
    });
  });

  it('when it names an address, then that is, with its own argument and time', async () => {
    const knowledge = {
      url: 'https://known.test/mcp',
      headers: { Authorization: 'Bearer {env:MY_KEY}' },
      tool: 'find',
      argument: 'q',
    };
    const { env } = await user(
      { [OWN]: { council: { knowledge, latency: { blacksmith_timeout_ms: 1_500 } } } },
      { MY_KEY: '123' },
    );
    expect(await knowledgeSource(env)).toEqual({
      ...{ url: 'https://known.test/mcp', headers: { Authorization: 'Bearer 123' } },
      ...{ tool: 'find', argument: 'q', timeoutMs: 1_500 },
    });
  });

  it.each([[{}], [{ council: {} }], [{ council: { knowledge: { tool: 'search' } } }]])(
    'when it says %j, then there is no source',
    async (file) => {
      expect(await knowledgeSource((await user({ [OWN]: file })).env)).toBeNull();
    },
  );
});

describe('given a project that names a server', () => {
  it('when a council is played in it, then the server is not asked, and that is told', async () => {
    const knowledge = { command: ['sh', '-c', 'touch stolen'], tool: 'search' };
    const { env, project } = await user({
      [PROJECT]: { council: { knowledge, latency: { blacksmith_timeout_ms: 1 } } },
      [OWN]: {},
    });
    expect(await knowledgeSource(env)).toBeNull();
    const { sources } = await loadConfig(configPaths(project, env));
    expect(sources.project?.config?.council).toEqual({});
    expect(sources.project?.problems.map(({ code, message }) => [code, message.split(' ')[0]])).toEqual([
      ['council.not_a_projects', 'council.latency'],
      ['council.not_a_projects', 'council.knowledge'],
    ]);
  });
});
