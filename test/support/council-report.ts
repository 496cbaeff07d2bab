import type {
  CouncilReport,
  ReportBrainstorm,
  ReportFinding,
  ReportOption,
} from '../../src/features/council/rules/report/schema';

/** Reports with a value in every field, to test renderers. */

const finding = (id: string, more: Partial<ReportFinding>): ReportFinding => ({
  ...{ id, severity: 'major', title: `Title of ${id}`, file: 'src/a.ts', line: 1, movedFrom: null, endLine: null },
  ...{ quote: 'const a = 1;', evidence: 'Shown.', suggestion: null, check: 'verified', foundBy: ['Architect'] },
  ...{ support: 0, confirmedBy: [], challengedBy: [], builtOn: [] },
  ...more,
});

const TIMING = finding('f3', {
  severity: 'critical',
  title: 'Session tokens can be guessed by timing',
  ...{ file: 'src/auth/session.ts', line: 87, endLine: 89 },
  quote: 'const given = hash(token);\nif (given == stored) return user;\nreturn null;',
  evidence:
    'The digest is compared with ==, which stops at the first differing byte. An attacker who measures answers learns the token byte by byte.',
  suggestion: 'Compare with timingSafeEqual over buffers of the same length.',
  foundBy: ['Sentinel', 'Warden'],
  support: 3,
  confirmedBy: [
    { by: 'Architect', why: 'The same comparison stands in src/auth/api-key.ts:31; both go through one helper.' },
    { by: 'Healer', why: 'Measured locally: 40 µs of difference between the first and the last byte.' },
  ],
  builtOn: [{ by: 'Sage', why: 'No test feeds a wrong token of the right length.' }],
});
const REFUND = finding('f7', {
  severity: 'critical',
  title: 'The refund amount comes from the client',
  ...{ file: 'src/api/refunds.ts', line: 41 },
  quote: 'await pay.refund(body.orderId, body.amount);',
  evidence:
    'The handler refunds body.amount without looking up what was paid.\n\nAnybody with an order can ask for more.',
  suggestion: 'Take the amount from the order, and refuse more than its rest.',
  foundBy: ['Warden'],
  support: 1,
  confirmedBy: [{ by: 'Sentinel', why: 'body is what the client sent, checked for types alone.' }],
});
const ROWS = finding('f1', {
  title: 'Listing invoices asks the database once per row',
  ...{ file: 'src/jobs/invoices.ts', line: 118, movedFrom: 112, endLine: 121, check: 'moved' },
  quote:
    'for (const invoice of invoices) {\n\tinvoice.lines = await db.query("select * from invoice_lines where invoice_id = $1 order by position", [invoice.id]);\n}',
  evidence: '51 queries for a page of 50. One join brings it to 2; the index is there already.',
  foundBy: ['Alchemist'],
  support: 2,
  confirmedBy: [
    { by: 'Architect', why: 'invoices() is called by two pages.' },
    { by: 'Sage', why: 'The test has one invoice, so nobody noticed.' },
  ],
});
const RETRY = finding('f9', {
  title: 'The retry loop loses the last error',
  ...{ file: 'src/jobs/queue.ts', line: 57 },
  quote: '} catch { attempts += 1 }',
  evidence: 'After the fifth attempt the job ends as “done”.',
  suggestion: 'Keep the error and end as “failed”.',
  foundBy: ['Healer'],
  challengedBy: [{ by: 'Sage', why: 'A test covers the dead-letter path; it covers only the first attempt.' }],
});
const README = finding('f12', {
  severity: 'minor',
  title: 'The README names a command that is gone',
  ...{ file: 'README.md', line: 12 },
  quote: 'npm run serve',
  evidence: 'package.json has no script of that name.',
  foundBy: ['Bard'],
});
const GUESSED = finding('f5', {
  title: 'Passwords are kept in plain text',
  ...{ file: 'src/auth/users.ts', line: 20, endLine: 24, check: 'not_found' },
  quote: 'user.password = body.password;',
  evidence: 'The field is written as it comes.',
  suggestion: 'Hash it.',
  foundBy: ['Scout'],
  challengedBy: [{ by: 'Sentinel', why: 'There is no such line; users.ts calls argon2.' }],
});
const UNREAD = finding('f14', {
  severity: 'minor',
  title: 'The lock file is out of date',
  ...{ file: 'vendor/lock.bin', line: 1, check: 'unread' },
  quote: 'lockfileVersion: 1',
  evidence: 'It names packages that are not in package.json.',
  foundBy: ['Scout'],
});
const LEDGER = finding('f10', {
  severity: 'praise',
  title: 'One function writes the ledger',
  ...{ file: 'src/ledger/write.ts', line: 8 },
  quote: 'export function writeEntry(entry: Entry)',
  evidence: 'Every change of money goes through it, in one transaction.',
  foundBy: ['Architect'],
  support: 1,
  confirmedBy: [{ by: 'Warden', why: 'Its type lets nobody leave out the currency.' }],
});

