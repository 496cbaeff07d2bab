import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { reportMarkdown } from '../../src/features/council/rules/report/markdown';
import { reportOf } from '../../src/features/council/rules/report/report';
import { reportSarif } from '../../src/features/council/rules/report/sarif';
import { CouncilReport } from '../../src/features/council/rules/report/schema';
import { hasContribution } from '../../src/features/council/rules/report/words';
import { initialCouncil } from '../../src/features/council/rules/state/state';
import { councilFound } from '../../src/features/council/wording/council-words';
import {
  DONE,
  dutiful,
  fenced,
  openWorld,
  type Prompt,
  type Reply,
  settingsOf,
  setupFor,
  speaker,
} from '../support/council-world';

const settings = settingsOf([speaker('claude', 'anthropic'), speaker('gpt', 'openai'), speaker('gemini', 'google')]);
const finding = (title: string, more: object = {}) => ({
  ...{ severity: 'major', title, file: 'src/a.ts', line: title.length, quote: `const ${title}`, evidence: 'Shown.' },
  ...more,
});
const post = (...findings: object[]) => ({ tool: 'PostFindings', findings });
const isStage = ({ text }: Prompt, name: string): boolean => text.includes(`Stage: ${name}`);
const says = (prompt: Prompt): Reply => ({ says: dutiful(prompt) });

/** A review in which Sentinel posts findings and the Oracle presents them in an order of its own. */
function reviewed(findings: readonly object[], presented: object, more: (prompt: Prompt) => Reply | null = () => null) {
  const world = openWorld(setupFor(settings), (prompt) => {
    const own = more(prompt);
    if (own) return own;
    if (isStage(prompt, 'Deep Analysis') && prompt.member === 'sentinel')
      return { says: fenced(post(...findings), DONE) };
    if (prompt.tools.includes('PresentReport'))
      return { says: fenced({ tool: 'PresentReport', headline: 'Five.', order: [], praise: [], ...presented }, DONE) };
    return says(prompt);
  });
  world.play();
  return world;
}

describe('a review to which no model contributed', () => {
  const { state } = reviewed([], { headline: '0 findings, 0 critical.' }, (prompt) =>
    prompt.member === 'oracle' ? null : { says: 'Sorry, I cannot do that.' },
  );
  const report = reportOf(state());

  it('says so in headline and text, whatever the Oracle presented', () => {
    expect([report.outcome, report.headline, hasContribution(report)]).toEqual([
      'finished',
      'No model contributed.',
      false,
    ]);
    const text = reportMarkdown(report);
    expect(text).toContain('**No model contributed.**');
    expect(text).toContain('No model contributed, so this report contains nothing about the code.');
    expect(text).not.toContain('0 critical');
  });

  it('is no success in SARIF', () => {
    const { runs } = JSON.parse(reportSarif(report, { version: '0.1.0' })) as { runs: { invocations: unknown[] }[] };
    expect(runs[0]?.invocations[0]).toMatchObject({ executionSuccessful: false });
  });

  it('is no finding in lists and notices', () => {
    const row = {
      findings: { critical: 0, major: 0, minor: 0, praise: 0 },
      ideas: 0,
      activity: 'code_review',
    } as const;
    expect([councilFound(row), councilFound({ ...row, isEmpty: true })]).toEqual([
      '0 findings',
      'no model contributed',
    ]);
  });
});

