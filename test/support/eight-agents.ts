import type { AgentRow, ChainRow, ModelRow, Snapshot } from '../../src/contract/snapshot';
import { agentRow, modelRow, snapshotOf } from './rows';

const HOUR_MS = 3_600_000;
const SHOP = '/home/ada/shop';
const OPUS = 'anthropic/claude-opus-4-1';
const SONNET = 'anthropic/claude-sonnet-4-5';
const GPT = 'openai/gpt-5';
const MINI = 'openai/gpt-5-mini';
const PRO = 'google/gemini-3-pro';
const FLASH = 'google/gemini-3-flash';
const KIMI = 'moonshot/kimi-k2-turbo';
const DEVSTRAL = 'mistral/devstral-medium';
const DEEPSEEK = 'deepseek/deepseek-chat-v3.1';
const QWEN = 'lmstudio-local/qwen3-coder-30b';

type State = ModelRow['state'];
const CHAINS: Readonly<Record<string, readonly string[]>> = {
  build: [SONNET, GPT, PRO],
  general: [SONNET, GPT, PRO],
  plan: [KIMI],
  oracle: [OPUS, GPT, SONNET],
  review: [DEVSTRAL, DEEPSEEK],
  sentinel: [PRO, FLASH],
  explore: [FLASH, MINI, QWEN],
  librarian: [FLASH, MINI, QWEN],
};

export function eightAgents(at: number, kind: 'calm' | 'trouble'): Snapshot {
  const isTrouble = kind === 'trouble';
  const states: Readonly<Record<string, State>> = isTrouble
    ? {
        [KIMI]: 'cooling',
        [DEVSTRAL]: 'blocked',
        [DEEPSEEK]: 'open',
        [OPUS]: 'cooling',
        [PRO]: 'cooling',
        [QWEN]: 'held',
      }
    : {};
  const link = (model: string) => ({ model, state: states[model] ?? ('ready' as const), code: null });
  const chains: ChainRow[] = Object.entries(CHAINS).map(([agent, models]) => ({
    ...{ directory: SHOP, agent, chain: models.map(link) },
    ...(models.length === 1 && isTrouble ? { isAlone: true } : {}),
  }));
  const rowOf = (agent: string, change: Partial<AgentRow> = {}): AgentRow => {
    const models = CHAINS[agent] ?? [];
    const [lead = SONNET] = models;
    return agentRow({ agent, lead, active: lead, chain: models.map(link), since: at - HOUR_MS, ...change });
  };
  const why = (from: string, until: number | null): AgentRow['why'] => ({
    ...{ kind: 'rate_limit', status: 429 },
    ...{ from, until, source: 'provider' },
  });
  const waits: AgentRow['waits'] = {
    ...{ by: 'host', model: KIMI, kind: 'rate_limit', status: 429 },
    ...{ since: at - 60_000, until: at + 13 * 60_000 },
  };
  const agents = isTrouble
    ? [
        rowOf('review', { status: 'exhausted' }),
        rowOf('plan', { isAlone: true, waits, status: 'working' }),
        rowOf('oracle', { active: GPT, position: 1, why: why(OPUS, at + 14 * 60_000) }),
        rowOf('sentinel'),
        rowOf('build'),
      ]
    : [rowOf('build'), rowOf('oracle')];
  return snapshotOf(agents, {
    ...{ at, chains },
    models: [...new Set(Object.values(CHAINS).flat())].map((model) => {
      const state = states[model] ?? 'ready';
      const isTimed = state === 'cooling' || state === 'open';
      return modelRow({
        ...{ model, state, calls: 12, since: isTimed ? at - HOUR_MS : null, until: isTimed ? at + 14 * 60_000 : null },
        ...{ source: isTimed ? (state === 'open' ? 'estimate' : 'provider') : null },
        ...(state === 'blocked' ? { code: 'blocked.auth' } : {}),
      });
    }),
    questions: isTrouble
      ? [
          {
            ...{ id: 'q1', session: 'ses_1', agent: 'sentinel', model: PRO, to: FLASH },
            ...{ kind: 'quota', skippedAt: at + 42_000 },
          },
        ]
      : [],
  });
}

export const dayOf = (models: readonly string[], at: number) =>
  models.map((model, index) => ({
    model,
    states: [
      { state: 'ready' as const, at: at - 24 * HOUR_MS },
      { state: 'degraded' as const, at: at - (3 + index) * HOUR_MS },
      { state: 'cooling' as const, at: at - (2.5 + index) * HOUR_MS },
      { state: 'ready' as const, at: at - (2 + index) * HOUR_MS },
    ],
  }));
