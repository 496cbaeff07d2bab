import type { AgentRow, ModelRow, Snapshot } from '../../src/contract/snapshot';
import type { CouncilRunRow } from '../../src/features/council/contract/council-run';

/** 14:32 in the test's zone, so that clock times in texts do not depend on it. */
export const BACK_AT = new Date(2026, 0, 5, 14, 32, 10).getTime();

const sonnet = 'anthropic/claude-sonnet-4-5';
const gpt = 'openai/gpt-5';

export function agentRow(change: Partial<AgentRow> = {}): AgentRow {
  return {
    key: `ses_1:${change.agent ?? 'build'}`,
    agent: 'build',
    session: 'ses_1',
    parentSession: null,
    lead: sonnet,
    active: sonnet,
    position: 0,
    chain: [
      { model: sonnet, state: 'ready', code: null },
      { model: gpt, state: 'ready', code: null },
    ],
    status: 'idle',
    why: null,
    since: 0,
    turns: 1,
    switches: 0,
    isLeftOut: false,
    ...change,
  };
}

export function understudyRow(change: Partial<AgentRow> = {}): AgentRow {
  return agentRow({
    active: gpt,
    position: 1,
    status: 'working',
    why: { kind: 'rate_limit', status: 429, from: sonnet, until: BACK_AT, source: 'provider' },
    ...change,
  });
}

export function modelRow(change: Partial<ModelRow> = {}): ModelRow {
  const model = change.model ?? sonnet;
  return {
    model,
    provider: model.slice(0, model.indexOf('/')),
    name: model.slice(model.indexOf('/') + 1),
    state: 'ready',
    code: null,
    until: null,
    source: null,
    since: null,
    failures: 0,
    failureThreshold: 3,
    calls: 1,
    failed: 0,
    lastFailure: null,
    agents: ['build'],
    isolatedBy: [],
    hold: null,
    recent: [],
    abilities: { context: null, vision: null, tools: null, priceIn: null, priceOut: null },
    usage: null,
    ...change,
  };
}

export function councilRow(change: Partial<CouncilRunRow> = {}): CouncilRunRow {
  return {
    ...{ run: 'r20260105-141000-a1b2', rev: 12, state: 'ai_generating', isPlayed: true, isInSession: false },
    ...{ activity: 'code_review', process: 'CODE_REVIEW', problem: null, repo: 'storefront-api' },
    ...{ begunAt: BACK_AT - 1_200_000, endedAt: null, stage: { id: 'deep_analysis', at: 2, of: 6 } },
    findings: { critical: 1, major: 2, minor: 0, praise: 1, unproved: 1 },
    ...{ ideas: 0, party: { live: 5, out: 0 }, spent: 0.42, unpricedTurns: 0, cap: 2 },
    ...{ retries: { used: 1, of: 30 }, question: null, headline: null },
    ...change,
  };
}

export const askingCouncil = (change: Partial<CouncilRunRow> = {}): CouncilRunRow =>
  councilRow({
    state: 'awaiting_fallback_decision',
    question: {
      ...{ id: 'q1', speaker: 'claude', model: sonnet, fallback: 'anthropic/claude-haiku-4-5' },
      ...{ failure: 'rate_limit', skipAt: BACK_AT },
    },
    ...change,
  });

export function snapshotOf(agents: readonly AgentRow[], change: Partial<Snapshot> = {}): Snapshot {
  const session = { session: 'ses_1', directory: '/home/ada/shop', project: 'shop', instance: 'one' };
  return {
    v: 1,
    rev: 1,
    at: BACK_AT - 600_000,
    app: { version: '0.1.0', runtime: 'test' },
    connection: { status: 'connected', since: 0 },
    instances: [],
    sessions:
      agents.length === 0
        ? []
        : [{ ...session, isLive: true, isIdle: false, at: 0, turns: 1, agents: [...agents], usage: null }],
    chains: [],
    others: [],
    headroom: [],
    unknownHeaders: [],
    budgets: [],
    models: [],
    events: [],
    lastDrill: null,
    config: [],
    pins: [],
    pause: null,
    questions: [],
    unknownPhrases: 0,
    settings: 0,
    unreadNotices: 0,
    councils: [],
    ...change,
  };
}
