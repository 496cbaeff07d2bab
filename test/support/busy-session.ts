import { openStore } from '../../src/node/store/open-store';
import type { CompanionEvent } from '../../src/protocol';
import { COMPANION, openTestCore, scopeOf, virtualClock } from '../core/virtual-core';

const OPUS = 'anthropic/claude-opus-4-1';
const SONNET = 'anthropic/claude-sonnet-4-5';
const GPT = 'openai/gpt-5';
const DEEPSEEK = 'deepseek/deepseek-chat-v3.1';
const FLASH = 'google/gemini-3-flash';

const CHAINS: Readonly<Record<string, readonly string[]>> = {
  build: [SONNET, GPT],
  oracle: [DEEPSEEK, GPT, SONNET],
  plan: [OPUS, GPT],
  explore: [FLASH, SONNET],
};

/** A session of 41 turns in 82 minutes; seven needed a fallback or a retry. */
export const BUSY_SESSION = 'ses_busy';
const DIRECTORY = '/home/ada/storefront-api';
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const PRICES: Readonly<Record<string, number>> = { [SONNET]: 0.04, [OPUS]: 0.06, [GPT]: 0.02, [DEEPSEEK]: 0.002 };

type Failing = Readonly<{ status: number; seconds: number; retryAfter?: number; waits?: number }>;
type Turn = Readonly<{ minute: number; agent: string; seconds: number; failing?: readonly Failing[] }>;

const LIMITED: Failing = { status: 429, seconds: 1, retryAfter: 240 };
const BUSY: Failing = { status: 503, seconds: 2, waits: 1 };
const SLOW: Failing = { status: 504, seconds: 55, waits: 1 };

const TURNS: readonly Turn[] = [
  ...Array.from({ length: 30 }, (_, n): Turn => {
    const agent = ['build', 'explore', 'build'][n % 3] ?? 'build';
    return { minute: n * 2.6, agent, seconds: 18 + ((n * 7) % 26) };
  }),
  { minute: 21.7, agent: 'plan', seconds: 38, failing: [LIMITED] },
  { minute: 32.1, agent: 'oracle', seconds: 31, failing: [BUSY] },
  { minute: 45.1, agent: 'oracle', seconds: 30, failing: [BUSY, SLOW] },
  { minute: 47.7, agent: 'plan', seconds: 40, failing: [LIMITED] },
  { minute: 60.7, agent: 'build', seconds: 27, failing: [BUSY] },
  { minute: 73.3, agent: 'oracle', seconds: 31, failing: [BUSY, SLOW] },
  { minute: 73.6, agent: 'explore', seconds: 22 },
  { minute: 73.9, agent: 'explore', seconds: 34 },
  { minute: 76.1, agent: 'plan', seconds: 41, failing: [LIMITED] },
  { minute: 77.1, agent: 'explore', seconds: 28 },
  { minute: 81.2, agent: 'build', seconds: 44 },
].toSorted((a, b) => a.minute - b.minute);

export function busyProject(): CompanionEvent {
  const policy = scopeOf().agents['*']?.policy;
  const agents = Object.fromEntries(Object.entries(CHAINS).map(([agent, chain]) => [agent, { chain, policy }]));
  return { type: 'scope.configured', directory: DIRECTORY, config: { ...scopeOf(), agents } } as CompanionEvent;
}

/** An event, in ms after the start. */
type Told = Readonly<{ at: number; event: CompanionEvent }>;

/** Fills a closed store with that session, which ended half an hour ago. */
export async function storeBusySession(path: string): Promise<void> {
  const { store, notice } = await openStore({ path });
  if (!store) throw new Error(notice ?? 'no store');
  const clock = virtualClock(Date.now() - 112 * MINUTE_MS);
  const { core, tell } = openTestCore(clock, store);
  core.connected(COMPANION);
  tell(busyProject());
  const told = TURNS.flatMap((turn, n) => toldOf(turn, n)).toSorted((a, b) => a.at - b.at);
  let now = 0;
  for (const { at, event } of told) {
    clock.advance(at - now);
    now = at;
    tell(event);
  }
  clock.advance(2 * MINUTE_MS);
  tell({ type: 'session.closed', session: BUSY_SESSION });
  core.dispose();
  await store.close();
}

function toldOf({ minute, agent, seconds, failing = [] }: Turn, n: number): readonly Told[] {
  const chain = CHAINS[agent] ?? [];
  const [lead = ''] = chain;
  const turn = `${BUSY_SESSION}:${n}`;
  const isHelper = agent === 'explore';
  const session = isHelper ? `${BUSY_SESSION}_${n}` : BUSY_SESSION;
  const where = { session, directory: DIRECTORY, agent, turn, ...(isHelper ? { parentSession: BUSY_SESSION } : {}) };
  const told: Told[] = [];
  let at = minute * MINUTE_MS;
  const say = (event: CompanionEvent, afterMs = 0): void => {
    at += afterMs;
    told.push({ at, event });
  };
  say({ type: 'prompt.submitted', ...where, model: lead, hostLead: lead, isExplicit: false });
  for (const [place, { status, seconds: took, retryAfter, waits = 0 }] of failing.entries()) {
    const [attempt, model] = [`${turn}.${place}`, chain[place] ?? lead];
    const headers = retryAfter === undefined ? {} : { headers: { 'retry-after': String(retryAfter) } };
    const evidence = { phase: 'body', status, message: 'Not now', ...headers } as const;
    say({ type: 'attempt.started', ...where, attempt, model, purpose: 'turn' });
    say({ type: 'attempt.failed', attempt, evidence, durationMs: took * SECOND_MS }, took * SECOND_MS);
    say({ type: 'switch.carried', turn, from: model, ok: true, durationMs: 12 });
    at += waits * SECOND_MS;
  }
  const model = chain[failing.length] ?? lead;
  const [durationMs, firstTokenMs] = [seconds * SECOND_MS, 900 + 40 * seconds];
  const tokens = { input: 4_000, output: 900, reasoning: 200, cacheRead: 9_000, cacheWrite: 0 };
  say({ type: 'attempt.started', ...where, attempt: turn, model, purpose: 'turn' });
  say({ type: 'attempt.succeeded', attempt: turn, durationMs, firstTokenMs, outputChars: 900 }, durationMs);
  say({
    type: 'usage.recorded',
    session,
    turn,
    directory: DIRECTORY,
    agent,
    model,
    purpose: 'turn',
    tokens,
    cost: PRICES[model] ?? 0.004,
  });
  say({ type: 'session.idle', session });
  return told;
}
