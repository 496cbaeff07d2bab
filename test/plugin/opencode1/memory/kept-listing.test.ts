import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepModels } from '../../../../src/node/base/kept-models';
import { configText, listOrKeep } from '../../../../src/plugin/opencode1/memory/kept-listing';
import type { OpenCodeConfig } from '../../../../src/plugin/opencode1/memory/types';
import { tempFolder } from '../../../node/temp-folder';
import { DIRECTORY, openDouble } from '../../support/opencode-double';

const DAY_MS = 86_400_000;
const CONFIG = { model: 'lead/one', provider: { lead: { options: { apiKey: 'sk-1' } } } };
/** Of the chain of the double, and one more. */
const PROVIDERS = [
  { id: 'lead', source: 'config', models: { one: { limit: { context: 8_000 }, api: { npm: '@ai-sdk/anthropic' } } } },
  { id: 'spare', source: 'config', models: { two: { api: { npm: 'a-package-of-its-own' } }, more: {} } },
];

let home: string;
let data: string;
beforeEach(async () => {
  const root = await tempFolder();
  home = join(root, 'u');
  data = join(root, 'data');
  await mkdir(join(data, 'opencode'), { recursive: true });
  vi.stubEnv('UNDERSTUDY_HOME', home);
  vi.stubEnv('XDG_DATA_HOME', data);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

type Start = Readonly<{
  config?: OpenCodeConfig;
  version?: string;
  directory?: string;
  chain?: readonly string[];
  /** A path that OpenCode does not answer. */
  silent?: string;
  /** A model that OpenCode could not find in a turn before. */
  gone?: string;
}>;

/** A start of OpenCode, whose listing is kept as the companion does. @returns the listing, and how often OpenCode was asked. */
async function start({
  config = CONFIG,
  version = '1.18.34',
  directory = DIRECTORY,
  chain = [],
  silent,
  gone,
}: Start = {}) {
  const { instance } = openDouble();
  let asked = 0;
  const client = {
    ...instance.client,
    config: { providers: async () => ({ data: { providers: PROVIDERS, asked: asked++ } }) },
    _client: {
      get: async ({ url }: { url: string }) => ({ data: url === silent ? undefined : url === '/agent' ? [] : {} }),
    },
  };
  const leads = Object.fromEntries(chain.map((model, at) => [`agent${at}`, model]));
  Object.assign(instance, { client, directory, leads, defaultModel: 'lead/one' });
  if (gone !== undefined) {
    const about = { turn: 't', session: 's', directory, agent: 'build', model: gone };
    instance.companion.brain.tell({ type: 'attempt.started', ...about, attempt: 'a', purpose: 'turn' });
    const evidence = { phase: 'headers', code: 'ProviderModelNotFoundError', message: 'Model not found' } as const;
    instance.companion.brain.tell({ type: 'attempt.failed', attempt: 'a', evidence, durationMs: 1 });
  }
  const { found, listing, isKept } = await listOrKeep(instance, config, Promise.resolve(version));
  const { models, catalogue } = found;
  if (!isKept) await keepModels(home, directory, { leads: {}, defaultModel: null, models, catalogue, listing });
  return { found, asked };
}

describe('given a listing that an earlier start has kept', () => {
  it('when nothing has changed, then the next start has the same listing, and OpenCode is not asked', async () => {
    const first = await start();
    const second = await start();
    expect([first.asked, second.asked]).toEqual([1, 0]);
    expect(second.found).toEqual(first.found);
    expect(second.found.uncertain).toEqual(new Set(['spare/two']));
  });

  it('when a day has gone by, then OpenCode is asked', async () => {
    await start();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY_MS - 1_000 });
    expect((await start()).asked).toBe(0);
    vi.setSystemTime(Date.now() + 2_000);
    expect((await start()).asked).toBe(1);
  });

  it.each<[string, Start, (() => unknown)?]>([
    ['the version', { version: '1.18.35' }],
    ['the configuration', { config: { ...CONFIG, model: 'spare/two' } }],
    ['the directory', { directory: '/elsewhere' }],
    ['the chain, which names a model that was not listed', { chain: ['spare/new'] }],
    ['a model of the chain, which OpenCode could not find', { chain: ['spare/two'], gone: 'spare/two' }],
    ['the logins', {}, () => writeFile(join(data, 'opencode', 'auth.json'), '{ "spare": {} }')],
    ['a key in the environment', {}, () => vi.stubEnv('SPARE_API_KEY', 'sk-2')],
    ['what is kept', {}, () => writeFile(join(home, 'models.json'), '{ "v": 1, "lists": 7 }')],
  ])('when %s is another, then OpenCode is asked', async (_what, next, change) => {
    await start();
    await change?.();
    expect((await start(next)).asked).toBe(1);
  });

  it('when OpenCode 2 or an earlier version has kept the models, or no version is named, then OpenCode is asked', async () => {
    await keepModels(home, DIRECTORY, { leads: {}, defaultModel: null, models: ['lead/one', 'spare/two'] });
    expect((await start()).asked).toBe(1);
    for (let times = 0; times < 2; times++) expect((await start({ version: '' })).asked).toBe(1);
  });

  it.each(['/agent', '/provider/auth'])(
    'when OpenCode has not answered %s, then the next start asks again',
    async (silent) => {
      await start({ silent });
      expect([(await start()).asked, (await start()).asked]).toEqual([1, 0]);
    },
  );

  it('when the value of a key is another, then nothing is different, as the value is not looked at', () => {
    const other = { ...CONFIG, provider: { lead: { options: { apiKey: 'sk-other' } } } };
    expect(configText(other)).toBe(configText(CONFIG));
    expect(configText(CONFIG)).not.toContain('sk-1');
  });
});
