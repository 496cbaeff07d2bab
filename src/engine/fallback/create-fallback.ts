import type { Decision, ModelId } from '../index';
import { standingOf } from '../index';
import { type EngineView, type SavedState, viewOf } from '../tools';
import { askOnce, type Ended } from './ask-once';
import { insist } from './named-evidence';
import { type CallContext, type FallbackOptions, planOf } from './options';
import { saveHealth } from './pool';
import {
  afterwards,
  closeRun,
  configure,
  firstModel,
  follow,
  type Host,
  lose,
  openHost,
  openRun,
  type Run,
  type Started,
  signalsOf,
  start,
  tell,
} from './run';
import { named, reasonOf, type StopSignal } from './stop-signal';
import { type Begun, openStream, type StreamOf, streamOf } from './stream';

export { evidenceOf, failureOf } from './error-evidence';
export type { FallbackEvent } from './events';
export type { ExhaustedReason, Soonest } from './exhausted-error';
export { FallbackExhaustedError } from './exhausted-error';
export { emptyAnswer, refusedResponse } from './named-evidence';
export type { CallContext, FailedAnswer, FallbackClock, FallbackOptions, NamedFailure } from './options';
export { createPool, type Pool } from './pool';
export type { StopSignal } from './stop-signal';
export type { StreamOf } from './stream';

type Course = Readonly<{
  model: ModelId;
  attempts: number;
  /** Failed calls that moved the consult to another model. */
  switches: number;
  trace: readonly Decision[];
}>;

export type ConsultResult<Answer> = Course & Readonly<{ value: Answer }>;

/** Readers that stop early call the iterator's `return`, as `for await` does. */
export type StreamResult<Piece> = Course & Readonly<{ pieces: AsyncIterable<Piece> }>;

/** For display; times are ms from now. */
export type ModelHealth = Readonly<
  Pick<EngineView['models'][number], 'model' | 'calls' | 'failed' | 'failureThreshold' | 'last'> &
    Pick<EngineView['models'][number]['standing'], 'state' | 'code' | 'use' | 'failures'> & {
      backInMs: number | null;
    }
>;

type Stop = Readonly<{ signal?: StopSignal }>;

export type Fallback<Question, Answer> = Readonly<{
  /**
   * Calls the models along the chain as the policy requires.
   * @throws FallbackExhaustedError if no model is left; the call's own error if no other model would help; the reason
   * of `signal` if the caller stops, which counts against no model.
   */
  consult(question: Question, options?: Stop): Promise<ConsultResult<Answer>>;
  /**
   * As `consult`; other models may take over until the first piece. Later, an interrupted or stalled stream throws
   * from `pieces` and counts against its model.
   */
  stream(question: Question, options?: Stop): Promise<StreamResult<StreamOf<Answer>>>;
  health(): readonly ModelHealth[];
  snapshot(): EngineView;
  /** @throws RangeError for a model outside the chain. */
  reset(model?: ModelId): void;
  /** Until `release`. @throws RangeError as `reset` does. */
  isolate(model: ModelId): void;
  release(model: ModelId): void;
  /** Keeps a model unavailable or available; null ends that. @throws RangeError as `reset` does. */
  hold(model: ModelId, as: 'out' | 'in' | null, forMs?: number): void;
  /** Null restores the chain. @throws RangeError as `reset` does. */
  pin(model: ModelId | null): void;
  /** For `saved`; relative times stay valid at any age. */
  save(): SavedState;
  /** Stops running consults and refuses new ones; the pool's health stays. */
  dispose(): void;
}>;

const ACTOR = 'library';

/**
 * Wraps an asynchronous call with the engine. Concurrent consults share one health: only one probes a half-open
 * breaker.
 * @throws RangeError for an empty model name, an unknown policy or a number out of range.
 */
export function createFallback<Question, Answer>(
  options: FallbackOptions<Question, Answer>,
): Fallback<Question, Answer> {
  const plan = planOf(options);
  const host = openHost(plan, options);
  const { clock } = options;
  const checkModel = (what: string, model: ModelId): ModelId => {
    if (plan.models.includes(model)) return model;
    throw new RangeError(`${what} accepts ${plan.models.join(', ')}, got "${model}"`);
  };
  return {
    consult: (question, stop = {}) => consult(host, options, { question, ...stop }),
    stream: (question, stop = {}) => stream(host, options, { question, ...stop }),
    health: () => healthOf(host),
    snapshot: () => viewOf(host.pool.state, clock.now()),
    reset(model) {
      const target = model === undefined ? ({ all: true } as const) : { model: checkModel('reset', model) };
      tell(host, { type: 'health.reset', target, actor: ACTOR });
    },
    isolate: (model) => void tell(host, { type: 'health.isolated', model: checkModel('isolate', model), actor: ACTOR }),
    release: (model) => void tell(host, { type: 'health.released', model: checkModel('release', model), actor: ACTOR }),
    hold(model, as, forMs) {
      const state = as === null ? null : as === 'out' ? 'open' : 'closed';
      tell(host, { type: 'health.held', model: checkModel('hold', model), state, forMs: forMs ?? null, actor: ACTOR });
    },
    pin(model) {
      host.pinned = model === null ? null : checkModel('pin', model);
      configure(host);
    },
    save: () => saveHealth(host.pool.state, clock.now()),
    dispose() {
      if (host.disposal.signal.aborted) return;
      host.disposal.abort(named('AbortError', 'The fallback was disposed.'));
      tell(host, { type: 'scope.closed', directory: host.directory });
    },
  };
}

