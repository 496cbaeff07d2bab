import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeGenerations, openWorld, type World } from '../support/lives';

const DAY_MS = 86_400_000;
/** Nobody is left for being silent while a machine is busy. */
const PATIENT = { firstTokenTimeoutMs: 60_000, stallTimeoutMs: 60_000 };
const SAVED = { kind: 'text', text: 'UNDERSTUDY ANSWERS' } as const;

describeGenerations('given %s, killed while the understudies of two sessions answer', 'OpenCode 2', (generation) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(generation);
  });
  afterAll(() => world?.close());

  it('when it starts again, then each answer comes from whoever is well, and both sessions have their own model', async () => {
    const { provider } = world;
    const [out, well] = await Promise.all([
      world.makeCase({ defaults: { ...PATIENT, cooldownMs: DAY_MS, retryOriginalAfterMs: DAY_MS } }),
      // It rests for no time.
      world.makeCase({ defaults: { ...PATIENT, restMs: 1 } }),
    ]);
    const asked = ({ ids }: typeof out) => ids.map((id) => provider.requests(id).length);
    const script = ({ ids }: typeof out, lead: 'limited' | 'failing') => {
      const status = lead === 'limited' ? 429 : 500;
      provider.script(ids[0] ?? '', [
        { kind: 'status', status },
        { kind: 'text', text: 'LEAD ANSWERS' },
      ]);
      provider.script(ids[1] ?? '', [{ kind: 'hangAfterHeaders' }, SAVED]);
    };
    script(out, 'limited');
    script(well, 'failing');
    const first = await world.start();
    const sessions = [await first.begin(out.directory), await first.begin(well.directory)] as const;
    await expect
      .poll(() => [asked(out), asked(well)])
      .toEqual([
        [1, 1],
        [1, 1],
      ]);
    await expect.poll(() => world.isKnown(out.ids[0] ?? '')).toBe(true);
    await first.kill();

    const second = await world.start();
    try {
      expect(await second.goOn(out.directory, sessions[0])).toBe('UNDERSTUDY ANSWERS');
      expect(await second.goOn(well.directory, sessions[1])).toBe('LEAD ANSWERS');
      for (const [at, { directory, chain }] of [out, well].entries())
        await expect.poll(() => second.modelOf(directory, sessions[at] ?? '')).toBe(chain[0]);
      expect([asked(out), asked(well)]).toEqual([
        [1, 2],
        [2, 1],
      ]);
    } finally {
      await second.stop();
    }
  });
});
