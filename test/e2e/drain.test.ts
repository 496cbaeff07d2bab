import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ScriptedStep } from '../../src/demo/scripted-provider';
import { unbooked } from '../../src/engine/names';
import { NOTHING_SHARED, sharedOf } from '../../src/engine/tools';
import { healthPath } from '../../src/node/data/health-file';
import { questionPhrase } from '../../src/wording/act-words';
import { eventSentence } from '../../src/wording/event-words';
import { worked } from '../engine/headroom/worked';
import { patiently } from '../support/eventually';
import { describeGenerations, type Life, openWorld, type World } from '../support/lives';
import { type App, type Case, openApp } from '../support/stage';

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

/** Puts the windows of a day's work into what the accounts of each chain are known to have. */
async function putWork(home: string, chains: readonly (readonly string[])[]): Promise<void> {
  const work = new Map(chains.flatMap(workOf));
  const file = JSON.parse(await readFile(healthPath(home), 'utf8'));
  for (const entry of file.health.windows) entry[1] = work.get(unbooked(entry[0]));
  await writeFile(healthPath(home), JSON.stringify(file));
}

function workOf([lead = '', second = '']: readonly string[]) {
  const past = worked({ chain: [lead, second] });
  const { windows = [] } = sharedOf(past.state, NOTHING_SHARED, Date.now() - past.now);
  return windows.map(([account, known]) => [account, known] as const);
}

/** One project for each test that is played. */
const PROJECTS = process.env.UNDERSTUDY_NIGHTLY === '1' ? 5 : 2;

describeGenerations('given %s and a week’s plan whose work would use up another one', 'OpenCode 2', (generation) => {
  let world: World;
  let app: App;
  let life: Life;
  let session: string;
  let projects: Case[];
  let directory: string;
  let ids: readonly string[];
  const askedOf = (project: Pick<Case, 'ids'>) => project.ids.map((id) => world.provider.requests(id).length);
  const asked = () => askedOf({ ids });
  beforeAll(async () => {
    world = await openWorld(generation);
    projects = await Promise.all(Array.from({ length: PROJECTS }, () => world.makeCase({ models: 2 })));
    const first = await world.start();
    await Promise.all(projects.map((project) => useBoth(first, project)));
    await first.stop();
    await putWork(
      world.home,
      projects.map(({ chain }) => chain),
    );
    world.provider.clear();
    life = await world.start();
  });
  afterAll(async () => {
    await life?.stop();
    await world?.close();
  });
  beforeEach(() => {
    const project = projects.pop();
    if (!project) throw new Error('no project is left');
    ({ directory, ids } = project);
    world.provider.script(ids[0] ?? '', [LEAD]);
    world.provider.script(ids[1] ?? '', [UNDERSTUDY]);
  });
  afterEach(() => app?.close());

  /** A first answer of the lead, whose plan is nearly spent by then, and one of the understudy. */
  async function useBoth(first: Life, project: Case): Promise<void> {
    world.provider.script(project.ids[0] ?? '', [planned(0.97, LEAD)]);
    world.provider.script(project.ids[1] ?? '', [planned(0.2, UNDERSTUDY)]);
    const session = await first.begin(project.directory);
    await patiently(() => expect(askedOf(project)).toEqual([1, 0]));
    // A message that comes while the first turn ends joins it.
    await first.atRest(project.directory, session);
    await first.goOn(project.directory, session);
    expect(askedOf(project)).toEqual([1, 1]);
  }

  const start = async (headroom: unknown): Promise<void> => {
    await mkdir(world.sandbox.configDirectory, { recursive: true });
    await writeFile(join(world.sandbox.configDirectory, 'model-fallback.json'), JSON.stringify({ headroom }));
    app = await openApp(world.home);
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
    const told = (row: { code: string; session: string | null }) =>
      row.code === 'headroom.drains' && row.session === session;
    const { events } = await app.until((snapshot) => snapshot.events.some(told));
    const row = events.find(told);
    expect(row && eventSentence(row)).toMatch(/continues with another plan: .* has used 41\u202f% of its week limit/);
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

  it('when a person says yes, then it goes there, and the next message does so unasked', {
    tags: ['nightly'],
  }, async () => {
    await start({ drain: 'ask' });
    await say(true);
    await expect.poll(asked).toEqual([0, 1]);
    expect([await life.goOn(directory, session), asked()]).toEqual(['UNDERSTUDY ANSWERS', [0, 2]]);
  });

  it('when nobody says anything, then it goes there after ten seconds', { tags: ['nightly'] }, async () => {
    await start({ drain: { quota: 'ask' } });
    const { at, question: open } = await question();
    expect((open?.skippedAt ?? 0) - at).toBeLessThanOrEqual(10_000);
    await expect.poll(asked, { timeout: 30_000 }).toEqual([0, 1]);
  });

  it('when it is never to go there, then the lead is asked on', { tags: ['nightly'] }, async () => {
    await start({ drain: 'never' });
    await expect.poll(asked).toEqual([1, 0]);
  });
});
