import type { EventRow } from '../../src/contract/snapshot';
import type { StoreRow } from '../../src/core/base/store-rows';

const AGENTS = ['build', 'plan', 'review', 'oracle', 'sentinel'];
const MODELS = ['anthropic/claude-opus-4-1', 'anthropic/claude-sonnet-4-5', 'openai/gpt-5', 'google/gemini-3-pro'];

export function eventOf(id: number, at: number): EventRow {
  const agent = AGENTS[(id / 5) % AGENTS.length] ?? null;
  const [model = null, to = null] = [MODELS[id % MODELS.length], MODELS[(id + 1) % MODELS.length]];
  const plain = { id, at, agent: null, session: null, to: null, kind: null, status: null, until: null, detail: null };
  if (id % 100 === 0)
    return { ...plain, code: 'reset.model', state: 'ready', model, durationMs: null, trace: [], actor: 'panel' };
  if (id % 5 !== 0) return { ...plain, code: 'model.ready', state: 'ready', model, durationMs: null, trace: [] };
  return {
    ...plain,
    code: 'switch.rate_limit',
    state: 'cooling',
    agent,
    session: `ses_${Math.floor(id / 200)}`,
    model,
    to,
    kind: 'rate_limit',
    status: 429,
    until: at + 840_000,
    detail: `Rate limit reached for requests, number ${id}`,
    durationMs: 31,
    trace: MODELS.map((each, position) => ({
      model: each,
      position,
      verdict: each === model ? 'failed' : each === to ? 'chosen' : 'skipped',
      code: each === model ? 'chain.tried' : 'chain.later',
      state: each === model ? 'cooling' : 'ready',
    })),
  };
}

export function* manyEvents(count: number, endMs: number, stepMs: number): Iterable<StoreRow> {
  for (let id = 1; id <= count; id++)
    yield { type: 'event', row: eventOf(id, Math.round(endMs - (count - id) * stepMs)) };
}
