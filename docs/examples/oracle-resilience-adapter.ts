/**
 * An adviser that outlives its model: the engine of this repository around one asynchronous call.
 *
 * Run it from the root of the repository; it needs no key and no network, its models are played:
 *
 *     npx rolldown docs/examples/oracle-resilience-adapter.ts --platform node --file .cache/oracle.mjs
 *     node .cache/oracle.mjs
 *
 * To use it for real, replace `playedModels` by a function that asks your provider and throws what the provider throws.
 */

import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import {
  type CallContext,
  type ConsultResult,
  createFallback,
  type Fallback,
  type FallbackClock,
  type FallbackOptions,
  type ModelHealth,
} from '../../src/engine/fallback/create-fallback';

/** What the Oracle is asked: a decision by its id, and what is known about it. */
export type OracleQuestion = Readonly<{ decision: string; context: string }>;

export type OracleOptions = Readonly<{
  primaryModel: string;
  fallbackModels: readonly string[];
  circuitBreaker?: Readonly<{ failureThreshold?: number; cooldownMs?: number }>;
  /** Asks one model; the played ones by default. */
  ask?: (model: string, question: OracleQuestion, call: CallContext) => Promise<string>;
  /** Shortens a context that no model took; keeps its second half by default. */
  compact?: (context: string) => string;
  clock?: FallbackClock;
  policy?: FallbackOptions<OracleQuestion, string>['policy'];
}>;

/** The clock of this machine. Monotonic, so that setting the time of day moves no cooldown. */
const machineClock: FallbackClock = {
  now: () => performance.now(),
  wait: (ms, signal) => wait(ms, undefined, signal ? { signal } : {}),
  random: () => Math.random(),
  unixNow: () => Date.now(),
};

/** Asks an Oracle whose model may fail: the next one answers, and the failed one is left alone until it has recovered. */
export class OracleResilienceAdapter {
  readonly #fallback: Fallback<OracleQuestion, string>;

  constructor(options: OracleOptions) {
    const { primaryModel, fallbackModels, circuitBreaker = {}, policy = 'swift' } = options;
    const { ask = playedModels, clock = machineClock, compact = secondHalf } = options;
    this.#fallback = createFallback({
      primaryModel,
      fallbackModels,
      circuitBreaker,
      policy,
      clock,
      call: ask,
      compact: ({ decision, context }) => ({ decision, context: compact(context) }),
    });
  }

  /**
   * The Oracle's answer, with who gave it and why.
   *
   * @throws FallbackExhaustedError when no model can answer; its message can be shown as it is.
   */
  consult(decision: string, context: string): Promise<ConsultResult<string>> {
    return this.#fallback.consult({ decision, context });
  }

  /** How each model of the chain is now. */
  health(): readonly ModelHealth[] {
    return this.#fallback.health();
  }

  /** Gives a model, or all, another chance at once. */
  reset(model?: string): void {
    this.#fallback.reset(model);
  }
}

/** What was said last matters most. */
const secondHalf = (context: string): string => context.slice(Math.ceil(context.length / 2));

/** Stands in for providers: the primary model is overloaded, the others answer. */
async function playedModels(model: string, { decision }: OracleQuestion): Promise<string> {
  if (model === 'claude-3.5-sonnet')
    throw Object.assign(new Error('Overloaded'), { status: 529, error: { type: 'overloaded_error' } });
  return `${decision}: approved, with 82 of 100 points`;
}

async function main(): Promise<void> {
  const oracle = new OracleResilienceAdapter({
    primaryModel: 'claude-3.5-sonnet',
    fallbackModels: ['gpt-4', 'gemini-pro'],
    circuitBreaker: { failureThreshold: 3, cooldownMs: 3_600_000 },
  });
  const result = await oracle.consult('DECISION_100', 'Shall Oracle have a fallback chain?');
  console.log(`${result.model} answered after ${result.attempts} calls: ${result.value}`);
  for (const { code, trace } of result.trace) {
    console.log(
      `  ${code}: ${trace.map(({ model, verdict, code: why }) => `${model} ${verdict} (${why})`).join(', ')}`,
    );
  }
  const again = await oracle.consult('DECISION_101', 'And the next one?');
  console.log(`${again.model} answered after ${again.attempts} call: the failed model rests`);
  for (const { model, state, calls, failed } of oracle.health()) {
    console.log(`  ${model}: ${state}, ${failed} of ${calls} calls failed`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