const member = (name: string, title: string | null, of: readonly [string, string | null, number, number]) => {
  const [speaker, model, findings, words] = of;
  const id = title === null ? 'oracle' : name.toLowerCase();
  return { id, name, title, speaker, model, findings, words };
};

const STAGES = [
  ['reconnaissance', 'Reconnaissance', ['Architect', 'Sentinel', 'Alchemist', 'Healer', 'Sage']],
  ['deep_analysis', 'Deep Analysis', ['Architect', 'Sentinel', 'Alchemist', 'Sage', 'Warden']],
  ['cross_reference', 'Cross-Reference', ['Architect', 'Sage']],
  ['oracle_review', 'Oracle Review', ['The Oracle']],
  ['synthesis', 'Synthesis', ['Sentinel']],
  ['presentation', 'Presentation', []],
] as const;

export const richReview = (more: Partial<CouncilReport> = {}): CouncilReport => ({
  version: 1,
  run: 'r20261126-113002-a1b2',
  ...{ activity: 'code_review', process: 'CODE_REVIEW', input: { problem: null, repo: '/srv/storefront-api' } },
  ...{ begunAt: '2026-11-26T11:30:02.000Z', endedAt: '2026-11-26T11:56:31.250Z', outcome: 'finished' },
  headline: 'Fix two things before the release: token comparison and refund amounts.',
  isHeadlineByRule: false,
  brainstorm: null,
  findings: [TIMING, REFUND, ROWS, RETRY, README],
  unproved: [GUESSED, UNREAD],
  praise: { findings: [LEDGER], words: ['Events are typed from end to end.', 'The tests are fast: 900 in 4 s.'] },
  synthesis: {
    by: 'Sentinel',
    text: 'Two holes can be used from outside today, and both are one line.\n\nBehind them stands one habit: what the client sends is checked for its type, not for its meaning.\nA rule for handlers would find the next one.',
  },
  heard: [
    member('The Oracle', null, ['claude', 'anthropic/claude-opus-4-1', 0, 0]),
    member('Architect', 'Master Builder', ['gpt', 'openai/gpt-5', 2, 3]),
    member('Sentinel', 'Shield Guardian', ['gemini', 'google/gemini-3-pro', 1, 2]),
    member('Alchemist', 'Transmuter', ['gpt', 'openai/gpt-5', 1, 0]),
    member('Healer', 'Restoration Sage', ['claude', 'anthropic/claude-sonnet-4-5', 1, 1]),
    member('Sage', 'Knowledge Weaver', ['claude', 'anthropic/claude-opus-4-1', 0, 3]),
    member('Warden', 'Gatekeeper', ['gemini', 'google/gemini-3-pro', 1, 1]),
    member('Scout', 'Pathfinder', ['gpt', null, 2, 0]),
    member('Bard', 'Chronicle Keeper', ['gemini', 'google/gemini-3-pro', 1, 0]),
  ],
  notHeard: [
    { who: 'Healer', kind: 'hero', why: 'Mistral was offline: Fallback timeout', isPartly: true },
    { who: 'mistral', kind: 'speaker', why: 'Fallback timeout', isPartly: false },
  ],
  secrets: ['.env~', 'config/<b>.pem'],
  stages: STAGES.map(([id, name, by], at) => ({ id, name, isCompleted: at < 5, summedUpBy: [...by] })),
  fallbacks: [
    {
      ...{ speaker: 'claude', from: 'anthropic/claude-opus-4-1', to: 'anthropic/claude-sonnet-4-5' },
      hasAnswered: true,
    },
    { speaker: 'gpt', from: 'openai/gpt-5', to: 'openai/gpt-5-mini', hasAnswered: false },
  ],
  retries: 7,
  cost: { spent: 1.52, cap: 2, unpricedTurns: 3, tokens: { input: 1_843_021, output: 96_417 } },
  isDefaultParty: false,
  isLessGrounded: true,
  ...more,
});

