import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runOpencode, textOf } from '../../src/node/opencode';
import { NIGHTLY, nightlyIf } from '../support/nightly';
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
const LONG = { firstTokenTimeoutMs: 60_000 };

/** Packages with which OpenCode cannot start a model, as source; null for a file that does not exist. */
const PACKAGES = {
  'is absent': null,
  'throws when it is loaded': 'throw new Error("made-up fault of the package");',
  'does not have the model':
    'export const createMade = () => ({ languageModel(id) { throw new Error("Unknown model ID: " + id); } });',
} as const;
type Fault = keyof typeof PACKAGES;
const FAULTS = Object.keys(PACKAGES) as Fault[];
const DAILY: Fault = 'throws when it is loaded';

let written = 0;
async function packageFor(fault: Fault): Promise<string> {
  const path = join(stage.sandbox.root, `package-${process.pid}-${++written}.mjs`);
  const source = PACKAGES[fault];
  if (source !== null) await writeFile(path, source);
  return pathToFileURL(path).href;
}

describe('given a primary that OpenCode cannot start', () => {
  for (const fault of FAULTS) {
    it(
      `when its package ${fault}, then the fallback model answers the message`,
      nightlyIf(fault !== DAILY),
      async () => {
        const { provider, server } = stage;
        const { directory, ids } = await stage.makeCase({ packages: { 0: await packageFor(fault) }, defaults: LONG });
        provider.script(ids[1] ?? '', [FALLBACK]);
        const session = await server.createSession(directory);
        expect(textOf(await server.prompt(session, { text: 'One' }))).toBe(FALLBACK.text);
        expect((await server.messages(session)).length).toBe(2);
      },
    );

    it(
      `when its package ${fault} in \`opencode run\`, then the fallback model answers`,
      nightlyIf(fault !== DAILY),
      async () => {
        const { provider, binary, sandbox, home } = stage;
        const { directory, ids } = await stage.makeCase({ packages: { 0: await packageFor(fault) }, defaults: LONG });
        provider.script(ids[1] ?? '', [FALLBACK]);
        const env = { UNDERSTUDY_HOME: home };
        const { exitCode, stdout } = await runOpencode({ binary, sandbox, directory, args: ['One'], env });
        expect([exitCode, stdout.includes(FALLBACK.text)]).toEqual([0, true]);
      },
    );
  }

  it(
    'when it is the model of a sub-agent, then its parent receives the answer of the fallback model',
    NIGHTLY,
    async () => {
      const { provider, server } = stage;
      const { directory, ids } = await stage.makeCase({
        packages: { 0: await packageFor('does not have the model') },
        defaults: LONG,
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
    const { directory, ids } = await stage.makeCase({
      models: 3,
      packages: { 1: await packageFor('throws when it is loaded') },
      defaults: LONG,
    });
    provider.script(ids[0] ?? '', [{ kind: 'status', status: 429, headers: { 'retry-after': '60' } }]);
    provider.script(ids[2] ?? '', [FALLBACK]);
    const session = await server.createSession(directory);
    expect(textOf(await server.prompt(session, { text: 'One' }))).toBe(FALLBACK.text);
  });
});
