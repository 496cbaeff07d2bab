import type { Handlers, QueryOutput } from '../../src/contract/contract';
import type { Snapshot } from '../../src/contract/snapshot';
import { CouncilPlan, CouncilTranscript, CouncilView } from '../../src/features/council/contract/council';
import { type CouncilRunRow, RunRef } from '../../src/features/council/contract/council-run';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
export const RUN = '20260115-140200-k3v9';

type Transcript = NonNullable<QueryOutput<'council.transcript'>>;
type Member = CouncilView['members'][number];
type Finding = CouncilView['report']['findings'][number];
type Option = NonNullable<CouncilView['report']['brainstorm']>['options'][number];

/** Published heroes; their models are dealt over vendors in turn. */
const HEROES = [
  ['Architect', 'Master Builder'],
  ['Sentinel', 'Shield Guardian'],
  ['Alchemist', 'Transmuter'],
  ['Healer', 'Restoration Sage'],
  ['Sage', 'Knowledge Weaver'],
  ['Warden', 'Gatekeeper'],
  ['Scout', 'Pathfinder'],
  ['Archaeologist', 'Lore Keeper'],
  ['Cartographer', 'Wayfinder'],
  ['Bard', 'Chronicle Keeper'],
] as const;
const PERSONAS = ['Pragmatist', 'Visionary', 'Skeptic', 'User’s Advocate', 'Economist', 'Engineer'] as const;
const SPEAKERS = [
  { name: 'gpt', model: 'openai/gpt-5', fallback: 'openai/gpt-5-mini', vendor: 'openai' },
  { name: 'gemini', model: 'google/gemini-3-pro', fallback: null, vendor: 'google' },
  {
    ...{ name: 'claude', model: 'anthropic/claude-sonnet-4-5' },
    ...{ fallback: 'anthropic/claude-haiku-4-5', vendor: 'anthropic' },
  },
  { name: 'opus', model: 'anthropic/claude-opus-4-1', fallback: null, vendor: 'anthropic' },
] as const;
const DEALT = [0, 1, 0, 2, 3, 1, 0, 2, 1, 0] as const;
const speakerOf = (index: number) => SPEAKERS[DEALT[index % DEALT.length] ?? 0] ?? SPEAKERS[0];

/** Every state of a hero in the third stage. */
const STATES = ['done', 'done', 'done', 'asks', 'works', 'waits', 'waits', 'out', 'deferred', 'done'] as const;
const REASONS: Readonly<Partial<Record<Member['state'], string>>> = {
  asks: 'overloaded (529), also in the retry after the round',
  out: 'Fallback timeout',
  deferred: 'network timeout',
};

const CLAIMS = [
  ['critical', 'Session token is compared with ==, so timing leaks it', 'src/auth/session.ts', 88, 1],
  ['critical', 'Refund endpoint trusts the amount from the client', 'src/api/refunds.ts', 41, 5],
  ['major', 'N+1 query while listing invoices: 1 + n per page', 'src/jobs/invoices.ts', 118, 2],
  ['major', 'Retry loop swallows the last error', 'src/jobs/queue.ts', 57, 3],
  ['major', 'Two modules import each other through index.ts', 'src/core/index.ts', 9, 0],
  ['minor', 'The fixture clock drifts in winter time', 'test/clock.ts', 14, 4],
  ['praise', 'Every write goes through one ledger function', 'src/ledger/post.ts', 20, 0],
] as const;
const MORE = [
  ['major', 'Errors of the payment gateway are logged with the card number', 'src/api/payments.ts'],
  ['minor', 'The name of this folder says nothing about what lies in it', 'src/misc/index.ts'],
  ['minor', 'A deprecated option of the HTTP client is still set', 'src/net/client.ts'],
  ['major', 'Nothing tests what happens when the queue is full', 'test/queue.test.ts'],
  ['minor', 'The public type allows a state that cannot occur', 'src/api/types.ts'],
  ['praise', 'Events have types, and every handler is checked against them', 'src/events/types.ts'],
] as const;

