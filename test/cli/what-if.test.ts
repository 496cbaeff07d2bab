import { describe, expect, it } from 'vitest';
import type { Handlers } from '../../src/contract/contract';
import { fakeHost, openedOn } from '../support/panel-host';
import { snapshotOf } from '../support/rows';
import { sampleForecast, sampleWhatIf } from '../support/sample-scorecard';
import { runCli } from './run-cli';

/** Runs the command against a core of the test; null when none runs. */
async function run(args: readonly string[], handlers: Partial<Handlers> | null = {}) {
  const printed: string[] = [];
  const code = await runCli(['report', 'what-if', ...args], {
    attachCore: async () => handlers && openedOn(fakeHost(snapshotOf([]), handlers)),
    print: (text) => printed.push(text),
    printError: (text) => printed.push(text),
  });
  return { code, printed: printed.join('\n') };
}

describe('given understudy what-if', () => {
  it('when a chain is tried, then the core is asked for it, and both sides stand beside each other', async () => {
    const asked: unknown[] = [];
    const play: Handlers['what-if.play'] = (question) => {
      asked.push(question);
      return sampleWhatIf;
    };
    const { code, printed } = await run(['--agent', 'build', '--chain', 'a/1,b/2'], { 'what-if.play': play });
    expect([code, asked]).toEqual([0, [{ agent: 'build', chain: ['a/1', 'b/2'], policy: null }]]);
    expect(printed.split('\n')).toEqual([
      '2 more turns answered.',
      '',
      '             now                      what if',
      '  turns      10                       10',
      '  answered   8                        10',
      '  failed     2                        0',
      '  unknown    0                        0',
      '  switches   1                        3',
      '  refused    2                        0',
      '  time lost  9 s                      3 s',
      '  cost       $0.40 for 100 % of them  $0.50 for 100 % of them',
      '',
      'Too few turns are recorded for a forecast.',
      '',
      'An estimate: each model answers as recorded in the same turn or at the nearest time.',
    ]);
  });

  it('when much is known, then what is to come stands below, with its bounds', async () => {
    const said = { ...sampleWhatIf, forecast: sampleForecast, verdict: 'better' } as const;
    const { printed } = await run(['--chain', 'a/1,b/2'], { 'what-if.play': () => said });
    expect(printed.split('\n').slice(12, 14)).toEqual([
      'Better: of the next 100 turns, 8.5 to 26 more would be answered.',
      expect.stringMatching(
        /^Expected share of answered turns: 97.% \(90.% to 99.%\); without this draft, 80.% \(71.% to 88.%\)\.$/,
      ),
    ]);
  });

  it('when JSON is asked for, then it is the answer', async () => {
    expect(JSON.parse((await run(['--policy', 'steady', '--json'])).printed)).toEqual(sampleWhatIf);
  });

  it('when neither a chain nor a policy is named, then it says so; when nothing runs, that', async () => {
    expect(await run([])).toMatchObject({
      code: 5,
      printed: expect.stringContaining('Specify a chain, a policy, or the reaction to limits.'),
    });
    expect(await run(['--policy', 'swift'], null)).toEqual({
      code: 3,
      printed: expect.stringMatching(/^Understudy is not running\./),
    });
  });
});
