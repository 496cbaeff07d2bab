import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeGenerations, sharedWorld } from '../support/lives';
import { NIGHTLY } from '../support/nightly';

const UNSEEN = join(import.meta.dirname, '..', 'support', 'unseen-provider.mjs');

describeGenerations('given a primary that %s could not start', 'OpenCode 1', (generation) => {
  let world: Awaited<ReturnType<typeof sharedWorld>>;
  beforeAll(async () => {
    world = await sharedWorld(generation);
  });
  afterAll(() => world?.close());

  it('when its package is mended and OpenCode starts again, then the primary answers', NIGHTLY, async () => {
    const path = join(world.sandbox.root, `mended-${generation.at(-1)}.mjs`);
    const { directory, ids } = await world.makeCase({ packages: { 0: pathToFileURL(path).href } });
    const [primary = '', fallback = ''] = ids;
    world.provider.script(primary, [{ kind: 'text', text: 'PRIMARY ANSWERS' }]);
    world.provider.script(fallback, [{ kind: 'text', text: 'FALLBACK ANSWERS' }]);
    await world.life.begin(directory);
    await expect.poll(() => world.provider.requests(fallback).length).toBe(1);
    await expect.poll(() => world.isKnown(primary)).toBe(true);
    await copyFile(UNSEEN, path);
    const next = await world.start();
    try {
      await next.begin(directory);
      await expect.poll(() => world.provider.requests(primary).length, { timeout: 20_000 }).toBe(1);
    } finally {
      await next.stop();
    }
  });
});