export type SampleView = Readonly<{
  at: number;
  heroes?: number;
  findings?: number;
  rev?: number;
  row?: Partial<CouncilRunRow>;
}>;

/** A review in its third stage, with every participant state; deterministic. */
export function sampleView({ at, heroes = 7, findings = 23, rev = 40, row = {} }: SampleView): CouncilView {
  const members = membersOf(HEROES.slice(0, heroes), at);
  const all = Array.from({ length: findings }, (_, index) => findingOf(index, heroes));
  const by = (severity: Finding['severity']) => all.filter((each) => each.severity === severity);
  const counts = { critical: by('critical').length, major: by('major').length, minor: by('minor').length };
  const whole = rowOf({ at, rev, findings: { ...counts, praise: by('praise').length, unproved: 1 } }, row);
  return CouncilView.parse({
    row: whole,
    report: {
      ...reportOf(whole, at),
      findings: all.filter(({ severity }) => severity !== 'praise'),
      unproved: [
        {
          ...findingOf(findings, heroes),
          id: 'f90',
          severity: 'minor',
          check: 'not_found',
          support: 0,
          confirmedBy: [],
        },
      ],
      praise: { findings: by('praise'), words: ['The README says what is not done yet.'] },
      synthesis: { by: 'Sage', text: 'Two holes let money out.\n\nEverything else can wait for the next sprint.' },
      heard: members.map(({ id, name, title, speaker, model, posted, remarks }) => ({
        ...{ id, name, title, speaker, model, findings: posted, words: remarks },
      })),
      notHeard: [{ who: 'Healer', kind: 'hero', why: 'Fallback timeout', isPartly: true }],
      stages: REVIEW.map(([id, name], index) => ({
        ...{ id, name, isCompleted: whole.endedAt !== null || index < 2, summedUpBy: [] },
      })),
    },
    stages: stagesOf(REVIEW, 2, at),
    members,
    speakers: SPEAKERS.map((speaker) => ({
      ...{ ...speaker, active: speaker.model, state: 'on', reason: null },
      ...(speaker.name === 'claude' ? { state: 'asking' } : {}),
    })),
    links: linksOf(heroes),
    knowledge: [{ key: 'queries', by: 'alchemist', text: 'The index on invoices.customer is there.' }],
    estimate: 1.6,
    generation: 1,
  });
}

const REVIEW = [
  ['reconnaissance', 'Reconnaissance', 'parallel', 'heroes'],
  ['deep_analysis', 'Deep Analysis', 'parallel', 'heroes'],
  ['cross_reference', 'Cross-Reference', 'sequential', 'heroes'],
  ['oracle_review', 'Oracle Review', 'single', 'oracle'],
  ['synthesis', 'Synthesis', 'single', 'synthesizer'],
  ['presentation', 'Presentation', 'single', 'oracle'],
] as const;
const DEEP = [
  ['framing', 'Framing', 'single', 'oracle'],
  ['divergence', 'Divergence', 'parallel', 'heroes'],
  ['second_divergence', 'Second Divergence', 'parallel', 'heroes'],
  ['exchange', 'Exchange', 'sequential', 'heroes'],
  ['red_team', 'Red Team', 'parallel', 'heroes'],
  ['convergence', 'Convergence', 'parallel', 'heroes'],
  ['synthesis', 'Synthesis', 'single', 'synthesizer'],
  ['presentation', 'Presentation', 'single', 'oracle'],
] as const;

type Stages = typeof REVIEW | typeof DEEP;