describe('a report', () => {
  it('lists findings as presented, then what was left out by severity, with unproved ones and praise apart', () => {
    const { state } = reviewed(
      [
        finding('minor one', { severity: 'minor' }),
        finding('major two'),
        finding('critical three', { severity: 'critical' }),
        finding('invented four', { severity: 'critical', quote: 'INVENTED' }),
        finding('praise five', { severity: 'praise' }),
        finding('left out six', { severity: 'critical' }),
      ],
      { order: ['f2', 'f1', 'f3'], praise: ['Names are clear.'] },
    );
    const report = reportOf(state());
    expect(CouncilReport.parse(report)).toEqual(report);
    expect(report.findings.map(({ id }) => id)).toEqual(['f2', 'f1', 'f3', 'f6']);
    expect(report.unproved).toMatchObject([{ id: 'f4', severity: 'major', check: 'not_found' }]);
    expect(report.praise).toMatchObject({ findings: [{ id: 'f5' }], words: ['Names are clear.'] });
    expect(report).toMatchObject({
      ...{ version: 1, run: 'r1', activity: 'code_review', process: 'CODE_REVIEW', outcome: 'finished' },
      ...{ headline: 'Five.', isHeadlineByRule: false, begunAt: '1970-01-01T00:00:01.000Z', isDefaultParty: false },
      ...{ synthesis: { text: 'Done.' }, notHeard: [], fallbacks: [], retries: 0 },
    });
    expect(report.stages.every(({ isCompleted, summedUpBy }) => isCompleted && summedUpBy.length > 0)).toBe(true);
    expect(report.cost).toMatchObject({ cap: null, unpricedTurns: 0, spent: state().spent.cost });
  });

  it('says who stands behind a finding, and who does not', () => {
    const { state } = reviewed([finding('two')], { order: ['f1'] }, (prompt) => {
      if (isStage(prompt, 'Deep Analysis') && prompt.member === 'healer')
        return { afterMs: 50, says: fenced(post(finding('two')), DONE) };
      if (!isStage(prompt, 'Cross-Reference')) return null;
      const remark = { sage: { confirms: 'f1', why: 'Seen.' }, architect: { challenges: 'f1', why: 'Guarded.' } };
      const said = remark[prompt.member as keyof typeof remark];
      return said ? { says: fenced(post(said), DONE) } : null;
    });
    const report = reportOf(state());
    expect(report.findings).toMatchObject([
      {
        ...{ foundBy: ['Sentinel', 'Healer'], support: 2 },
        confirmedBy: [{ by: 'Sage', why: 'Seen.' }],
        challengedBy: [{ by: 'Architect', why: 'Guarded.' }],
      },
    ]);
    expect(report.heard.find(({ id }) => id === 'sage')).toMatchObject({
      ...{ name: 'Sage', title: 'Knowledge Weaver', findings: 0, words: 1 },
    });
    expect(reportMarkdown(report)).toContain('confirmed by 2, challenged by 1');
  });

  it('takes the line where a quote really stands, and its end with it', () => {
    const { state } = reviewed(
      [finding('moved', { line: 40, endLine: 42 }), finding('odd', { line: 9, endLine: 3 })],
      {},
    );
    const moved = {
      ...state(),
      board: state().board.map((each) =>
        each.title === 'moved' ? { ...each, check: 'moved' as const, movedTo: 12 } : each,
      ),
    };
    const report = reportOf(moved);
    expect(report.findings).toMatchObject([
      { title: 'moved', line: 12, movedFrom: 40, endLine: 14 },
      { title: 'odd', line: 9, movedFrom: null, endLine: null },
    ]);
    expect(reportMarkdown(report)).toContain('`src/a.ts:12-14` · quote found at line 12 instead of 40');
  });

  it('says who was not heard and why, and who spoke for whom', () => {
    const own = settingsOf([...settings.speakers, speaker('seer', 'mistral')], {
      ...{ oracle: 'seer', heroes: ['claude', 'gpt', 'gemini'] },
    });
    const world = openWorld(setupFor(own), (prompt) =>
      prompt.model === 'anthropic/claude' || prompt.model === 'openai/gpt' ? { fails: {} } : says(prompt),
    );
    world.play(100);
    world.tell({ type: 'question.answered', yes: true, actor: 'test' });
    world.play(100);
    world.tell({ type: 'question.answered', yes: false, actor: 'test' });
    world.play();
    const report = reportOf(world.state());
    expect(report.fallbacks).toEqual([
      { speaker: 'claude', from: 'anthropic/claude', to: 'anthropic/claude-small', hasAnswered: true },
    ]);
    expect(report.notHeard).toEqual([
      { who: 'Sentinel', kind: 'hero', why: 'Gpt was offline: User declined fallback', isPartly: false },
      { who: 'gpt', kind: 'speaker', why: 'User declined fallback. It failed with: Gone.', isPartly: false },
    ]);
    expect(report.heard.find(({ id }) => id === 'architect')?.model).toBe('anthropic/claude-small');
    expect(reportMarkdown(report)).toContain('- Gpt (speaker): User declined fallback. It failed with: Gone.');
  });

  it('is by rule where the Oracle is out, and says so', () => {
    const own = settingsOf([{ ...speaker('seer', 'mistral'), fallback: null }, ...settings.speakers], {
      heroes: ['claude', 'gpt', 'gemini'],
    });
    const world = openWorld(setupFor(own), (prompt) =>
      prompt.model === 'mistral/seer' ? { fails: {} } : says(prompt),
    );
    world.play();
    const report = reportOf(world.state());
    expect(report).toMatchObject({ isHeadlineByRule: true, isDefaultParty: true, headline: '0 findings, 0 critical.' });
    expect(report.heard.some(({ id }) => id === 'oracle')).toBe(false);
    expect(report.notHeard).toContainEqual({
      ...{ who: 'The Oracle', kind: 'hero', why: 'Seer was offline: No fallback available', isPartly: false },
    });
    const text = reportMarkdown(report);
    expect(text).toContain('The Oracle did not present this report');
    expect(text).toContain('the default party took part');
  });

  it('documents each of its fields', () => {
    const undocumented: string[] = [];
    const look = (schema: unknown, path: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      const { properties, ...others } = schema as { properties?: Record<string, { description?: string }> };
      for (const [key, each] of Object.entries(properties ?? {}))
        if (!each.description) undocumented.push(`${path}.${key}`);
      for (const [key, each] of Object.entries({ ...properties, ...others })) look(each, `${path}.${key}`);
    };
    look(z.toJSONSchema(CouncilReport), 'report');
    expect(undocumented).toEqual([]);
  });

  it('can be had at any moment of a run, and not before', () => {
    expect(() => reportOf(initialCouncil)).toThrow(RangeError);
    const world = openWorld(setupFor(settings), (prompt) =>
      isStage(prompt, 'Deep Analysis') ? { hangs: true } : says(prompt),
    );
    world.play();
    const report = reportOf(world.state());
    expect(CouncilReport.parse(report)).toMatchObject({ outcome: 'unfinished', endedAt: null, isHeadlineByRule: true });
    expect(report.stages.map(({ isCompleted }) => isCompleted)).toEqual([true, false, false, false, false, false]);
    world.tell({ type: 'run.stopped', actor: 'test' });
    expect(reportOf(world.state())).toMatchObject({ outcome: 'stopped', synthesis: null });
    expect(reportMarkdown(reportOf(world.state()))).toContain('2. Deep Analysis: not completed');
  });

  it('is paused at the cap, with spent of cap and turns without a price', () => {
    const capped = settingsOf(settings.speakers, { maxCost: 0.05 });
    const world = openWorld(setupFor(capped), (prompt, nth) => ({
      ...says(prompt),
      spent: { cost: nth === 2 ? null : 0.02, input: 100, output: 10 },
    }));
    world.play();
    const report = reportOf(world.state());
    expect(report).toMatchObject({ outcome: 'paused', cost: { cap: 0.05 } });
    expect(report.cost.spent).toBeGreaterThanOrEqual(0.05);
    expect(report.cost.unpricedTurns).toBe(world.state().unpriced);
    expect(reportMarkdown(report)).toMatch(/\$0\.\d\d of \$0\.05 spent\. 1 turn of models without a known price/);
  });
});

