import * as fc from 'fast-check';
import type { AttemptExport, RefusedTurn, Store } from '../../../src/core/base/store-rows';
import type { EngineEvent, ScopeConfig } from '../../../src/engine';
import { PRESETS } from '../../../src/engine/policy/presets';
import { createBrain } from '../../../src/plugin/base/brain';
import type { CompanionEvent } from '../../../src/protocol';
import { COMPANION, DIRECTORY, LIMITED, openTestCore, scopeOf, virtualClock } from '../../core/virtual-core';

const ENDS = ['ok', 'ok', 'limited', 'gateway', 'broken', 'stopped', 'hangs'] as const;
type End = (typeof ENDS)[number];
type Message = Readonly<{ agent: 'oracle' | 'build'; ends: readonly End[]; tookMs: number }>;
export type Played = Message &
  Readonly<{
    child: Omit<Message, 'agent'> | null;
    /** Continues the previous session. */
    goesOn: boolean;
    pauseMs: number;
  }>;

/** A request and its three retries at each model of the longest chain. */
const LIMITED_ALL = Array.from({ length: 12 }, (): End => 'limited');
const ends = fc.oneof(
  { weight: 5, arbitrary: fc.array(fc.constantFrom<End>(...ENDS), { minLength: 1, maxLength: 6 }) },
  { weight: 1, arbitrary: fc.constant(LIMITED_ALL) },
);
const tookMs = fc.nat(900);

/** Messages to agents that retry a failing model before they leave it. */
export const steadyLives: fc.Arbitrary<readonly Played[]> = fc.array(
  fc.record({
    agent: fc.constantFrom('oracle' as const, 'build' as const),
    ...{ ends, tookMs },
    child: fc.option(fc.record({ ends, tookMs })),
    goesOn: fc.boolean(),
    pauseMs: fc.constantFrom(0, 1_000, 600_000, 2 * 86_400_000),
  }),
  { minLength: 1, maxLength: 10 },
);

/** Two chains that share a fallback, and one for all other agents; all retry before a switch. */
const STEADY: ScopeConfig = {
  ...scopeOf(),
  agents: Object.fromEntries(
    Object.entries({
      oracle: ['lead/one', 'spare/two', 'last/three'],
      build: ['other/lead', 'spare/two'],
      // A sub-agent's failures do not reject requests of its parent: rejected requests are not in the log.
      '*': ['small/lead', 'small/spare'],
    }).map(([agent, chain]) => [agent, { chain, policy: PRESETS.steady }]),
  ),
};

const EVIDENCE = {
  limited: LIMITED,
  gateway: { phase: 'body', status: 502, message: 'Bad gateway', seenAt: 0 },
  broken: { phase: 'body', status: 500, message: 'oops', seenAt: 0 },
} as const;
/** More than any policy needs: an agent that retries for ever is a fault. */
const REQUESTS_MAX = 40;

/**
 * Simulates a companion: its engine decides which model is called, retried or left, and the core gets the events.
 * @returns stored attempts, stored turns without an available model and their number, all sums, and the log lines.
 */
export async function liveSteadily(played: readonly Played[], store: Store) {
  const clock = virtualClock();
  const { core, log } = openTestCore(clock, store);
  core.connected(COMPANION);
  const brain = createBrain(clock.now, () => 0.5, null, clock.schedule);
  brain.onEntry(({ seq, event }) =>
    core.told(COMPANION.instance, { seq, ageMs: 0, sentAt: clock.wall(), event: event as CompanionEvent }),
  );
  const say = (event: EngineEvent) => brain.tell(event)[0]?.action;
  say({ type: 'scope.configured', directory: DIRECTORY, config: STEADY });

  let refused = 0;
  const play = (
    about: Readonly<{ turn: string; session: string; parentSession?: string; agent: string }>,
    { ends, tookMs }: Pick<Message, 'ends' | 'tookMs'>,
    meanwhile: () => void,
  ): 'over' | 'asking' => {
    const base = { ...about, directory: DIRECTORY };
    const lead = (STEADY.agents[about.agent] ?? STEADY.agents['*'])?.chain[0] ?? '';
    const first = say({ type: 'prompt.submitted', ...base, model: lead, hostLead: lead, isExplicit: false });
    if (first?.kind === 'exhausted') {
      refused++;
      return 'over';
    }
    let model = first && 'to' in first ? first.to : lead;
    for (let at = 0; at < REQUESTS_MAX; at++) {
      const attempt = `${about.turn}.${at}`;
      const refused = say({ type: 'attempt.started', ...base, attempt, model, purpose: 'turn' });
      if (refused && refused.kind !== 'keep') throw new Error(`${attempt} was turned away: ${JSON.stringify(refused)}`);
      const end = ends[at] ?? 'ok';
      if (end === 'hangs') return 'asking';
      clock.advance(tookMs);
      if (end === 'stopped') {
        say({ type: 'attempt.aborted', attempt });
        return 'over';
      }
      if (end === 'ok') {
        say({ type: 'attempt.succeeded', attempt, durationMs: tookMs, firstTokenMs: 1, outputChars: 5 });
        meanwhile();
        // A tool has run, and the same model continues.
        if (at < ends.length - 1) continue;
        return 'over';
      }
      const next = say({ type: 'attempt.failed', attempt, evidence: EVIDENCE[end], durationMs: tookMs });
      if (next?.kind !== 'switch' && next?.kind !== 'hold') return 'over';
      if (next.kind === 'hold') clock.advance(next.waitMs);
      model = next.to;
    }
    throw new Error(`${about.turn} asks for ever`);
  };

  let session = '';
  for (const [at, { agent, child, goesOn, pauseMs, ...message }] of played.entries()) {
    if (!goesOn || session === '') session = `s${at}`;
    let isAsked = false;
    const end = play({ turn: `t${at}`, session, agent }, message, () => {
      if (child === null || isAsked) return;
      isAsked = true;
      const theirs = { turn: `c${at}`, session: `s${at}.child`, parentSession: session, agent: 'explorer' };
      play(theirs, child, () => undefined);
      say({ type: 'session.idle', session: theirs.session });
    });
    // The last session may still get a response.
    if (end === 'over' || at < played.length - 1) say({ type: 'session.idle', session });
    clock.advance(pauseMs);
  }
  core.flush();
  await store.flush();
  const attempts: AttemptExport[] = [...store.attempts({ sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER })].map(
    (row) => ({ ...row }),
  );
  const refusals: RefusedTurn[] = [...store.refused({ sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER })].map((row) => ({
    ...row,
  }));
  const { totals } = await core.host.handlers['scorecard.get']({});
  core.dispose();
  return { attempts, refusals, totals, refused, lines: log.map((record) => JSON.stringify(record)) };
}
