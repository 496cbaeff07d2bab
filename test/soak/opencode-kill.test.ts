import { readdir, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLog } from '../../src/node/data/own-data';
import { GENERATIONS, isHere, openWorld, type World } from '../support/lives';
import { type App, type Case, openApp } from '../support/stage';

const KILLS = 50;
/** Kills come anywhere from the message to well into the understudy's answer. */
const KILL_WITHIN_MS = 2_500;
const DAY = { cooldownMs: 86_400_000, retryOriginalAfterMs: 86_400_000, restMs: 86_400_000 };
const LIMITED = { kind: 'status', status: 429, headers: { 'retry-after': '86400' } } as const;
const ANSWER = 'the understudy answers all the same, and takes some time for it';

/** True if the lead's limit had been found out and told, or written, before the kill. */
async function isKnown(world: World, app: App | null, lead: string): Promise<boolean> {
  if (!app) return world.isKnown(lead);
  const seen = await app.until(({ instances }) => instances.every(({ status }) => status !== 'connected'));
  return seen.models.some(({ model, state }) => model === lead && state === 'cooling');
}

/** What the user has written in a project, as values: OpenCode itself writes its schema's address into its own file. */
const ownFiles = async ({ directory }: Case): Promise<readonly unknown[]> =>
  Promise.all(
    ['opencode.json', join('.opencode', 'model-fallback.json')].map(async (name) => ({
      ...JSON.parse(await readFile(join(directory, name), 'utf8')),
      $schema: null,
    })),
  );

describe.each(GENERATIONS)(`given %s, killed ${KILLS} times in a turn that is being moved`, (name) => {
  let world: World;
  let app: App | null = null;
  beforeAll(async () => {
    if (isHere(name)) world = await openWorld(name);
  });
  afterAll(async () => {
    await app?.close();
    await world?.close();
  });

  it('when it starts again each time, then the session goes on, a limit that was known is not asked for again, and every file is whole', {
    timeout: 60 * 60_000,
  }, async ({ skip }) => {
    if (!isHere(name)) skip('no OpenCode 2 for this machine');
    const { start } = world;
    const { provider, home } = world;
    const counts = { known: 0, withApp: 0, beforeLead: 0, afterSwitch: 0 };
    let life = await start();
    for (let round = 0; round < KILLS; round++) {
      // Half of them without the app: then the file of health is all that is known.
      const hasApp = round >= KILLS / 2;
      if (hasApp) app ??= await openApp(home);
      const project = await world.makeCase({ defaults: DAY });
      const [lead = '', spare = ''] = project.ids;
      provider.script(lead, Array(4).fill(LIMITED));
      provider.script(spare, Array(4).fill({ kind: 'text', text: ANSWER, paceMs: 40 }));
      const before = await ownFiles(project);
      const session = await life.begin(project.directory);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * KILL_WITHIN_MS));
      await life.kill();
      const asked = (id: string): number => provider.requests(id).length;
      const found = await isKnown(world, app, project.chain[0] ?? '');
      const [leadBefore, spareBefore] = [asked(lead), asked(spare)];
      life = await start();
      const answer = await life.goOn(project.directory, session);
      expect([round, answer]).toEqual([round, ANSWER]);
      await expect.poll(() => life.modelOf(project.directory, session)).toBe(project.chain[0]);
      expect(await ownFiles(project)).toEqual(before);
      expect(asked(lead) - leadBefore, `round ${round}: the lead was known to be out: ${found}`).toBeLessThanOrEqual(
        found ? 0 : 1,
      );
      counts.known += Number(found);
      counts.withApp += Number(hasApp);
      counts.beforeLead += Number(leadBefore === 0);
      counts.afterSwitch += Number(spareBefore > 0);
    }
    await life.stop();
    await app?.close();
    // What was half written is cleared away by whoever starts next, once it is sure to be nobody's.
    const left = (await readdir(home)).filter((file) => file.endsWith('.tmp'));
    for (const file of left) await utimes(join(home, file), 1, 1);
    app = await openApp(home);
    await app.close();
    app = null;
    // The kills have met the moment before the switch as well as the one after it.
    expect(counts.known).toBeGreaterThan(0);
    expect(counts.known).toBeLessThan(KILLS);
    const told = (await readLog(home)).flatMap(({ from }) => (from ? [JSON.stringify(from)] : []));
    expect(new Set(told).size).toBe(told.length);
    expect((await readdir(home)).filter((file) => /quarantine|corrupt|\.tmp$/.test(file))).toEqual([]);
    console.log(
      `${name} killed ${KILLS} times, ${counts.withApp} of them beside the app: ${counts.beforeLead} before its lead was asked, ` +
        `${counts.afterSwitch} after the switch; ${counts.known} limits were known and none was asked for again; ` +
        `${KILLS} sessions went on, ${told.length} events in the log, each once, ${left.length} files left half written`,
    );
  });
});