describe('a report as Markdown, of hostile text', () => {
  /** Put on the board as it is: what reads answers and cleans them must not be what this rests on. */
  const of = (more: object): string => {
    const state = reviewed([finding('x')], {}).state();
    return reportMarkdown(reportOf({ ...state, board: state.board.map((each) => ({ ...each, ...more })) }));
  };

  it('renders no link, image or HTML out of a title', () => {
    const text = of({ title: '![a](javascript:alert(1)) <img src=x onerror=alert(1)> `b` [c]: https://evil.example/' });
    expect(text).toContain(
      '!\\[a\\](javascript:alert(1)) &lt;img src=x onerror=alert(1)&gt; \\`b\\` \\[c\\]: `https://evil.example/`',
    );
    expect(text).not.toMatch(/<img|[^\\]\]\(|(?<!`)https:/);
  });

  it('keeps a fence around a quote that holds fences', () => {
    const quote = '```js\nx\n````\n# not a heading';
    const text = of({ quote });
    expect(text).toContain(`\`\`\`\`\`\n${quote}\n\`\`\`\`\``);
  });

  it('names what cannot be seen in a quote, and leaves it out elsewhere', () => {
    const text = of({ title: 'a\u202eb\u0007', quote: 'if (a\u202e) {', evidence: 'c\u2066d\u200be' });
    expect(text).toContain('#### ab (f1)');
    expect(text).toContain('if (a‹U+202E›) {');
    expect(text).toContain('\ncde\n');
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]/);
    expect(text).not.toContain('\u0007');
  });

  it('lets no line of what the Oracle and the synthesis say begin a block', () => {
    const world = reviewed(
      [],
      { headline: '# Big\n- list', praise: ['1. one', '> quoted', '@someone did #12'] },
      (prompt) =>
        isStage(prompt, 'Synthesis')
          ? { says: fenced({ tool: 'CompleteStage', summary: 'One:\n# two\n- three\n===\n\n    four\n2) five' }) }
          : null,
    );
    const text = reportMarkdown(reportOf(world.state()));
    expect(text).toContain('**\\# Big - list**');
    expect(text).toContain('> One:  \n> \\# two  \n> \\- three  \n> \\===\n>\n> four  \n> 2\\) five');
    expect(text).toContain('- 1\\. one\n- &gt; quoted\n- `@someone` did `#12`');
  });
});

it('is published as a schema', async () => {
  const schema = { $id: 'council-report-1.schema.json', ...z.toJSONSchema(CouncilReport) };
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, '../../resources/schemas/council-report-1.schema.json'),
  );
});
