import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runOpencode, textOf } from '../../src/node/opencode';
import { NIGHTLY, nightlyIf } from '../support/nightly';
import { FAULTS, type Fault, packageIn, UNSTARTABLE } from '../support/packages';
import { sharedStage } from '../support/shared-stage';
import type { Stage } from '../support/stage';

let stage: Stage;

beforeAll(async () => {
  stage = await sharedStage();
});
afterAll(() => stage?.close());
beforeEach(() => stage.provider.clear());

const FALLBACK = { kind: 'text', text: 'FALLBACK ANSWERS' } as const;
const PRIMARY = { kind: 'text', text: 'PRIMARY ANSWERS' } as const;
const DAILY: Fault = 'throws when it is loaded';
const QUICK = { firstTokenTimeoutMs: 3_000 };

async function caseOf(fault: Fault, more: Parameters<Stage['makeCase']>[0] = {}) {
  const packages = { 0: await packageIn(stage.sandbox.root, fault) };
  const made = await stage.makeCase({ packages, defaults: QUICK, ...more });
  stage.provider.script(made.ids[1] ?? '', [FALLBACK]);
  return made;
}

describe('given a primary whose package sends no request', () => {
  for (const fault of FAULTS)
    it(`when it ${fault}, then the fallback model answers the message`, nightlyIf(fault !== DAILY), async () => {
      const { server } = stage;
      const { directory } = await caseOf(fault);
      const session = await server.createSession(directory);
      await server.promptAsync(session, { text: 'One' });
      const history = async () => (await server.messages(session)).map((message) => textOf(message));
      await expect.poll(history, { timeout: 30_000 }).toEqual(['One', FALLBACK.text]);
    });

  for (const fault of UNSTARTABLE)
    it(
      `when it ${fault} in \`opencode run\`, then the fallback model answers`,
      nightlyIf(fault !== DAILY),
      async () => {
        const { binary, sandbox, home } = stage;
        const { directory } = await caseOf(fault);
        const env = { UNDERSTUDY_HOME: home };
        const { exitCode, stdout } = await runOpencode({ binary, sandbox, directory, args: ['One'], env });
        expect([exitCode, stdout.includes(FALLBACK.text)]).toEqual([0, true]);
      },
    );

  it(
    'when a sub-agent has it and it does not have the model, then its parent receives the answer of the fallback model',
    NIGHTLY,
    async () => {
      const { provider, server } = stage;
      const { directory, ids } = await caseOf('does not have the model', {
        config: ([primary, fallback]) => ({
          model: fallback,
          agent: { helper: { mode: 'subagent', model: primary, description: 'Helps', prompt: 'Help.' } },
        }),
      });
      const call = { description: 'Help', prompt: 'SUB TASK', subagent_type: 'helper' };
      provider.script(ids[1] ?? '', [{ kind: 'toolCall', name: 'task', arguments: call }, FALLBACK, PRIMARY]);
      const session = await server.createSession(directory);
      expect(textOf(await server.prompt(session, { text: 'Start' }))).toBe(PRIMARY.text);
      expect(JSON.stringify(provider.requests(ids[1])[2]?.body)).toContain(FALLBACK.text);
    },
  );
});

describe('given a fallback model that OpenCode cannot start', () => {
  it('when the primary is limited, then the model after it finishes the turn', async () => {
    const { provider, server } = stage;
    const packages = { 1: await packageIn(stage.sandbox.root, 'throws when it is loaded') };
    const { directory, ids } = await stage.makeCase({ models: 3, packages, defaults: { firstTokenTimeoutMs: 60_000 } });
    provider.script(ids[0] ?? '', [{ kind: 'status', status: 429, headers: { 'retry-after': '60' } }]);
    provider.script(ids[2] ?? '', [FALLBACK]);
    const session = await server.createSession(directory);
    expect(textOf(await server.prompt(session, { text: 'One' }))).toBe(FALLBACK.text);
  });
});
