import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { DrillResult } from '../../src/contract/drill';
import type { Wire } from '../../src/demo/scripted-provider';
import type { OpencodeSession } from '../../src/node/opencode';
import { eventSentence } from '../../src/wording/event-words';
import { textOf } from '../support/said';
import { sharedStage } from '../support/shared-stage';
import type { App, Case, Stage } from '../support/stage';

let stage: Stage;
let app: App;

beforeAll(async () => {
  stage = await sharedStage();
  app = await stage.openApp();
});
afterAll(async () => {
  await app?.close();
  await stage?.close();
});

/** Tags of the drill over each wire: `npm test` plays those that OpenCode goes on after in two different ways. */
const WIRES: Readonly<Record<Wire, readonly string[]>> = {
  'openai-compatible': [],
  anthropic: ['nightly'],
  'openai-responses': [],
  google: ['nightly'],
  openrouter: ['nightly'],
};

/** Opens a project in OpenCode, as its terminal does, and waits until the app knows it. */
async function open({ directory }: Case): Promise<void> {
  await stage.server.request('GET', '/session', { directory });
  await app.until(({ instances }) => instances.some(({ directories }) => directories.includes(directory)));
}

const drill = async (directory: string, agent: string | null = null): Promise<DrillResult> =>
  await app.host.handlers['drill.run']({ directory, agent });

/** What must be as it was: requests, sessions, health, what models have used. */
async function traces({ directory, chain, ids }: Case) {
  const { models, sessions, questions } = await app.snapshot();
  const listed = await stage.server.request<OpencodeSession[]>('GET', '/session', { directory });
  return {
    requests: ids.map((id) => stage.provider.requests(id).length),
    sessions: listed.map(({ id }) => id),
    shown: sessions.filter((row) => row.directory === directory),
    states: models.flatMap(({ model, state }) => (chain.includes(model) ? [{ model, state }] : [])),
    questions: questions.filter(({ model }) => chain.includes(model)),
  };
}

describe('given an OpenCode that runs with a chain', () => {
  for (const [wire, tags] of Object.entries(WIRES) as [Wire, string[]][])
    it(`when a drill is made over the wire ${wire}, then the next model is asked, no provider is, and nothing is left of it`, {
      tags,
    }, async () => {
      const project = await stage.makeCase({ wires: [wire] });
      const { directory, chain, ids } = project;
      await open(project);
      const before = await traces(project);
      const stream = await stage.server.events(directory);
      const result = await drill(directory, 'build');
      const toast = await stream.waitFor(({ type }) => type === 'tui.toast.show');
      stream.close();
      const row = (await app.snapshot()).events.find(({ code }) => code.startsWith('drill.'));
      const said = `Drill: build switched ${ids[0]} → ${ids[1]} in`;
      expect([result, await traces(project), row && eventSentence(row), JSON.stringify(toast)]).toEqual([
        { ok: true, agent: 'build', from: chain[0], to: chain[1], tookMs: expect.any(Number) },
        before,
        expect.stringContaining(said),
        expect.stringContaining(said),
      ]);
    });

  it('when the lead is out already, then the drill shows it all the same, and the lead stays out', async () => {
    const project = await stage.makeCase({ defaults: { cooldownMs: 600_000, retryOriginalAfterMs: 600_000 } });
    const { directory, chain, ids } = project;
    stage.provider.script(ids[0] ?? '', [{ kind: 'status', status: 429 }]);
    stage.provider.script(ids[1] ?? '', [
      { kind: 'text', text: 'ONE' },
      { kind: 'text', text: 'TWO' },
    ]);
    const session = await stage.server.createSession(directory);
    expect(textOf(await stage.server.prompt(session, { text: 'One' }))).toBe('ONE');
    const result = await drill(directory);
    const { models } = await app.snapshot();
    expect([result, models.find(({ model }) => model === chain[0])?.state]).toEqual([
      { ok: true, agent: 'build', from: chain[0], to: chain[1], tookMs: expect.any(Number) },
      'cooling',
    ]);
    expect(textOf(await stage.server.prompt(session, { text: 'Two' }))).toBe('TWO');
    expect(ids.map((id) => stage.provider.requests(id).length)).toEqual([1, 2]);
  });

  it('when the policy asks a person first, then the drill says yes for them', async () => {
    const project = await stage.makeCase();
    const { directory, chain } = project;
    const asking = {
      defaults: { policy: 'asking' },
      policies: { asking: { extends: 'council', rows: { rate_limit: ['ask'] } } },
      agents: { '*': { fallbackModels: chain.slice(1) } },
    };
    await writeFile(join(directory, '.opencode', 'model-fallback.json'), JSON.stringify(asking));
    await open(project);
    const before = await traces(project);
    const result = await drill(directory);
    expect([result, await traces(project)]).toEqual([
      { ok: true, agent: 'build', from: chain[0], to: chain[1], tookMs: expect.any(Number) },
      { ...before, questions: [] },
    ]);
  });
});

describe('given an OpenCode in which nobody would take over', () => {
  it('when switching is paused, or the agent has no chain, then the drill says so, and no provider is asked', async () => {
    const [paused, bare] = [
      await stage.makeCase(),
      await stage.makeCase({ agents: (chain) => ({ plan: { fallbackModels: chain.slice(1) } }) }),
    ];
    await open(paused);
    await open(bare);
    const before = [await traces(paused), await traces(bare)];
    const { rev } = await app.snapshot();
    const pause = { act: { type: 'switching.paused', forMs: null }, rev, actor: 'test' } as const;
    const resume = { act: { type: 'switching.resumed' }, rev: rev + 100, actor: 'test' } as const;
    // Other files use this home: it must not stay paused.
    onTestFinished(async () => void (await app.host.handlers['person.act'](resume)));
    expect(await app.host.handlers['person.act'](pause)).toMatchObject({ accepted: true });
    // A companion that has just told something hears of the pause with the app's next word.
    await expect
      .poll(() => drill(paused.directory, 'build'), { timeout: 60_000 })
      .toEqual({ ok: false, reason: expect.stringContaining('switching is paused') });
    await app.host.handlers['person.act'](resume);
    const without = await drill(bare.directory, 'build');
    expect([without, await traces(paused), await traces(bare)]).toEqual([
      { ok: false, reason: 'build has no chain in this project' },
      ...before,
    ]);
  });

  it.each([0, 1])(
    'when the provider at position %i speaks past Understudy, then the drill names it and says that it was asked',
    async (unseenAt) => {
      const project = await stage.makeCase({ unseenAt });
      const { directory, chain, ids } = project;
      await open(project);
      stage.provider.script(ids[unseenAt] ?? '', [{ kind: 'text', text: 'HEARD' }]);
      expect([await drill(directory), ids.map((id) => stage.provider.requests(id).length)]).toEqual([
        {
          ok: false,
          reason: `Understudy cannot see requests to ${chain[unseenAt]}: this message reached it`,
        },
        [0, 1].map((at) => (at === unseenAt ? 1 : 0)),
      ]);
    },
  );

  it('when there is no such agent, or OpenCode has not opened the project, then the drill says so', async () => {
    const project = await stage.makeCase();
    await open(project);
    expect([await drill(project.directory, 'nobody'), await drill('/no/such/project')]).toEqual([
      { ok: false, reason: 'OpenCode did not accept the message' },
      { ok: false, reason: expect.stringContaining('Start OpenCode there') },
    ]);
  });
});
