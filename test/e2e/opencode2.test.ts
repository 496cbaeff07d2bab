import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../src/contract/snapshot';
import { isOf } from '../../src/node/opencode';
import { companionFolder } from '../../src/node/setup/companion-files';
import { verdict } from '../../src/wording/attention-words';
import { protectionOf } from '../../src/wording/protection';
import { LEAD, LIMITED, LONG_TEXT, OK, promises, SUMMARY, status } from '../support/opencode2/promises';
import type { RealStage } from '../support/opencode2/real';
import { sharedStage2 } from '../support/opencode2/shared';
import { openApp } from '../support/stage';

/** A plugin as OpenCode 2 lists it. */
type Loaded = Readonly<{ id?: string; source: Readonly<{ type: string }>; state: Readonly<{ status: string }> }>;

const OPENCODE2 = process.env.OPENCODE2_BIN ?? '';
const PROGRAM = join(import.meta.dirname, '..', '..', 'out', 'cli', 'understudy.js');

/** The promises that `npm test` plays on it: the double plays all of them (test/plugin/opencode2/promises.test.ts). */
const PLAYED = [
  'when its agent may take 3 steps and the lead answers 429 after a tool call, then the understudy has the two that are left',
  'when only a title fails, then the turn keeps its model',
  'when it fails while it summarises, then the understudy does it, and the lead is asked once',
  'when the lead had begun to answer, then the question comes all the same, and /yes moves the turn',
];

