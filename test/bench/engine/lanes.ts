import { DEFAULT_HEALTH } from '../../../src/engine';
import {
  admit,
  type BreakerConfig,
  type BreakerState,
  initialBreaker,
  recordFailure,
  recordSuccess,
} from '../../../src/engine/health/breaker';
import { type Measured, rowOf } from '../bench-row';
import { sampled } from './sample';

/** Every call goes to another model than the one before: a single one would stay in the processor's nearest memory. */
export const MODELS = 1_000;
const ROUNDS = 10;
const CALLS_A_SAMPLE = MODELS * ROUNDS;

/** A breaker that trips after 3 failures within an hour and stays open for an hour. */
const BREAKER: BreakerConfig = { ...DEFAULT_HEALTH.breaker, successClears: false };
/** From one failure of a model to its next: one earlier failure still counts then, and one has just left the window. */
export const FAILURE_PACE_MS = Math.ceil(BREAKER.windowMs / 2) + 1;

/** The breaker's own functions, which refuse by value and are not awaited. */
export function laneRows(): readonly Measured[] {
  const name = (what: string): string => `our breaker's functions: ${what}`;
  return [
    rowOf(name('admit + success'), 'ns', sampled(successes(), CALLS_A_SAMPLE), { target: 60 }),
    rowOf(name('admit + failure'), 'ns', sampled(failures(), CALLS_A_SAMPLE), { target: 300 }),
    rowOf(name('refusal with its reason'), 'ns', sampled(refusals(), CALLS_A_SAMPLE), { target: 60 }),
  ];
}

const fresh = (): BreakerState[] => Array.from({ length: MODELS }, () => initialBreaker);

function successes(): () => void {
  const states = fresh();
  return () => {
    for (let call = 0; call < CALLS_A_SAMPLE; call++) {
      const model = call % MODELS;
      const admission = admit(states[model] as BreakerState, call);
      if (!('permit' in admission)) throw new Error('a closed circuit refused');
      states[model] = recordSuccess(admission.state, admission.permit, BREAKER);
    }
  };
}

function failures(): () => void {
  const states = fresh();
  let now = 0;
  return () => {
    for (let round = 0; round < ROUNDS; round++) {
      now += FAILURE_PACE_MS;
      for (let model = 0; model < MODELS; model++) {
        const admission = admit(states[model] as BreakerState, now);
        if (!('permit' in admission)) throw new Error('a closed circuit refused');
        states[model] = recordFailure(admission.state, admission.permit, now, BREAKER);
      }
    }
  };
}

function refusals(): () => void {
  const states = fresh().map((closed) => {
    let state = closed;
    for (let failure = 0; failure < BREAKER.failureThreshold; failure++) {
      const admission = admit(state, failure);
      if ('permit' in admission) state = recordFailure(admission.state, admission.permit, failure, BREAKER);
    }
    return state;
  });
  return () => {
    for (let call = 0; call < CALLS_A_SAMPLE; call++) {
      const answer = admit(states[call % MODELS] as BreakerState, 1_000 + call);
      if (!('code' in answer) || answer.code !== 'breaker.open') throw new Error('an open circuit admitted');
    }
  };
}
