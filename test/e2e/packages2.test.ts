import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOpencode } from '../../src/node/opencode';
import { NIGHTLY, nightlyIf } from '../support/nightly';
import { opencode2Binary, type RealStage } from '../support/opencode2/real';
import { sharedStage2 } from '../support/opencode2/shared';
import { FAULTS, type Fault, packageIn } from '../support/packages';

const FALLBACK = { kind: 'text', text: 'FALLBACK ANSWERS' } as const;
const PARENT = { kind: 'text', text: 'PARENT ANSWERS' } as const;
const DAILY: readonly Fault[] = ['throws when it is loaded', 'answers nothing'];
const HELPER = { mode: 'subagent', description: 'Helps', prompt: 'Help.' };

describe.skipIf(opencode2Binary().path === '')('given a primary of OpenCode 2 whose package sends no request', () => {
  let stage: RealStage;
  beforeAll(async () => {
    stage = await sharedStage2();
  });
  afterAll(() => stage?.close());

  async function caseOf(fault: Fault, more: Parameters<RealStage['makeCase']>[0] = {}) {
    const packages = { 0: await packageIn(stage.sandbox.root, fault) };
    const made = await stage.makeCase({ packages, defaults: { firstTokenTimeoutMs: 3_000 }, ...more });
    stage.provider.script(made.ids[1] ?? '', [FALLBACK]);
    return made;
  }

  for (const fault of FAULTS) {
    it(`when it ${fault}, then the fallback model finishes the turn`, nightlyIf(!DAILY.includes(fault)), async () => {
      const { directory } = await caseOf(fault);
      const seat = await stage.sitIn(directory);
      expect([await seat.ask('One'), await seat.said()]).toEqual(['succeeded', [FALLBACK.text]]);
    });

    it(`when it ${fault} in \`opencode run\`, then the fallback model answers`, NIGHTLY, async () => {
      const { directory } = await caseOf(fault);
      const { sandbox, home } = stage;
      const args = ['One', '--standalone'];
      const env = { UNDERSTUDY_HOME: home };
      const { exitCode, stdout } = await runOpencode({ binary: opencode2Binary(), sandbox, directory, args, env });
      expect([exitCode, stdout.includes(FALLBACK.text)]).toEqual([0, true]);
    });

    it(
      `when a sub-agent has it and it ${fault}, then its parent receives the answer of the fallback model`,
      NIGHTLY,
      async () => {
        const { directory, ids } = await caseOf(fault, {
          models: 3,
          config: ([primary, , third]) => ({ model: third, agent: { helper: { ...HELPER, model: primary } } }),
          agents: ([, fallback]) => ({ helper: { fallbackModels: [fallback] } }),
        });
        const input = { description: 'Help', prompt: 'SUB TASK', agent: 'helper' };
        stage.provider.script(ids[2] ?? '', [{ kind: 'toolCall', name: 'subagent', arguments: input }, PARENT]);
        const seat = await stage.sitIn(directory);
        expect(await seat.ask('One')).toBe('succeeded');
        expect(stage.provider.requests(ids[1]).length).toBe(1);
      },
    );
  }
});
