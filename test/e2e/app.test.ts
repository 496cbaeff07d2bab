import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../src/contract/snapshot';
import { runOpencode } from '../../src/node/opencode';
import { verdict } from '../../src/wording/attention-words';
import { protectionOf } from '../../src/wording/protection';
import { type PanelProcess, startPanel } from '../support/panel-process';
import { textOf } from '../support/said';
import { sharedStage } from '../support/shared-stage';
import type { Stage } from '../support/stage';

let stage: Stage;
let panel: PanelProcess | null = null;

beforeAll(async () => {
  stage = await sharedStage();
});
afterAll(() => stage?.close());
beforeEach(() => stage.provider.clear());
afterEach(async () => {
  await panel?.kill();
  panel = null;
});

const LIMITED = { kind: 'status', status: 429, headers: { 'retry-after': '120' } } as const;
const ANSWER = { kind: 'text', text: 'UNDERSTUDY ANSWERS' } as const;
const SLOW = { cooldownMs: 120_000, retryOriginalAfterMs: 120_000, restMs: 120_000 };

describe('given an OpenCode whose app is not running', () => {
  it('when a turn falls back and the app starts afterwards, then the app shows what happened without it', async () => {
    const { provider, server } = stage;
    const { directory, chain, ids } = await stage.makeCase({ defaults: SLOW });
    provider.script(ids[0] ?? '', [LIMITED]);
    provider.script(ids[1] ?? '', [ANSWER]);
    const session = await server.createSession(directory);
    expect(textOf(await server.prompt(session, { text: 'One' }))).toBe(ANSWER.text);

    const app = await stage.openApp();
    try {
      const snapshot = await app.until((seen) =>
        seen.events.some((event) => event.code === 'turn.finished' && event.session === session.id),
      );
      const row = snapshot.sessions.find((entry) => entry.session === session.id)?.agents[0];
      const lead = snapshot.models.find((model) => model.model === chain[0]);
      const events = snapshot.events.filter((event) => event.session === session.id).map((event) => event.code);
      expect({
        active: row?.active,
        position: row?.position,
        state: lead?.state,
        source: lead?.source,
        events,
      }).toEqual({
        active: chain[1],
        position: 1,
        state: 'cooling',
        source: 'provider',
        events: ['turn.finished', 'switch.rate_limit'],
      });
    } finally {
      await app.close();
    }
  });
});

describe('given an app that runs, and a lead that one `opencode run` has found limited', () => {
  it('when more are started one after another, then none of them asks it again', { tags: ['nightly'] }, async () => {
    const { provider, binary, sandbox, home } = stage;
    const { directory, ids } = await stage.makeCase({ defaults: SLOW });
    provider.script(ids[0] ?? '', [LIMITED]);
    provider.script(ids[1] ?? '', [ANSWER]);
    panel = await startPanel(home);
    const run = (text: string) =>
      runOpencode({ binary, sandbox, directory, args: [text], env: { UNDERSTUDY_HOME: home } });
    const said = [await run('One'), await run('Two'), await run('Three')].map(({ stdout }) => stdout.trim());
    expect([said, ids.map((id) => provider.requests(id).length)]).toEqual([Array(3).fill(ANSWER.text), [1, 3]]);
  });
});

describe('given an agent without a fallback model, beside one that has one', () => {
  it('when its model is limited and OpenCode waits, then the headline says who waits and until when, and its end is seen', async () => {
    const { provider, server } = stage;
    const { directory, chain, ids } = await stage.makeCase({
      defaults: SLOW,
      agents: (models) => ({ plan: { fallbackModels: models.slice(1) } }),
    });
    provider.script(ids[0] ?? '', [LIMITED]);
    const app = await stage.openApp();
    const session = await server.createSession(directory);
    const ended = server.prompt(session, { text: 'One' }).catch(() => null);
    try {
      const agentIn = ({ sessions }: Snapshot) => sessions.find((entry) => entry.session === session.id)?.agents[0];
      const seen = await app.until((snapshot) => agentIn(snapshot)?.waits !== undefined);
      const row = agentIn(seen);
      expect(row?.waits).toMatchObject({ by: 'host', model: chain[0], kind: 'rate_limit', status: 429 });
      const waitMs = (row?.waits?.until ?? 0) - (row?.waits?.since ?? 0);
      expect(Math.abs(waitMs - 120_000)).toBeLessThan(2_000);
      // Others of this OpenCode may be away from their lead; nothing they are is worse.
      const own = { ...seen, sessions: seen.sessions.filter((entry) => entry.session === session.id) };
      expect(verdict(own)).toEqual({
        title: expect.stringMatching(/^build is stuck until about \d\d:\d\d: it has no fallback model\.$/),
        lede: expect.stringMatching(/ is rate limited \(429\); the request is then sent again\.$/),
      });
      // Of the agents OpenCode has in this project one is protected; two of the others have not spoken.
      const here = protectionOf(own).agents.filter((agent) => agent.directory === directory);
      expect(Object.fromEntries(here.map(({ agent, cover }) => [agent, cover]))).toEqual({
        ...{ plan: 'some', build: 'none', general: 'none', explore: 'none' },
      });
      await server.abort(session);
      await app.until((snapshot) => agentIn(snapshot)?.waits === undefined);
      await ended;
    } finally {
      await app.close();
    }
  });
});

describe('given an app that is killed in the middle of a turn', () => {
  it('when the lead then fails, then the turn finishes, and a new app shows the whole truth', async () => {
    const { provider, server, home } = stage;
    const { directory, chain, ids } = await stage.makeCase({ defaults: { ...SLOW, firstTokenTimeoutMs: 2_500 } });
    provider.script(ids[0] ?? '', [{ kind: 'text', text: 'LEAD ANSWERS' }, { kind: 'hang' }]);
    provider.script(ids[1] ?? '', [ANSWER]);
    panel = await startPanel(home);
    const session = await server.createSession(directory);
    expect(textOf(await server.prompt(session, { text: 'One' }))).toBe('LEAD ANSWERS');
    const pending = server.prompt(session, { text: 'Two' });
    await provider.waitForRequest((seen) => seen.model === ids[0] && provider.requests(ids[0]).length === 2);
    await panel.kill();
    expect(textOf(await pending)).toBe(ANSWER.text);

    const app = await stage.openApp();
    try {
      const snapshot = await app.until((seen) =>
        seen.events.some((event) => event.code === 'turn.finished' && event.session === session.id),
      );
      const lead = snapshot.models.find((model) => model.model === chain[0]);
      const row = snapshot.sessions.find((entry) => entry.session === session.id);
      expect({
        calls: lead?.calls,
        failed: lead?.failed,
        state: lead?.state,
        turns: row?.turns,
        active: row?.agents[0]?.active,
      }).toEqual({
        calls: 2,
        failed: 1,
        state: 'resting',
        turns: 2,
        active: chain[1],
      });
    } finally {
      await app.close();
    }
  });

  it('when the app is stopped politely, then it exits 0 and the next turn still falls back', async () => {
    const { provider, server, home } = stage;
    const { directory, ids } = await stage.makeCase({ defaults: SLOW });
    provider.script(ids[0] ?? '', [LIMITED]);
    provider.script(ids[1] ?? '', [ANSWER]);
    panel = await startPanel(home);
    expect(await panel.stop()).toBe(0);
    const session = await server.createSession(directory);
    expect(textOf(await server.prompt(session, { text: 'One' }))).toBe(ANSWER.text);
  });
});