describe.skipIf(OPENCODE2 === '')('given a real OpenCode 2', { timeout: 240_000 }, () => {
  let stage: RealStage;
  beforeAll(async () => {
    stage = await sharedStage2();
  });
  afterAll(() => stage.close());
  // Each fault is a row of the matrix on it.
  promises(() => stage, { hasFaults: false, silenceMs: 4_000, played: PLAYED });

  it('when the lead says that the conversation is too long, then OpenCode compacts it, and the lead goes on itself', async () => {
    const project = await stage.open();
    const tooLong = status(
      400,
      {},
      { message: 'Maximum context length is 8192 tokens.', code: 'context_length_exceeded' },
    );
    stage.provider.script(project.ids[0] ?? '', [LEAD, tooLong, SUMMARY, LEAD]);
    const chair = project.sit();
    await chair.ask(LONG_TEXT);
    expect([await chair.ask('one'), project.asked()]).toEqual(['succeeded', [4, 0]]);
  });

  for (const where of ['the panel', 'the command line'])
    it(`when ${where} answers a question with yes, then the next model finishes the turn that waited`, {
      tags: ['nightly'],
    }, async () => {
      const app = await openApp(stage.home);
      try {
        // Beside other files a request may need seconds to leave; the council's policy would ask a silent lead once more.
        const { directory, ids } = await stage.makeCase({
          defaults: { policy: 'council', firstTokenTimeoutMs: 60_000 },
        });
        stage.provider.script(ids[0] ?? '', [status(401)]);
        stage.provider.script(ids[1] ?? '', [OK]);
        const seat = await stage.sitIn(directory);
        const ended = seat.ask('go');
        // An app that has just started hears first of all that was asked before.
        const isOurs = ({ session }: Readonly<{ session: string }>): boolean => session === seat.id;
        const { questions, rev } = await app.until((snapshot) => snapshot.questions.some(isOurs));
        const act = { type: 'question.answered', question: questions.find(isOurs)?.id ?? '', yes: true } as const;
        if (where === 'the panel') await app.host.handlers['person.act']({ act, rev, actor: 'panel' });
        else {
          const env = { ...process.env, UNDERSTUDY_HOME: stage.home };
          const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, 'answer', 'yes'], { env });
          expect(stdout).toMatch(/^\S*understudy1-model-\d+ takes over for build\.\n$/);
        }
        expect([await ended, await seat.said()]).toEqual(['succeeded', ['UNDERSTUDY ANSWERS']]);
        // Should it be otherwise: when each was asked, and what the app heard of it.
        const times = ids.map((id) => stage.provider.requests(id).map((request) => Math.round(request.at)));
        const heard = (await app.snapshot()).events.filter(({ session }) => session === seat.id);
        const course = JSON.stringify([times, heard.map(({ at, code, model, to }) => [at, code, model, to])]);
        expect(
          times.map(({ length }) => length),
          course,
        ).toEqual([1, 1]);
      } finally {
        await app.close();
      }
    });

  for (const [asked, sent, tags] of [
    ['high', 'high', []],
    // OpenCode would end the turn with "variant unavailable".
    ['turbo', undefined, ['nightly']],
  ] as const)
    it(`when the next model is to answer in the variant ${asked}, then it is asked in ${sent}, and the session has its own again`, {
      tags: [...tags],
    }, async () => {
      const low = { low: { reasoningEffort: 'low' } };
      const { directory, ids, chain } = await stage.makeCase({
        variants: [low, { high: { reasoningEffort: 'high' } }],
        agents: (models) => ({ '*': { fallbackModels: [`${models[1]}#${asked}`] } }),
      });
      stage.provider.script(ids[0] ?? '', [LIMITED]);
      stage.provider.script(ids[1] ?? '', [OK]);
      const [providerID = ''] = chain[0]?.split('/') ?? [];
      const model = { providerID, id: ids[0] ?? '', variant: 'low' };
      const seat = await stage.sitIn(directory, { model });
      expect([await seat.ask('go'), await seat.said()]).toEqual(['succeeded', ['UNDERSTUDY ANSWERS']]);
      const effortOf = ({ body }: Readonly<{ body: unknown }>) =>
        (body as { reasoning_effort?: string }).reasoning_effort;
      expect(ids.map((id) => stage.provider.requests(id).map(effortOf))).toEqual([['low'], [sent]]);
      await expect.poll(async () => (await stage.server.session(seat.id)).model).toEqual(model);
    });

  it('when a person picks a model while a retry waits, then that model answers, and the session stays with it', async () => {
    const { directory, ids, chain } = await stage.makeCase({ models: 3 });
    stage.provider.script(ids[0] ?? '', [status(429, { 'retry-after': '2' }), LEAD]);
    stage.provider.script(ids[1] ?? '', [OK]);
    stage.provider.script(ids[2] ?? '', [{ kind: 'text', text: 'PICKED ANSWERS' }]);
    const seat = await stage.sitIn(directory);
    const waits = stage.events.next(
      (event) => event.type === 'session.retry.scheduled' && isOf(seat.id)(event),
      120_000,
    );
    const ended = seat.ask('go');
    await waits;
    const [providerID = ''] = chain[2]?.split('/') ?? [];
    const model = { providerID, id: ids[2] ?? '' };
    await stage.server.request('POST', `/session/${seat.id}/model`, { body: { model } });
    expect([await ended, await seat.said()]).toEqual(['succeeded', ['PICKED ANSWERS']]);
    expect(ids.map((id) => stage.provider.requests(id).length)).toEqual([1, 0, 1]);
    expect((await stage.server.session(seat.id)).model).toMatchObject(model);
  });

  it('when the companion stands in both lists, and a copy of it in one, then it is loaded once, and moves each turn once', async () => {
    const folder = companionFolder(stage.home);
    const copy = join(stage.home, '..', 'copy');
    await cp(folder, copy, { recursive: true, dereference: true });
    const [ours, other] = [folder, copy].map((path) => pathToFileURL(path).href);
    const { directory, ids } = await stage.makeCase({ config: { plugin: [ours, other], plugins: [ours] } });
    stage.provider.script(ids[0] ?? '', [LIMITED]);
    stage.provider.script(ids[1] ?? '', [OK]);
    const seat = await stage.sitIn(directory);
    expect([await seat.ask('go'), await seat.said()]).toEqual(['succeeded', ['UNDERSTUDY ANSWERS']]);
    expect(ids.map((id) => stage.provider.requests(id).length)).toEqual([1, 1]);
    const plugins = await stage.server.request<readonly Loaded[]>(
      'GET',
      `/plugin?${new URLSearchParams({ 'location[directory]': directory })}`,
    );
    const local = plugins.filter(({ source }) => source.type === 'local');
    expect(local.map(({ id, state }) => [id, state.status])).toEqual([
      ['understudy', 'active'],
      [undefined, 'failed'],
    ]);
  });

  it('when an agent without a fallback model meets a limit, then the app says who waits and until when', {
    tags: ['nightly'],
  }, async () => {
    const app = await openApp(stage.home);
    try {
      const { directory, ids } = await stage.makeCase({
        agents: (models) => ({ plan: { fallbackModels: models.slice(1) } }),
      });
      stage.provider.script(ids[0] ?? '', [{ kind: 'status', status: 429, headers: { 'retry-after': '120' } }]);
      const seat = await stage.sitIn(directory);
      const ended = seat.ask('go');
      const own = (snapshot: Snapshot): Snapshot => ({
        ...{ ...snapshot, questions: [] },
        sessions: snapshot.sessions.filter(({ session }) => session === seat.id),
      });
      const seen = own(await app.until((snapshot) => own(snapshot).sessions[0]?.agents[0]?.waits !== undefined));
      expect(verdict(seen).title).toMatch(/^build is stuck until about \d\d:\d\d: it has no fallback model\.$/);
      const here = protectionOf(seen).agents.filter((agent) => agent.directory === directory);
      expect(Object.fromEntries(here.map(({ agent, cover }) => [agent, cover]))).toMatchObject({
        ...{ plan: 'some', build: 'none', general: 'none', explore: 'none' },
      });
      await stage.server.request('POST', `/session/${seat.id}/interrupt`);
      await app.until((snapshot) => own(snapshot).sessions[0]?.agents[0]?.waits === undefined);
      await ended;
    } finally {
      await app.close();
    }
  });

  it('when three projects are open in it, then the app sees one OpenCode, with all three, and what each used counts once', {
    tags: ['nightly'],
  }, async () => {
    const app = await openApp(stage.home);
    try {
      const projects = await Promise.all([0, 1, 2].map(() => stage.makeCase()));
      const used = { inputTokens: 100, outputTokens: 10 };
      for (const { ids } of projects) stage.provider.script(ids[0] ?? '', [{ ...LEAD, usage: used }]);
      const ends = projects.map(async ({ directory }) => {
        const seat = await stage.sitIn(directory);
        await seat.ask('go');
        return seat.id;
      });
      const sessions = await Promise.all(ends);
      const { instances, ...seen } = await app.until(
        ({ instances, sessions: rows }) =>
          projects.every(({ directory }) => instances.some(({ directories }) => directories.includes(directory))) &&
          sessions.every((id) => rows.some(({ session, isIdle }) => session === id && isIdle)),
      );
      expect(instances).toHaveLength(1);
      expect(sessions.map((id) => seen.sessions.find(({ session }) => session === id)?.usage?.total)).toEqual(
        projects.map(() => 110),
      );
    } finally {
      await app.close();
    }
  });
});
