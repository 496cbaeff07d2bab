import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { NO_HOST } from '../../src/core/config';
import { addItems } from '../../src/core/edits';
import { classify } from '../../src/engine';
import { openCompanion } from '../../src/plugin/runtime/companion';
import { tempFolder } from '../node/temp-folder';

/** 2026-04-30T10:00:00Z. */
const SEEN = 1_777_543_200_000;

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

/** A companion in a project of its own, with these files in its `.opencode`, at the time of {@link SEEN}. */
async function companionWith(files: Readonly<Record<string, string>>) {
  const root = await tempFolder();
  for (const name of ['UNDERSTUDY_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME']) vi.stubEnv(name, join(root, name));
  vi.stubEnv('OPENCODE_CONFIG_DIR', '');
  const directory = join(root, 'project');
  for (const [name, text] of Object.entries(files)) {
    const path = join(directory, '.opencode', name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  const quiet = { warn: () => undefined, notify: async () => undefined, version: async () => '1.18.33' };
  const companion = await openCompanion({ directory, ...quiet });
  companion.configure(NO_HOST);
  vi.useFakeTimers({ toFake: ['Date'], now: SEEN });
  return { companion, path: join(directory, '.opencode', 'model-fallback.json') };
}

const CONFIG = '{ "agents": { "*": { "fallbackModels": ["acme/b"] } } }\n';

describe('given a companion in a project whose file knows no such phrase', () => {
  it('when one is taught for one provider, then the next failure of that provider has its kind, without a restart', async () => {
    const { companion, path } = await companionWith({ 'model-fallback.json': CONFIG });
    const said = { phase: 'body', message: 'Moon 17 hides your allowance' } as const;
    expect(companion.named({ model: 'acme/a', agent: 'build' }, said)).toEqual({ ...said, seenAt: SEEN });

    const pattern = { phrase: 'hides your allowance', kind: 'quota', provider: 'acme' };
    const taught = addItems(await readFile(path, 'utf8'), ['patterns'], [pattern]);
    await writeFile(path, taught.ok ? taught.text : '');
    await companion.refresh();
    expect(companion.named({ model: 'acme/a', agent: 'build' }, said)).toEqual({
      ...said,
      seenAt: SEEN,
      mapped: { kind: 'quota' },
    });
    expect(companion.named({ model: 'other/a', agent: 'build' }, said)).toEqual({ ...said, seenAt: SEEN });
    await companion.close();
  });
});

describe('given a phrase that names an agent', () => {
  it('when that agent and another hear it, then it counts for that one', async () => {
    const config = CONFIG.replace(' }\n', ', "patterns": [{ "phrase": "gone fishing", "agent": "oracle" }] }\n');
    const { companion } = await companionWith({ 'model-fallback.json': config });
    const said = { phase: 'body', message: 'Gone fishing' } as const;
    const mapped = ['oracle', 'build'].map((agent) => companion.named({ model: 'acme/a', agent }, said).mapped);
    expect(mapped).toEqual([{ kind: 'rate_limit' }, undefined]);
    await companion.close();
  });
});

describe('given a provider that names a time on a clock of its own', () => {
  const says = 'Your limit will reset at 2026-04-30 18:07:31';
  const hint = (companion: Awaited<ReturnType<typeof companionWith>>['companion'], model: string, message: string) =>
    classify(companion.named({ model, agent: 'build' }, { phase: 'body', status: 429, message })).hintMs;

  it('when its map names the zone, then the engine hears how long that is; of another it hears nothing', async () => {
    const mine = '{ "version": 1, "provider": "acme", "timeZone": "Asia/Shanghai" }';
    const { companion } = await companionWith({ 'model-fallback.json': CONFIG, 'providers/acme.json': mine });
    expect(['acme/a', 'zai-coding-plan/glm-5', 'other/a'].map((model) => hint(companion, model, says))).toEqual([
      451_000,
      451_000,
      null,
    ]);
    await companion.close();
  });

  it('when a header or the body has said how long, then that stays', async () => {
    const { companion } = await companionWith({ 'model-fallback.json': CONFIG });
    const said = { phase: 'body', status: 429, message: says } as const;
    const named = [{ headers: { 'retry-after': '20' } }, { hintMs: 30_000 }].map((more) =>
      classify(companion.named({ model: 'zai/glm-5', agent: 'build' }, { ...said, ...more })),
    );
    expect(named.map(({ hintMs }) => hintMs)).toEqual([20_000, 30_000]);
    await companion.close();
  });

  it('when a failure came without a time, as in the middle of an answer, then a point in time is read as well', async () => {
    const { companion } = await companionWith({ 'model-fallback.json': CONFIG });
    const said = { phase: 'stream', message: 'usage limit exceeded, resets at 2026-04-30T15:00:00Z (2056)' } as const;
    expect(classify(companion.named({ model: 'minimax/m2', agent: 'build' }, said)).hintMs).toBe(5 * 3_600_000);
    await companion.close();
  });
});
