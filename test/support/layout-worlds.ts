import type { Handlers, QueryOutput } from '../../src/contract/contract';
import type { LimitCourse } from '../../src/contract/limit-course';
import type { Snapshot } from '../../src/contract/snapshot';
import type { CouncilView } from '../../src/features/council/contract/council';
import { dayOf, eightAgents } from './eight-agents';
import { agentRow, modelRow, snapshotOf, understudyRow } from './rows';
import { councilAnswers, longView, sampleQuestion, sampleRuns, sampleView, withCouncils } from './sample-council';
import { AWAY, machineOf, sampleFleet } from './sample-fleet';
import { sampleCourse, sampleHeadroom, windowRow } from './sample-headroom';
import { oneOfEach } from './sample-notices';
import { sampleRanking } from './sample-ranking';
import { sampleSessions, sampleTimeline } from './sample-sessions';
import { emptySnapshot, sampleSnapshot } from './sample-snapshot';
import { sampleUsage } from './sample-usage';

const HOUR_MS = 3_600_000;
const SIX = [
  'openrouter/anthropic/claude-sonnet-4.5:free',
  'anthropic/claude-opus-4-1-20250805',
  'openai/gpt-5',
  'google/gemini-3-pro-preview',
  'deepseek/deepseek-chat-v3.1',
  'lmstudio-local/qwen3-coder-30b-a3b-instruct-mlx',
];

/** Panel states with different layouts: a snapshot, and responses that are not small. */
export type World = Readonly<{ snapshot: Snapshot; handlers: Partial<Handlers> }>;
export const WORLDS = ['empty', 'one', 'many', 'trouble', 'long', 'closed'] as const;

export function worldOf(name: (typeof WORLDS)[number], at: number): World {
  const handlers: Partial<Handlers> = { 'models.states': ({ models }) => dayOf(models, at) };
  const ranked = sampleRanking({ isBegun: name !== 'many' }).handlers;
  const fleet = { 'fleet.get': () => (name === 'trouble' ? sampleFleet(AWAY) : longFleet()) };
  const full = { ...handlers, ...setUp(at), ...happened(at), ...ranked, ...fleet };
  switch (name) {
    case 'empty':
      return { snapshot: emptySnapshot(at), handlers: {} };
    case 'one':
      return {
        snapshot: named(snapshotOf([agentRow()], { at, models: [modelRow()] })),
        handlers: { ...handlers, ...longPaths },
      };
    case 'many':
      return counselled(opened(eightAgents(at, 'calm'), at), full, sampleView({ at, heroes: 10, findings: 50 }));
    case 'trouble':
      return counselled(opened(eightAgents(at, 'trouble'), at), full, sampleView({ at, row: asking(at) }));
    case 'long':
      return counselled(opened(longChains(at), at), full, longView(at));
    case 'closed':
      return { snapshot: { ...eightAgents(at, 'trouble'), connection: { status: 'lost', since: at } }, handlers };
  }
}

function counselled(snapshot: Snapshot, handlers: Partial<Handlers>, view: CouncilView): World {
  const runs = [view.row, ...sampleRuns(snapshot.at)];
  return {
    snapshot: withCouncils(snapshot, [view.row]),
    handlers: { ...handlers, ...councilAnswers(snapshot.at, view, runs) },
  };
}

const asking = (at: number) => ({ state: 'awaiting_fallback_decision' as const, question: sampleQuestion(at) });

function opened(snapshot: Snapshot, at: number): Snapshot {
  const { instances, events } = sampleSnapshot(at);
  const moved = events.slice(0, 2).map((event) => ({ ...event, id: event.id + 1_000, ...BEFORE_A_LIMIT }));
  const headroom = [...sampleHeadroom(at), longAccount(at)];
  const shown = { instances, headroom, budgets: longBudgets(at), events: [...moved, ...events] };
  return { ...snapshot, ...shown, unreadNotices: oneOfEach(at).length };
}

const longBudgets = (at: number): Snapshot['budgets'] =>
  [
    null,
    'a-gateway-of-everything-that-can-be-asked',
    `/home/ada/${'a-folder-with-a-name-that-nobody-remembers'.repeat(2)}`,
  ].map((whose, index) => ({
    ...{ id: `b${index}`, period: 'week', action: 'degrade', agent: null, session: null, pricedShare: 1 - index / 4 },
    ...{ provider: index === 1 ? whose : null, directory: index === 2 ? whose : null, limit: 1_250 },
    ...{ spent: 700 * index, endsAt: at + 60 * HOUR_MS, isAllowed: false },
  }));