function stagesOf(stages: Stages, now: number, at: number): readonly unknown[] {
  return stages.map(([id, name, turns, who], index) => {
    const state = index < now ? 'done' : index === now ? 'now' : 'ahead';
    const isBegun = state !== 'ahead';
    return {
      ...{ id, name, turns, who, state },
      done: state === 'done' ? 7 : state === 'now' ? 3 : 0,
      of: isBegun ? (state === 'now' ? 6 : 7) : 0,
      heard: state === 'done' ? 7 - index : null,
      beganAt: isBegun ? at - (16 - 3 * index) * MINUTE_MS : null,
      endedAt: state === 'done' ? at - (13 - 8 * index) * MINUTE_MS : null,
    };
  });
}

function membersOf(heroes: readonly (readonly [string, string])[], at: number): readonly Member[] {
  const oracle: Member = {
    ...{ id: 'oracle', name: 'The Oracle', title: null, speaker: 'opus', model: 'anthropic/claude-opus-4-1' },
    ...{ vendor: 'anthropic', brief: null, state: 'waits', reason: null, posted: 0, remarks: 0 },
    ...{ session: 'ses_oracle', retrying: null },
  };
  return [
    oracle,
    ...heroes.map(([name, title], index): Member => {
      const { name: speaker, model, vendor } = speakerOf(index);
      const state = STATES[index] ?? 'waits';
      return {
        ...{ id: idOf(name), name, title, speaker, model, vendor, state },
        brief: index === 4 ? 'Look at what no test would notice.' : null,
        reason: REASONS[state] ?? null,
        posted: 2 + (index % 4),
        remarks: index % 3,
        session: `ses_${idOf(name)}`,
        retrying: index === 8 ? { attempt: 3, of: 3, at: at + 2_000 } : null,
      };
    }),
  ];
}

const idOf = (name: string): string => name.toLowerCase().replace(/\W+/g, '-');

function findingOf(index: number, heroes: number): Finding {
  const claim = CLAIMS[index];
  const more = MORE[index % MORE.length] ?? MORE[0];
  const [severity, title, file] = claim ?? [more[0], `${more[1]}, case ${index}`, more[2]];
  const line = claim?.[3] ?? 10 + 7 * index;
  const by = (claim?.[4] ?? index) % heroes;
  const other = (by + 1 + (index % 2)) % heroes;
  const isMoved = index % 5 === 2;
  const named = (at: number): string => HEROES[at]?.[0] ?? 'Architect';
  return {
    ...{ id: `f${index + 1}`, severity, title, file, line },
    movedFrom: isMoved ? Math.max(1, line - 6) : null,
    endLine: index % 4 === 0 ? line + 2 : null,
    quote:
      index % 4 === 0 ? 'const given = hash(token);\nif (given == stored) return user;\nreturn null;' : 'return rows;',
    evidence:
      'The comparison stops at the first character that differs, so that who measures answers learns the value.',
    suggestion: index % 3 === 0 ? 'Compare with timingSafeEqual.' : null,
    check: isMoved ? 'moved' : 'verified',
    foundBy: index % 6 === 0 ? [named(by), named((by + 2) % heroes)] : [named(by)],
    support: (index % 6 === 0 ? 1 : 0) + (index % 3 === 0 ? 0 : 1),
    confirmedBy: index % 3 === 0 ? [] : [{ by: named(other), why: 'The fixture of 50 invoices makes 51 queries.' }],
    challengedBy: index % 7 === 3 ? [{ by: 'Sage', why: 'A test covers this path.' }] : [],
    builtOn: index % 9 === 1 ? [{ by: named(other), why: 'The same holds for the next endpoint.' }] : [],
  };
}

const KINDS = ['confirms', 'challenges', 'buildsOn'] as const;

function linksOf(heroes: number): CouncilView['links'] {
  return Array.from({ length: 3 * heroes }, (_, index) => ({
    from: idOf(HEROES[index % heroes]?.[0] ?? ''),
    to: idOf(HEROES[(index + 2 + (index % 3)) % heroes]?.[0] ?? ''),
    kind: KINDS[index % 4 === 3 ? 1 : index % 5 === 4 ? 2 : 0] ?? 'confirms',
    about: `f${index + 1}`,
  })).filter(({ from, to }) => from !== to);
}

