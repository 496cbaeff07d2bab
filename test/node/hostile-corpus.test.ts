import { rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAX_LINE_BYTES, ScopeConfig } from '../../src/protocol';
import { DAILY, placeAt, SHAPES, type Shape, SOURCES } from '../support/hostile';
import { examineStranger, makeStranger, readStranger } from '../support/hostile/reading';
import { strays } from '../support/hostile/strays';
import { nightlyIf } from '../support/nightly';

/** More than anybody reads: what is found of one project. */
const EXAMINED_MAX = 1_500;
/** One file of each reader: ours, a map, another plugin's, OpenCode's. `npm test` changes these while they are read. */
const DAILY_SOURCES = /model-fallback\.json$|providers\/x\.json$|theseus\.json$|agents\/build\.md$/;

describe.skipIf(process.platform === 'win32')('given a file of a project that is well', () => {
  it.each(SOURCES)('when it is $path, then it counts', async ({ path, good }) => {
    const at = await makeStranger();
    await at.put(path, good('p0/m1'));
    const { config, maps } = await readStranger(at);
    const chain = config.agents.build?.chain ?? config.agents['*']?.chain;
    expect([chain?.includes('p0/m1'), maps.length > 0]).toEqual(
      path.includes('providers') ? [chain?.includes('p0/m1'), true] : [true, false],
    );
  });
});

describe.skipIf(process.platform === 'win32')('given a project of a stranger', () => {
  for (const shape of SHAPES)
    it(
      `when ${shape.name}, then reading it ends, stays in it, and loosens nothing`,
      nightlyIf(!DAILY.includes(shape)),
      () => readIt(shape),
    );

  async function readIt(shape: Shape): Promise<void> {
    const at = await makeStranger();
    await shape.make(at);
    const outside = strays(at.root, [at.project, join(at.root, 'config'), join(at.root, 'u')]);
    const examined = await examineStranger(at);
    const { config, unlimited, maps, problems, said } = await readStranger(at);
    expect(await outside()).toEqual([]);
    expect(examined.length).toBeLessThan(EXAMINED_MAX);
    // What the app would refuse it would never hear of.
    for (const told of [config, unlimited])
      expect([ScopeConfig.safeParse(told).error, JSON.stringify(told).length < 0.8 * MAX_LINE_BYTES]).toEqual([
        undefined,
        true,
      ]);
    expect([config.agents.build?.chain[0], config.agents.plan?.chain[0] ?? 'p0/m0']).toEqual(['p0/m0', 'p0/m0']);
    if (!shape.counts) expect([config.agents.build?.chain, maps]).toEqual([['p0/m0'], []]);
    if (shape.isTold) expect(said).not.toEqual([]);
    expect(said.filter((text) => /[\p{Cc}\p{Bidi_Control}]/u.test(text.replaceAll(at.project, '')))).toEqual([]);
    expect(problems.length).toBeLessThanOrEqual(100);
    const { vendorLock, maxPriceRatio, maxFallbackDepth, retryBudget } = config;
    expect({ vendorLock, maxPriceRatio, maxFallbackDepth, perSession: retryBudget?.perSession }).toEqual({
      ...{ vendorLock: true, maxPriceRatio: 1, maxFallbackDepth: 2, perSession: 5 },
    });
    expect(Object.values(config.agents).filter(({ policy }) => policy.quota[0]?.step !== 'ask')).toEqual([]);
  }

  for (const { path, good } of SOURCES)
    it(
      `when ${path} changes while it is read, then what lies outside never counts`,
      nightlyIf(!DAILY_SOURCES.test(path)),
      async () => {
        const at = await makeStranger();
        const stray = join(at.outside, basename(path));
        await writeFile(stray, good('p0/m20'));
        await at.put(path, good('p0/m1'));
        let isOver = false;
        const changes = (async () => {
          for (let turn = 0; !isOver; turn++) {
            const next = placeAt(at.project, at.outside);
            const name = `next-${turn}`;
            if (turn % 4 === 0) await next.link(name, stray);
            else if (turn % 4 === 1) await next.put(name, good('p0/m1'));
            else if (turn % 4 === 2) await next.pipe(name);
            else await next.put(name, good('p0/m1').slice(0, 9));
            await rename(join(at.project, name), join(at.project, path));
          }
        })();
        const seen: unknown[] = [];
        for (let look = 0; look < 25; look++) {
          const { config, maps } = await readStranger(at);
          seen.push(
            ...Object.values(config.agents).map(({ chain }) => chain),
            ...maps.map(({ codes }) => Object.keys(codes ?? {})),
          );
        }
        isOver = true;
        await changes;
        expect(JSON.stringify(seen)).not.toMatch(/p0.m20/);
      },
    );
});
