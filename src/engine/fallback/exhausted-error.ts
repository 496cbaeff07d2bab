import { kindPhrase } from '../base/kind-phrase';
import type { Considered, Decision, Failure, FailureKind, ModelId, ModelState } from '../index';

const NAMED_MAX = 5;

export type ExhaustedReason = Readonly<{
  model: ModelId;
  state: ModelState;
  /** For example `chain.tried`, `limit.rate_limit`, `breaker.open`. */
  code: string;
  /** Of this consult, else the model's last failure. */
  kind: FailureKind | null;
  status: number | null;
  /** Null if available now, or if time alone does not help. */
  backInMs: number | null;
}>;

export type Soonest = Readonly<{ model: ModelId; inMs: number }>;

type Ending = Readonly<{
  code: string;
  reasons: readonly ExhaustedReason[];
  soonest: Soonest | null;
  attempts: number;
  switches: number;
  trace: readonly Decision[];
}>;

/** No model of the chain is available. The message quotes no provider; `cause` is the last call's error. */
export class FallbackExhaustedError extends Error {
  override readonly name = 'FallbackExhaustedError';
  /** For example `exhausted.depth`, `exhausted.cooling`. */
  readonly code: string;
  readonly reasons: readonly ExhaustedReason[];
  /** The model that time brings back first; 0 ms if it takes the next consult. */
  readonly soonest: Soonest | null;
  readonly attempts: number;
  readonly switches: number;
  readonly trace: readonly Decision[];

  constructor(ending: Ending, cause?: unknown) {
    super(wordsFor(ending), cause === undefined ? undefined : { cause });
    this.code = ending.code;
    this.reasons = ending.reasons;
    this.soonest = ending.soonest;
    this.attempts = ending.attempts;
    this.switches = ending.switches;
    this.trace = ending.trace;
  }
}

type Seen = Readonly<{ kind: FailureKind; status: number | null }>;

export function reasonFor(entry: Considered, failure: Failure | undefined, last: Seen | null): ExhaustedReason {
  const { model, state, code, backInMs } = entry;
  const seen = failure ?? (state === 'ready' || state === 'unseen' ? null : last);
  return { model, state, code, kind: seen?.kind ?? null, status: seen?.status ?? null, backInMs };
}

export function soonestOf(reasons: readonly ExhaustedReason[]): Soonest | null {
  let best: Soonest | null = null;
  for (const { model, backInMs } of reasons) {
    if (backInMs !== null && (best === null || backInMs < best.inMs)) best = { model, inMs: backInMs };
  }
  return best;
}

function wordsFor({ code, reasons, soonest, switches }: Ending): string {
  const named = reasons.slice(0, NAMED_MAX).map(reasonWords).join('; ');
  const rest = reasons.length - NAMED_MAX;
  const others = rest > 0 ? `; and ${rest} more` : '';
  const opening =
    code === 'exhausted.depth'
      ? `Stopped after ${switches} ${switches === 1 ? 'switch' : 'switches'}, the limit per request`
      : code === 'exhausted.attempts'
        ? 'Stopped after too many failed calls of one request'
        : 'No model is available now';
  return `${opening}: ${named}${others}.${closing(reasons, soonest)}`;
}

function closing(reasons: readonly ExhaustedReason[], soonest: Soonest | null): string {
  if (soonest?.inMs === 0) return ` The next request can use ${soonest.model}.`;
  const isTried = reasons.some(({ model, state }) => model === soonest?.model && state === 'probing');
  if (soonest)
    return ` Next available: ${soonest.model}, ${isTried ? 'within' : 'in about'} ${duration(soonest.inMs)}.`;
  const isMendable = reasons.length > 0 && reasons.every(({ state }) => state === 'blocked');
  return isMendable ? ' Waiting does not help: fix these problems, then try again.' : '';
}

function reasonWords({ model, state, code, kind, status, backInMs }: ExhaustedReason): string {
  if (state === 'probing') return `another request is testing ${model}`;
  if (code === 'chain.depth' || code === 'chain.attempts' || code === 'chain.later') return `${model} was not called`;
  if (kind === null) return `${model} is unavailable`;
  const words = `${model} is ${kindPhrase(kind, status)}`;
  if (state === 'blocked') return `${words}, needs your action`;
  const isOut = state === 'cooling' || state === 'open' || state === 'held';
  return isOut && backInMs !== null ? `${words}, available in ${duration(backInMs)}` : words;
}

/** "42 s", "5 min", "2 h", "3 d": rounded up, so that no retry comes too early. */
function duration(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.ceil(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.ceil(hours / 24)} d`;
}