const option = (id: string, more: Partial<ReportOption>): ReportOption => ({
  ...{ id, rank: null, points: 0, firstPlaces: 0, title: `Title of ${id}`, text: 'Thought of.' },
  ...{ proposedBy: ['Pragmatist'], supportedBy: [], challengedBy: [], builtOn: [], evidence: [] },
  ...more,
});

export const richIdeas = (more: Partial<ReportBrainstorm> = {}): ReportBrainstorm => ({
  question: 'Where should the storefront keep its carts, so that none is lost when a region goes down?',
  criteria: ['No cart is lost for more than 5 s.', 'Nobody has to learn a new database.'],
  constraints: ['Two people, six weeks.', 'Personal data stays in the EU.'],
  gaps: ['What happens to carts of people who are not logged in?'],
  options: [
    option('i4', {
      ...{ rank: 1, points: 11.5, firstPlaces: 3, title: 'Carts in Postgres, with a replica in the second region' },
      text: 'Keep carts where orders are kept already.\n\nA replica in the second region is promoted by hand; the runbook is one page.',
      proposedBy: ['Pragmatist', 'Engineer'],
      supportedBy: [
        { by: 'Economist', why: 'It costs one machine, about $90 a month.' },
        { by: "User's Advocate", why: 'Nothing changes for anybody who shops.' },
      ],
      challengedBy: [{ by: 'Skeptic', why: 'By hand at 3 in the morning is not 5 s.' }],
      builtOn: [{ by: 'Historian', why: 'It was done for orders in 2024, in four weeks.' }],
      evidence: [
        {
          ...{ file: 'src/cart/store.ts', line: 14, check: 'verified' },
          quote: 'export const carts = new Map<string, Cart>();',
        },
        { file: 'ops/regions.md', line: 3, check: 'not_found', quote: 'Failover is automatic.' },
      ],
    }),
    option('i1', {
      ...{ rank: 2, points: 8, firstPlaces: 1, title: 'Carts in the browser, merged at checkout' },
      text: 'The server keeps nothing until somebody pays.',
      proposedBy: ['Visionary'],
      supportedBy: [{ by: 'Contrarian', why: 'What is not kept cannot be lost.' }],
    }),
    option('i2', {
      ...{ rank: 3, points: 4.5, firstPlaces: 0, title: 'A store of key and value in both regions' },
      text: 'Written to both, read from the nearer one.',
      proposedBy: ['Engineer'],
      challengedBy: [
        { by: 'Pragmatist', why: 'A third database for two people.' },
        { by: 'Economist', why: 'Three times the price of the first idea.' },
      ],
    }),
  ],
  ballots: [
    { by: 'Pragmatist', ranking: ['i4', 'i1', 'i2'] },
    { by: 'Visionary', ranking: ['i1', 'i4'] },
    { by: 'Skeptic', ranking: ['i4', 'i2', 'i1'] },
    { by: "User's Advocate", ranking: ['i4', 'i1'] },
  ],
  dissent: [
    { by: 'Skeptic', about: 'i4', why: 'It meets the wish for no new database, not that for 5 s.' },
    { by: 'The Oracle', about: null, why: 'Nobody has measured how long a promotion takes.' },
  ],
  nextSteps: ['Measure a promotion of the replica.', 'Decide what may be lost: 5 s or a minute.'],
  ...more,
});

