import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePackage } from '../../scripts/ensure-package.mjs';
import { textOf } from '../../src/node/opencode';
import { NIGHTLY } from '../support/nightly';
import { builtPlugin, openStage, QUICK, type Stage } from '../support/stage';

const HOUR_MS = 3_600_000;
const TURN_LIMIT_MS = 10_000;
const FALLBACK = { kind: 'text', text: 'FALLBACK ANSWERS' } as const;

/** Login plugins that people use, with the provider of each and a package that speaks its wire. */
const PLUGINS = [
  ['opencode-anthropic-auth', '0.0.13', 'anthropic', '@ai-sdk/anthropic'],
  ['opencode-openai-codex-auth', '4.4.0', 'openai', '@ai-sdk/openai'],
  ['opencode-gemini-auth', '1.3.8', 'google', '@ai-sdk/google'],
  ['opencode-antigravity-auth', '1.6.0', 'google', '@ai-sdk/google'],
  ['opencode-copilot-auth', '0.0.9', 'github-copilot', '@ai-sdk/openai-compatible'],
] as const;

/** The file of a plugin that OpenCode loads. */
function entryOf(folder: string): string {
  const { main, module, exports: exported } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const named = [
    main,
    module,
    typeof exported === 'string' ? exported : exported?.['.']?.import,
    'index.ts',
    'index.js',
  ];
  return join(
    folder,
    named.find((file) => typeof file === 'string' && existsSync(join(folder, file))),
  );
}

describe.each(PLUGINS)('given %s %s with a made-up login', NIGHTLY, (name, version, provider, npm) => {
  describe.each([
    ['expired', -HOUR_MS],
    ['valid', HOUR_MS],
  ])('that is %s', (_, leftMs) => {
    let stage: Stage;
    beforeAll(async () => {
      const plugin = entryOf(await ensurePackage(name, version));
      const login = { type: 'oauth', refresh: 'made-up|project', access: 'made-up', expires: Date.now() + leftMs };
      const env = { OPENCODE_AUTH_CONTENT: JSON.stringify({ [provider]: login }) };
      stage = await openStage([plugin, builtPlugin()], env);
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
    });
  });
});
