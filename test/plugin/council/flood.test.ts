import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { playedState, readJournal } from '../../../src/features/council/node/journal';
import { takeAndPlayRun } from '../../../src/features/council/plugin/player';
import { reportOf } from '../../../src/features/council/rules/report/report';
import { beginWritten, FIRST_RUN, runsHome } from '../../support/council-home';
import { DONE, dutiful, fenced, type Prompt } from '../../support/council-world';
import { isNightly } from '../../support/nightly';
import { costOf, isLittle, leastCost } from '../../support/piece-cost';

const SPENT = { cost: 0, input: 1, output: 1 };

/** Plays a run in a repository of one file, with what it takes. */
async function played(text: string, answer: (prompt: Prompt) => string) {
  const home = await runsHome();
  const repo = join(home, 'repo');
  await mkdir(repo);
  await writeFile(join(repo, 'a.ts'), text);
  await beginWritten(home, FIRST_RUN, { place: { repo } });
  let sessions = 0;
  const host = {
    open: async () => `s${++sessions}`,
    prompt: async (command: Prompt) => ({ ok: true as const, text: answer(command), spent: SPENT }),
    recover: async () => null,
    abort: async () => undefined,
  };
  const env = { UNDERSTUDY_HOME: home, OPENCODE_CONFIG_DIR: home };
  const outcome = await takeAndPlayRun({ home, run: FIRST_RUN, env, generation: 1, warn: () => undefined, host });
  if (!outcome.ok) throw new Error(outcome.reason);
  const { playing } = outcome;
  const cost = await costOf(() => playing.over);
  return { ...cost, home, state: playing.state() };
}

const isDeepAnalysis = ({ text }: Prompt): boolean => text.includes('Stage: Deep Analysis');
const lineOf = (n: number): string => `const value${n} = compute(${n}, "text of line ${n}");`;
const LINES = Array.from({ length: isNightly ? 40_000 : 4_000 }, (_, n) => lineOf(n));
const quoting = (count: number): string =>
  fenced(
    {
      tool: 'PostFindings',
      findings: Array.from({ length: count }, (_, n) => ({
        ...{
          severity: 'major',
          title: `Finding ${n}`,
          file: 'a.ts',
          line: n + 1,
          quote: lineOf(n),
          evidence: 'Shown.',
        },
      })),
    },
    DONE,
  );

describe('given a hero whose answer holds many findings that quote a large file', () => {
  it.each([
    [100, 0],
    [2_000, 1_900],
  ])(
    'when there are %i, then 100 are looked up, %i are reported, no piece takes 50 ms, and all take less than 150 MB',
    async (count, omitted) => {
      const answer = quoting(count);
      const { state, ...cost } = await leastCost(() =>
        played(LINES.join('\n'), (prompt) =>
          prompt.member === 'sentinel' && isDeepAnalysis(prompt) ? answer : dutiful(prompt),
        ),
      );
      expect([state.phase, state.board.length, new Set(state.board.map(({ check }) => check))]).toEqual([
        'finished',
        100,
        new Set(['verified']),
      ]);
      expect(reportOf(state).notHeard.map(({ who, why }) => [who, why])).toEqual(
        omitted === 0
          ? []
          : [['Sentinel', `${omitted} of its calls, findings or ideas were omitted because there were too many.`]],
      );
      expect(cost).toSatisfy(isLittle);
    },
  );
});

const ROUNDS = isNightly ? 100 : 20;
const many = <T>(of: (n: number) => T): readonly T[] => Array.from({ length: ROUNDS }, (_, n) => of(n));
const long = (seed: string): string => `${seed} ${'lorem ipsum dolor sit amet '.repeat(80)}`.slice(0, 2_000);
const posted = (more: object) => ({
  ...{ severity: 'major', file: 'a.ts', line: 1, evidence: long('e'), suggestion: long('s'), ...more },
});

const FLOODS: readonly (readonly [string, number, (who: string) => readonly object[]])[] = [
  [
    'findings at one place',
    4 * ROUNDS,
    (who) => many((n) => posted({ title: `${n} ${who} ${long('t')}`, quote: long(`q ${n} ${who}`) })),
  ],
  ['findings with one title', 4, () => many((n) => posted({ title: 'T', quote: long(`q ${n}`), line: n + 1 }))],
  [
    'findings and remarks',
    2 * ROUNDS,
    (who) =>
      many((n) =>
        n % 2 ? { confirms: `f${n}`, why: long('w') } : posted({ title: `${who} ${n}`, quote: long(`q ${n} ${who}`) }),
      ),
  ],
  [
    'addresses',
    ROUNDS,
    (who) =>
      many((n) => posted({ title: `${n} ${who}`, quote: `${n}${'@'.repeat(1_900)}`, evidence: '@a.b'.repeat(500) })),
  ],
];

describe('given heroes that flood their posts', () => {
  it.each(FLOODS)(
    'when they post %s, then %i count, no piece takes 50 ms, also where the run is read again, and all take less than 150 MB',
    async (_, count, findingsOf) => {
      const answers = new Map<string, string>();
      const answer = (prompt: Prompt): string => answers.get(prompt.member) ?? dutiful(prompt);
      for (const who of ['architect', 'sentinel', 'healer', 'sage'])
        answers.set(
          who,
          fenced(
            ...many((n) => ({ tool: 'UpdateKnowledge', key: `${who} ${n}`, text: long('k') })).slice(0, 30),
            { tool: 'PostFindings', findings: findingsOf(who) },
            DONE,
          ),
        );
      const { home, state, ...cost } = await leastCost(() => played('export const a = 1;\n', answer));
      const again: unknown[] = [];
      const read = async () => void again.push(await playedState(await readJournal(home, FIRST_RUN)));
      const reading = await leastCost(() => costOf(read));
      expect(again[0]).toEqual(state);
      expect([state.phase, state.board.length]).toEqual(['finished', count]);
      expect(cost).toSatisfy(isLittle);
      expect(reading).toSatisfy(isLittle);
    },
  );
});
