import { type AgentRow, type EventRow, type ModelRow, Snapshot } from '../../src/contract/snapshot';

const MINUTE_MS = 60_000;
const OPUS = 'anthropic/claude-opus-4-1';
const SONNET = 'anthropic/claude-sonnet-4-5';
const GPT = 'openai/gpt-5';
const PRO = 'google/gemini-3-pro';
const FLASH = 'google/gemini-3-flash';
const FREE = 'openrouter/anthropic/claude-sonnet-4.5:free';
const DEVSTRAL = 'mistral/devstral-medium';
const DEEPSEEK = 'deepseek/deepseek-chat-v3.1';
const KIMI = 'moonshot/kimi-k2-turbo';
const GROK = 'xai/grok-code-fast-1';
const PROJECT = '/home/ada/code/storefront-api';
const OTHER_PROJECT = '/home/ada/code/checkout';

/** 14:18:00 UTC. */
export const SAMPLE_AT = Date.UTC(2026, 0, 15, 14, 18, 0);

/** Two live fallbacks, every model state and an explained switch; times are relative to `at`. */
export function sampleSnapshot(at: number = SAMPLE_AT): Snapshot {
  return Snapshot.parse({
    v: 1,
    rev: 41,
    at,
    app: { version: '0.1.0', runtime: 'panel' },
    connection: { status: 'connected', since: at - 30 * MINUTE_MS },
    instances: [
      {
        instance: 'i1',
        pid: 4711,
        opencode: '1.18.33',
        plugin: '0.1.0',
        directories: [PROJECT, OTHER_PROJECT],
        status: 'connected',
        since: at - 30 * MINUTE_MS,
      },
    ],
    sessions: sessions(at),
    chains: [
      { directory: PROJECT, agent: 'plan', chain: chainOf(OPUS, GPT, PRO, SONNET) },
      { directory: PROJECT, agent: 'review', chain: chainOf(DEVSTRAL, DEEPSEEK, FREE) },
      { directory: PROJECT, agent: 'build', chain: chainOf(SONNET, OPUS) },
      { directory: PROJECT, agent: 'title', chain: chainOf(FLASH) },
      { directory: OTHER_PROJECT, agent: '*', chain: chainOf(SONNET, GPT, KIMI, GROK) },
    ],
    models: models(at),
    events: events(at),
    unknownPhrases: 2,
    settings: 0,
    unreadNotices: 0,
    config: [{ path: `${PROJECT}/.opencode/model-fallback.json`, directory: PROJECT, problems: [] }],
    pins: [],
    pause: null,
    questions: [],
  });
}

export function emptySnapshot(at: number = SAMPLE_AT): Snapshot {
  return Snapshot.parse({
    ...sampleSnapshot(at),
    connection: { status: 'waiting', since: at },
    instances: [],
    sessions: [],
    chains: [],
    models: [],
    events: [],
    config: [],
    unknownPhrases: 0,
    settings: 0,
    unreadNotices: 0,
  });
}

const STATES: Readonly<Record<string, readonly [ModelRow['state'], string | null]>> = {
  [DEVSTRAL]: ['blocked', 'provider.auth'],
  [DEEPSEEK]: ['open', 'breaker.open'],
  [OPUS]: ['cooling', 'limit.rate_limit'],
  [PRO]: ['degraded', 'breaker.failures'],
  [KIMI]: ['probing', 'breaker.half_open'],
  [FREE]: ['resting', 'rest.overloaded'],
  [GROK]: ['unseen', null],
};

function stateOf(model: string) {
  const [state, code] = STATES[model] ?? ['ready', null];
  return { state, code };
}

function chainOf(...chain: string[]) {
  return chain.map((model) => ({ model, ...stateOf(model) }));
}

