import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { METRICS, ScorecardDocument } from '../../../src/contract/scorecard';
import type { AttemptExport } from '../../../src/core/base/store-rows';
import { csvLines } from '../../../src/core/scorecard/csv';
import { renderScorecard } from '../../../src/core/scorecard/render';
import { sampleAgent } from '../../support/sample-agent';
import { HOSTILE, sampleScorecard } from '../../support/sample-scorecard';

const FIXTURES = join(import.meta.dirname, '../../fixtures/scorecard');
const ROOT = join(import.meta.dirname, '../../..');

/** The sample with two agents, one of whom nobody had to step in for, and since when their attempts are kept. */
const withAgents = (): ScorecardDocument => ({
  ...sampleScorecard(),
  agents: [sampleAgent(), { ...sampleAgent(HOSTILE, { value: null, lower: null, upper: null, n: 0 }), waitedMs: 0 }],
  agentsSince: '2026-09-20T08:30:00.000Z',
});

const attempt = (change: Partial<AttemptExport> = {}): AttemptExport => ({
  at: 1_790_000_000_000,
  session: 's1',
  turn: 't1',
  agent: 'build',
  model: 'acme/lead',
  position: 0,
  purpose: 'turn',
  outcome: 'failure',
  kind: 'server_error',
  status: 500,
  durationMs: 40,
  firstTokenMs: null,
  ...change,
});

describe('given a scorecard of ten turns and a model with a hostile name', () => {
  it.each(['json', 'md', 'html', 'svg'] as const)(
    'when it is written as %s, then it is the golden file',
    async (format) => {
      await expect(renderScorecard(withAgents(), format)).toMatchFileSnapshot(join(FIXTURES, `scorecard.${format}`));
    },
  );

  it('when a model changed meanwhile that its session never asked, then that stands in the card of all sessions alone', () => {
    const told = (session: string | null) => sampleScorecard(session).transitions.map(({ model }) => model);
    expect([told('s1'), told(null)]).toEqual([['acme/lead'], ['acme/lead', 'never/asked']]);
  });

  it('when figures are chosen, then a program reads those alone of each model and of all together', () => {
    const { totals, models, ...rest } = JSON.parse(renderScorecard(sampleScorecard(), 'json', ['failures', 'cost']));
    const whole = sampleScorecard();
    expect(totals).toEqual({ failures: whole.totals.failures, cost: whole.totals.cost });
    expect(models).toEqual(
      whole.models.map(({ rank, model, provider, failures, cost }) => ({ rank, model, provider, failures, cost })),
    );
    expect(Object.keys(whole)).toEqual([
      ...Object.keys(rest).slice(0, 6),
      'totals',
      'models',
      ...Object.keys(rest).slice(6),
    ]);
  });

  it.each([
    [['successRate', 'failures', 'failureReasons'], '| Model | Success | Failed | Why it failed |'],
    [[], '| Model |'],
    [
      null,
      '| Model | Attempts | Success | p50 | p95 | First token | Circuit opened | Fallbacks to it | Fallbacks from it | Cost |',
    ],
  ] as const)('when %j is chosen, then the table of models is headed %s', (metrics, head) => {
    expect(renderScorecard(sampleScorecard(), 'md', metrics).split('\n')).toContain(head);
    const cells = head.split('|').slice(1, -1);
    const html = cells.map((cell) => `<th>${cell.trim()}</th>`).join('');
    // Columns of figures have a class.
    const written = renderScorecard(sampleScorecard(), 'html', metrics).replaceAll(' class="n"', '');
    expect(written).toContain(`<tr>${html}</tr>`);
  });

  it('when a column holds figures alone, then it is aligned to the right, and every other one to the left', () => {
    const lines = renderScorecard(withAgents(), 'md').split('\n');
    const ruleOf = (head: string): string => lines[lines.findIndex((line) => line.startsWith(head)) + 1] ?? '';
    expect(['| Model | Attempts', '| From |', '| Model | State', '| What |'].map(ruleOf)).toEqual([
      '| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
      '| --- | --- | ---: |',
      '| --- | --- | --- | --- |',
      '| --- | --- |',
    ]);
  });

  const ERRORS = { tool: 0, toolReasons: { validation: 0, permission: 0, not_found: 0, timeout: 0, execution: 0 } };
  it.each([
    [{ tool: null, toolReasons: null, toolRepeats: null, provider: 3 }, '–'],
    [{ ...ERRORS, toolRepeats: 0, provider: 3 }, '0'],
    [
      { tool: 4, toolReasons: { ...ERRORS.toolReasons, validation: 3, timeout: 1 }, toolRepeats: 2, provider: 3 },
      '4 (bad arguments 3, timed out 1; 2 repeated)',
    ],
  ])('when tools failed as %j says, then people read %s', (errors, text) => {
    const card = sampleScorecard();
    const told = {
      ...card,
      totals: { ...card.totals, errors },
      models: card.models.map((row) => ({ ...row, errors })),
    };
    const lines = renderScorecard(told, 'md', ['errors']).split('\n');
    expect(lines).toContain(`| Tools that failed | ${text} |`);
    expect(lines).toContain(`| acme/lead | ${text} |`);
  });

  it.each([
    [2, true],
    [undefined, false],
  ])(
    'when %s failures are like the one before of their provider, then a line says so: %s',
    (providerRepeats, isThere) => {
      const card = sampleScorecard();
      const errors = { ...card.totals.errors, ...(providerRepeats ? { providerRepeats } : {}) };
      const lines = renderScorecard({ ...card, totals: { ...card.totals, errors } }, 'md').split('\n');
      expect(lines.includes('| Repeated failures of a provider | 2 |')).toBe(isThere);
    },
  );

  it('when every figure is chosen, then each row has a cell for each', () => {
    const lines = renderScorecard(sampleScorecard(), 'md', METRICS).split('\n');
    const at = lines.indexOf('## Models, best first') + 2;
    const counts = lines.slice(at, at + 3).map((line) => line.split(' | ').length);
    expect(counts).toEqual(counts.map(() => METRICS.length + 1));
  });

  it('when it is made twice, then it is the same document, and right by its schema', () => {
    expect(sampleScorecard()).toEqual(sampleScorecard());
    expect(ScorecardDocument.parse(withAgents())).toEqual(withAgents());
  });

  it('when it is written, then attempts add up, and tokens are whole and money is a text', () => {
    const { totals } = sampleScorecard();
    const { success, slow, failure, limited, neutral, inFlight } = totals.outcomes;
    expect(success + slow + failure + limited + neutral + inFlight).toBe(totals.totalCalls);
    expect([totals.tokens.input, totals.cost, totals.turns.saved]).toEqual([
      4_000,
      { total: '0.0246', perReport: '0.0123', pricedShare: 0.5 },
      3,
    ]);
  });

  it('when it is HTML, then there is no script, no address and no markup but our own', () => {
    const html = renderScorecard(sampleScorecard(), 'html');
    expect(html).not.toMatch(/<script|javascript:|https?:|src=|href=|url\(/i);
    expect(html).toContain('=evil/&lt;script&gt;alert(1)&lt;/script&gt;|`x`,&quot;y&quot;');
    expect(html).toContain(`content="default-src &#39;none&#39;`);
    // The one style it may use is the one it brings.
    const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(html).toContain(`style-src &#39;sha256-${hash}&#39;;`);
  });

  it('when it is Markdown, then a hostile name stays in its cell', () => {
    const row = renderScorecard(sampleScorecard(), 'md')
      .split('\n')
      .find((line) => line.includes('=evil'));
    expect(row).toMatch(/^\| =evil\/\\<script\\>alert\(1\)\\<\/script\\>\\\|\\`x\\`,"y" \|/);
  });
});

describe('given a scorecard as a picture to share', () => {
  const words = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, content]) => content);

  it('when it is drawn, then it says what was saved and names models, but neither session nor path', () => {
    const svg = renderScorecard(sampleScorecard(), 'svg');
    expect(words(svg)).toEqual(
      expect.arrayContaining(['4 of 10 turns finished by a fallback model.', 'One session, all stored data', 'steady']),
    );
    expect(svg).toContain('width="1200" height="630"');
    expect(svg).not.toMatch(/s1\b|globex|<script|javascript:|href|url\(/);
  });

  it('when a name holds markup and characters that XML has no place for, then the picture stays whole', () => {
    const [first, ...models] = sampleScorecard().models;
    if (!first) throw new Error('the sample has models');
    const model = 'a/<b>"\u0000\u001b\ud800';
    const svg = renderScorecard({ ...sampleScorecard(), models: [{ ...first, model }, ...models] }, 'svg');
    expect(words(svg)).toContain('&lt;b&gt;&quot;\ufffd\ufffd\ufffd');
  });

  it('when a name is longer than its column, then it is cut, never in the middle of a character', () => {
    const [first] = sampleScorecard().models;
    if (!first) throw new Error('the sample has models');
    const document = { ...sampleScorecard(), models: [{ ...first, model: `a/${'😀'.repeat(40)}` }] };
    expect(words(renderScorecard(document, 'svg'))).toContain(`${'😀'.repeat(23)}…`);
  });

  it('when nothing was asked yet, then it says so and divides by nothing', () => {
    const { totals } = sampleScorecard();
    const turns = {
      ...totals.turns,
      total: 0,
      answered: 0,
      byLead: 0,
      saved: 0,
      spared: 0,
      neutral: 0,
      firstTryRate: null,
    };
    const svg = renderScorecard({ ...sampleScorecard(), models: [], totals: { ...totals, turns } }, 'svg');
    expect(words(svg)).toContain('No turns yet.');
    expect(svg).not.toMatch(/NaN|Infinity|null|undefined/);
  });
});