type Consultation<Question> = Readonly<{ question: Question; signal?: StopSignal }>;

async function consult<Question, Answer>(
  host: Host,
  options: FallbackOptions<Question, Answer>,
  consultation: Consultation<Question>,
): Promise<ConsultResult<Answer>> {
  const { failureIn, attemptTimeoutMs = null } = options;
  const run = begin(host, consultation);
  try {
    const { answer, ...call } = await askAlong(host, run, options, {
      question: consultation.question,
      timeoutMs: attemptTimeoutMs,
      async call(model, question, context) {
        const given = await options.call(model, question, context);
        return insist(given, failureIn?.(given, model) ?? null);
      },
    });
    succeeded(host, call, { outputChars: typeof answer === 'string' ? answer.length : 0, at: call.answeredAt });
    return { value: answer, ...courseOf(run, call) };
  } finally {
    closeRun(host, run);
  }
}

async function stream<Question, Answer>(
  host: Host,
  options: FallbackOptions<Question, Answer>,
  consultation: Consultation<Question>,
): Promise<StreamResult<StreamOf<Answer>>> {
  const { attemptTimeoutMs = null, firstTokenTimeoutMs = attemptTimeoutMs } = options;
  const run = begin(host, consultation);
  try {
    const { answer, ...call } = await askAlong<Question, Answer, Begun<StreamOf<Answer>>>(host, run, options, {
      question: consultation.question,
      timeoutMs: firstTokenTimeoutMs,
      call: (model, question, { signal, attempt }) =>
        openStream((whole) => options.call(model, question, { signal: whole, attempt }), signal),
    });
    const pieces = streamOf(answer, {
      limits: { clock: options.clock, timeoutMs: options.stallTimeoutMs ?? null, signals: signalsOf(host, run) },
      ended: (outputChars) => succeeded(host, call, { outputChars, at: options.clock.now() }),
      failed: (error, outputChars) =>
        lose(host, run, call, { error, outputChars, durationMs: Math.max(0, options.clock.now() - call.startedAt) }),
      left: () => tell(host, { type: 'attempt.aborted', attempt: call.attempt }),
      closed: () => closeRun(host, run),
    });
    return { pieces, ...courseOf(run, call) };
  } catch (error) {
    closeRun(host, run);
    throw error;
  }
}

/** @throws the reason of an earlier stop. */
function begin<Question>(host: Host, { signal }: Consultation<Question>): Run {
  const stopped = [signal, host.disposal.signal].find((each) => each?.aborted);
  if (stopped) throw reasonOf(stopped);
  return openRun(host, signal ?? null);
}

/** Times are engine ms. */
type Call = Started & Readonly<{ startedAt: number; answeredAt: number }>;

type Way<Question, Taken> = Readonly<{
  question: Question;
  timeoutMs: number | null;
  call: (model: ModelId, question: Question, context: CallContext) => Promise<Taken>;
}>;

async function askAlong<Question, Answer, Taken>(
  host: Host,
  run: Run,
  { clock, compact }: FallbackOptions<Question, Answer>,
  { question: initialQuestion, timeoutMs, call }: Way<Question, Taken>,
): Promise<Call & Readonly<{ answer: Taken }>> {
  let question = initialQuestion;
  // No await until the call: concurrent consults must see its permit.
  let model = firstModel(host, run);
  for (;;) {
    const started = start(host, run, model);
    if ('action' in started) {
      model = await follow(host, run, started);
      continue;
    }
    const startedAt = clock.now();
    const attempt = run.attempts;
    const ended: Ended<Taken> = await askOnce((signal) => call(started.model, question, { signal, attempt }), {
      clock,
      timeoutMs,
      signals: signalsOf(host, run),
    });
    const answeredAt = clock.now();
    if (ended.kind === 'answered') return { ...started, startedAt, answeredAt, answer: ended.answer };
    const decision = afterwards(host, run, { ...started, ended, durationMs: Math.max(0, answeredAt - startedAt) });
    const { action } = decision;
    if (action.kind === 'hold' && action.task === 'compact' && compact) question = compact(question);
    model = await follow(host, run, decision);
  }
}

function succeeded(
  host: Host,
  { attempt, startedAt, answeredAt }: Call,
  { outputChars, at }: Readonly<{ outputChars: number; at: number }>,
): void {
  const firstTokenMs = Math.max(0, answeredAt - startedAt);
  const durationMs = Math.max(firstTokenMs, at - startedAt);
  tell(host, { type: 'attempt.succeeded', attempt, durationMs, firstTokenMs, outputChars });
}

const courseOf = ({ attempts, switches, trace }: Run, { model }: Call): Course => ({
  model,
  attempts,
  switches,
  trace,
});

function healthOf({ pool, plan, clock }: Host): readonly ModelHealth[] {
  const now = clock.now();
  const { models } = viewOf(pool.state, now);
  return plan.models.map((model) => {
    const view = models.find((each) => each.model === model);
    const { state: shown, code, use, failures, until } = standingOf(pool.state, model, now);
    return {
      model,
      state: shown,
      code,
      use,
      backInMs: until === null ? null : Math.max(0, until - now),
      failures,
      failureThreshold: plan.scope.health.breaker.failureThreshold,
      calls: view?.calls ?? 0,
      failed: view?.failed ?? 0,
      last: view?.last ?? null,
    };
  });
}
