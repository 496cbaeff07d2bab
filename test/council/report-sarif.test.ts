import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sarifToMarkdown } from '@security-alert/sarif-to-markdown';
import Ajv from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../src/features/council/rules/base/fingerprint';
import { hasPlaces, reportSarif } from '../../src/features/council/rules/report/sarif';
import type { CouncilReport } from '../../src/features/council/rules/report/schema';
import { hostileReport, largeReview, richBrainstorm, richReview } from '../support/council-report';

type Text = Readonly<{ text: string }>;
type Result = Readonly<{
  ruleId: string;
  ruleIndex: number;
  kind: string;
  level: string;
  rank: number;
  message: Text;
  locations: readonly Readonly<{
    physicalLocation: Readonly<{
      artifactLocation: Readonly<{ uri: string; uriBaseId: string }>;
      region: Readonly<{ startLine: number; endLine?: number; snippet: Text }>;
    }>;
  }>[];
  partialFingerprints: Readonly<Record<string, string>>;
  properties: Readonly<Record<string, unknown>>;
}>;
type Descriptor = Readonly<{ id: string; defaultConfiguration: Readonly<{ level: string }> }>;
type Run = Readonly<{
  tool: Readonly<{
    driver: Readonly<{ name: string; rules: readonly Descriptor[]; notifications: readonly Descriptor[] }>;
  }>;
  automationDetails: Readonly<{ id: string }>;
  invocations: readonly Readonly<{
    executionSuccessful: boolean;
    toolExecutionNotifications: readonly Readonly<{
      descriptor: Readonly<{ id: string; index: number }>;
      level: string;
      message: Text;
      locations?: unknown;
    }>[];
  }>[];
  results: readonly Result[];
}>;

const textOf = (report: CouncilReport): string => reportSarif(report, { version: '0.1.0' });
const runOf = (report: CouncilReport): Run => JSON.parse(textOf(report)).runs[0];
/** A review with one finding, which is like the first of the rich one but for this. */
const withOne = (more: object): Result => {
  const [first] = richReview().findings;
  return runOf(richReview({ findings: [{ ...first!, ...more }] })).results[0]!;
};
const uriOf = (file: string): string | undefined =>
  withOne({ file }).locations[0]?.physicalLocation.artifactLocation.uri;

/** What is wrong with a log, by the published schema. */
function schemaErrors(log: unknown): unknown {
  const schema = readFileSync(join(import.meta.dirname, '../fixtures/sarif/sarif-2.1.0-rtm.5.json'), 'utf8');
  // One of its patterns is none of Unicode's.
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  addFormats(ajv as never);
  const validate = ajv.compile(JSON.parse(schema));
  return validate(log) ? [] : validate.errors;
}

const REPORTS = [
  ['a review', richReview()],
  ['500 findings', largeReview(500)],
  ['hostile texts', hostileReport(richReview())],
  ['a run that has only begun', richReview({ endedAt: null, outcome: 'unfinished', findings: [], unproved: [] })],
  ['a brainstorm', richBrainstorm()],
] as const;

