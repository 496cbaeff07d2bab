import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DrillResult } from '../../src/contract/drill';
import { eventSentence } from '../../src/wording/event-words';
import { opencode2Binary, type RealStage } from '../support/opencode2/real';
import { sharedStage2 } from '../support/opencode2/shared';
import { type App, type Case, openApp } from '../support/stage';

let stage: RealStage;
let app: App;

const isHere = opencode2Binary().path !== '';

beforeAll(async () => {
  if (!isHere) return;
  stage = await sharedStage2();
  app = await openApp(stage.home);
});
afterAll(async () => {
  await app?.close();
  await stage?.close();
});

/** Opens a project in OpenCode, and waits until the app knows it and its chain. */
async function open({ directory, chain }: Case): Promise<void> {
  await stage.server.openProject(directory);
  const isLed = (row: Readonly<{ directory: string; chain: readonly Readonly<{ model: string }>[] }>): boolean =>
    row.directory === directory && row.chain[0]?.model === chain[0];
  await app.until(({ chains }) => chains.some(isLed));
}

const drill = async (directory: string, agent: string | null = null): Promise<DrillResult> =>
  await app.host.handlers['drill.run']({ directory, agent });

type Listed = readonly Readonly<{ id: string; title?: string; location?: Readonly<{ directory: string }> }>[];

const drillsIn = async (directory: string): Promise<readonly string[]> =>
  (await stage.server.request<Listed>('GET', '/session?limit=200'))
    .filter(({ title, location }) => title === 'Understudy drill' && location?.directory === directory)
    .map(({ id }) => id);

/** What must be as it was. */
async function traces({ directory, chain, ids }: Case) {
  const { models, sessions } = await app.snapshot();
  return {
    requests: ids.flatMap((id) => stage.provider.requests(id)).length,
    shown: sessions.filter((row) => row.directory === directory),
    states: models.filter(({ model }) => chain.includes(model)).map(({ model, state }) => ({ model, state })),
  };
}

describe.skipIf(!isHere)('given an OpenCode 2 that runs with a chain', () => {
  for (const wire of ['openai-compatible', 'anthropic', 'openai-responses', 'google', 'openrouter'] as const) {
    const tags = wire === 'openai-compatible' ? [] : ['nightly'];
    it(`when a drill is made over the wire ${wire}, then the next model is asked, no provider is, and of any number of drills one session stays`, {
      tags,
    }, async () => {
      const project = await stage.makeCase({ wires: [wire] });
      const { directory, chain, ids } = project;
      await open(project);
      const before = await traces(project);
      const results = [await drill(directory, 'build'), await drill(directory)];
      const outcome = { ok: true, agent: 'build', from: chain[0], to: chain[1], tookMs: expect.any(Number) };
      expect([results, await traces(project)]).toEqual([[outcome, outcome], before]);
      const row = (await app.snapshot()).events.find(({ code }) => code.startsWith('drill.'));
      expect(row && eventSentence(row)).toContain(`Drill: build switched ${ids[0]} → ${ids[1]} in`);
      expect(await drillsIn(directory)).toHaveLength(1);
    });
  }

  it('when the policy asks a person first, then the drill says yes for them', { tags: ['nightly'] }, async () => {
    const project = await stage.makeCase({ defaults: { policy: 'council' } });
    const { directory, chain } = project;
    await open(project);
    const before = await traces(project);
    const result = await drill(directory);
    expect([
      result,
      await traces(project),
      (await app.snapshot()).questions.filter(({ model }) => chain.includes(model)),
    ]).toEqual([{ ok: true, agent: 'build', from: chain[0], to: chain[1], tookMs: expect.any(Number) }, before, []]);
  });

  it('when nobody would take over, then the drill says why, and no provider is asked', async () => {
    const bare = await stage.makeCase({ agents: (chain) => ({ plan: { fallbackModels: chain.slice(1) } }) });
    await open(bare);
    const before = await traces(bare);
    expect([await drill(bare.directory, 'build'), await drill(bare.directory, 'nobody')]).toEqual([
      { ok: false, reason: 'build has no chain in this project' },
      { ok: false, reason: 'OpenCode did not accept the message' },
    ]);
    expect(await traces(bare)).toEqual(before);
  });

  it('when a user goes on in the session of a drill, then it is a session like any other', async () => {
    const project = await stage.makeCase();
    const { directory, ids } = project;
    await open(project);
    await drill(directory);
    stage.provider.script(ids[0] ?? '', [{ kind: 'text', text: 'THE LEAD ITSELF' }]);
    const [id = ''] = await drillsIn(directory);
    const next = (kind: string) =>
      stage.events.next(
        ({ type, properties }) => type === `session.execution.${kind}` && properties.sessionID === id,
        60_000,
      );
    const started = next('started');
    await stage.server.prompt(id, 'Are you there?');
    // The end of the drill itself may be heard after its answer.
    await started;
    await next('succeeded');
    expect(stage.provider.requests(ids[0]).length).toBe(1);
  });
});
