import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toolCallThen } from '../../src/demo/scripted-provider';
import { textOf } from '../../src/node/opencode';
import { openStage, type Stage } from '../support/stage';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.close());
beforeEach(() => stage.provider.clear());

const LIMITED = { kind: 'status', status: 429 } as const;
const ANSWER = { kind: 'text', text: 'UNDERSTUDY ANSWERS' } as const;
const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('given a repository with snapshots on, where OpenCode writes a stale copy of the user message', () => {
  it('when 30 turns lose their lead after a tool has written a file, then all 30 finish with no request too many', async () => {
    const { provider, server } = stage;
    const outcomes: unknown[] = [];
    for (let n = 0; n < 30; n++) {
      const { directory, ids } = await stage.makeCase();
      const [lead = '', understudy = ''] = ids;
      provider.script(
        lead,
        toolCallThen('write', { filePath: join(directory, 'made.txt'), content: `${n}\n` }, LIMITED),
      );
      provider.script(understudy, [ANSWER]);
      const session = await server.createSession(directory);
      const answer = await server.prompt(session, { text: 'Write the file' });
      outcomes.push([textOf(answer), provider.requests(lead).length, provider.requests(understudy).length]);
    }
    expect(outcomes).toEqual(Array.from({ length: 30 }, () => [ANSWER.text, 2, 1]));
  });
});

describe('given a user who stops the turn while it is being switched', () => {
  it('when the stop comes 0 to 200 ms after the 429, then nobody is asked afterwards and the next message is answered', async () => {
    const { provider, server } = stage;
    for (let offsetMs = 0; offsetMs <= 200; offsetMs += 10) {
      const { directory, ids } = await stage.makeCase({
        defaults: { cooldownMs: 60_000, retryOriginalAfterMs: 60_000 },
      });
      const [lead = '', understudy = ''] = ids;
      provider.script(lead, [LIMITED]);
      provider.script(understudy, [{ kind: 'hang' }, ANSWER]);
      const session = await server.createSession(directory);
      const pending = server.prompt(session, { text: 'One' }).catch(() => null);
      await provider.waitForRequest((seen) => seen.model === lead && seen.respondedAt !== null);
      // Time itself is what is tested here.
      await delay(offsetMs);
      await server.abort(session);
      const asked = provider.requests(understudy).length;
      await pending;
      expect([offsetMs, provider.requests(understudy).length]).toEqual([offsetMs, asked]);
      provider.script(understudy, [ANSWER]);
      const answer = await server.prompt(session, { text: 'Two' });
      expect([offsetMs, textOf(answer)]).toEqual([offsetMs, ANSWER.text]);
    }
  });
});

describe('given three projects on one OpenCode at once', () => {
  it('when each loses its lead ten times over, then every turn finishes on its own understudy', async () => {
    const { provider, server } = stage;
    const run = async (): Promise<string[]> => {
      const answers: string[] = [];
      for (let n = 0; n < 10; n++) {
        const { directory, ids } = await stage.makeCase();
        provider.script(ids[0] ?? '', [LIMITED]);
        provider.script(ids[1] ?? '', [{ kind: 'text', text: `from ${ids[1]}` }]);
        const answer = await server.prompt(await server.createSession(directory), { text: 'One' });
        answers.push(textOf(answer) === `from ${ids[1]}` ? 'own' : textOf(answer));
      }
      return answers;
    };
    const all = await Promise.all([run(), run(), run()]);
    expect(all.flat()).toEqual(Array.from({ length: 30 }, () => 'own'));
  });
});