describe('given the published schema', () => {
  it('when the figures people may choose are listed, then they are those of the document', () => {
    expect([...METRICS]).toEqual(Object.keys(ScorecardDocument.unwrap().shape.totals.shape));
  });

  it('when it is compared with the code, then it is the same', async () => {
    const schema = { $id: 'scorecard-1.schema.json', ...z.toJSONSchema(ScorecardDocument) };
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
      join(ROOT, 'resources/schemas/scorecard-1.schema.json'),
    );
  });
});

describe('given attempts for a spreadsheet', () => {
  it('when there are two, then there are a line of names and two lines that end as RFC 4180 has it', () => {
    expect([...csvLines([attempt(), attempt({ kind: null, status: null, position: null })])].join('')).toBe(
      'at,session,turn,agent,model,position,purpose,outcome,kind,status,durationMs,firstTokenMs\r\n' +
        '2026-09-21T14:13:20.000Z,s1,t1,build,acme/lead,1,turn,failure,server_error,500,40,\r\n' +
        '2026-09-21T14:13:20.000Z,s1,t1,build,acme/lead,,turn,failure,,,40,\r\n',
    );
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    [HOSTILE, '"\'=evil/<script>alert(1)</script>|`x`,""y"""'],
  ])('when a name is %j, then its cell is %j', (agent, cell) => {
    const line = [...csvLines([attempt({ agent, session: 'S', turn: 'T' })])][1] ?? '';
    expect(line.slice(line.indexOf('S,T,') + 4)).toBe(`${cell},acme/lead,1,turn,failure,server_error,500,40,\r\n`);
  });
});
