import { describe, expect, it } from 'vitest';
import { reportMarkdown } from '../../src/features/council/rules/report/markdown';
import { hostileReport, richBrainstorm, richIdeas, richReview } from '../support/council-report';

describe('a brainstorm as Markdown', () => {
  const text = reportMarkdown(richBrainstorm());

  it('ranks ideas, with points and who holds what', () => {
    expect(text).toContain('## Ideas\n\n3 ideas, by the Borda points of 4 ballots.\n\n### 1. Carts in Postgres');
    expect(text).toContain(
      '11.5 points, first on 3 ballots · proposed by Pragmatist and Engineer, supported by 2, challenged by 1',
    );
    expect(text).toContain('- Skeptic challenges: By hand at 3 in the morning is not 5 s.');
    expect(text).toContain("- User's Advocate supports: Nothing changes for anybody who shops.");
    expect(text.indexOf('### 2. Carts in the browser')).toBeGreaterThan(text.indexOf('### 1. Carts in Postgres'));
  });

  it('shows what an idea rests on, with its check', () => {
    expect(text).toContain(
      'Based on `src/cart/store.ts:14`, quote verified:\n\n```\nexport const carts = new Map<string, Cart>();\n```',
    );
    expect(text).toContain('Based on `ops/regions.md:3`, quote not found:');
  });

  it('keeps dissent, says what to do next, and lists every ballot', () => {
    expect(text).toContain(
      '- Skeptic, about Carts in Postgres, with a replica in the second region (i4): It meets the wish',
    );
    expect(text).toContain('- The Oracle, about the whole: Nobody has measured');
    expect(text).toContain('## Next steps\n\n1. Measure a promotion of the replica.\n2. Decide what');
    expect(text).toContain('| Who | Ranking, best first |\n| --- | --- |\n| Pragmatist | i4, i1, i2 |\n| Visionary');
  });

  it('says how the question was framed, and what was left out at first', () => {
    expect(text).toContain('> Where should the storefront keep its carts');
    expect(text).toContain('Criteria for an answer:\n\n- No cart is lost for more than 5 s.');
    expect(text).toContain('Constraints:\n\n- Two people, six weeks.');
    expect(text).toContain('## Gaps after the first round\n\n- What happens to carts');
  });

  it('has no section about findings where there are none, and has it where there are', () => {
    expect(text).not.toMatch(/## Findings|## Unproved/);
    const both = reportMarkdown(richReview({ brainstorm: richIdeas() }));
    expect(both).toMatch(/## Ideas[\s\S]*## Findings[\s\S]*## Unproved claims/);
  });

  it('counts ideas, not findings, for who was heard', () => {
    expect(text).toContain(
      '- Engineer, How it is built: played by Claude (`anthropic/claude-opus-4-1`); 2 ideas, 0 words on ideas of others',
    );
  });

  it('says so before anybody has ranked', () => {
    const options = richIdeas().options.map((option) => ({ ...option, rank: null, points: 0, firstPlaces: 0 }));
    const early = reportMarkdown(richBrainstorm({ brainstorm: richIdeas({ options, ballots: [] }) }));
    expect(early).toContain('3 ideas, in order of posting, not ranked.\n\n### Carts in Postgres');
    expect(early).not.toContain('## Ballots');
    const none = reportMarkdown(richBrainstorm({ brainstorm: richIdeas({ options: [], ballots: [] }) }));
    expect(none).toContain('## Ideas\n\nThere are no ideas.');
  });

  it('lets no name or id end a cell, and no idea begin a block', () => {
    const ballots = [{ by: 'A | B', ranking: ['i1', 'https://evil.example/|x'] }];
    const [first] = richIdeas().options;
    const options = [{ ...first!, text: '# Big\n- list\n\n```\nfence' }];
    const bent = reportMarkdown(richBrainstorm({ brainstorm: richIdeas({ ballots, options }) }));
    expect(bent).toContain('| A \\| B | i1, `https://evil.example/\\|x` |');
    expect(bent).toContain('\\# Big  \n\\- list\n\n\\`\\`\\`  \nfence');
    // What is code stays as it is.
    const hostile = reportMarkdown(hostileReport(richBrainstorm())).replace(/^```[\s\S]*?^```|(`+)[^`\n]*\1/gm, '');
    expect(/<script|<img|[^\\]\]\(|https:/.exec(hostile)?.[0]).toBeUndefined();
  });
});
