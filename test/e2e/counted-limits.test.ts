import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Snapshot } from '../../src/contract/snapshot';
import { providerOf } from '../../src/engine';
import { describeGenerations, type Life, openWorld, type World } from '../support/lives';
import { age, stepsIn } from '../support/spent';
import { openApp } from '../support/stage';

const HOUR = 3_600_000;
const LEAD = { kind: 'text', text: 'LEAD ANSWERS' } as const;
const UNDERSTUDY = { kind: 'text', text: 'UNDERSTUDY ANSWERS' } as const;

describeGenerations(
  'given %s, a provider that tells nothing of its limits, and a limit of three requests',
  'OpenCode 2',
  (generation) => {
    let world: World;
    let life: Life;
    beforeAll(async () => {
      world = await openWorld(generation);
      life = await world.start();
    });
    afterAll(async () => {
      await life?.stop();
      await world?.close();
    });
    beforeEach(() => world.provider.clear());

    const asked = (ids: readonly string[]) => ids.map((id) => world.provider.requests(id).length);
    /** A project whose lead has had three answers, of the three that the user has entered. */
    const usedUp = async (trustEstimates: boolean) => {
      const { directory, ids, chain } = await world.makeCase({ models: 2 });
      const provider = providerOf(chain[0] ?? '');
      await mkdir(world.sandbox.configDirectory, { recursive: true });
      await writeFile(
        join(world.sandbox.configDirectory, 'model-fallback.json'),
        JSON.stringify({ headroom: { limits: { [provider]: [{ requests: 3, hours: 1 }] }, trustEstimates } }),
      );
      world.provider.script(ids[0] ?? '', [LEAD]);
      world.provider.script(ids[1] ?? '', [UNDERSTUDY]);
      const steps = () => stepsIn(world.home, (line) => line.directory === directory);
      const session = await life.begin(directory);
      await expect.poll(steps).toBe(1);
      for (const count of [2, 3]) {
        expect(await life.goOn(directory, session)).toBe('LEAD ANSWERS');
        await expect.poll(steps).toBe(count);
      }
      expect(asked(ids)).toEqual([3, 0]);
      return { directory, ids, provider, session };
    };
    /** The project defines its provider itself: what it uses is counted apart. */
    const windowsOf = ({ headroom }: Snapshot, provider: string) =>
      headroom.find((row) => row.provider === provider && row.isApart)?.windows ?? [];

    it('when it is used up, then an app shows it as an estimate, and the next turn is the lead’s all the same', {
      tags: ['nightly'],
    }, async () => {
      const app = await openApp(world.home);
      try {
        const { directory, ids, provider, session } = await usedUp(false);
        const { at, ...snapshot } = await app.until((now) => windowsOf(now, provider)[0]?.used === 1);
        const [window, ...others] = windowsOf({ at, ...snapshot }, provider);
        expect([window, others]).toMatchObject([
          { source: 'counted', unit: 'requests', limit: 3, remaining: 0, lengthMs: HOUR, isPlan: true },
          [],
        ]);
        expect((window?.resetAt ?? 0) - at).toBeLessThanOrEqual(HOUR);
        expect([await life.goOn(directory, session), asked(ids)]).toEqual(['LEAD ANSWERS', [4, 0]]);
      } finally {
        await app.close();
      }
    });

    it('when estimates are trusted, then the fourth turn is the understudy’s, and in the next window the lead is back', {
      tags: ['nightly'],
    }, async () => {
      const { directory, ids, provider, session } = await usedUp(true);
      expect([await life.goOn(directory, session), asked(ids)]).toEqual(['UNDERSTUDY ANSWERS', [3, 1]]);
      expect(await life.command(directory, session, 'fallback-status')).toMatch(
        /has 0 of 3 requests an hour left \(estimate\)/,
      );
      // An app that is opened later has heard the same, and counted it once.
      const app = await openApp(world.home);
      const seen = await app.until((now) => windowsOf(now, provider).some(({ used }) => used === 1));
      await app.close();
      expect(windowsOf(seen, provider)).toMatchObject([{ source: 'counted', used: 1, remaining: 0 }]);
      await life.stop();
      await age(world.home, HOUR);
      life = await world.start();
      expect([await life.goOn(directory, session), asked(ids)]).toEqual(['LEAD ANSWERS', [4, 1]]);
    });
  },
);
