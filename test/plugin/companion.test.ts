import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { NO_HOST } from '../../src/core/config';
import type { Host } from '../../src/plugin/runtime/host';

async function homeOf(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'us-'));
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    vi.resetModules();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  });
  vi.stubEnv('UNDERSTUDY_HOME', join(root, 'u'));
  return root;
}

/** The companion as a host loads it that evaluates its file anew. */
async function loadedAnew(directory: string, warn: Host['warn'] = () => undefined) {
  vi.resetModules();
  const { openCompanion } = await import('../../src/plugin/runtime/companion');
  const host: Host = { directory, warn, notify: () => undefined, version: async () => '2.0.15' };
  return openCompanion(host);
}

it('given a host that loads the file anew for each project, when three are open, then they share one engine and one link', async () => {
  const root = await homeOf();
  const opened = [
    await loadedAnew(join(root, 'one')),
    await loadedAnew(join(root, 'two')),
    await loadedAnew(join(root, 'three')),
  ];
  expect(new Set(opened.map(({ instance }) => instance)).size).toBe(1);
  expect(new Set(opened.map(({ brain }) => brain)).size).toBe(1);
  await Promise.all(opened.map((companion) => companion.close()));
});

it('given two state homes, when each has a companion, then nothing is shared', async () => {
  const one = await loadedAnew(await homeOf());
  const two = await loadedAnew(await homeOf());
  expect(one.instance).not.toBe(two.instance);
  await Promise.all([one.close(), two.close()]);
});

it('given a directory that is opened anew before it is closed, when its older companion goes, then its chains stay', async () => {
  const directory = join(await homeOf(), 'one');
  const older = await loadedAnew(directory);
  const newer = await loadedAnew(directory);
  for (const companion of [older, newer]) companion.configure(NO_HOST);
  await older.close();
  expect(
    newer.brain
      .state()
      .scopes.flat()
      .map(([key]) => key),
  ).toEqual([directory]);
  await newer.close();
  expect(newer.brain.state().scopes.flat()).toEqual([]);
});

it('given a chain that is edited in a turn, when a request of that turn follows at once, then it goes by the last look, and a message by the file', async () => {
  const root = await homeOf();
  vi.stubEnv('OPENCODE_CONFIG_DIR', root);
  const companion = await loadedAnew(join(root, 'one'));
  companion.configure(NO_HOST);
  const now = vi.spyOn(companion.brain, 'now').mockReturnValue(0);
  const isArmed = [await companion.refresh()];
  await writeFile(
    join(root, 'model-fallback.json'),
    JSON.stringify({ agents: { '*': { fallbackModels: ['a/two'] } } }),
  );
  for (const at of [200, 999, 1_300]) {
    now.mockReturnValue(at);
    isArmed.push(await companion.refresh(true));
  }
  await rm(join(root, 'model-fallback.json'));
  isArmed.push(await companion.refresh(true), await companion.refresh());
  expect(isArmed).toEqual([false, false, false, true, true, false]);
  now.mockRestore();
  await companion.close();
});

it.each([
  ['b/typo', ['OpenCode lists no model b/typo (unknown, no login, or it cannot be started): it is skipped.']],
  ['a@lab/one', ['OpenCode has no account "lab" of a: it has home, work. a@lab/one is skipped.']],
  ['a@work/one', []],
])(
  'given a chain that names %s, when OpenCode tells what it has, then who is left out is warned of, once',
  async (model, said) => {
    const root = await homeOf();
    vi.stubEnv('OPENCODE_CONFIG_DIR', root);
    await writeFile(
      join(root, 'model-fallback.json'),
      JSON.stringify({ agents: { build: { fallbackModels: [model, 'a/two'] } } }),
    );
    const warned: string[] = [];
    const companion = await loadedAnew(join(root, 'one'), (message) => warned.push(message));
    const host = { leads: { build: 'a/one' }, defaultModel: null, models: ['a/one', 'a/two'] };
    for (const _ of [1, 2]) companion.configure({ ...host, accounts: { a: ['home', 'work'] } });
    await companion.close();
    expect(warned).toEqual(said);
  },
);
