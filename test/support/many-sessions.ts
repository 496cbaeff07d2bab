import { openStore } from '../../src/node/store/open-store';
import type { CompanionEvent } from '../../src/protocol';
import { COMPANION, configured, openTestCore, virtualClock } from '../core/virtual-core';

/** Time between messages, in ms. */
const TURN_MS = 20 * 60_000;
const SHORT_TURNS = 1;
const HOSTILE_TURNS = 3;
const LONG_TURNS = 12;
export const HOSTILE_NAME = '<img src=x onerror=alert(1)>';
export const CHAIN = ['anthropic/claude-sonnet-4-5', 'openai/gpt-5', 'xai/<script>alert(1)</script>'] as const;
const TOKENS = { input: 1_000, output: 200, reasoning: 50, cacheRead: 400, cacheWrite: 0 };

/** The newest session: every third of its 12 turns uses a fallback. */
export const LONG_SESSION = 'ses_long';
export const HOSTILE_SESSION = 'ses_hostile';

/**
 * Fills a closed store with finished sessions, the newest an hour old.
 * @param count Short sessions, in addition to the long and the hostile one.
 */
export async function storeSessions(path: string, count: number): Promise<void> {
  const { store, notice } = await openStore({ path });
  if (!store) throw new Error(notice ?? 'no store');
  // Ends an hour before now.
  const clock = virtualClock(Date.now() - TURN_MS * (count * SHORT_TURNS + HOSTILE_TURNS + LONG_TURNS + 3));
  const { core, tell } = openTestCore(clock, store);
  core.connected(COMPANION);
  const session = (name: string, directory: string, agent: string, turns: number): void => {
    tell(configured(directory, CHAIN));
    for (let n = 0; n < turns; n++) {
      for (const event of turnOf({ session: name, directory, agent, turn: `${name}:${n}` }, n)) tell(event);
      // Long enough for the agent to return to its primary.
      clock.advance(TURN_MS);
    }
    tell({ type: 'session.closed', session: name });
  };
  for (let n = 0; n < count; n++) session(`ses_${n}`, `/home/ada/project-${n % 7}`, 'build', SHORT_TURNS);
  session(HOSTILE_SESSION, `/home/ada/${HOSTILE_NAME}`, HOSTILE_NAME, HOSTILE_TURNS);
  session(LONG_SESSION, '/home/ada/storefront', 'plan', LONG_TURNS);
  core.dispose();
  await store.close();
}

type Where = Readonly<{ session: string; directory: string; agent: string; turn: string }>;

export function turnOf(where: Where, n: number): CompanionEvent[] {
  const model = CHAIN[n % 3 === 0 ? 1 : 0];
  const [lead] = CHAIN;
  const failing: CompanionEvent[] =
    model === lead
      ? []
      : [
          { type: 'attempt.started', ...where, attempt: `${where.turn}.0`, model: lead, purpose: 'turn' },
          {
            type: 'attempt.failed',
            attempt: `${where.turn}.0`,
            evidence: { phase: 'body', status: 429, message: 'Rate limited', headers: { 'retry-after': '60' } },
            durationMs: 900,
          },
          { type: 'switch.carried', turn: where.turn, from: lead, ok: true, durationMs: 12 },
        ];
  return [
    { type: 'prompt.submitted', ...where, model: lead, hostLead: lead, isExplicit: false },
    ...failing,
    { type: 'attempt.started', ...where, attempt: `${where.turn}.1`, model, purpose: 'turn' },
    {
      type: 'attempt.succeeded',
      attempt: `${where.turn}.1`,
      durationMs: 2_000 + 100 * n,
      firstTokenMs: 400,
      outputChars: 90,
    },
    { type: 'usage.recorded', ...where, model, purpose: 'turn', tokens: TOKENS, cost: n % 2 ? null : 0.0123 },
    { type: 'session.idle', session: where.session },
  ];
}