function sessions(at: number) {
  return [
    {
      session: 'ses_live',
      directory: PROJECT,
      project: 'storefront-api',
      instance: 'i1',
      isLive: true,
      isIdle: false,
      at: at - 20_000,
      turns: 27,
      usage: null,
      agents: [
        agent({
          agent: 'plan',
          chain: chainOf(OPUS, GPT, PRO, SONNET),
          position: 1,
          status: 'working',
          why: { kind: 'rate_limit', status: 429, from: OPUS, until: at + 14 * MINUTE_MS, source: 'provider' },
          since: at - 4 * MINUTE_MS,
          turns: 9,
          switches: 1,
        }),
        agent({
          agent: 'review',
          chain: chainOf(DEVSTRAL, DEEPSEEK, FREE),
          position: 2,
          why: { kind: 'auth', status: 401, from: DEVSTRAL, until: null, source: null },
          since: at - 7 * MINUTE_MS,
          turns: 3,
          switches: 2,
        }),
        agent({ agent: 'build', chain: chainOf(SONNET, OPUS), since: at - 26 * MINUTE_MS, turns: 26 }),
        agent({
          agent: 'explore',
          parentSession: 'ses_live',
          chain: chainOf(FLASH, DEEPSEEK, GPT),
          since: at - 12 * MINUTE_MS,
          turns: 9,
        }),
      ],
    },
    {
      session: 'ses_idle',
      directory: OTHER_PROJECT,
      project: 'checkout',
      instance: 'i1',
      isLive: false,
      isIdle: true,
      at: at - 31 * MINUTE_MS,
      turns: 1,
      usage: null,
      agents: [
        agent({
          agent: 'build',
          session: 'ses_idle',
          chain: chainOf(SONNET, GPT, KIMI, GROK),
          since: at - 58 * MINUTE_MS,
        }),
      ],
    },
  ];
}

type AgentPart = Partial<AgentRow> & Pick<AgentRow, 'agent' | 'chain' | 'since'>;

function agent(part: AgentPart): AgentRow {
  const position = part.position ?? 0;
  const session = part.session ?? 'ses_live';
  return {
    key: `${session}:${part.agent}`,
    session,
    parentSession: null,
    lead: part.chain[0]?.model ?? '',
    active: part.chain[position]?.model ?? '',
    position,
    status: 'idle',
    why: null,
    turns: 0,
    switches: 0,
    isLeftOut: false,
    ...part,
  };
}

type ModelPart = Partial<Omit<ModelRow, 'lastFailure'>> & { failure?: [ModelRow['lastFailure'] & object] };

function models(at: number): ModelRow[] {
  const failure = (
    kind: NonNullable<ModelRow['lastFailure']>['kind'],
    status: number | null,
    message: string,
    ago: number,
  ) => [{ kind, status, message, at: at - ago }] as [NonNullable<ModelRow['lastFailure']>];
  return [
    model(DEVSTRAL, {
      calls: 7,
      failed: 7,
      agents: ['review'],
      failure: failure('auth', 401, 'Unauthorized: the API key was rejected.', 6.3 * MINUTE_MS),
    }),
    model(DEEPSEEK, {
      until: at + 23 * MINUTE_MS,
      source: 'estimate',
      failures: 3,
      calls: 5,
      failed: 3,
      agents: ['review'],
      failure: failure('overloaded', 503, 'overloaded_error: server is busy', 37 * MINUTE_MS),
    }),
    model(OPUS, {
      until: at + 14 * MINUTE_MS,
      source: 'provider',
      calls: 12,
      failed: 4,
      agents: ['plan', 'build'],
      failure: failure(
        'rate_limit',
        429,
        'Number of request tokens has exceeded your per-minute limit.',
        4 * MINUTE_MS,
      ),
    }),
    model(PRO, {
      failures: 2,
      calls: 9,
      failed: 2,
      agents: ['plan'],
      failure: failure('timeout', null, 'no first token within 60 s', 9 * MINUTE_MS),
    }),
    model(KIMI, { calls: 1, agents: ['*'] }),
    model(FREE, {
      until: at + 42_000,
      source: 'estimate',
      calls: 14,
      failed: 1,
      agents: ['review'],
      failure: failure('stream_interrupted', null, 'the stream ended before its finish', 18_000),
    }),
    model(SONNET, { calls: 46, failed: 1, agents: ['plan', 'build', '*'] }),
    model(GPT, {
      calls: 31,
      agents: ['plan', '*'],
      usage: {
        tokens: { input: 96_000, output: 21_000, reasoning: 3_400, cacheRead: 310_000, cacheWrite: 0 },
        total: 430_400,
        internal: 0,
        cost: 1.84,
        pricedShare: 0.75,
      },
    }),
    model(FLASH, { calls: 22, agents: ['title'] }),
    model(GROK, { agents: ['*'] }),
  ];
}

