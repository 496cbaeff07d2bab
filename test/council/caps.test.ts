import { describe, expect, it } from 'vitest';
import { type Board, post } from '../../src/features/council/rules/findings/board';
import { type Idea, propose } from '../../src/features/council/rules/ideas/ideas';
import { DONE, dutiful, fenced, openWorld, settingsOf, setupFor, speaker } from '../support/council-world';

const settings = settingsOf([speaker('claude', 'anthropic'), speaker('gpt', 'openai')]);
const many = <T>(count: number, of: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => of(at));
const finding = (at: number, text: string) => ({
  ...{ severity: 'minor' as const, title: `${at} ${text}`, file: `src/${at}.ts`, line: at + 1, quote: `${at} ${text}` },
  ...{ evidence: text, suggestion: text },
});

describe('given heroes that answer without end', () => {
  it('when 1,000 findings and 1,000 ideas are posted, then the board holds 500 and the list 200, and each other one is named', () => {
    let board: Board = [];
    let ideas: readonly Idea[] = [];
    const problems: string[] = [];
    const poster = { by: 'sage', stage: 'deep_analysis' } as const;
    for (let at = 0; at < 1_000; at++) {
      const posted = post(board, finding(at, 'text'), poster);
      const proposed = propose(ideas, { title: `${at}`, text: 't' }, { ...poster, evidence: [] });
      [board, ideas] = [posted.board, proposed.ideas];
      problems.push(...posted.problems, ...proposed.problems);
    }
    expect([board.length, ideas.length, problems.length]).toEqual([500, 200, 1_300]);
  });

  it('when each answer has texts of 20 kB and 500 entries of knowledge, then the run holds 2,000 characters of each and 100 entries', () => {
    const long = 'x'.repeat(20_000);
    const entriesOf = (member: string) =>
      many(500, (at) => ({ tool: 'UpdateKnowledge', key: `${member}-${at}`, text: long.slice(0, 300) }));
    const posted = fenced({ tool: 'PostFindings', findings: many(20, (at) => finding(at, long)) }, DONE);
    const world = openWorld(setupFor(settings), (prompt) => ({
      says:
        prompt.member === 'oracle'
          ? dutiful(prompt)
          : `${posted}\n\`\`\`json\n${JSON.stringify(entriesOf(prompt.member))}\n\`\`\``,
    }));
    world.play();
    const { phase, board, knowledge } = world.state();
    const lengths = board.flatMap((each) => Object.values(each).map((text) => String(text).length));
    expect([phase, Object.keys(knowledge).length, Math.max(...lengths)]).toEqual(['finished', 100, 2_000]);
  });
});
