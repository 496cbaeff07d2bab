import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { NO_HOST } from '../../src/core/config';
import type { Host } from '../../src/plugin/host';

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
async function loadedAnew(directory: string) {
  vi.resetModules();
  const { openCompanion } = await import('../../src/plugin/companion');
  const host: Host = { directory, warn: () => undefined, notify: () => undefined, version: async () => '2.0.15' };
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