const BEFORE_A_LIMIT: Partial<Snapshot['events'][number]> = {
  code: 'headroom.tokens',
  near: {
    ...{ code: 'headroom.tokens', window: 'tokens', unit: 'input_tokens', lengthMs: 60_000 },
    ...{ used: 0.98, limit: 2_000_000, remaining: 40_000, needs: 48_500 },
  },
};

const longAccount = (at: number): Snapshot['headroom'][number] => ({
  ...{ account: 'x', provider: 'a-gateway-of-everything-that-can-be-asked', label: 'work and home', isApart: true },
  windows: [
    windowRow(at, { id: 'a', used: 1.2, isRefusing: true, family: 'a-family-with-a-name-that-nobody-remembers' }),
    windowRow(at, { id: 'b', used: 0.98, source: 'entered', lengthMs: 30 * 24 * HOUR_MS, forecast: null }),
    windowRow(at, { id: 'c', used: 0.51, isOverdrawable: true, lengthMs: null, seenAt: at - HOUR_MS, forecast: null }),
    windowRow(at, {
      ...{ id: 'd', unit: 'output_tokens', lengthMs: 60_000, model: SIX[1] ?? null, used: 0.6, limit: 2_000_000_000 },
      ...{ remaining: 800_000_000, isPlan: false, forecast: null },
    }),
  ],
});

function longFleet(): QueryOutput<'fleet.get'> {
  const { accounts, machines } = sampleFleet();
  const long = 'a-machine-with-a-name-that-nobody-remembers-and-everybody-has';
  const providers = SIX.map((model) => model.slice(0, model.indexOf('/'))).filter((each) => each !== 'anthropic');
  return sampleFleet({
    accounts: [...accounts, ...providers.map((account) => ({ account, apart: null, machines: ['b'.repeat(16)] }))],
    machines: [...machines, machineOf(long, 'b', { version: '0.10.0-next.20261127.1' })],
  });
}

function longCourse(at: number, back: number): LimitCourse {
  const course = sampleCourse(at, back);
  const agents = ['an-agent-with-a-name-that-nobody-remembers-and-everybody-has'].map((agent) => ({
    agent,
    part: 0.3,
  }));
  const [first] = course.shares?.sessions ?? [];
  const title = 'A title that goes on and on, as titles do which a model has made of a long message';
  return {
    ...course,
    shares: course.shares && { ...course.shares, agents, sessions: first ? [{ ...first, title }] : [] },
  };
}

function happened(at: number): Partial<Handlers> {
  const { events } = sampleSnapshot(at);
  const rows = [...oneOfEach(at)];
  const usage = sampleUsage();
  return {
    'events.page': () => ({
      ...{ events, total: events.length, newest: events[0]?.id ?? 0 },
      kept: { sinceMs: at - 24 * HOUR_MS, isDurable: true },
    }),
    'notices.list': () => ({ rows, total: rows.length, unread: rows.length }),
    'sessions.list': () => sampleSessions,
    'sessions.timeline': () => sampleTimeline,
    'usage.get': usage.get,
    'headroom.course': ({ back, ...limit }) => ({ ...limit, course: longCourse(at, back) }),
  };
}

const named = (snapshot: Snapshot): Snapshot => ({ ...snapshot, chains: [chainRow('build', SIX.slice(0, 2))] });
const link = (model: string) => ({ model, state: 'cooling' as const, code: null });
const chainRow = (agent: string, models: readonly string[]) => ({
  ...{ directory: '/home/ada/shop', agent },
  chain: models.map(link),
});