type RowFacts = Readonly<{ at: number; rev: number; findings: CouncilRunRow['findings'] }>;

function rowOf({ at, rev, findings }: RowFacts, change: Partial<CouncilRunRow>): CouncilRunRow {
  return RunRef.parse({
    ...{ run: RUN, rev, state: 'ai_generating', isPlayed: true, isInSession: false },
    ...{ activity: 'code_review', process: 'CODE_REVIEW', problem: null, repo: 'storefront-api' },
    ...{ begunAt: at - 16 * MINUTE_MS, endedAt: null, stage: { id: 'cross_reference', at: 3, of: 6 }, findings },
    ...{ ideas: 0, party: { live: 6, out: 1 }, spent: 0.84, unpricedTurns: 0, cap: 2 },
    ...{ retries: { used: 3, of: 30 }, question: null, headline: null, ...change },
  });
}

function reportOf(row: CouncilRunRow, at: number): Omit<CouncilView['report'], 'findings' | 'unproved' | 'praise'> {
  const { activity, process, problem, repo, endedAt, spent, cap, unpricedTurns, retries, headline } = row;
  return {
    ...{ version: 1, run: row.run, activity, process, input: { problem, repo } },
    begunAt: new Date(row.begunAt ?? at).toISOString(),
    endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
    outcome: row.state === 'finished' || row.state === 'stopped' ? row.state : 'unfinished',
    headline: headline ?? 'What has been found so far.',
    isHeadlineByRule: row.state !== 'finished',
    ...{ brainstorm: null, synthesis: null, heard: [], notHeard: [], stages: [] },
    fallbacks: [
      {
        ...{ speaker: 'claude', from: 'anthropic/claude-sonnet-4-5', to: 'anthropic/claude-haiku-4-5' },
        hasAnswered: true,
      },
    ],
    retries: retries.used,
    cost: { spent, cap, unpricedTurns, tokens: { input: 412_000, output: 38_400 } },
    isDefaultParty: false,
    isLessGrounded: false,
  };
}

/** @param at Unix ms. */
export const sampleQuestion = (at: number): NonNullable<CouncilRunRow['question']> => ({
  ...{ id: 'q1', speaker: 'claude', model: 'anthropic/claude-sonnet-4-5', fallback: 'anthropic/claude-haiku-4-5' },
  ...{ failure: 'overloaded', skipAt: at + 41_000 },
});

export const finishedRow = (at: number): Partial<CouncilRunRow> => ({
  ...{ state: 'finished', isPlayed: false, stage: null, endedAt: at, begunAt: at - 26 * MINUTE_MS, spent: 1.52 },
  headline: 'Fix two things before the release: token comparison and refund amounts.',
});

const NOTHING = { critical: 0, major: 0, minor: 0, praise: 0, unproved: 0 };

const DEEP_PATH =
  'packages/a-folder-with-a-name-that-nobody-can-remember/src/somewhere/else/AVeryLongClassNameFactoryProvider.generated.ts';

export function longView(at: number): CouncilView {
  const view = sampleView({
    at,
    heroes: 6,
    findings: 12,
    row: { repo: 'a-repository-with-a-name-that-never-ends-anywhere' },
  });
  const model = 'openrouter/anthropic/claude-sonnet-4.5-with-a-very-long-date-20250805:free';
  const claim = 'AVeryLongIdentifierWithoutAnyPlaceToBreakItAtAllBecauseNobodyThoughtOfThat is called twice';
  return CouncilView.parse({
    ...view,
    members: view.members.map((member, index) => ({
      ...{ ...member, model, speaker: 'a-speaker-with-a-long-name' },
      name: index === 2 ? 'Guardian of everything that was ever written' : member.name,
      brief: `${claim}. `.repeat(4),
    })),
    speakers: view.speakers.map((speaker) => ({
      ...speaker,
      active: model,
      state: 'off',
      reason: `${claim}. `.repeat(2),
    })),
    report: {
      ...view.report,
      findings: view.report.findings.map((finding) => ({
        ...{ ...finding, title: `${claim}, and ${finding.title}`, file: DEEP_PATH },
        quote: `${claim.repeat(2)}\n${claim}`,
      })),
    },
  });
}

