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

/** Source: docs/council.md, when a model fails. */
const TRANSIENT: readonly FailureKind[] = [
  'rate_limit',
  'overloaded',
  'server_error',
  'timeout',
  'network_transient',
  'empty_response',
  'early_termination',
  // Retried only before any output; afterwards the council repeats the turn.
  'stream_interrupted',
];
/** OpenCode compacts, the user aborted, or the machine is offline. */
const AS_EVER: readonly FailureKind[] = ['context_length', 'aborted', 'tool_error', 'local_network'];

/** 1 s and 2 s, without jitter because a run is a single client. */
const BACKOFF = { baseMs: 1_000, capMs: 4_000, jitter: 0 } as const;
/** Disables the breaker, which is useless for one turn. */
const NEVER = 1_000_000;

export type LevelOne = Readonly<{
  /** Engine without shared state. */
  brain: Brain;
  fault(): TurnFault | null;
  end(): void;
}>;

/**
 * The engine retries the same model and then ends the turn; the council selects the next model.
 * @param note receives usage.
 */
export function levelOne(
  { directory, model, attempts }: Readonly<{ directory: string; model: string; attempts: number }>,
  to: Readonly<{ note: Brain['note']; retrying(retry: Retrying): void }>,
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
  const end: PolicyStep = { step: 'defer' };
  const again: readonly PolicyStep[] = attempts > 1 ? [{ step: 'retry', n: attempts - 1 }, end] : [end];
  const row = (kind: FailureKind): readonly PolicyStep[] =>
    AS_EVER.includes(kind) ? SWIFT[kind] : TRANSIENT.includes(kind) ? again : [end];
  return Object.fromEntries(FAILURE_KINDS.map((kind) => [kind, row(kind)])) as Policy;
}
