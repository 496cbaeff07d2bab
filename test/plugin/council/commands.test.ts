import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CouncilHost, OpenCommand, PromptCommand } from '../../../src/features/council/core/host';
import { runsIn } from '../../../src/features/council/node/run-folder';
import { leavePlayed } from '../../../src/features/council/plugin/begun';
import { openCouncilCommands } from '../../../src/features/council/plugin/commands';
import { tempFolder } from '../../node/temp-folder';
import { dutiful } from '../../support/council-world';
import { eventually } from '../../support/eventually';

const MODELS = { leads: {}, defaultModel: 'alpha/large', models: ['alpha/large'], catalogue: {} };
const SPENT = { cost: 0, input: 1, output: 1 };

/** The commands of a user's session whose participants all do as they are asked. */
async function commands() {
  const root = await tempFolder();
  const [home, directory] = [join(root, 'home'), join(root, 'project')];
  await mkdir(directory);
  await writeFile(join(directory, 'cart.js'), '1;\n');
  vi.stubEnv('UNDERSTUDY_HOME', home);
  vi.stubEnv('OPENCODE_CONFIG_DIR', join(root, 'config'));
  onTestFinished(async () => {
    await leavePlayed(directory);
    vi.unstubAllEnvs();
  });
  const [prompts, notices]: [PromptCommand[], string[]] = [[], []];
  const host: Omit<CouncilHost, 'check'> = {
    open: async ({ member }: OpenCommand) => `ses_${member}`,
    async prompt(command) {
      prompts.push(command);
      return { ok: true, text: dutiful(command), spent: SPENT };
    },
    recover: async () => null,
    abort: async () => undefined,
  };
  const session = `ses_${root}`;
  const opened = openCouncilCommands({
    ...{ directory, generation: 1, models: async () => MODELS, rootOf: (id) => id, warn: () => undefined },
    hostIn: () => host,
    notify: ({ message }) => notices.push(message),
  });
  return {
    ...{ home, prompts, notices },
    say: (words: string) => opened.command(words, session),
    answer: (yes: boolean) => opened.answer(yes, session),
  };
}

describe('given a user who calls a council from a session', () => {
  it('when they say yes to its plan, then it is played, and its report is shown there', async () => {
    const { home, prompts, notices, say, answer } = await commands();
    const plan = await say('.');
    expect(plan).toContain('Code review of project');
    expect(plan).toContain('/yes starts it, /no cancels it.');
    expect([prompts, await runsIn(home)]).toEqual([[], []]);
    expect(await answer(true)).toContain('The council has started');
    await eventually(async () => (await say('status')).includes('is over'));
    expect(notices).toContainEqual(expect.stringContaining('The council has finished.'));
    expect(await say('export')).toContain('Participants');
    expect(await answer(true)).toBeNull();
  });

  it('when they say no, then nothing is begun', async () => {
    const { home, prompts, say, answer } = await commands();
    await say('.');
    expect(await answer(false)).toBe('Cancelled. Nothing was started.');
    expect(await say('stop')).toContain('No council was started');
    expect([prompts, await runsIn(home), await answer(true)]).toEqual([[], [], null]);
  });

  it('when they ask for more rounds about a problem, then eight stages think about it', async () => {
    const { say, answer } = await commands();
    const plan = await say('--deep what is wrong here?');
    expect(plan).toContain('Brainstorm: what is wrong here?, in 8 stages, by the Oracle and 4 to 6 personas');
    expect(plan).toContain('The models have no tools');
    await answer(true);
    await eventually(async () => (await say('status')).includes('is over'));
    expect(await say('export')).toContain('8. Presentation: completed');
  });
});