const IDEAS = [
  ['Write orders to an outbox and let one worker send them', 22.5, 3],
  ['Buy the connector, and spend the month on its edges', 18, 1],
  ['Ask customers first: three of five never use the export', 15, 1],
  ['Keep the nightly file, and say on the page when it ran', 11.5, 0],
  ['Stream every change as an event', 8, 0],
] as const;
const PROBLEM = 'How do we get orders into the warehouse system without losing any when it is down?';

export function sampleStorm({ at, rev = 40, row = {} }: SampleView): CouncilView {
  const isOver = row.state === 'finished';
  const whole = rowOf(
    { at, rev, findings: NOTHING },
    {
      ...{ activity: 'brainstorm', process: 'DEEP', problem: PROBLEM, repo: null, ideas: IDEAS.length },
      ...{ stage: isOver ? null : { id: 'exchange', at: 4, of: 8 }, party: { live: 6, out: 0 }, ...row },
    },
  );
  const members = membersOf(
    PERSONAS.map((name) => [name, 'Persona'] as const),
    at,
  ).map((member) => (member.state === 'asks' ? { ...member, state: 'done' as const, reason: null } : member));
  return CouncilView.parse({
    row: whole,
    report: {
      ...reportOf(whole, at),
      ...{ findings: [], unproved: [], praise: { findings: [], words: [] } },
      heard: members.map(({ id, name, title, speaker, model, posted, remarks }) => ({
        ...{ id, name, title, speaker, model, findings: posted, words: remarks },
      })),
      stages: DEEP.map(([id, name], index) => ({ id, name, isCompleted: isOver || index < 3, summedUpBy: [] })),
      brainstorm: stormOf(isOver),
    },
    stages: stagesOf(DEEP, isOver ? DEEP.length : 3, at),
    members,
    speakers: SPEAKERS.map((speaker) => ({ ...speaker, active: speaker.model, state: 'on', reason: null })),
    links: [
      { from: 'skeptic', to: 'visionary', kind: 'challenges', about: 'i5' },
      { from: 'engineer', to: 'pragmatist', kind: 'buildsOn', about: 'i1' },
      { from: 'economist', to: 'user-s-advocate', kind: 'confirms', about: 'i3' },
    ],
    ...{ knowledge: [], estimate: null, generation: 2 },
  });
}

function stormOf(isRanked: boolean): NonNullable<CouncilView['report']['brainstorm']> {
  const ids = IDEAS.map((_, index) => `i${index + 1}`);
  return {
    question: 'Which way of handing over orders loses none and is finished this quarter?',
    criteria: ['No order is lost', 'One person can run it'],
    constraints: ['The warehouse system cannot be changed'],
    gaps: isRanked ? ['Nobody had asked who looks at what failed'] : [],
    options: IDEAS.map(([title, points, firstPlaces], index): Option => {
      const proposer = PERSONAS[index % PERSONAS.length] ?? 'Pragmatist';
      return {
        ...{ id: `i${index + 1}`, rank: isRanked ? index + 1 : null, points: isRanked ? points : 0 },
        ...{ firstPlaces: isRanked ? firstPlaces : 0, title },
        text: 'Each order is written to a table in the same transaction as the sale. A worker sends what is there, and marks what was taken.\n\nWhat cannot be sent stays, and is seen.',
        proposedBy: index === 0 ? [proposer, 'Engineer'] : [proposer],
        supportedBy: index < 3 ? [{ by: 'Engineer', why: 'We have the table already.' }] : [],
        challengedBy: index % 2 === 0 ? [{ by: 'Skeptic', why: 'Who looks at the table when it fills up?' }] : [],
        builtOn: index === 1 ? [{ by: 'Economist', why: 'The licence ends in June.' }] : [],
        evidence:
          index === 0
            ? [{ file: 'src/orders/save.ts', line: 31, quote: 'await db.insert(order);', check: 'verified' }]
            : [],
      };
    }),
    ballots: isRanked
      ? PERSONAS.slice(0, 5).map((by, index) => ({
          by,
          ranking: [...ids.slice(index % 2), ...ids.slice(0, index % 2)],
        }))
      : [],
    dissent: isRanked
      ? [{ by: 'Skeptic', about: 'i1', why: 'A table that nobody watches loses orders more slowly, not less.' }]
      : [],
    nextSteps: isRanked ? ['Write the outbox table', 'Agree who is woken when it grows'] : [],
  };
}

