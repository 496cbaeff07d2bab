import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, describe, expect, it } from 'vitest';
import { Snapshot } from '../../src/contract/snapshot';
import { CHAIN, configured, failed, LIMITED, prompted, started } from '../core/virtual-core';
import { runCommand } from '../support/damage/programs';
import { fakeClock } from '../support/fake-clock';
import { startPanel } from '../support/panel-process';
import { wireCompanion } from '../support/wire-companion';

const HOUR_MS = 3_600_000;
const JUMPS: readonly (readonly [string, number])[] = [
  ['a day ahead', 24 * HOUR_MS],
  ['a day back', -24 * HOUR_MS],
  ['five hours ahead', 5 * HOUR_MS],
  ['five hours back', -5 * HOUR_MS],
];
/** A countdown is right so soon after a clock was set, and so exactly, in ms. */
const RIGHT_WITHIN_MS = 5_000;

const root = await mkdtemp(join(tmpdir(), 'us-'));
afterAll(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
const clock = await fakeClock(join(root, 'clock'));
if (clock === null) console.log('no libfaketime here: the clocks of real programs are not set');

/** An app whose lead is limited for an hour by its provider's word, and the time it is out as people see it. */
async function limited() {
  const home = await mkdtemp(join(root, 'h'));
  const env = { ...process.env, ...clock?.env, UNDERSTUDY_HOME: home };
  let panel = await startPanel(home, env);
  const companion = await wireCompanion(home);
  const startedAt = performance.now();
  const hour = { ...LIMITED, headers: { 'retry-after': '3600' } };
  for (const event of [configured(), prompted(), started(), failed('a1', hour)]) companion.say(event);
  await companion.settled();
  let aheadMs = 0;
  /** How far what `status` shows is from the hour that has been running since, in ms. */
  const off = async (): Promise<number> => {
    const { said } = await runCommand(['status', '--json'], { cwd: root, env }, {});
    const { models } = Snapshot.parse(JSON.parse(said));
    const until = models.find(({ model }) => model === CHAIN[0])?.until ?? Number.NaN;
    return until - (Date.now() + aheadMs) - (HOUR_MS - (performance.now() - startedAt));
  };
  return {
    off,
    set: async (ms: number): Promise<void> => {
      aheadMs = ms;
      await clock?.set(ms);
    },
    /** Ends the app as a crash would; it starts again with its clock set. */
    restart: async (ms: number): Promise<void> => {
      await panel.kill();
      aheadMs = ms;
      await clock?.set(ms);
      panel = await startPanel(home, env);
    },
    close: async (): Promise<void> => {
      companion.close();
      await panel.stop();
      await clock?.set(0);
    },
  };
}

describe.skipIf(clock === null)('given a model that is out for an hour by its provider’s word', () => {
  it('when the clock of the app that runs is set, a day and five hours either way, then each countdown is right within 5 s', async () => {
    const app = await limited();
    expect(Math.abs(await app.off())).toBeLessThan(RIGHT_WITHIN_MS);
    for (const [name, ms] of [...JUMPS, ['right again', 0] as const]) {
      await app.set(ms);
      const isRight = async (): Promise<boolean> => Math.abs(await app.off()) < RIGHT_WITHIN_MS;
      await expect.poll(isRight, { timeout: RIGHT_WITHIN_MS * 2, interval: 100, message: name }).toBe(true);
    }
    await app.close();
  });

  it('when the app is killed and starts again with its clock set, then the hour is neither longer nor over', async () => {
    const app = await limited();
    for (const [name, ms] of JUMPS) {
      await app.restart(ms);
      expect(Math.abs(await app.off()), name).toBeLessThan(RIGHT_WITHIN_MS);
    }
    await app.close();
  });
});