export const richBrainstorm = (more: Partial<CouncilReport> = {}): CouncilReport => ({
  ...richReview(),
  run: 'r20261127-090000-c3d4',
  ...{ activity: 'code_brainstorm', process: 'STANDARD' },
  input: { problem: 'Where do we keep carts?\nA region was down last week.', repo: '/srv/storefront-api' },
  headline: 'Keep carts in Postgres with a replica, and measure how long a promotion takes.',
  brainstorm: richIdeas(),
  ...{ findings: [], unproved: [], praise: { findings: [], words: [] } },
  synthesis: { by: 'Pragmatist', text: 'Three ideas, one of them for today.' },
  heard: [
    member('The Oracle', null, ['claude', 'anthropic/claude-opus-4-1', 0, 0]),
    member('Pragmatist', 'What works on Monday', ['gpt', 'openai/gpt-5', 0, 0]),
    member('Visionary', 'What it could become', ['gemini', 'google/gemini-3-pro', 0, 0]),
    member('Skeptic', 'What goes wrong', ['claude', 'anthropic/claude-opus-4-1', 0, 0]),
    member("User's Advocate", 'Who has to live with it', ['gpt', 'openai/gpt-5', 0, 0]),
    member('Economist', 'What it costs', ['gemini', 'google/gemini-3-pro', 0, 0]),
    member('Engineer', 'How it is built', ['claude', 'anthropic/claude-opus-4-1', 0, 0]),
  ],
  ...{ notHeard: [{ who: 'Historian', kind: 'hero', why: 'It gave no usable output.', isPartly: false }] },
  ...{ fallbacks: [], retries: 0 },
  cost: { spent: 0.41, cap: null, unpricedTurns: 0, tokens: { input: 88_210, output: 14_020 } },
  ...more,
});

export const largeReview = (count: number): CouncilReport =>
  richReview({
    findings: Array.from({ length: count }, (_, at) =>
      finding(`f${at + 1}`, {
        severity: (['critical', 'major', 'minor'] as const)[at % 3] ?? 'minor',
        title: `Finding ${at + 1} of many, with a title of an ordinary length`,
        ...{ file: `src/part-${at % 40}/file-${at}.ts`, line: at + 1, endLine: at + 3 },
        quote: `const value${at} = compute(input, { limit: ${at} });\nif (value${at} === undefined) return null;\nreturn value${at};`,
        evidence: 'What is computed here is thrown away where the limit is reached. '.repeat(3).trim(),
        suggestion: 'Return what there is, and say that it is cut off.',
        ...{ foundBy: ['Architect', 'Sage'], support: 2 },
        confirmedBy: [{ by: 'Healer', why: 'It happened twice in the log of the tests.' }],
        challengedBy: [{ by: 'Alchemist', why: 'The limit is never reached with the default settings.' }],
      }),
    ),
  });

const HOSTILE =
  '<script>alert(1)</script></style><img src=x onerror=alert(1)> [a](javascript:alert(1)) https://evil.example/ "\' {0} \u202egnissim';
/** Longer than any line, in characters. */
const LONG_WORD = 'x'.repeat(5_000);

/** Makes every text hostile. Ids and times come from the run, so they stay unchanged. */
export function hostileReport(of: CouncilReport): CouncilReport {
  const kept = new Set(['version', 'run', 'begunAt', 'endedAt', 'id', 'severity', 'check', 'kind', 'outcome']);
  const isKept = (key: string): boolean => kept.has(key) || key === 'activity' || key === 'process';
  const bent = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') return isKept(key) ? value : `${HOSTILE} ${LONG_WORD} ${value}`;
    if (Array.isArray(value)) return value.map((each) => bent(each, key));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, bent(each, name)]));
  };
  return bent(of, '') as CouncilReport;
}