/** A transcript with one entry of each kind. @param at Unix ms. */
export function sampleTranscript(at: number, live: Transcript['live'] = 'live'): Transcript {
  const about = { file: 'src/jobs/queue.ts', line: 57 };
  const entries: readonly Readonly<Record<string, unknown>>[] = [
    { kind: 'turn', stage: 'deep_analysis' },
    { kind: 'tool', tool: 'read', about: 'src/jobs/queue.ts', isRefused: false },
    { kind: 'tool', tool: 'edit', about: 'src/jobs/queue.ts', isRefused: true },
    {
      kind: 'finding',
      id: 'f4',
      severity: 'major',
      title: 'Retry loop swallows the last error',
      ...about,
      check: 'moved',
    },
    { kind: 'knowledge', key: 'tests', text: 'The queue has a test for its dead letters.' },
    { kind: 'retry', attempt: 2, of: 3, waitMs: 1_000, failure: 'overloaded' },
    { kind: 'failed', failure: 'overloaded', message: 'The model is overloaded.' },
    { kind: 'problem', text: 'A call of PostFindings named no file.' },
    { kind: 'summary', text: 'Tests are fast; the queue is not covered.' },
    { kind: 'turn', stage: 'cross_reference' },
    { kind: 'tool', tool: 'read', about: 'test/queue.test.ts', isRefused: false },
    {
      kind: 'text',
      text: 'A test covers the dead-letter path after the fifth attempt, so the error is not lost there. The second attempt has no test.',
    },
    { kind: 'remark', remark: 'challenges', about: 'f4', why: 'the last error is kept after the fifth attempt.' },
    { kind: 'remark', remark: 'confirms', about: 'f3', why: 'the fixture of 50 invoices makes 51 queries.' },
    { kind: 'tool', tool: 'grep', about: '"findMany" src/jobs', isRefused: false },
  ];
  return CouncilTranscript.parse({
    entries: entries.map((entry, index) => ({ at: at - (entries.length - index) * 20_000, ...entry })),
    live,
  });
}

export function samplePlan(change: Partial<CouncilPlan> = {}): CouncilPlan {
  return CouncilPlan.parse({
    ...{ id: 'p1', activity: 'code_review', process: 'CODE_REVIEW', problem: null, repo: 'storefront-api' },
    ...{ isFetched: false, stages: REVIEW.map(([id, name]) => ({ id, name })) },
    speakers: SPEAKERS.map(({ name, model, fallback, vendor }) => ({ name, model, fallback, vendor })),
    ...{ oracle: 'opus', heroes: ['gpt', 'gemini', 'claude'] },
    defaultParty: ['Architect', 'Sentinel', 'Healer', 'Sage', 'Warden'],
    ...{ party: { least: 4, most: 6 }, parallel: 3, estimate: { cost: 1.6, turns: 41, unpriced: [] }, cap: 2 },
    ...{ resets: [], leftOut: [], player: 'OpenCode 1.18.34, started for it', whyNoPlayer: null, ...change },
  });
}

