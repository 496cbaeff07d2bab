import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../src/contract/snapshot';
import { textOf } from '../../src/node/opencode';
import { sharedStage } from '../support/shared-stage';
import type { App, Stage } from '../support/stage';

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
beforeEach(() => stage.provider.clear());

/** One failure of each sort that keeps a lead away: by the clock, as a last choice, and until a person acts. */
const FAULTS = [
  { status: 429, state: 'cooling', tags: ['nightly'] },
  { status: 503, state: 'resting', tags: ['nightly'] },
  { status: 401, state: 'blocked', tags: [] },
];

/** Long enough that a second message comes before its end, on a machine that others keep busy too. */
const AWAY = { cooldownMs: 8_000, retryOriginalAfterMs: 8_000, restMs: 8_000 } as const;

describe('given a chain of two on a real OpenCode, in a git repository with snapshots on', () => {
  for (const fault of FAULTS) {
    it(`when the lead answers ${fault.status}, then the next messages avoid it and it is asked again only when it is well`, {
      tags: fault.tags,
    }, async () => {
      const { provider, server } = stage;
      const { directory, chain, ids, configure } = await stage.makeCase({ defaults: AWAY });
      const [lead = '', understudy = ''] = ids;
      const failure = { kind: 'status', status: fault.status } as const;
      provider.script(lead, [failure, { kind: 'text', text: 'LEAD IS BACK' }]);
      provider.script(understudy, [{ kind: 'text', text: 'UNDERSTUDY ANSWERS' }]);
      const session = await server.createSession(directory);

      const first = await server.prompt(session, { text: 'One' });
      expect(textOf(first)).toBe('UNDERSTUDY ANSWERS');
      const after = await app.until((snapshot) =>
        snapshot.models.some((row) => row.model === chain[0] && row.failed === 1),
      );
      expect(after.models.find((row) => row.model === chain[0])?.state).toBe(fault.state);
      const second = await server.prompt(session, { text: 'Two' });
      expect(textOf(second)).toBe('UNDERSTUDY ANSWERS');
      expect(provider.requests(lead)).toHaveLength(1);

      const users = (await server.messages(session)).filter((message) => message.info.role === 'user');
      expect(users.map((message) => message.parts.map((part) => part.text))).toEqual([['One'], ['Two']]);

      if (fault.state === 'blocked') await configure({ restMs: 1_600 });
      else
        await app.until((snapshot) =>
          snapshot.models.some((row) => row.model === chain[0] && (row.state === 'ready' || row.state === 'degraded')),
        );
      const third = await server.prompt(session, { text: 'Three' });
      const asked = [provider.requests(lead).length, provider.requests(understudy).length];
      expect([textOf(third), asked]).toEqual(['LEAD IS BACK', [2, 2]]);
    });
  }

  it('when the lead fails in three turns, then its breaker opens, and the fourth message does not ask it', {
    tags: ['nightly'],
  }, async () => {
    const { provider, server } = stage;
    const { directory, chain, ids } = await stage.makeCase({ defaults: { restMs: 50, retryOriginalAfterMs: 50 } });
    const [lead = '', understudy = ''] = ids;
    provider.script(lead, Array(3).fill({ kind: 'status', status: 500 }));
    provider.script(understudy, Array(4).fill({ kind: 'text', text: 'UNDERSTUDY ANSWERS' }));
    const session = await server.createSession(directory);
    const states: unknown[] = [];
    for (const failures of [1, 2, 3, 3]) {
      expect(textOf(await server.prompt(session, { text: 'Go' }))).toBe('UNDERSTUDY ANSWERS');
      const isTaken = (row: Snapshot['models'][number]) => row.failed === failures && row.state !== 'resting';
      const { models } = await app.until((seen) => seen.models.some((row) => row.model === chain[0] && isTaken(row)));
      const { state, code } = models.find((row) => row.model === chain[0]) ?? {};
      states.push([state, code, provider.requests(lead).length]);
    }
    expect(states).toEqual([
      ['degraded', expect.any(String), 1],
      ['degraded', expect.any(String), 2],
      ['open', 'breaker.open', 3],
      ['open', 'breaker.open', 3],
    ]);
  });

  it('when the server of the lead has closed the connection during a pause, then the lead answers all the same', async () => {
    const { provider, server } = stage;
    const { directory, chain, ids } = await stage.makeCase();
    const [lead = '', understudy = ''] = ids;
    provider.script(lead, [{ kind: 'text', text: 'ONE' }, { kind: 'reset' }, { kind: 'text', text: 'STILL THE LEAD' }]);
    const session = await server.createSession(directory);
    await server.prompt(session, { text: 'One' });
    // The pause itself is what is tested: a connection that has just been used is not taken for closed.
    await setTimeout(1_600);
    const second = await server.prompt(session, { text: 'Two' });

    const asked = [provider.requests(lead).length, provider.requests(understudy).length];
    expect([textOf(second), asked]).toEqual(['STILL THE LEAD', [3, 0]]);
    const { models } = await app.until((snapshot) =>
      snapshot.models.some((row) => row.model === chain[0] && row.calls === 2),
    );
    expect(models.find((row) => row.model === chain[0])).toMatchObject({ state: 'ready', failed: 0 });
  });
});
