import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ScriptedStep } from '../../src/cli/demo/scripted-provider';
import { eventSentence, questionPhrase } from '../../src/contract';
import { unbooked } from '../../src/engine/names';
import { NOTHING_SHARED, sharedOf } from '../../src/engine/tools';
import { healthPath } from '../../src/node/data/health-file';
import { worked } from '../engine/headroom/worked';
import { GENERATIONS, isHere, openWorld, type World } from '../support/lives';
import { type App, openApp } from '../support/stage';

const LEAD = { kind: 'text', text: 'LEAD ANSWERS' } as const;
const UNDERSTUDY = { kind: 'text', text: 'UNDERSTUDY ANSWERS' } as const;
const NUMBERS = /^understudy\d*-model-\d+ has used 41\u202f% of its week limit, and the rest would last about 6 h/;

/** An answer that says how much of five hours is spent. */
const planned = (used: number, of: ScriptedStep): ScriptedStep => ({
  kind: 'headers',
  headers: {
    'anthropic-ratelimit-unified-5h-utilization': String(used),
    'anthropic-ratelimit-unified-5h-reset': String(Math.ceil(Date.now() / 1_000) + 7_200),
  },
  of,
});

/** Puts the windows of a day's work into what two accounts are known to have. */
async function putWork(home: string, chain: readonly string[]): Promise<void> {
  const [lead = '', second = ''] = chain;
  const past = worked({ chain: [lead, second] });
  const { windows = [] } = sharedOf(past.state, NOTHING_SHARED, Date.now() - past.now);
  const work = new Map(windows.map(([account, known]) => [account, known]));
  const file = JSON.parse(await readFile(healthPath(home), 'utf8'));
  for (const entry of file.health.windows) entry[1] = work.get(unbooked(entry[0]));
  await writeFile(healthPath(home), JSON.stringify(file));
}

describe.each(GENERATIONS.filter(isHere))(
  'given %s and a week’s plan whose work would use up another one',
  (generation) => {
    let world: World;
    let app: App;
    let life: Awaited<ReturnType<World['start']>>;
    let session: string;
    let directory: string;
    let ids: readonly string[];
    const asked = () => ids.map((id) => world.provider.requests(id).length);
    beforeEach(async () => {
      world = await openWorld(generation);
      const made = await world.makeCase({ models: 2 });
      ({ directory, ids } = made);
      world.provider.script(ids[0] ?? '', [planned(0.97, LEAD)]);
      world.provider.script(ids[1] ?? '', [planned(0.2, UNDERSTUDY)]);
      const first = await world.start();
      const session = await first.begin(directory);
      await expect.poll(asked).toEqual([1, 0]);
      await first.goOn(directory, session);
      await first.stop();
      expect(asked()).toEqual([1, 1]);
      await putWork(world.home, made.chain);
      world.provider.clear();
      world.provider.script(ids[0] ?? '', [LEAD]);
      world.provider.script(ids[1] ?? '', [UNDERSTUDY]);
    });
    afterEach(async () => {
      await life?.stop();
      await app?.close();
      await world?.close();
    });

    const start = async (headroom: unknown): Promise<void> => {
      await mkdir(world.sandbox.configDirectory, { recursive: true });
      await writeFile(join(world.sandbox.configDirectory, 'model-fallback.json'), JSON.stringify({ headroom }));
      app = await openApp(world.home);
      life = await world.start();
      session = await life.begin(directory);
    };
    const question = async () => {
      const isOurs = (each: { session: string }) => each.session === session;
      const snapshot = await app.until(({ questions }) => questions.some(isOurs));
      return { ...snapshot, question: snapshot.questions.find(isOurs) };
    };
    const say = async (yes: boolean): Promise<void> => {
      const { question: open, rev } = await question();
      const act = { type: 'question.answered', question: open?.id ?? '', yes } as const;
      await app.host.handlers['person.act']({ act, rev, actor: 'panel' });
    };

    it('when nothing is set, then it goes there where nobody else is left, and the events say so with the numbers', async () => {
      await start({});
      await expect.poll(asked).toEqual([0, 1]);
      const told = ({ code }: { code: string }) => code === 'headroom.drains';
      const { events } = await app.until((snapshot) => snapshot.events.some(told));
      const row = events.find(told);
      expect(row && eventSentence(row)).toMatch(/goes on with another plan: .* has used 41\u202f% of its week limit/);
    });

    it('when a person is to be asked, then the turn waits, a no keeps it where it is, and nobody asks again', async () => {
      await start({ drain: 'ask' });
      const { question: open } = await question();
      expect(open).toMatchObject({ near: { code: 'headroom.drain', lengthMs: 604_800_000 } });
      expect(open && questionPhrase(open).lede).toMatch(NUMBERS);
      expect(asked()).toEqual([0, 0]);
      await say(false);
      await expect.poll(asked).toEqual([1, 0]);
      expect([await life.goOn(directory, session), asked()]).toEqual(['LEAD ANSWERS', [2, 0]]);
    });

    it('when a person says yes, then it goes there, and the next message does so unasked', async () => {
      await start({ drain: 'ask' });
      await say(true);
      await expect.poll(asked).toEqual([0, 1]);
      expect([await life.goOn(directory, session), asked()]).toEqual(['UNDERSTUDY ANSWERS', [0, 2]]);
    });

    it('when nobody says anything, then it goes there after ten seconds', async () => {
      await start({ drain: { quota: 'ask' } });
      const { at, question: open } = await question();
      expect((open?.skippedAt ?? 0) - at).toBeLessThanOrEqual(10_000);
      await expect.poll(asked, { timeout: 30_000 }).toEqual([0, 1]);
    });

    it('when it is never to go there, then the lead is asked on', async () => {
      await start({ drain: 'never' });
      await expect.poll(asked).toEqual([1, 0]);
    });
  },
);
