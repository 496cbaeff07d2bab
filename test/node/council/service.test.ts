import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answer, type QueryInput, type QueryName, type QueryOutput } from '../../../src/contract/contract';
import { registerFeatures } from '../../../src/contract/feature-queries';
import { councilFolder, hearWords, runFolder, takeRun } from '../../../src/features/council/node/run-folder';
import { openCouncilService, type ServiceOptions } from '../../../src/features/council/node/service';
import type { PersonWord } from '../../../src/features/council/rules/state/schema';
import { keepModels } from '../../../src/node/base/kept-models';
import { beginWritten, FIRST_RUN, hanging, offline, playedRun, runsHome, SECOND_RUN } from '../../support/council-home';
import { gitFolder, makeRemote, sshStandIn } from '../../support/git-remotes';
import { quietHandlers } from '../../support/quiet-handlers';
import { writeProgram } from '../../support/write-program';

registerFeatures();

const VERSION = '1.18.34';
const CATALOGUE = {
  'anthropic/sonnet': { priceIn: 3, priceOut: 15 },
  'anthropic/haiku': { priceIn: 1, priceOut: 5 },
  'openai/gpt': { priceIn: 2, priceOut: 8 },
};
const SPEAKERS = {
  claude: { model: 'anthropic/sonnet', fallback: 'anthropic/haiku', vendor: 'anthropic' },
  gpt: { model: 'openai/gpt', vendor: 'openai' },
};

type Options = Readonly<{
  hasOpencode: boolean;
  hasModels: boolean;
  talk: ServiceOptions['talk'];
  /** Of its environment. */
  more: Readonly<Record<string, string>>;
}>;

/** A service of a user who has two speakers and an OpenCode that says its version and does no more. */
async function service({
  hasOpencode = true,
  hasModels = true,
  more = {},
  talk = async () => null,
}: Partial<Options> = {}) {
  const root = await runsHome();
  const home = join(root, 'u');
  const opencode = join(root, 'opencode');
  if (hasOpencode) writeProgram(opencode, `#!/bin/sh\n[ "$1" = --version ] && echo ${VERSION}\n`);
  const config = join(root, 'config', 'opencode');
  await mkdir(config, { recursive: true });
  await writeFile(join(config, 'model-fallback.json'), JSON.stringify({ council: { speakers: SPEAKERS } }));
  await mkdir(join(root, 'shop'));
  await writeFile(join(root, 'shop', 'cart.js'), 'export const a = 1;\n');
  if (hasModels) {
    const host = { leads: {}, defaultModel: null, models: Object.keys(CATALOGUE), catalogue: CATALOGUE };
    await keepModels(home, root, host);
  }
  const env = {
    HOME: root,
    XDG_CONFIG_HOME: join(root, 'config'),
    PATH: gitFolder(root),
    OPENCODE_BIN: opencode,
    ...more,
  };
  const opened = openCouncilService({ home, env, companion: join(root, 'server.js'), version: '9.9.9', talk });
  onTestFinished(() => opened.close());
  const handlers = { ...quietHandlers(() => Promise.reject(new Error()) as never), ...opened.handlers };
  /** As a panel asks it: both schemas hold. */
  const ask = async <Q extends QueryName>(name: Q, input: QueryInput<Q>): Promise<QueryOutput<Q>> => {
    const said = await answer(handlers, name, input);
    if (!said.ok) throw new Error(said.reason);
    return said.value as QueryOutput<Q>;
  };
  const heard = (run: string): PersonWord[] => {
    const words: PersonWord[] = [];
    onTestFinished(hearWords(home, run, 0, (word) => words.push(word)));
    return words;
  };
  return { root, home, ask, heard, rows: opened.rows, shop: join(root, 'shop') };
}

const wanted = { problem: null, repo: 'shop', isDeep: false, directory: null, maxCost: null };

