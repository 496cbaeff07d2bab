import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ledgerLineIn } from '../../src/core/budget/spent';
import { isSpendingFile } from '../../src/node/data/spending-files';
import { patiently } from '../support/eventually';
import { GENERATIONS, isHere, type Life, openWorld, type World } from '../support/lives';
import { isNightly } from '../support/nightly';

const KILLS = isNightly ? 200 : 5;
const LATEST_MS = 2_000;
const ANSWER = 'SHOWN';
const PRICE = { input: 3, output: 15 };
/** The user's own prices: those of a project count for nothing. */
const OWN_PRICES = { 'lead-1': { models: { 'lead-model-1': { cost: PRICE } } } };

/** US dollars of each line of the ledger, by session. */
async function spentBySession(home: string): Promise<Map<string, (number | null)[]>> {
  const sums = new Map<string, (number | null)[]>();
  for (const name of (await readdir(home)).filter(isSpendingFile))
    for (const line of (await readFile(join(home, name), 'utf8')).split('\n').map(ledgerLineIn))
      if (line && 'session' in line) sums.set(line.session, [...(sums.get(line.session) ?? []), line.cost]);
  return sums;
}

for (const generation of GENERATIONS.filter(isHere))
  describe(`given ${generation}, killed 0 to 2 s after an answer is shown`, () => {
    let world: World;
    beforeAll(async () => {
      world = await openWorld(generation, { provider: OWN_PRICES });
    });
    afterAll(() => world?.close());

    it(`when it starts again after each of ${KILLS} kills, then the ledger has each answer once`, {
      timeout: KILLS * 12_000 + 180_000,
    }, async () => {
      const { ids, directory } = await world.makeCase({ costs: [PRICE] });
      world.provider.script(ids[0] ?? '', [{ kind: 'text', text: ANSWER }]);
      const sessions: string[] = [];
      const play = async (life: Life, after: number): Promise<void> => {
        const session = await life.begin(directory);
        sessions.push(session);
        await patiently(async () => expect(await life.answers(directory, session)).toEqual([ANSWER]));
        await new Promise((resolve) => setTimeout(resolve, after));
        await life.kill();
      };
      for (let kill = 0; kill < KILLS; kill++) await play(await world.start(), (LATEST_MS * kill) / KILLS);
      const last = await world.start();
      await last.begin(directory);
      await patiently(async () => {
        const spent = await spentBySession(world.home);
        expect(sessions.map((session) => spent.get(session)?.length ?? 0)).toEqual(sessions.map(() => 1));
        expect(sessions.filter((session) => !spent.get(session)?.[0])).toEqual([]);
      });
      await last.stop();
    });
  });