describe('a report as SARIF', () => {
  it.each(REPORTS)('is valid by the published schema where it is of %s', (_, report) => {
    expect(schemaErrors(JSON.parse(textOf(report)))).toEqual([]);
  });

  it('is refused by that schema where a log is wrong', () => {
    const log = JSON.parse(textOf(richReview()));
    log.runs[0].results[0].level = 'critical';
    expect(schemaErrors(log)).toMatchObject([{ instancePath: '/runs/0/results/0/level', keyword: 'enum' }]);
  });

  it('has every proved finding in the order of the report, each at its place', () => {
    const report = richReview();
    const { results, tool } = runOf(report);
    expect(results.map(({ properties }) => properties.id)).toEqual(report.findings.map(({ id }) => id));
    expect(results.map(({ ruleId, level, rank }) => [ruleId, level, rank])).toEqual([
      ['council-critical', 'error', 100],
      ['council-critical', 'error', 80],
      ['council-major', 'warning', 60],
      ['council-major', 'warning', 40],
      ['council-minor', 'note', 20],
    ]);
    for (const { ruleId, ruleIndex, level, kind } of results) {
      expect([tool.driver.rules[ruleIndex]?.id, kind]).toEqual([ruleId, 'fail']);
      expect(tool.driver.rules[ruleIndex]?.defaultConfiguration.level).toBe(level);
    }
    expect(results[0]?.locations).toEqual([
      {
        physicalLocation: {
          artifactLocation: { uri: 'src/auth/session.ts', uriBaseId: '%SRCROOT%' },
          region: { startLine: 87, endLine: 89, snippet: { text: report.findings[0]?.quote } },
        },
      },
    ]);
    expect(results[1]?.locations[0]?.physicalLocation.region).not.toHaveProperty('endLine');
  });

  it('says in its message what was found, first in one sentence, and who stands behind it', () => {
    const { results } = runOf(richReview());
    const [first, , moved, challenged] = results.map(({ message }) => message.text);
    expect(first?.split('\n\n')).toEqual([
      'Session tokens can be guessed by timing.',
      expect.stringMatching(/^The digest is compared with ==/),
      'Suggestion: Compare with timingSafeEqual over buffers of the same length.',
      'Found by Sentinel and Warden, quote verified, confirmed by 3.',
    ]);
    expect(moved).toContain('Found by Alchemist, quote found at line 118 instead of 112, confirmed by 2.');
    expect(challenged).toContain('Found by Healer, quote verified, challenged by 1.');
    expect(results[3]?.properties).toMatchObject({
      ...{
        id: 'f9',
        heroes: ['Healer'],
        check: 'verified',
        support: 0,
        suggestion: 'Keep the error and end as “failed”.',
      },
      challengedBy: [{ by: 'Sage', why: expect.stringContaining('dead-letter path') }],
    });
  });

  it('makes no result of an unproved claim or of praise, and hides neither who was not heard', () => {
    const { results, invocations, tool } = runOf(richReview());
    const text = JSON.stringify(results);
    for (const id of ['"f5"', '"f14"', '"f10"']) expect(text).not.toContain(id);
    const told = invocations[0]?.toolExecutionNotifications ?? [];
    expect(told.map(({ descriptor, level, message }) => [descriptor.id, level, message.text])).toEqual([
      [
        'council-unproved',
        'note',
        'Unproved claim, quote not found: Passwords are kept in plain text (src/auth/users.ts:20-24)',
      ],
      [
        'council-unproved',
        'note',
        'Unproved claim, file could not be read: The lock file is out of date (vendor/lock.bin:1)',
      ],
      ['council-not-heard', 'warning', 'Healer contributed only in part: Mistral was offline: Fallback timeout'],
      ['council-not-heard', 'warning', 'Mistral (speaker) did not contribute: Fallback timeout'],
    ]);
    for (const { descriptor, locations } of told) {
      expect(tool.driver.notifications[descriptor.index]?.id).toBe(descriptor.id);
      expect(locations).toBeUndefined();
    }
  });

  it('says that the run has succeeded where it has finished, and not before', () => {
    expect(runOf(richReview())).toMatchObject({
      automationDetails: { id: 'understudy-council/r20261126-113002-a1b2' },
      invocations: [
        {
          executionSuccessful: true,
          ...{ startTimeUtc: '2026-11-26T11:30:02.000Z', endTimeUtc: '2026-11-26T11:56:31.250Z' },
        },
      ],
      tool: { driver: { name: 'Understudy', version: '0.1.0' } },
      originalUriBaseIds: { '%SRCROOT%': { description: { text: expect.any(String) } } },
    });
    for (const outcome of ['stopped', 'paused', 'unfinished'] as const) {
      const [invocation] = runOf(richReview({ outcome, endedAt: null })).invocations;
      expect([invocation?.executionSuccessful, invocation]).toEqual([
        false,
        expect.not.objectContaining({ endTimeUtc: expect.anything() }),
      ]);
    }
  });

  it('names neither the place of the repository nor anybody’s folder', () => {
    expect(textOf(richReview())).not.toContain('/srv/storefront-api');
  });

  it.each([
    ['src/a.ts', 'src/a.ts'],
    ['./src\\b c.ts', 'src/b%20c.ts'],
    ['../../etc/passwd', 'etc/passwd'],
    ['/etc/passwd', 'etc/passwd'],
    ['javascript:alert(1)', 'javascript%3Aalert(1)'],
    ['src/ä#?%.ts', 'src/%C3%A4%23%3F%25.ts'],
    ['src/a\u202eb\ud800.ts', 'src/ab.ts'],
  ])('says the path %j as the URI %s', (file, uri) => {
    expect(uriOf(file)).toBe(uri);
  });

  it('lets no viewer see a link or a placeholder in what a model wrote', () => {
    const { message } = withOne({ title: 'a[0](b) [x](javascript:alert(1)) {0} if (a) { b }', evidence: 'c\u202ed' });
    expect(message.text).toContain('a[0] (b) [x] (javascript:alert(1)) { 0} if (a) { b }.\n\ncd\n\n');
  });

  it('tells a finding from others, and knows it again in another line, in other blanks and case', () => {
    const of = (more: object): string | undefined => withOne(more).partialFingerprints['councilFinding/v1'];
    const [first] = richReview().findings;
    const same = of({});
    expect(same).toMatch(/^[0-9a-f]{16}$/);
    const moved = {
      line: 3,
      endLine: 5,
      id: 'f99',
      severity: 'major',
      quote: `  ${first?.quote.toUpperCase()}`,
      evidence: '',
    };
    expect(of(moved)).toBe(same);
    for (const other of [{ file: 'src/b.ts' }, { quote: 'other' }, { title: 'Other' }])
      expect(of(other)).not.toBe(same);
    const all = runOf(largeReview(500)).results.map(({ partialFingerprints }) => Object.values(partialFingerprints)[0]);
    expect(new Set(all).size).toBe(500);
  });

  it('is read by a reader of such logs, finding by finding', () => {
    const [read] = sarifToMarkdown({ owner: 'shop', repo: 'storefront', branch: 'main', sourceRoot: '' })(
      JSON.parse(textOf(richReview())),
    );
    expect(read?.hasMessages).toBe(true);
    expect(read?.body).toContain('**[ERROR]** **[council-critical]**');
    expect(read?.body).toContain('https://github.com/shop/storefront/blob/main/src/auth/session.ts#L87-L89');
    expect(read?.body).toContain('https://github.com/shop/storefront/blob/main/README.md#L12');
    expect(read?.body).not.toContain('users.ts');
  });

  it('is what a review has, and no brainstorm', () => {
    expect([hasPlaces(richReview()), hasPlaces(richReview({ activity: null }))]).toEqual([true, true]);
    expect([
      hasPlaces(richBrainstorm()),
      hasPlaces(richBrainstorm({ activity: 'brainstorm', brainstorm: null })),
      hasPlaces(richBrainstorm({ brainstorm: null })),
    ]).toEqual([false, false, false]);
  });
});

it.each([
  ['', 'cbf29ce484222325'],
  ['a', 'af63dc4c8601ec8c'],
  ['foobar', '85944171f73967e8'],
])('the fingerprint of "%s" is that of FNV-1a', (text, hex) => {
  expect(fingerprint(text)).toBe(hex);
});