function longChains(at: number): Snapshot {
  const agents = ['build', 'a-reviewer-of-everything-that-was-written', 'plan', 'title'];
  const nine = [...SIX, 'xai/grok-code-fast-1', 'moonshot/kimi-k2-turbo', 'mistral/devstral-medium'];
  const why = { kind: 'rate_limit', status: 429, from: SIX[0] ?? '', until: at + HOUR_MS, source: 'provider' } as const;
  const rows = agents.map((agent, index) => {
    const chain = index % 2 === 0 ? SIX : nine;
    const position = chain.length - 1 - index;
    const about = { lead: chain[0] ?? '', active: chain[position] ?? '', position, chain: chain.map(link) };
    return understudyRow({ ...about, agent, key: `ses_1:${agent}`, why, since: at - HOUR_MS });
  });
  return snapshotOf(rows, {
    at,
    chains: rows.map((row) =>
      chainRow(
        row.agent,
        row.chain.map(({ model }) => model),
      ),
    ),
    models: nine.map((model) =>
      modelRow({ model, state: 'cooling', since: at - HOUR_MS, until: at + HOUR_MS, source: 'provider', calls: 12 }),
    ),
    config: [
      {
        ...{ path: '/home/ada/shop/.opencode/model-fallback.json', directory: '/home/ada/shop' },
        problems: [
          { severity: 'error', line: 12, column: 3, message: 'agents.build.fallbackModels[2] is no model: '.repeat(4) },
        ],
      },
    ] as Snapshot['config'],
  });
}

const LONG = '/home/ada/Library/Application Support/a-folder-with-a-name-that-nobody-can-remember-or-break-anywhere';

const longPaths: Partial<Handlers> = {
  'app.info': () => ({
    paths: {
      ...{ folder: LONG, preferences: `${LONG}/preferences.json`, config: `${LONG}/model-fallback.json` },
      ...{ log: `${LONG}/log.jsonl`, history: `${LONG}/history.db`, writes: `${LONG}/writes` },
      fallbackLog: `${LONG}/fallback.log`,
    },
    metricsToken: `${LONG}/metrics-token`,
    system: 'Linux 6.18.44-generic-with-a-long-name x64, node 20.19.43, glibc 2.41',
    neighbours: [`file://${LONG}/opencode-model-fallback-with-everything.js acts on the same failures.`],
  }),
  'setup.detect': () => ({
    ...{ line: `"file://${LONG}/opencode-understudy.js"`, opencodes: ['1.18.33'], companion: 'absent', installed: [] },
    files: [{ path: `${LONG}/opencode.jsonc`, scope: 'global', companions: [], rivals: [], problem: null }],
  }),
  'setup.diff': () => ({
    ok: true,
    files: [
      {
        path: `${LONG}/opencode.jsonc`,
        diff: `@@ -1,2 +1,2 @@\n {\n-  "plugin": []\n+  "plugin": ["file://${LONG}/opencode-understudy.js"]\n }\n`,
        seen: 'a'.repeat(64),
      },
    ],
  }),
};

const setUp = (at: number): Partial<Handlers> => ({
  'setup.propose': () => proposal(at),
  'setup.receipts': () =>
    ['panel', 'cli', 'app'].map((actor, index) => ({
      ...{ receipt: `r${index}`, at: at - index * HOUR_MS, actor, isLatest: index === 0 },
      path: '/home/ada/code/a-rather-long-name-of-a-folder/storefront-api/.opencode/model-fallback.json',
      deed: 'set the chain of a-reviewer-of-everything-that-was-written',
    })),
  'doctor.run': () => [
    { check: 'opencode.found', verdict: 'ok', says: '/usr/local/bin/opencode, 1.18.33', fix: null },
    {
      ...{ check: 'chains.set', verdict: 'fail' },
      says: '/home/ada/code/a-rather-long-name-of-a-folder/storefront-api/.opencode/model-fallback.json names nobody.',
      fix: 'Run: understudy chains set build anthropic/claude-sonnet-4-5 openai/gpt-5 --create',
    },
  ],
});

function proposal(at: number): QueryOutput<'setup.propose'> {
  const abilities = { context: 200_000, vision: true, tools: true, priceIn: 3, priceOut: 15 };
  const agents = ['build', 'a-reviewer-of-everything-that-was-written', 'plan', '*'];
  return {
    listed: { at, directory: '/home/ada/shop' },
    proposals: agents.map((agent, index) => ({
      ...{ agent, lead: SIX[0] ?? null, existing: index === 2 ? SIX.slice(0, 2) : null },
      models: SIX.map((model, place) => ({ model, code: place === 0 ? 'present' : 'other_vendor', abilities })),
    })),
    problems: [{ code: 'vendor.locked', agent: 'build', model: SIX[1] ?? null }],
  };
}