describe('given a repository that is still being fetched', () => {
  it('when it is stopped, then nothing is begun, nothing of it stays, and it was in the list meanwhile', async () => {
    const far = await runsHome();
    const { path } = makeRemote(join(far, 'shop.git'), { 'a.js': '1;\n' });
    const more = { PATH: process.env.PATH ?? '', ...sshStandIn(far, { afterBytes: 1, pidFile: join(far, 'pid') }) };
    const { root, home, ask, rows } = await service({ more });
    const planned = await ask('council.plan', { ...wanted, repo: `git@far.test:${path}` });
    if (!planned.ok) throw new Error(planned.reason);
    expect(planned.plan).toMatchObject({ repo: 'shop', isFetched: true });
    const begun = ask('council.begin', { plan: planned.plan.id });
    await expect.poll(() => rows().map(({ state }) => state), { timeout: 10_000 }).toEqual(['fetching']);
    const [{ run = '' } = {}] = rows();
    expect(await ask('council.say', { run, word: { kind: 'stop' } })).toEqual({ ok: true });
    expect(await begun).toMatchObject({ ok: false });
    expect(existsSync(runFolder(home, run))).toBe(false);
    await expect.poll(rows, { timeout: 10_000 }).toEqual([]);
    expect(existsSync(join(root, 'shop', 'cart.js'))).toBe(true);
  });
});

describe('given somebody who wants a run', () => {
  it('when they name a folder, then they are shown what would happen, and nothing is made', async () => {
    const { home, ask, shop } = await service();
    for (const repo of [shop, '~/shop', 'shop']) {
      const planned = await ask('council.plan', { ...wanted, repo, maxCost: 0.5 });
      expect(planned).toMatchObject({
        ok: true,
        plan: {
          ...{ activity: 'code_review', process: 'CODE_REVIEW', problem: null, repo: 'shop', isFetched: false },
          ...{ oracle: 'claude', heroes: ['claude', 'gpt'], party: { least: 4, most: 6 }, parallel: 3, cap: 0.5 },
          ...{ defaultParty: ['Architect', 'Sentinel', 'Healer', 'Sage', 'Warden'], resets: [], leftOut: [] },
          ...{ player: `OpenCode ${VERSION}`, whyNoPlayer: null, estimate: { unpriced: [] } },
          speakers: [
            { name: 'claude', model: 'anthropic/sonnet', fallback: 'anthropic/haiku', vendor: 'anthropic' },
            { name: 'gpt', model: 'openai/gpt', fallback: null, vendor: 'openai' },
          ],
        },
      });
      expect(planned.ok && planned.plan.stages).toHaveLength(6);
      expect(planned.ok && planned.plan.estimate.cost).toBeGreaterThan(0.5);
    }
    expect(existsSync(councilFolder(home))).toBe(false);
  });

  it.each([
    [{ repo: null }, 'Name a repository'],
    [{ repo: ' ' }, 'Name a repository'],
    [{ repo: '/nowhere' }, 'There is no folder /nowhere.'],
  ])('when they say %j, then it is refused with what to say', async (said, reason) => {
    const { ask } = await service();
    expect(await ask('council.plan', { ...wanted, ...said })).toEqual({
      ok: false,
      reason: expect.stringContaining(reason),
    });
  });

  it('when no OpenCode is there, then the plan and the list say so, and a yes begins nothing', async () => {
    const { home, ask } = await service({ hasOpencode: false });
    const planned = await ask('council.plan', wanted);
    expect(planned).toMatchObject({
      ok: true,
      plan: { player: null, whyNoPlayer: expect.stringContaining('OPENCODE_BIN') },
    });
    expect(await ask('council.runs', null)).toEqual({ runs: [], whyNot: expect.stringContaining('OPENCODE_BIN') });
    const begun = await ask('council.begin', { plan: planned.ok ? planned.plan.id : '' });
    expect(begun).toEqual({ ok: false, reason: expect.stringContaining('Nothing was started.') });
    expect(existsSync(councilFolder(home))).toBe(false);
  });

  it('when OpenCode has never told of its models, then that is said as well', async () => {
    const { root, ask } = await service({ hasModels: false });
    await rm(join(root, 'config', 'opencode', 'model-fallback.json'));
    expect(await ask('council.plan', wanted)).toEqual({
      ok: false,
      reason: expect.stringContaining('OpenCode reports its models when it runs with the companion'),
    });
  });

  it('when its OpenCode does not come up, then a yes says why, the run was left, and the same yes is worth nothing more', async () => {
    const { ask, rows } = await service();
    const planned = await ask('council.plan', wanted);
    const id = planned.ok ? planned.plan.id : '';
    const [one, other] = await Promise.all([ask('council.begin', { plan: id }), ask('council.begin', { plan: id })]);
    expect(one).toEqual({
      ok: false,
      reason: expect.stringMatching(/^OpenCode did not start: .*you can resume it\.$/s),
    });
    expect(other).toEqual({ ok: false, reason: expect.stringContaining('plan has expired') });
    await expect.poll(() => rows()).toMatchObject([{ state: 'left', repo: 'shop', whyLeft: expect.any(String) }]);
  });
});

