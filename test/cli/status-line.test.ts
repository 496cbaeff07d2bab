import { describe, expect, it } from 'vitest';
import { eightAgents } from '../support/eight-agents';
import { fakeHost, openedOn } from '../support/panel-host';
import { runCli } from './run-cli';

const NOW = Date.UTC(2026, 0, 15, 14, 18);
type Attach = NonNullable<Parameters<typeof runCli>[1]>['attachCore'];

/** What is printed for a bar, and how the command ends. */
async function shown(attachCore: Attach): Promise<readonly [said: readonly string[], code: number]> {
  const said: string[] = [];
  const print = (text: string) => void said.push(text);
  const code = await runCli(['status', '--line'], { print, printError: print, ...(attachCore ? { attachCore } : {}) });
  return [said, code];
}

describe('given a bar that shows one line of the status', () => {
  it.each([
    ['calm', 'All 8 agents are protected and on their primary.'],
    ['trouble', 'sentinel waits for your answer. +3'],
  ] as const)(
    'when the core is in this state (%s), then it is the first of what there is to see to',
    async (kind, line) => {
      expect(await shown(async () => openedOn(fakeHost(eightAgents(NOW, kind))))).toEqual([[line], 0]);
    },
  );

  it('when no core runs, cannot be reached, or does not answer, then it says so, and ends with 0 all the same', async () => {
    const silent = fakeHost(eightAgents(NOW, 'calm'), {
      'snapshot.get': () => {
        throw new Error('no answer');
      },
    });
    expect([
      await shown(async () => null),
      await shown(async () => Promise.reject(new Error('refused'))),
      await shown(async () => openedOn(silent)),
    ]).toEqual([
      [['Understudy is not running.'], 0],
      [['Understudy does not answer.'], 0],
      [['Understudy does not answer.'], 0],
    ]);
  });
});
