import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeGenerations, type Life, openWorld, type World } from '../support/lives';
import { spentIn } from '../support/spent';
import { type CaseOptions, openApp } from '../support/stage';

const LEAD = { kind: 'text', text: 'LEAD ANSWERS' } as const;
const UNDERSTUDY = { kind: 'text', text: 'UNDERSTUDY ANSWERS' } as const;
/** Dear enough that one answer is dollars, and a tenth of it. */
const COSTS = [
  { input: 200_000, output: 200_000 },
  { input: 20_000, output: 20_000 },
] as const;

/** What a project says that a model costs to have it go past every budget. */
const FREE = { input: 0.000001, output: 0.000001 };
/** Projects of whose models the user's own file says what they cost: no budget goes by a project's word. */
const PRICED = 5;
const OWN_PRICES = Object.fromEntries(
  Array.from({ length: PRICED }, (_, at) => at + 1).flatMap((number) =>
    ['lead', 'understudy1'].map((role, at) => [
      `${role}-${number}`,
      { models: { [`${role}-model-${number}`]: { cost: COSTS[at] } } },
    ]),
  ),
);

describeGenerations('given %s and what may be spent in a project', 'OpenCode 1', (generation) => {
  let world: World;
  let life: Life;
  const projects: Record<string, unknown> = {};
  beforeAll(async () => {
    world = await openWorld(generation, { provider: OWN_PRICES });
    life = await world.start();
  });
  afterAll(async () => {
    await life?.stop();
    await world?.close();
  });
  beforeEach(() => world.provider.clear());

  const asked = (ids: readonly string[]) => ids.map((id) => world.provider.requests(id).length);
  /** A project of which the user's own file says what may be spent in it. */
  const project = async (budget: unknown, costs: NonNullable<CaseOptions['costs']> = COSTS) => {
    const made = await world.makeCase({ models: 2, costs });
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
  /** Begins a session of which no request leaves, and gives why. */
  const stopped = async (of: typeof life, directory: string) => {
    const app = await openApp(world.home);
    try {
      const session = await of.begin(directory);
      const isEnd = (row: { code: string; session: string | null }): boolean =>
        row.code === 'exhausted.money' && row.session === session;
      const { events } = await app.until((snapshot) => snapshot.events.some(isEnd));
      return events.find(isEnd)?.near?.code;
    } finally {
      await app.close();
    }
  };
  /** The same in an OpenCode that begins. */
  const stoppedElsewhere = async (directory: string) => {
    const other = await world.start();
    try {
      await stopped(other, directory);
    } finally {
      await other.stop();
    }
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

  it('when its day is spent and nothing more is to be, then no request leaves, in any process, and one sentence says why', {
    tags: ['nightly'],
  }, async () => {
    const { directory, ids } = await project({ day: 0.01, action: 'stop' });
    await paid(directory, ids);
    await stoppedElsewhere(directory);
    expect(asked(ids)).toEqual([1, 0]);
  });

  it('when the file that says so can no longer be read, then what it said holds in an OpenCode that starts, too', {
    tags: ['nightly'],
  }, async () => {
    const { directory, ids } = await project({ day: 0.01, action: 'stop' });
    await paid(directory, ids);
    await writeFile(join(world.sandbox.configDirectory, 'model-fallback.json'), '{ "budget": { "day": ');
    await stoppedElsewhere(directory);
    expect(asked(ids)).toEqual([1, 0]);
  });

  it('when the project makes its models all but free, then the user’s own prices count', {
    tags: ['nightly'],
  }, async () => {
    const { directory, ids } = await project({ day: 0.01, action: 'stop' }, [FREE, FREE]);
    await paid(directory, ids);
    await stopped(life, directory);
    expect(asked(ids)).toEqual([1, 0]);
  });

  it('when a person is to be asked, then the turn waits for them, and a yes lasts', { tags: ['nightly'] }, async () => {
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

  it('when nobody but the project says what its models cost, then none is asked for a budget that holds, and a sentence says why', async () => {
    for (let made = 0; made < PRICED; made++) await world.makeCase({ models: 2 });
    const { directory, ids } = await project({ day: 5, action: 'stop' }, [FREE, FREE]);
    expect([await stopped(life, directory), asked(ids)]).toEqual(['money.unpriced', [0, 0]]);
  });
});
