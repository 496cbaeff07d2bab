import { ConsecutiveBreaker, circuitBreaker, handleAll } from 'cockatiel';
import {
  DEFAULT_HEALTH,
  type EngineEvent,
  type EngineState,
  initialState,
  type ModelId,
  SWIFT,
  step,
} from '../../src/engine';
import { admit, type BreakerConfig, type BreakerState, initialBreaker, recordSuccess } from '../../src/engine/breaker';
import { type BenchRow, rowOf } from './bench-row';

const DIRECTORY = '/project';
const MODELS = 1_000;
const CHAIN: readonly ModelId[] = ['p0/m0', 'p1/m1', 'p2/m2', 'p3/m3', 'p4/m4'];

/** Samples of each row, and how many calls one sample averages: a single call is shorter than the clock's grain. */
const SAMPLES = 300;
const STEPS_A_SAMPLE = 100;
const CALLS_A_SAMPLE = 10_000;

/** A breaker that trips, as the engine's does, after 3 failures and stays open for an hour. */
const BREAKER: BreakerConfig = { ...DEFAULT_HEALTH.breaker, successClears: false };

/** The engine alone: a whole step over 1,000 known models, and its breaker beside cockatiel's. */
export async function engineBench(): Promise<BenchRow[]> {
  return [...stepRows(), ...(await breakerRows())];
}

/** A state that knows 1,000 healthy models of 50 providers, and a chain of five. */
function seasoned(): EngineState {
  let state = initialState;
  const tell = (event: EngineEvent, now: number): void => {
    state = step(state, event, now, 0.5).state;
  };
  const config = {
    enabled: true,
    health: DEFAULT_HEALTH,
    maxFallbackDepth: 3,
    onExhausted: 'error',
    backupModel: null,
    agents: { '*': { chain: CHAIN, policy: SWIFT } },
  } as const;
  tell({ type: 'scope.configured', directory: DIRECTORY, config }, 0);
  for (let model = 0; model < MODELS; model++) {
    tell(started(`warm-${model}`, `p${model % 50}/m${model}`), model);
    tell(succeeded(`warm-${model}`), model);
  }
  tell({ type: 'session.closed', session: 's' }, MODELS);
  const host = { session: 's', directory: DIRECTORY, agent: 'build', model: 'p0/m0', hostLead: 'p0/m0' };
  tell({ type: 'prompt.submitted', turn: 't', isExplicit: false, ...host }, MODELS);
  return state;
}

const started = (attempt: string, model: ModelId): EngineEvent => ({
  type: 'attempt.started',
  attempt,
  turn: 't',
  session: 's',
  directory: DIRECTORY,
  agent: 'build',
  model,
  purpose: 'turn',
});
const succeeded = (attempt: string): EngineEvent => ({
  type: 'attempt.succeeded',
  attempt,
  durationMs: 900,
  firstTokenMs: 300,
  outputChars: 120,
});
const failed = (attempt: string): EngineEvent => ({
  type: 'attempt.failed',
  attempt,
  evidence: {
    phase: 'body',
    status: 429,
    code: 'rate_limit_exceeded',
    message: 'Rate limit reached for requests. Please try again in 20s.',
    headers: { 'retry-after': '20' },
  },
  durationMs: 80,
});

function stepRows(): BenchRow[] {
  const base = seasoned();
  const answered = [started('x', 'p0/m0'), succeeded('x')];
  const left = [started('x', 'p0/m0'), failed('x')];
  return [
    rowOf(
      'engine step: started + succeeded, per event',
      'µs',
      sampled(() => walk(base, answered), STEPS_A_SAMPLE * answered.length),
      `${MODELS} known models`,
    ),
    rowOf(
      'engine step: started + failed, per event',
      'µs',
      sampled(() => walk(base, left), STEPS_A_SAMPLE * left.length),
      `classify, health, chain of ${CHAIN.length}, decision, facts; ${MODELS} known models`,
    ),
  ];
}

/** The same events from the same state, over and over: every sample measures the same work. */
function walk(base: EngineState, events: readonly EngineEvent[]): void {
  for (let round = 0; round < STEPS_A_SAMPLE; round++) {
    let state = base;
    for (const event of events) state = step(state, event, 10_000, 0.5).state;
  }
}

/** Microseconds per unit of work, `SAMPLES` times after a warm-up. */
function sampled(run: () => void, units: number): number[] {
  for (let round = 0; round < 50; round++) run();
  return Array.from({ length: SAMPLES }, () => {
    const startedAt = performance.now();
    run();
    return ((performance.now() - startedAt) * 1_000) / units;
  });
}

async function breakerRows(): Promise<BenchRow[]> {
  const ours = sampled(admitAndSucceed, CALLS_A_SAMPLE).map((us) => us * 1_000);
  const theirs = await cockatielSamples();
  return [
    rowOf('breaker: admit + success', 'ns', ours, 'closed circuit'),
    rowOf('cockatiel 3.2.1: execute of a no-op', 'ns', theirs, 'closed circuit, awaited; same run'),
  ];
}

function admitAndSucceed(): void {
  let state: BreakerState = initialBreaker;
  for (let call = 0; call < CALLS_A_SAMPLE; call++) {
    const admission = admit(state, call);
    if (!('permit' in admission)) throw new Error('a closed circuit refused');
    state = recordSuccess(admission.state, admission.permit, BREAKER);
  }
}

async function cockatielSamples(): Promise<number[]> {
  const policy = circuitBreaker(handleAll, { halfOpenAfter: 3_600_000, breaker: new ConsecutiveBreaker(3) });
  const nothing = (): void => {};
  const run = async (): Promise<void> => {
    for (let call = 0; call < CALLS_A_SAMPLE; call++) await policy.execute(nothing);
  };
  for (let round = 0; round < 5; round++) await run();
  const samples: number[] = [];
  for (let round = 0; round < SAMPLES / 5; round++) {
    const startedAt = performance.now();
    await run();
    samples.push(((performance.now() - startedAt) * 1_000_000) / CALLS_A_SAMPLE);
  }
  return samples;
}
