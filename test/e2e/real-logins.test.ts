import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePackage } from '../../scripts/ensure-package.mjs';
import { textOf } from '../../src/node/opencode';
import { builtPlugin } from '../support/built-companion';
import { NIGHTLY } from '../support/nightly';
import { openPluginStage, PLUGINS, type PluginStage } from '../support/npm-plugins';
import { QUICK } from '../support/stage';

const HOUR_MS = 3_600_000;
const TURN_LIMIT_MS = 10_000;
const FALLBACK = { kind: 'text', text: 'FALLBACK ANSWERS' } as const;

/** The provider of each login plugin, and a package that speaks its wire. */
const LOGINS = new Map([
  ['opencode-anthropic-auth', ['anthropic', '@ai-sdk/anthropic']],
  ['opencode-openai-codex-auth', ['openai', '@ai-sdk/openai']],
  ['opencode-gemini-auth', ['google', '@ai-sdk/google']],
  ['opencode-antigravity-auth', ['google', '@ai-sdk/google']],
  ['opencode-copilot-auth', ['github-copilot', '@ai-sdk/openai-compatible']],
]);
const REAL = PLUGINS.flatMap(([name, version, addition]) => {
  const [provider = '', npm = ''] = LOGINS.get(name) ?? [];
  return provider === '' ? [] : [{ name, version, addition, provider, npm }];
});

describe.each(REAL)(
  'given $name $version with a made-up login',
  NIGHTLY,
  ({ name, version, addition, provider, npm }) => {
    describe.each([
      ['expired', -HOUR_MS],
      ['valid', HOUR_MS],
    ])('that is %s', (_, leftMs) => {
      let stage: PluginStage;
      beforeAll(async () => {
        const plugin = await ensurePackage(name, version);
        const login = { type: 'oauth', refresh: 'made-up|project', access: 'made-up', expires: Date.now() + leftMs };
        const env = { OPENCODE_AUTH_CONTENT: JSON.stringify({ [provider]: login }) };
        stage = await openPluginStage([plugin, builtPlugin()], env);
      });
      afterAll(() => stage?.close());

      it('when a message is sent, then the next model answers within 10 s', async () => {
        const { directory, ids } = await stage.makeCase({
          config: ([, fallback = '']) => {
            const limit = { context: 128_000, output: 8_000 };
            const address =
              provider === 'github-copilot' ? { options: { baseURL: 'https://api.githubcopilot.com' } } : {};
            const models = { 'made-up-1': { limit }, 'made-up-2': { limit } };
            const [id = '', model = ''] = fallback.split('/');
            const options = { baseURL: `${stage.provider.url}/v1`, apiKey: 'x' };
            return {
              model: `${provider}/made-up-1`,
              provider: {
                [provider]: { npm, models, ...address },
                [id]: { npm: '@ai-sdk/openai-compatible', options, models: { [model]: { limit } } },
              },
            };
          },
          defaults: { ...QUICK, firstTokenTimeoutMs: 5_000 },
        });
        stage.provider.script(ids[1] ?? '', [FALLBACK]);
        const session = await stage.server.createSession(directory);
        await stage.server.promptAsync(session, { text: 'One' });
        const last = async () => (await stage.server.messages(session)).map((message) => textOf(message)).at(-1);
        await expect.poll(last, { timeout: TURN_LIMIT_MS }).toBe(FALLBACK.text);
        const isLoaded = (await stage.additions(directory)).includes(addition);
        expect([stage.loadFailures(), isLoaded]).toEqual([[], true]);
      });
    });
  },
);
