import { mkdir, realpath, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveScope } from '../../src/core/config';
import { configPaths } from '../../src/node/config-files';
import { loadConfig } from '../../src/node/config-reader';
import { type Place, placeAt, SHAPES, SOURCES } from '../support/hostile';
import { strays } from '../support/hostile/strays';
import { tempFolder } from './temp-folder';

/** What the user wants, whatever a project says. */
const OWN = {
  defaults: {
    policy: 'council',
    vendorLock: true,
    maxPriceRatio: 1,
    maxFallbackDepth: 2,
    retryBudget: { perSession: 5 },
  },
};
const MODELS = Array.from({ length: 1_000 }, (_, at) => `p${at % 20}/m${at < 20 ? 0 : at}`).concat('p0/m1');
const HOST = { leads: { build: 'p0/m0' }, defaultModel: 'p0/m0', models: MODELS };
/** What reading a project may take at most; in one piece, so that whoever has a page open sees nothing of it. */
const LIMITS = { ms: 1_000, freezeMs: 200, mb: 100 };
/** A machine that has other things to do takes longer for anything; what takes long by itself does so each time. */
const TRIES = 10;

async function stranger(): Promise<Place & Readonly<{ root: string; env: NodeJS.ProcessEnv }>> {
  const root = await realpath(await tempFolder());
  const place = placeAt(join(root, 'project'), join(root, 'outside'));
  await mkdir(place.outside);
  await mkdir(join(place.project, '.opencode'), { recursive: true });
  await mkdir(join(root, 'config'));
  await writeFile(join(root, 'config', 'model-fallback.json'), JSON.stringify(OWN));
  return { ...place, root, env: { OPENCODE_CONFIG_DIR: join(root, 'config'), UNDERSTUDY_HOME: join(root, 'u') } };
}

async function read(at: Awaited<ReturnType<typeof stranger>>) {
  const { sources, maps } = await loadConfig(configPaths(at.project, at.env));
  const scope = resolveScope(sources, HOST);
  const said = [...scope.problems.map(({ path, message }) => `${path}: ${message}`), ...maps.problems];
  return { ...scope, maps: maps.maps, said };
}

describe.skipIf(process.platform === 'win32')('given a file of a project that is well', () => {
  it.each(SOURCES)('when it is $path, then it counts', async ({ path, good }) => {
    const at = await stranger();
    await at.put(path, good('p0/m1'));
    const { config, maps } = await read(at);
    const chain = config.agents.build?.chain ?? config.agents['*']?.chain;
    expect([chain?.includes('p0/m1'), maps.length > 0]).toEqual(
      path.includes('providers') ? [chain?.includes('p0/m1'), true] : [true, false],
    );
  });
});

type Cost = Readonly<{ ms: number; freezeMs: number; mb: number }>;

/** What a piece of work takes: in all, at most in one piece, and of memory. */
async function costOf<T>(work: () => Promise<T>): Promise<Readonly<{ result: T; cost: Cost }>> {
  const before = process.memoryUsage.rss();
  const from = performance.now();
  let isOver = false;
  let last = from;
  let freezeMs = 0;
  const look = (): void => {
    freezeMs = Math.max(freezeMs, performance.now() - last);
    last = performance.now();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  const result = await work();
  isOver = true;
  look();
  const mb = (process.memoryUsage.rss() - before) / 1_048_576;
  return { result, cost: { ms: performance.now() - from, freezeMs, mb } };
}

const isLittle = ({ ms, freezeMs, mb }: Cost): boolean =>
  ms < LIMITS.ms && freezeMs < LIMITS.freezeMs && mb < LIMITS.mb;

describe.skipIf(process.platform === 'win32')('given a project of a stranger', () => {
  it.each(SHAPES)('when $name, then reading it ends soon, stays in it, and loosens nothing', async (shape) => {
    const at = await stranger();
    await shape.make(at);
    const outside = strays(at.root, [at.project, join(at.root, 'config'), join(at.root, 'u')]);
    const { result, cost } = await costOf(() => read(at));
    expect(await outside()).toEqual([]);
    const { config, maps, problems, said } = result;
    if (!shape.counts) expect([config.agents.build?.chain, maps]).toEqual([['p0/m0'], []]);
    if (shape.isTold) expect(said).not.toEqual([]);
    expect(said.filter((text) => /[\p{Cc}\p{Bidi_Control}]/u.test(text.replaceAll(at.project, '')))).toEqual([]);
    expect(problems.length).toBeLessThanOrEqual(100);
    const { vendorLock, maxPriceRatio, maxFallbackDepth, retryBudget } = config;
    expect({ vendorLock, maxPriceRatio, maxFallbackDepth, perSession: retryBudget?.perSession }).toEqual({
      ...{ vendorLock: true, maxPriceRatio: 1, maxFallbackDepth: 2, perSession: 5 },
    });
    expect(Object.values(config.agents).filter(({ policy }) => policy.quota[0]?.step !== 'ask')).toEqual([]);
    // What the project itself takes, it takes each time; what others do on this machine, it does not.
    const costs = [cost];
    while (costs.length < TRIES && !costs.some(isLittle)) costs.push((await costOf(() => read(at))).cost);
    expect(costs.at(-1)).toSatisfy(isLittle);
  });

  it.each(SOURCES)(
    'when $path changes while it is read, then what lies outside never counts',
    async ({ path, good }) => {
      const at = await stranger();
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
        const { config, maps } = await read(at);
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
