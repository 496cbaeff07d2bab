import { describe, expect, it } from 'vitest';
import type { ListedModel } from '../../../../src/core/base/offers';
import { listModels } from '../../../../src/plugin/opencode1/memory/catalogue';
import type { Client } from '../../../../src/plugin/opencode1/memory/types';

const clientOf = (providers: () => unknown, agents: () => unknown = () => ({ data: [] }), logins = {}): Client => {
  const get = async ({ url }: { url: string }) => (url === '/provider/auth' ? { data: logins } : agents());
  return { config: { providers }, _client: { get } } as unknown as Client;
};
const listed = async (models: Record<string, ListedModel>) =>
  (await listModels(clientOf(async () => ({ data: { providers: [{ id: 'p', key: 'sk-1', models }] } })))).catalogue;

describe('given OpenCode’s list of models', () => {
  it('when a model is described, then its size, senses, vendor and price are kept, and no key', async () => {
    const found = await listModels(
      clientOf(async () => ({
        data: {
          providers: [
            {
              id: 'amazon-bedrock',
              key: 'sk-secret',
              options: { apiKey: 'sk-secret', baseURL: 'http://127.0.0.1:8080/sk-secret' },
              models: {
                'anthropic.claude-sonnet-4': {
                  family: 'claude-sonnet',
                  status: 'beta',
                  release_date: '2025-05-22',
                  limit: { context: 200_000, output: 64_000 },
                  capabilities: { toolcall: true, input: { image: true, pdf: true } },
                  cost: { input: 3, output: 15 },
                },
              },
            },
            {
              id: 'bare',
              options: { baseURL: 'http://localhost:1234' },
              models: { one: {}, two: { status: 'active' } },
            },
            { id: 'none' },
          ],
          default: { bare: 'two' },
        },
      })),
    );
    expect(found).toEqual({
      models: ['amazon-bedrock/anthropic.claude-sonnet-4', 'bare/one', 'bare/two'],
      catalogue: {
        'amazon-bedrock/anthropic.claude-sonnet-4': {
          context: 200_000,
          vision: true,
          tools: true,
          vendor: 'anthropic',
          priceIn: 3,
          priceOut: 15,
          status: 'beta',
          released: '2025-05-22',
        },
        'bare/one': { isLocal: true },
        'bare/two': { isLocal: true, isPreferred: true },
      },
      provable: [],
      loggedIn: [],
      uncertain: new Set(),
      agents: [],
      isWhole: true,
    });
    expect(JSON.stringify(found)).not.toContain('sk-secret');
  });

  it.each<[string, () => unknown, readonly string[]]>([
    [
      'it lists agents',
      () => ({ data: [{ name: 'build' }, { name: 'explore', mode: 'subagent' }] }),
      ['build', 'explore'],
    ],
    [
      'some are hidden',
      () => ({
        data: [
          { name: 'title', hidden: true },
          { name: 'plan', hidden: false },
        ],
      }),
      ['plan'],
    ],
    ['the list is none', () => ({ data: { version: '1.17.19' } }), []],
    ['entries are odd', () => ({ data: [null, 7, {}, { name: 3 }, { name: 'plan' }] }), ['plan']],
    [
      'it refuses',
      () => {
        throw new Error('404');
      },
      [],
    ],
  ])(
    'when %s, then those whom people and agents talk to are known, and the models all the same',
    async (_, agents, names) => {
      const providers = async () => ({ data: { providers: [{ id: 'p', models: { one: {} } }] } });
      expect(await listModels(clientOf(providers, agents))).toMatchObject({ models: ['p/one'], agents: names });
    },
  );

  it('when a proof asks for models, then it gets those that surely ask over fetch and need no login', async () => {
    const models = (npm: string) => ({ m: { api: { npm } } });
    const providers = [
      { id: 'own', source: 'config', models: models('@ai-sdk/openai-compatible') },
      { id: 'key', source: 'env', models: models('@ai-sdk/anthropic') },
      { id: 'old', models: models('@ai-sdk/google') },
      { id: 'opencode', source: 'custom', models: models('@ai-sdk/openai-compatible') },
      { id: 'login', source: 'custom', models: models('@ai-sdk/anthropic') },
      { id: 'socket', source: 'api', models: models('@ai-sdk/openai') },
      { id: 'file', source: 'config', models: models('file:///provider.mjs') },
      { id: 'none', source: 'config', models: { m: {} } },
    ];
    const { provable, uncertain } = await listModels(clientOf(async () => ({ data: { providers } })));
    expect(provable).toEqual(['own/m', 'key/m', 'old/m', 'opencode/m']);
    // Only a package that OpenCode does not bundle may refuse to start.
    expect([...uncertain]).toEqual(['file/m']);
  });

  it('when a plugin can log a provider in, then its models are named apart, and none is for a proof', async () => {
    const models = { one: { api: { npm: '@ai-sdk/anthropic' } }, two: {} };
    const providers = async () => ({ data: { providers: [{ id: 'login', source: 'config', models }] } });
    const { loggedIn, provable } = await listModels(clientOf(providers, undefined, { login: [], other: [] }));
    expect([loggedIn, provable]).toEqual([[['login/one', 'login/two']], []]);
  });

  it('when OpenCode fills in zeros, then they are not known', async () => {
    const zero = { limit: { context: 0 }, cost: { input: 0, output: 0 } };
    expect(await listed({ one: zero, half: { cost: { input: 0, output: 2 } } })).toEqual({
      'p/one': {},
      'p/half': { priceIn: 0, priceOut: 2 },
    });
  });

  it.each([
    ['claude-opus-4.6', 'anthropic'],
    ['gpt-5', 'openai'],
    ['o3-mini', 'openai'],
    ['openai/gpt-oss-120b', 'openai'],
    ['gemini-3-pro', 'google'],
    ['Mixtral-8x7B', 'mistral'],
    ['mistral-large', 'mistral'],
    ['Qwen/Qwen3-Coder', 'alibaba'],
    ['deepseek-r1', 'deepseek'],
    ['kimi-k2', 'moonshotai'],
    ['zai-org/GLM-4.6', 'zai'],
    ['meta-llama/Llama-4', 'meta'],
    ['grok-4', 'xai'],
    ['foo3', undefined],
  ])('when it is called %s, then its vendor is %s', async (name, vendor) => {
    expect((await listed({ [name]: {} }))[`p/${name}`]?.vendor).toBe(vendor);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('no'))],
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['answers with an error', async () => ({ error: {} })],
  ])('when OpenCode %s, then nothing is listed', async (_, providers) => {
    expect(await listModels(clientOf(providers))).toEqual({
      models: [],
      catalogue: {},
      provable: [],
      loggedIn: [],
      uncertain: new Set(),
      agents: [],
      isWhole: expect.any(Boolean),
    });
  });
});