describe('given a run that nobody plays', () => {
  it('when its page is asked for, then it is there with an estimate of now, and of one that is not there nothing', async () => {
    const { root, home, ask } = await service();
    await beginWritten(home, FIRST_RUN, { reply: hanging });
    const view = await ask('council.run', { run: FIRST_RUN });
    expect(view).toMatchObject({ row: { run: FIRST_RUN, state: 'left' }, generation: null });
    expect(view?.estimate).toBeGreaterThan(0);
    const catalogue = { 'openai/gpt': { priceIn: 4, priceOut: 16 } };
    await keepModels(home, root, { leads: {}, defaultModel: null, models: ['openai/gpt'], catalogue });
    const later = await ask('council.run', { run: FIRST_RUN });
    expect(later?.estimate).toBeCloseTo(2 * (view?.estimate ?? Number.NaN));
    expect(await ask('council.run', { run: SECOND_RUN })).toBeNull();
    expect(await ask('council.run', { run: '../../etc' })).toBeNull();
  });

  it('when something is said to it, then it is refused, and a stop says that it costs nothing', async () => {
    const { home, ask, heard } = await service();
    await beginWritten(home, FIRST_RUN, { reply: hanging });
    const words = heard(FIRST_RUN);
    const say = (word: QueryInput<'council.say'>['word'], run: string = FIRST_RUN) => ask('council.say', { run, word });
    expect(await say({ kind: 'stop' })).toEqual({ ok: false, reason: expect.stringContaining('costs nothing') });
    expect(await say({ kind: 'answer', yes: true, question: 'q1' })).toMatchObject({ ok: false });
    expect(await say({ kind: 'stop' }, SECOND_RUN)).toEqual({
      ok: false,
      reason: `There is no run ${SECOND_RUN}. It may have been removed.`,
    });
    expect(words).toEqual([]);
  });

  it('when it was called inside OpenCode, then it is resumed there; without its copy it is not', async () => {
    const { root, home, ask } = await service();
    const inside = { isOwn: false, askedIn: 'ses_1', directory: root };
    await beginWritten(home, FIRST_RUN, { reply: hanging, place: inside });
    await beginWritten(home, SECOND_RUN, { reply: hanging, place: { repo: join(root, 'gone') } });
    expect(await ask('council.resume', { run: FIRST_RUN })).toEqual({
      ok: false,
      reason: expect.stringContaining('Resume it there with /council resume'),
    });
    expect(await ask('council.resume', { run: SECOND_RUN })).toEqual({
      ok: false,
      reason: `The copy of the repository for run ${SECOND_RUN} is deleted.`,
    });
    expect((await ask('council.run', { run: FIRST_RUN }))?.row.isInSession).toBe(true);
  });

  it('when it is removed, then it is gone, also one that never began; what is played stays', async () => {
    const { home, ask, rows } = await service();
    await playedRun(home, FIRST_RUN);
    await mkdir(runFolder(home, SECOND_RUN), { mode: 0o700 });
    for (const run of [FIRST_RUN, SECOND_RUN])
      expect(await ask('council.remove', { run, sessions: false })).toEqual({ ok: true });
    expect([existsSync(runFolder(home, FIRST_RUN)), rows()]).toEqual([false, []]);

    await beginWritten(home, FIRST_RUN, { reply: hanging });
    const taken = await takeRun(home, FIRST_RUN);
    expect(await ask('council.remove', { run: FIRST_RUN, sessions: false })).toMatchObject({ ok: false });
    expect(await ask('council.resume', { run: FIRST_RUN })).toMatchObject({ ok: false });
    if (taken.ok) await taken.release();
  });
});

