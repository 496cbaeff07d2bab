import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeRun, planRun } from '../../../src/features/council/node/prepare';
import type { Environment } from '../../../src/node/base/state-home';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'us-'));
  await mkdir(join(root, 'repo'));
  await mkdir(join(root, 'config'));
  await writeFile(join(root, 'repo', 'a.ts'), 'const a = 1;\n');
});
afterEach(() => rm(root, { recursive: true, force: true }));

const MODELS = { leads: {}, defaultModel: 'alpha/large', models: ['alpha/large', 'beta/large'], catalogue: {} };

async function planned(config: string | object | null, repo = join(root, 'repo'), env: Environment = {}) {
  if (config !== null)
    await writeFile(
      join(root, 'config', 'model-fallback.json'),
      typeof config === 'string' ? config : JSON.stringify(config),
    );
  return await planRun({
    input: { problem: null, repo, isDeep: false },
    ...{ directory: join(root, 'repo'), home: join(root, 'home'), askedIn: null, models: MODELS },
    env: { OPENCODE_CONFIG_DIR: join(root, 'config'), HOME: root, PATH: process.env.PATH, ...env },
  });
}

describe('a plan', () => {
  it('is of the default model where nothing is said', async () => {
    expect(await planned(null)).toMatchObject({
      ok: true,
      plan: { settings: { speakers: [{ model: 'alpha/large' }] } },
    });
  });

  it.each([
    ['a speaker without a provider', { council: { speakers: { claude: { model: 'large' } } } }, 'council.speakers'],
    ['speakers that are a list', { council: { speakers: [] } }, 'council.speakers'],
    ['a cap below nothing', { council: { maxCost: -5 } }, 'council.maxCost'],
    ['a key that is none', { council: { speaker: {} } }, 'council'],
    ['a file that is broken', '{ broken', 'model-fallback.json:1'],
  ])('is refused for %s, and by name', async (_, config, named) => {
    const outcome = await planned(config);
    expect(outcome).toMatchObject({ ok: false });
    expect(outcome.ok ? '' : outcome.reason).toContain(named);
  });

  it('is not refused for what has nothing to do with it', async () => {
    const config = { agents: { build: { policy: 'counci' } }, defaults: { maxRetries: 'x' } };
    expect(await planned(config)).toMatchObject({ ok: true });
  });

  it('is refused for a folder on a machine without git', async () => {
    expect(await planned(null, undefined, { PATH: '' })).toEqual({
      ok: false,
      reason: 'A council needs git to read repositories, but there is none on the PATH. Install git.',
    });
  });

  it('is refused for a file, and for a folder that is not there', async () => {
    expect(await planned(null, join(root, 'repo', 'a.ts'))).toMatchObject({
      reason: expect.stringContaining('is not a folder'),
    });
    expect(await planned(null, join(root, 'gone'))).toMatchObject({
      reason: expect.stringContaining('There is no folder'),
    });
  });
});

describe('a run', () => {
  it('is not begun where there is nothing to read', async () => {
    await mkdir(join(root, 'empty'));
    const outcome = await planned(null, join(root, 'empty'));
    expect(outcome.ok && (await makeRun(outcome.plan))).toMatchObject({
      ok: false,
      reason: expect.stringContaining('There are no readable files in'),
    });
  });
});
