import { describe, expect, it } from 'vitest';
import { listModels } from '../../../src/plugin/opencode1/catalogue';
import type { Client, ListedModel } from '../../../src/plugin/opencode1/types';

const clientOf = (providers: () => unknown): Client => ({ config: { providers } }) as unknown as Client;
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
              options: { apiKey: 'sk-secret' },
              models: {
                'anthropic.claude-sonnet-4': {
                  family: 'claude-sonnet',
                  limit: { context: 200_000, output: 64_000 },
                  capabilities: { toolcall: true, input: { image: true, pdf: true } },
                  cost: { input: 3, output: 15 },
                },
              },
            },
            { id: 'bare', models: { one: {} } },
            { id: 'none' },
          ],
        },
      })),
    );
    expect(found).toEqual({
      models: ['amazon-bedrock/anthropic.claude-sonnet-4', 'bare/one'],
      catalogue: {
        'amazon-bedrock/anthropic.claude-sonnet-4': {
          context: 200_000,
          vision: true,
          tools: true,
          vendor: 'anthropic',
          priceIn: 3,
          priceOut: 15,
        },
        'bare/one': {},
      },
    });
    expect(JSON.stringify(found)).not.toContain('sk-secret');
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
    expect(await listModels(clientOf(providers))).toEqual({ models: [], catalogue: {} });
  });
});
