import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GENERATIONS, isHere, openWorld, type World } from '../support/lives';
import { spentIn } from '../support/spent';
import { openApp } from '../support/stage';

const LEAD = { kind: 'text', text: 'LEAD ANSWERS' } as const;
const UNDERSTUDY = { kind: 'text', text: 'UNDERSTUDY ANSWERS' } as const;
/** Dear enough that one answer is dollars, and a tenth of it. */
const COSTS = [
  { input: 200_000, output: 200_000 },
  { input: 20_000, output: 20_000 },
] as const;

describe.each(GENERATIONS.filter(isHere))('given %s and what may be spent in a project', (generation) => {
  let world: World;
  let life: Awaited<ReturnType<World['start']>>;
  const projects: Record<string, unknown> = {};
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
  /** A project of which the user's own file says what may be spent in it. */
  const project = async (budget: unknown) => {
    const made = await world.makeCase({ models: 2, costs: COSTS });
    projects[made.directory] = budget;
    await mkdir(world.sandbox.configDirectory, { recursive: true });
    await writeFile(
      join(world.sandbox.configDirectory, 'model-fallback.json'),
      JSON.stringify({ budget: { projects } }),
    );
    world.provider.script(made.ids[0] ?? '', [LEAD]);
    world.provider.script(made.ids[1] ?? '', [UNDERSTUDY]);
    return made;
  };
  /** A session whose first answer is paid for. */
  const paid = async (directory: string, ids: readonly string[]) => {
    const session = await life.begin(directory);
    await expect.poll(() => asked(ids)).toEqual([1, 0]);
    await expect.poll(() => spentIn(world.home, (line) => line.directory === directory)).toBeGreaterThan(0);
    return session;
  };

  it('when its day is spent and cheaper models are to go on, then the next turn is the understudy’s, which costs less', async () => {
    const { directory, ids } = await project({ day: 0.01, action: 'degrade' });
    const session = await paid(directory, ids);
    expect([await life.goOn(directory, session), asked(ids)]).toEqual(['UNDERSTUDY ANSWERS', [1, 1]]);
    expect(await life.command(directory, session, 'fallback-status')).toMatch(/of today’s \$0\.01 for \S+ are spent/);
  });

  it('when its day is spent and nothing more is to be, then no request leaves, in any process, and one sentence says why', async () => {
    const { directory, ids } = await project({ day: 0.01, action: 'stop' });
    await paid(directory, ids);
    const other = await world.start();
    try {
      const app = await openApp(world.home);
      try {
        const session = await other.begin(directory);
        const isStopped = ({ code, session: own }: { code: string; session: string | null }) =>
          code === 'exhausted.money' && own === session;
        await app.until(({ events }) => events.some(isStopped));
        expect(asked(ids)).toEqual([1, 0]);
      } finally {
        await app.close();
      }
    } finally {
      await other.stop();
    }
  });

  it('when a person is to be asked, then the turn waits for them, and a yes lasts', async () => {
    const app = await openApp(world.home);
    try {
      const { directory, ids } = await project({ day: 0.01, action: 'ask' });
      const session = await paid(directory, ids);
      const answer = life.goOn(directory, session);
      const isOurs = (question: { session: string }) => question.session === session;
      const { questions, rev } = await app.until((snapshot) => snapshot.questions.some(isOurs));
      const question = questions.find(isOurs);
      expect([question, asked(ids)]).toMatchObject([
        { near: { code: 'money.day', unit: 'dollars' }, to: null },
        [1, 0],
      ]);
      const act = { type: 'question.answered', question: question?.id ?? '', yes: true } as const;
      await app.host.handlers['person.act']({ act, rev, actor: 'panel' });
      expect([await answer, asked(ids)]).toEqual(['LEAD ANSWERS', [2, 0]]);
      expect([await life.goOn(directory, session), asked(ids)]).toEqual(['LEAD ANSWERS', [3, 0]]);
    } finally {
      await app.close();
    }
  });
});
