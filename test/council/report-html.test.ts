import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { reportHtml } from '../../src/features/council/core/report-html';
import { dollars } from '../../src/features/council/rules/base/text';
import { reportMarkdown } from '../../src/features/council/rules/report/markdown';
import { CouncilReport } from '../../src/features/council/rules/report/schema';
import { hostileReport, largeReview, richBrainstorm, richIdeas, richReview } from '../support/council-report';

const REPORTS = [
  ['review', richReview()],
  ['brainstorm', richBrainstorm()],
  ['brainstorm with findings', { ...richReview(), brainstorm: richIdeas() }],
] as const;

const MARKS = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' } as const;

/** What a page says, without what it looks like: no tag of ours has a `>` within. */
const textOf = (html: string): string =>
  html
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:lt|gt|quot|#39|amp);/g, (mark) => MARKS[mark as keyof typeof MARKS]);
/** Blanks are where a browser breaks lines: they say nothing. */
const dense = (text: string): string => text.replace(/\s+/g, '').toLowerCase();
const saysOf = (report: CouncilReport): string => dense(textOf(reportHtml(report)));

/** What stands there in words of ours: what a run is for, how far it is, and of what kind something is. */
const IN_WORDS = new Set(['version', 'activity', 'process', 'outcome', 'check', 'kind']);

/** Every text and figure of a report with the way to it, but for what is said in words. */
function leavesOf(value: unknown, path: string, key = ''): readonly (readonly [string, string | number])[] {
  if (IN_WORDS.has(key) || (key === 'id' && /stages|heard/.test(path))) return [];
  if (typeof value === 'string' || typeof value === 'number') return [[path, value]];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, each]) => leavesOf(each, `${path}.${name}`, name));
}

function shown(path: string, value: string | number): readonly string[] {
  if (typeof value === 'number') return [/cost\.(?:spent|cap)$/.test(path) ? dollars(value) : String(value)];
  return value.split('\n');
}

describe('a report as HTML', () => {
  it.each(REPORTS)('says every text and every figure of a %s', (_, report) => {
    expect(CouncilReport.parse(report)).toEqual(report);
    const said = saysOf(report);
    const leaves = leavesOf(report, '').flatMap(([path, value]) =>
      shown(path, value).map((each) => [path, each] as const),
    );
    expect(leaves.length).toBeGreaterThan(100);
    expect(leaves.filter(([, each]) => !said.includes(dense(each)))).toEqual([]);
  });

  it.each(REPORTS)('says every word that the Markdown of a %s says', (_, report) => {
    const words = reportMarkdown(report)
      .replace(/\\(?=[^\w\s])/g, '')
      .replace(/&(?:lt|gt|quot|#39|amp);/g, (mark) => MARKS[mark as keyof typeof MARKS])
      .split(/[\s`*|]+/)
      .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
      .filter((word) => word !== '');
    expect(words.length).toBeGreaterThan(200);
    const said = saysOf(report);
    expect(words.filter((word) => !said.includes(dense(word)))).toEqual([]);
  });

  it('may use the one style it brings, and nothing else', () => {
    const html = reportHtml(richReview());
    const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(html).toContain(
      `content="default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;"`,
    );
    expect(html.match(/<style/g)).toHaveLength(1);
    expect(style).not.toMatch(/url\(|@import/);
  });

  it.each(REPORTS)('has no tag and no attribute that a stranger of a %s wrote', (_, report) => {
    const tags = (html: string) => [...new Set([...html.matchAll(/<[a-z][^>]*>/gi)].map(([tag]) => tag))];
    const namesOf = (html: string) =>
      new Set(
        tags(html).flatMap((tag) => [...tag.replace(/"[^"]*"/g, '').matchAll(/[a-z][\w:-]*/gi)].map(([name]) => name)),
      );
    const html = reportHtml(hostileReport(report));
    expect(namesOf(html)).toEqual(namesOf(reportHtml(report)));
    expect([...namesOf(html)].filter((name) => /^(?:on\w+|href|src|style|script|img|a|link)$/.test(name))).toEqual([
      'style',
    ]);
    expect(html.includes('&lt;script&gt;alert(1)&lt;/script&gt;&lt;/style&gt;')).toBe(true);
  });

  it('names what cannot be seen and turns text around', () => {
    const [first] = richReview().findings;
    const html = reportHtml(richReview({ findings: [{ ...first!, title: 'a\u202eb', quote: 'if (a\u202e) {' }] }));
    expect(html).toContain('a‹U+202E›b (f3)</h4>');
    expect(html).toContain('if (a‹U+202E›) {');
    expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });

  it('shows the place of a quote above it, and whether it was found there', () => {
    const text = textOf(reportHtml(richReview())).replace(/\s+/g, ' ');
    expect(text).toContain('src/auth/session.ts:87-89 · quote verified, found by');
    expect(text).toContain('src/jobs/invoices.ts:118-121 · quote found at line 118 instead of 112, found by');
    expect(text).toContain('src/auth/users.ts:20-24 · quote not found, found by');
  });

  it('lets each text of a model decide its own direction', () => {
    const html = reportHtml(richReview());
    expect(html).not.toMatch(/<(?:p|li|td|h3|h4)(?! dir="auto"| class="lede")[ >]/);
  });

  it('says how much of it was proved', () => {
    const text = textOf(reportHtml(richReview())).replace(/\s+/g, ' ');
    expect(text).toContain('6 findings with evidence, 2 without. 8 participants, 26 min, $1.52.');
    expect(text.match(/ · quote verified,/g)).toHaveLength(5);
    expect(text.match(/ · quote found at line/g)).toHaveLength(1);
    expect(text).toContain('confirmed by 3');
    for (const name of ['Architect', 'Healer']) expect(text).toContain(`${name} confirms:`);
  });

  it('says of a brainstorm what was thought of, and nothing of findings', () => {
    const text = textOf(reportHtml(richBrainstorm())).replace(/\s+/g, ' ');
    expect(text).toContain('3 ideas. 6 participants, 26 min, $0.41.');
    expect(text).toContain('11.5 points, first on 3 ballots');
    expect(text).toContain('2 ideas, 0 words on ideas of others');
    expect(text).not.toMatch(/[Ff]inding|Unproved/);
  });

  it('says so where there is nothing', () => {
    const nothing = { findings: [], unproved: [], praise: { findings: [], words: [] }, synthesis: null };
    const review = textOf(reportHtml(richReview({ ...nothing, heard: [], notHeard: [], stages: [] })));
    for (const said of [
      'No model contributed, so this report',
      'There is no summary of the findings',
      'No participant contributed',
    ])
      expect(review).toContain(said);
    const ideas = richIdeas({ options: [], ballots: [], dissent: [], nextSteps: [], gaps: [], question: null });
    const brainstorm = textOf(
      reportHtml(richBrainstorm({ brainstorm: { ...ideas, criteria: [], constraints: [] }, synthesis: null })),
    );
    expect(brainstorm).toContain('There are no ideas.');
    expect(brainstorm).toContain('There is no summary of the ideas.');
    expect(brainstorm).not.toMatch(/Ballots\s+Who|Next steps|The question/);
  });

  it('is as large as what it says, and there at once, with 500 findings', () => {
    const report = largeReview(500);
    reportHtml(report);
    const began = performance.now();
    const html = reportHtml(report);
    expect(performance.now() - began).toBeLessThan(1_000);
    expect(html.length).toBeLessThan(3 * JSON.stringify(report).length);
  });
});
