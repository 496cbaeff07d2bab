import { existsSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLazyCouncilService } from '../../../src/features/council/node/lazy-service';
import { councilFolder } from '../../../src/features/council/node/run-folder';
import { beginWritten, FIRST_RUN, hanging, runsHome } from '../../support/council-home';

async function later() {
  const home = await runsHome();
  const env = { HOME: home, PATH: '', OPENCODE_BIN: `${home}/none` };
  const open = () => {
    const service = openLazyCouncilService({
      home,
      env,
      companion: `${home}/none.js`,
      version: '1',
      talk: async () => null,
    });
    onTestFinished(() => service.close());
    return service;
  };
  return { home, open };
}

describe('given a user who has never had a run', () => {
  it('when the first one comes, then it is told; nothing was made for it before', async () => {
    const { home, open } = await later();
    const service = open();
    let told: readonly string[] = [];
    service.onChange(() => {
      told = service.rows().map(({ run }) => run);
    });
    expect([service.rows(), existsSync(councilFolder(home))]).toEqual([[], false]);
    await beginWritten(home, FIRST_RUN, { reply: hanging });
    await expect.poll(() => told).toEqual([FIRST_RUN]);
  });

  it('when they ask for runs, then there is none, and still no folder', async () => {
    const { home, open } = await later();
    expect(await open().handlers['council.runs'](null)).toEqual({ runs: [], whyNot: expect.stringContaining('none') });
    expect(existsSync(councilFolder(home))).toBe(false);
  });

  it('when it is closed before anybody has asked, then nothing is left of it, and a run that comes is nobody’s news', async () => {
    const { home, open } = await later();
    const service = open();
    await service.close();
    await beginWritten(home, FIRST_RUN, { reply: hanging });
    const next = open();
    await expect.poll(() => next.rows().length).toBe(1);
    expect(service.rows()).toEqual([]);
  });
});

describe('given a user who has runs', () => {
  it('when their service is opened, then the runs are told without being asked for', async () => {
    const { home, open } = await later();
    await beginWritten(home, FIRST_RUN, { reply: hanging });
    const service = open();
    await expect.poll(() => service.rows().map(({ state }) => state)).toEqual(['left']);
  });
});