const UNBEGUN = { begunAt: null, spent: 0, activity: null, process: null, repo: null, stage: null } as const;

/** One run in each state, the newest first. @param at Unix ms. */
export function sampleRuns(at: number): readonly CouncilRunRow[] {
  const states: readonly Partial<CouncilRunRow>[] = [
    {},
    { state: 'awaiting_fallback_decision', question: sampleQuestion(at) },
    { state: 'paused_for_user', spent: 2 },
    { state: 'paused', party: { live: 0, out: 6 } },
    { ...finishedRow(at - HOUR_MS) },
    { ...finishedRow(at - DAY_MS), state: 'stopped', headline: null },
    { state: 'left', isPlayed: false, isInSession: true, begunAt: at - 2 * DAY_MS },
    { ...UNBEGUN, state: 'fetching', repo: 'shop' },
    { ...UNBEGUN, state: 'not_begun', isPlayed: false },
  ];
  const findings = { critical: 2, major: 8, minor: 9, praise: 4, unproved: 1 };
  const reviews = states.map((change, index) =>
    rowOf(
      { at, rev: 40 + index, findings: change.begunAt === null ? NOTHING : findings },
      { ...change, run: `${RUN.slice(0, -1)}${index}` },
    ),
  );
  return [...reviews, { ...sampleStorm({ at, row: finishedRow(at - 3 * DAY_MS) }).row, run: `${RUN}-storm` }];
}

type Councils = Pick<
  Handlers,
  | 'council.runs'
  | 'council.run'
  | 'council.transcript'
  | 'council.plan'
  | 'council.begin'
  | 'council.resume'
  | 'council.say'
  | 'council.remove'
  | 'council.export'
>;

export function councilAnswers(at: number, view: CouncilView, runs: readonly CouncilRunRow[] = [view.row]): Councils {
  return {
    'council.runs': () => ({ runs: [...runs], whyNot: null }),
    'council.run': ({ run }) => (runs.some((row) => row.run === run) || run === view.row.run ? view : null),
    'council.transcript': () => sampleTranscript(at),
    'council.plan': ({ problem, repo, isDeep, maxCost }) => ({
      ok: true,
      plan: planFor({ problem, repo, isDeep, maxCost }),
    }),
    'council.begin': () => ({ ok: true, run: view.row.run }),
    'council.resume': () => ({ ok: true }),
    'council.say': () => ({ ok: true }),
    'council.remove': () => ({ ok: true }),
    'council.export': ({ run, format }) => ({
      ok: true,
      name: `council-${run}.${format}`,
      text: `# ${view.report.headline}\n`,
    }),
  };
}

type Asked = Readonly<{ problem: string | null; repo: string | null; isDeep: boolean; maxCost: number | null }>;

function planFor({ problem, repo, isDeep, maxCost }: Asked): CouncilPlan {
  const cap = maxCost ?? 2;
  if (problem === null) return samplePlan({ repo: nameOf(repo), isFetched: isAddress(repo), cap });
  const stages = DEEP.filter(([id]) => isDeep || (id !== 'second_divergence' && id !== 'red_team'));
  return samplePlan({
    ...{ activity: repo === null ? 'brainstorm' : 'code_brainstorm', process: isDeep ? 'DEEP' : 'STANDARD', problem },
    ...{ repo: nameOf(repo), isFetched: isAddress(repo), stages: stages.map(([id, name]) => ({ id, name })), cap },
    defaultParty: PERSONAS.slice(0, 5),
  });
}

const nameOf = (repo: string | null): string | null => repo && (repo.split('/').filter(Boolean).at(-1) ?? null);
const isAddress = (repo: string | null): boolean => repo?.startsWith('https://') ?? false;

export const withCouncils = (snapshot: Snapshot, councils: readonly CouncilRunRow[]): Snapshot => ({
  ...snapshot,
  rev: snapshot.rev + 1,
  councils: [...councils],
});
