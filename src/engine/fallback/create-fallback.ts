import { type Decision, type ModelId, standingOf } from '../index';
import { type EngineView, viewOf } from '../tools';
import { askOnce, type Ended } from './ask-once';
import { type FallbackOptions, planOf } from './options';
import {
  afterwards,
  closeRun,
  firstModel,
  follow,
  type Host,
  openHost,
  openRun,
  type Run,
  type Started,
  start,
  tell,
} from './run';
import { reasonOf, type StopSignal } from './stop-signal';

export { evidenceOf, failureOf } from './error-evidence';
export type { ExhaustedReason, Soonest } from './exhausted-error';
export { FallbackExhaustedError } from './exhausted-error';
export type { CallContext, FallbackClock, FallbackOptions } from './options';
export type { StopSignal } from './stop-signal';

/** An answer, and how it came about. */
export type ConsultResult<Answer> = Readonly<{
  value: Answer;
  /** Who answered. */
  model: ModelId;
  /** Calls made, the answered one included. */
  attempts: number;
  /** Failed calls that moved the consult to another model. */
  switches: number;
  /** Every decision of the engine, in order, with its reason and what it thought of each model. */
  trace: readonly Decision[];
}>;

/** One model of the chain, for display. Times are milliseconds from now. */
export type ModelHealth = Readonly<
  Pick<EngineView['models'][number], 'model' | 'calls' | 'failed' | 'failureThreshold' | 'last'> &
    Pick<EngineView['models'][number]['standing'], 'state' | 'code' | 'use' | 'failures'> & {
      backInMs: number | null;
    }
>;

export type Fallback<Question, Answer> = Readonly<{
  /**
   * Asks the first model that may be asked, and goes on along the chain as the policy says.
   *
   * @throws FallbackExhaustedError when nobody is left; the call's own error, untouched, when the policy says that another
   *   model would not help; the reason of `signal` when the caller stops, which counts against no model.
   */
  consult(question: Question, options?: Readonly<{ signal?: StopSignal }>): Promise<ConsultResult<Answer>>;
  /** How each model is now, in the order of the chain. */
  health(): readonly ModelHealth[];
  /** Everything a surface may show, as plain data. */
  snapshot(): EngineView;
  /** Clears what stands against a model, or against all. @throws RangeError for a model that is not of the chain. */
  reset(model?: ModelId): void;
}>;

/**
 * Puts the engine in front of any asynchronous call: who is asked, who stands in, and when to stop asking.
 *
 * Consults may run side by side and share one health: of a hundred that meet a half-open circuit, one probes it.
 *
 * @throws RangeError for options that are bugs: an empty model, an unknown policy, a number out of range.
 */
export function createFallback<Question, Answer>(
  options: FallbackOptions<Question, Answer>,
): Fallback<Question, Answer> {
  const plan = planOf(options);
  const host = openHost(plan, options.clock);
  return {
    consult: (question, { signal } = {}) => consult(host, options, { question, signal: signal ?? null }),
    health: () => healthOf(host),
    snapshot: () => viewOf(host.state, options.clock.now()),
    reset: (model) => {
      if (model !== undefined && !plan.models.includes(model))
        throw new RangeError(`reset knows ${plan.models.join(', ')}, got "${model}"`);
      const target = model === undefined ? ({ all: true } as const) : { model };
      tell(host, { type: 'health.reset', target, actor: 'library' });
    },
  };
}

async function consult<Question, Answer>(
  host: Host,
  options: FallbackOptions<Question, Answer>,
  asked: Readonly<{ question: Question; signal: StopSignal | null }>,
): Promise<ConsultResult<Answer>> {
  const { clock, compact } = options;
  let { question } = asked;
  if (asked.signal?.aborted) throw reasonOf(asked.signal);
  const run = openRun(host, asked.signal);
  try {
    // From here to the call nothing waits: whoever else asks sees the permit this consult has taken.
    let model = firstModel(host, run);
    for (;;) {
      const started = start(host, run, model);
      if ('action' in started) {
        model = await follow(host, run, started);
        continue;
      }
      const startedAt = clock.now();
      const ended = await ask(options, { run, model: started.model, question });
      const durationMs = Math.max(0, clock.now() - startedAt);
      if (ended.kind === 'answered') return answered(host, run, { ...started, answer: ended.answer, durationMs });
      const decision = afterwards(host, run, { ...started, ended, durationMs });
      const { action } = decision;
      if (action.kind === 'hold' && action.task === 'compact' && compact) question = compact(question);
      model = await follow(host, run, decision);
    }
  } finally {
    closeRun(host, run);
  }
}

function ask<Question, Answer>(
  { call, clock, attemptTimeoutMs }: FallbackOptions<Question, Answer>,
  { run, model, question }: Readonly<{ run: Run; model: ModelId; question: Question }>,
): Promise<Ended<Answer>> {
  const attempt = run.attempts;
  const limits = { clock, timeoutMs: attemptTimeoutMs ?? null, signal: run.signal };
  return askOnce((signal) => call(model, question, { signal, attempt }), limits);
}

function answered<Answer>(
  host: Host,
  run: Run,
  { attempt, model, answer, durationMs }: Started & Readonly<{ answer: Answer; durationMs: number }>,
): ConsultResult<Answer> {
  const outputChars = typeof answer === 'string' ? answer.length : 0;
  tell(host, { type: 'attempt.succeeded', attempt, durationMs, firstTokenMs: durationMs, outputChars });
  return { value: answer, model, attempts: run.attempts, switches: run.switches, trace: run.trace };
}

function healthOf({ state, plan, clock }: Host): readonly ModelHealth[] {
  const now = clock.now();
  const { models } = viewOf(state, now);
  return plan.models.map((model) => {
    const view = models.find((each) => each.model === model);
    const { state: shown, code, use, failures, until } = standingOf(state, model, now);
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