describe('given a run that somebody plays', () => {
  it('when it asks, then an answer to that question is passed on, and one to another is not', async () => {
    const { home, ask, heard } = await service();
    const { world, write } = await beginWritten(home, FIRST_RUN, { reply: offline });
    world.play(10_000);
    await write();
    const taken = await takeRun(home, FIRST_RUN);
    onTestFinished(async () => void (taken.ok && (await taken.release())));
    const words = heard(FIRST_RUN);
    const question = (await ask('council.run', { run: FIRST_RUN }))?.row.question?.id ?? null;
    const say = (word: QueryInput<'council.say'>['word']) => ask('council.say', { run: FIRST_RUN, word });
    expect(await say({ kind: 'answer', yes: true, question: 'q77' })).toEqual({
      ok: false,
      reason: 'This question is no longer open.',
    });
    expect(await say({ kind: 'answer', yes: true, question: null })).toMatchObject({ ok: false });
    expect(await say({ kind: 'answer', yes: true, question })).toEqual({ ok: true });
    expect(await say({ kind: 'retry', name: 'Claude' })).toEqual({ ok: true });
    expect(await say({ kind: 'stop' })).toEqual({ ok: true });
    await expect
      .poll(() => words)
      .toEqual([
        { type: 'question.answered', question, yes: true, actor: 'panel' },
        { type: 'speaker.retried', name: 'claude', actor: 'panel' },
        { type: 'run.stopped', actor: 'panel' },
      ]);
  });
});

describe('given a run that has finished', () => {
  it('when its report is wanted, then it is written as Markdown and JSON, and other formats are refused by name', async () => {
    const { home, ask } = await service();
    await playedRun(home, FIRST_RUN);
    const exported = (format: 'md' | 'json' | 'html' | 'sarif') => ask('council.export', { run: FIRST_RUN, format });
    expect(await exported('md')).toMatchObject({ ok: true, name: `council-${FIRST_RUN}.md` });
    const json = await exported('json');
    expect(JSON.parse(json.ok ? json.text : '')).toMatchObject({ run: FIRST_RUN, outcome: 'finished' });
    const html = await exported('html');
    expect(html.ok && html.text.startsWith('<!doctype html>')).toBe(true);
    const sarif = await exported('sarif');
    expect(JSON.parse(sarif.ok ? sarif.text : '')).toMatchObject({ version: '2.1.0' });
    expect(await ask('council.resume', { run: FIRST_RUN })).toEqual({
      ok: false,
      reason: expect.stringContaining('has finished'),
    });
  });
});

describe('given somebody who looks at a participant', () => {
  it('when nobody plays the run, then what the journal has of it is there', async () => {
    const { home, ask } = await service();
    await playedRun(home, FIRST_RUN);
    const shown = await ask('council.transcript', { run: FIRST_RUN, member: 'sentinel' });
    expect(shown?.live).toBe('notPlayed');
    expect(shown?.entries.map(({ kind }) => kind)).toContain('finding');
    expect(await ask('council.transcript', { run: FIRST_RUN, member: 'nobody' })).toBeNull();
    expect(await ask('council.transcript', { run: SECOND_RUN, member: 'sentinel' })).toBeNull();
  });

  it('when somebody does, then its process is asked for the session, and what it says stands between in time', async () => {
    const asked: unknown[] = [];
    const { home, ask } = await service({
      talk: async (about) => {
        asked.push(about);
        return [{ kind: 'text', at: Date.now() + 60_000, text: 'I look.' }];
      },
    });
    await playedRun(home, FIRST_RUN, { reply: hanging });
    const taken = await takeRun(home, FIRST_RUN);
    onTestFinished(async () => void (taken.ok && (await taken.release())));
    const shown = await ask('council.transcript', { run: FIRST_RUN, member: 'sentinel' });
    expect(shown).toMatchObject({
      live: 'live',
      entries: [{ kind: 'turn', stage: 'reconnaissance' }, { kind: 'text' }],
    });
    const session = (await ask('council.run', { run: FIRST_RUN }))?.members.find(
      ({ id }) => id === 'sentinel',
    )?.session;
    expect(asked).toEqual([{ pid: process.pid, run: FIRST_RUN, session }]);
  });

  it('when whoever plays it cannot be asked, then that is said, and the journal is shown', async () => {
    const { home, ask } = await service();
    await playedRun(home, FIRST_RUN, { reply: hanging });
    const taken = await takeRun(home, FIRST_RUN);
    onTestFinished(async () => void (taken.ok && (await taken.release())));
    const shown = await ask('council.transcript', { run: FIRST_RUN, member: 'healer' });
    expect(shown).toMatchObject({ live: 'unreachable', entries: [{ kind: 'turn' }] });
  });
});
