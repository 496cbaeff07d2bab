import type { UsageQuestion } from '../../src/contract/usage';
import { usageOf } from '../../src/core/usage-report';
import type { CompanionEvent } from '../../src/protocol';
import { DIRECTORY, START, scopeOf } from '../core/virtual-core';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** End of the history: Monday, 21 September 2026, 14:13 UTC. */
export const NOW = START;
export const OPUS = 'anthropic/claude-opus-4-1';
export const SONNET = 'anthropic/claude-sonnet-4-5';
export const GPT = 'openai/gpt-5';
export const QWEN = 'lmstudio/qwen3-coder-30b';
const CHAINS: Readonly<Record<string, readonly string[]>> = {
  build: [SONNET, QWEN, GPT],
  plan: [OPUS, GPT, SONNET],
  review: [GPT, SONNET],
};
/** Dollars for a million tokens; the local model has no price. */
const PRICES: Readonly<Record<string, number>> = { [OPUS]: 30, [SONNET]: 6, [GPT]: 4 };

export const OTHER_DIRECTORY = '/home/u/website';

export const noUsage = (question: UsageQuestion) =>
  usageOf(question, {
    wall: () => NOW,
    figures: () => [],
    figuresByDay: () => [],
    sums: () => null,
    oldestHour: () => null,
    resets: () => null,
    slots: () => new Map(),
    projects: () => [],
  });

type Tell = (at: number, event: CompanionEvent) => void;

export function tellHistory(tell: Tell, days: number): void {
  const chains = Object.entries(CHAINS).map(([agent, chain]) => [agent, scopeOf(chain).agents['*']]);
  const config = { ...scopeOf(), agents: Object.fromEntries(chains) };
  for (const directory of [DIRECTORY, OTHER_DIRECTORY])
    tell(NOW - days * DAY_MS, {
      type: 'scope.configured',
      directory,
      config: config as Extract<CompanionEvent, { type: 'scope.configured' }>['config'],
    });
  for (let day = days - 1; day >= 0; day--) tellDay(tell, NOW - day * DAY_MS, days - day);
}

/**
 * A working day that began six hours ago; less at weekends. Every few turns a primary is limited, often on every third
 * day.
 */
function tellDay(tell: Tell, end: number, day: number): void {
  const isWeekend = [0, 6].includes(new Date(end).getUTCDay());
  const turns = isWeekend ? 3 : 14 + ((day * 7) % 9);
  for (let n = 0; n < turns; n++) {
    const at = end - 6 * HOUR_MS + Math.round((n * 6 * HOUR_MS) / turns);
    const agent = Object.keys(CHAINS)[n % 3] ?? 'build';
    const directory = day % 3 === 1 ? OTHER_DIRECTORY : DIRECTORY;
    tellTurn(tell, at, { day, n, agent, directory, isFailing: n % (day % 3 === 0 ? 3 : 8) === 2 });
  }
}

type Turn = Readonly<{ day: number; n: number; agent: string; directory: string; isFailing: boolean }>;

function tellTurn(tell: Tell, at: number, { day, n, agent, directory, isFailing }: Turn): void {
  const turn = `t${day}.${n}`;
  const session = `ses_${day}`;
  const about = { turn, session, directory, agent };
  const [lead = '', second = ''] = CHAINS[agent] ?? [];
  tell(at, { type: 'prompt.submitted', ...about, model: lead, hostLead: lead, isExplicit: false });
  const ask = (model: string, name: string, after: number): void =>
    tell(at + after, { type: 'attempt.started', ...about, attempt: `${turn}.${name}`, model, purpose: 'turn' });
  const answer = (model: string, name: string, after: number): void => {
    const durationMs = 1_500 + ((n * 977 + day * 311) % 9_000);
    tell(at + after, {
      type: 'attempt.succeeded',
      attempt: `${turn}.${name}`,
      durationMs,
      firstTokenMs: 300 + ((n * 61) % 700),
      outputChars: 900,
    });
    const tokens = { input: 4_000 + n * 120, output: 900 + n * 30, reasoning: 200, cacheRead: 9_000, cacheWrite: 600 };
    const price = PRICES[model];
    const cost = price === undefined ? null : ((tokens.input + 3 * tokens.output) * price) / 1e6;
    tell(at + after, { type: 'usage.recorded', ...about, model, purpose: 'turn', tokens, cost });
  };
  ask(lead, '1', 0);
  if (isFailing) {
    const message = 'The model is overloaded.';
    const evidence = { phase: 'body' as const, status: 503, message };
    tell(at + 800, { type: 'attempt.failed', attempt: `${turn}.1`, evidence, durationMs: 800 });
    tell(at + 830, { type: 'switch.carried', turn, from: lead, ok: true, durationMs: 30 });
    ask(second, '2', 830);
    answer(second, '2', 4_000);
  } else answer(lead, '1', 4_000);
  tell(at + 5_000, { type: 'session.idle', session });
}
