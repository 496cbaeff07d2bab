import {
  DEFAULT_HEALTH,
  FAILURE_KINDS,
  type Failure,
  type FailureKind,
  type Policy,
  type PolicyStep,
  SWIFT,
} from '../../../engine';
import { nodeClock } from '../../../node/base/clock';
import { type Brain, createBrain } from '../../../plugin/base/brain';
import type { Retrying } from '../core/host';
import { SHORT_HINT_MS } from '../rules/base/settings';
import type { TurnFault } from '../rules/base/types';

/** Of these the same model is asked again. Source: docs/council.md, when a model fails. */
const TRANSIENT: readonly FailureKind[] = [
  'rate_limit',
  'overloaded',
  'server_error',
  'timeout',
  'network_transient',
  'empty_response',
  'early_termination',
  // As long as nothing of the answer has come: else the whole is asked for again by the council.
  'stream_interrupted',
];
/** These go as they go in any session: OpenCode compacts, the user has stopped, or the machine itself is offline. */
const AS_EVER: readonly FailureKind[] = ['context_length', 'aborted', 'tool_error', 'local_network'];

/** Waits of 1 s and 2 s, the same for everybody: a run is one conversation, not a crowd. */
const BACKOFF = { baseMs: 1_000, capMs: 4_000, jitter: 0 } as const;
/** A breaker of one turn has nothing to count. */
const NEVER = 1_000_000;

/** What is asked of a model once, with its retries: by whom it is decided, and what came of it. */
export type LevelOne = Readonly<{
  /** The engine of this turn alone: nobody else hears of it, and it has heard of nobody else. */
  brain: Brain;
  /** How it failed last; null where it did not. */
  fault(): TurnFault | null;
  end(): void;
}>;

/**
 * The first level of a council, carried by the engine: the same model is asked again a few times, and what fails for good ends the turn. Who
 * speaks instead is the council's to say.
 *
 * @param note hears what is used, which is counted as in any session.
 */
export function levelOne(
  { directory, model, attempts }: Readonly<{ directory: string; model: string; attempts: number }>,
  to: Readonly<{ note: Brain['note']; retrying(told: Retrying): void }>,
): LevelOne {
  const ended = new AbortController();
  const { now, schedule } = nodeClock();
  const brain = createBrain(
    now,
    () => 0.5,
    null,
    (delayMs, callback) => schedule(delayMs, () => ended.signal.aborted || callback()),
  );
  brain.tell({
    type: 'scope.configured',
    directory,
    config: {
      enabled: true,
      health: { ...DEFAULT_HEALTH, breaker: { ...DEFAULT_HEALTH.breaker, failureThreshold: NEVER } },
      maxFallbackDepth: 1,
      onExhausted: 'error',
      backupModel: null,
      agents: { '*': { chain: [model], policy: policyOf(attempts) } },
      abilities: ['defer'],
      backoff: BACKOFF,
      hintWaitMaxMs: SHORT_HINT_MS,
    },
  });
  let last: Failure | null = null;
  let retries = 0;
  brain.onStep(({ decisions }, event) => {
    const durationMs = event.type === 'attempt.failed' ? Math.round(event.durationMs) : 0;
    for (const { failure, action } of decisions) {
      if (failure === null) continue;
      last = failure;
      if (action.kind === 'hold' && action.task === 'retry')
        to.retrying({ attempt: ++retries + 1, waitMs: action.waitMs, durationMs, kind: failure.kind });
    }
  });
  return {
    brain: { ...brain, note: to.note },
    fault: () => (last === null ? null : faultOf(last)),
    end: () => ended.abort(),
  };
}

const faultOf = ({ kind, message, hintMs, outputChars }: Failure): TurnFault => ({
  kind,
  message,
  hintMs,
  isPartial: outputChars > 0,
});

function policyOf(attempts: number): Policy {
  // The council says who speaks instead, and when.
  const end: PolicyStep = { step: 'defer' };
  const again: readonly PolicyStep[] = attempts > 1 ? [{ step: 'retry', n: attempts - 1 }, end] : [end];
  const row = (kind: FailureKind): readonly PolicyStep[] =>
    AS_EVER.includes(kind) ? SWIFT[kind] : TRANSIENT.includes(kind) ? again : [end];
  return Object.fromEntries(FAILURE_KINDS.map((kind) => [kind, row(kind)])) as Policy;
}
