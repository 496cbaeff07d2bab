import { type EngineState, type Evidence, initialState, type Policy, step } from '../../src/engine';
import { DIRECTORY, HOUR, MINUTE, scope } from './harness';
import { seeded } from './naive';

const KINDS: readonly Evidence[] = [
  { phase: 'body', status: 500, message: 'Internal error' },
  { phase: 'body', status: 529, message: 'Overloaded' },
  { phase: 'body', status: 429, message: 'Rate limit reached' },
  { phase: 'body', status: 429, message: 'Rate limit reached', headers: { 'retry-after': '2' } },
  { phase: 'watchdog', observed: 'timeout', message: 'No first token' },
  { phase: 'headers', code: 'ECONNRESET', message: 'read ECONNRESET' },
  { phase: 'stream', observed: 'stream_interrupted', outputChars: 20 },
];
/** How often each model of the chain fails. */
const FAILURE_SHARE: Readonly<Record<string, number>> = { 'a/1': 0.3, 'b/1': 0.1, 'c/1': 0.1 };
const DEPTH = 3;

export type Availability = Readonly<{
  turns: number;
  /** Shares of turns answered: as the engine does it, and by the lead alone. */
  withFallback: number;
  without: number;
  /** The most switches, and the most requests, any turn needed. */
  switchesMax: number;
  requestsMax: number;
}>;

/** Plays turns in virtual time, on average every 20 minutes, against models that fail by chance. */
export function availability(turns: number, seed: number, policy: Policy): Availability {
  const random = seeded(seed);
  let state: EngineState = initialState;
  let now = 0;
  let answered = 0;
  let alone = 0;
  let switchesMax = 0;
  let requestsMax = 0;
  const tell = (event: Parameters<typeof step>[1]): ReturnType<typeof step> => {
    const result = step(state, event, now, random());
    state = result.state;
    return result;
  };
  const chain = Object.keys(FAILURE_SHARE);
  tell({ type: 'scope.configured', directory: DIRECTORY, config: scope({ chain, policy, maxFallbackDepth: DEPTH }) });
  for (let n = 0; n < turns; n++) {
    now += Math.round(random() * (2 * HOUR - 80 * MINUTE));
    const at = { turn: `t${n}`, session: 's', directory: DIRECTORY, agent: 'build' } as const;
    let action = tell({ type: 'prompt.submitted', ...at, model: 'a/1', hostLead: 'a/1', isExplicit: false })
      .decisions[0]?.action;
    if (random() >= (FAILURE_SHARE['a/1'] ?? 0)) alone++;
    let requests = 0;
    let switches = 0;
    while (action && 'to' in action) {
      const model = action.to;
      const attempt = `x${n}.${requests++}`;
      const { decisions } = tell({ type: 'attempt.started', ...at, attempt, model, purpose: 'turn' });
      if (decisions[0]) {
        action = decisions[0].action;
        continue;
      }
      now += 2_000;
      if (random() >= (FAILURE_SHARE[model] ?? 0)) {
        answered++;
        tell({ type: 'attempt.succeeded', attempt, durationMs: 2_000, firstTokenMs: 500, outputChars: 100 });
        break;
      }
      const evidence = KINDS[Math.floor(random() * KINDS.length)] as Evidence;
      action = tell({ type: 'attempt.failed', attempt, evidence, durationMs: 2_000 }).decisions[0]?.action;
      if (action?.kind === 'switch') switches++;
      if (action?.kind === 'hold') now += action.waitMs;
    }
    switchesMax = Math.max(switchesMax, switches);
    requestsMax = Math.max(requestsMax, requests);
    tell({ type: 'session.idle', session: 's' });
  }
  return { turns, withFallback: answered / turns, without: alone / turns, switchesMax, requestsMax };
}