function model(id: string, { failure, ...part }: ModelPart): ModelRow {
  return {
    model: id,
    provider: id.slice(0, id.indexOf('/')),
    name: id.slice(id.lastIndexOf('/') + 1),
    ...stateOf(id),
    until: null,
    source: null,
    since: null,
    failures: 0,
    failureThreshold: 3,
    calls: 0,
    failed: 0,
    agents: [],
    isolatedBy: [],
    hold: null,
    recent: [],
    abilities: { context: null, vision: null, tools: null, priceIn: null, priceOut: null },
    usage: null,
    lastFailure: failure?.[0] ?? null,
    ...part,
  };
}

function events(at: number): EventRow[] {
  return [
    event(17, at - 2_000, { code: 'model.half_open', state: 'probing', model: KIMI }),
    event(16, at - 20_000, { code: 'turn.finished', state: 'ready', agent: 'plan', session: 'ses_live', model: GPT }),
    event(15, at - 4 * MINUTE_MS, {
      code: 'switch.rate_limit',
      state: 'cooling',
      agent: 'plan',
      session: 'ses_live',
      model: OPUS,
      to: GPT,
      kind: 'rate_limit',
      status: 429,
      until: at + 14 * MINUTE_MS,
      detail: 'Number of request tokens has exceeded your per-minute limit.',
      durationMs: 12.4,
      trace: [
        { model: OPUS, position: 0, verdict: 'failed', code: 'limit.rate_limit', state: 'cooling' },
        { model: GPT, position: 1, verdict: 'chosen', code: 'chain.first', state: 'ready' },
        { model: PRO, position: 2, verdict: 'skipped', code: 'chain.later', state: 'degraded' },
        { model: SONNET, position: 3, verdict: 'skipped', code: 'chain.later', state: 'ready' },
      ],
    }),
    event(14, at - 6.3 * MINUTE_MS, {
      code: 'switch.auth',
      state: 'blocked',
      agent: 'review',
      session: 'ses_live',
      model: DEVSTRAL,
      to: FREE,
      kind: 'auth',
      status: 401,
      durationMs: 31,
      trace: [
        { model: DEVSTRAL, position: 0, verdict: 'failed', code: 'provider.auth', state: 'blocked' },
        { model: DEEPSEEK, position: 1, verdict: 'skipped', code: 'breaker.open', state: 'open' },
        { model: FREE, position: 2, verdict: 'chosen', code: 'chain.first', state: 'ready' },
      ],
    }),
    event(13, at - 37 * MINUTE_MS, {
      code: 'model.opened',
      state: 'open',
      model: DEEPSEEK,
      kind: 'overloaded',
      status: 503,
      until: at + 23 * MINUTE_MS,
    }),
    event(12, at - 58 * MINUTE_MS, { code: 'config.loaded', state: 'info', detail: 'model-fallback.json: 4 chains' }),
  ];
}

function event(id: number, at: number, part: Partial<EventRow> & Pick<EventRow, 'code' | 'state'>): EventRow {
  return {
    id,
    at,
    agent: null,
    session: null,
    model: null,
    to: null,
    kind: null,
    status: null,
    until: null,
    detail: null,
    durationMs: null,
    trace: [],
    ...part,
  };
}
