import { type EngineState, keyIn, type ModelId, providerOf, type Window } from '../../engine';
import { get, isCircuitOfAnother } from '../../engine/tools';
import type { Projection, TakenStep } from '../base/projection';

export type Spared = Projection<Pick<TakenStep, 'result' | 'after' | 'isReplayed'>> & Readonly<{ count(): number }>;

/** Counts decisions in this run that skip a model for a limit found by another machine. */
export function createSpared(): Spared {
  let count = 0;
  return {
    hear({ result, after, isReplayed }) {
      if (isReplayed) return;
      for (const { trace, session } of result.decisions) {
        const directory = get(after.sessions, session)?.directory ?? '';
        // Models after the chosen one would not have been called anyway.
        const chosen = trace.findIndex(({ verdict }) => verdict === 'chosen');
        const isSpared = (chosen < 0 ? trace : trace.slice(0, chosen)).some(
          ({ verdict, model, code }) => verdict === 'skipped' && isOfAnother(after, { directory, model, code }),
        );
        if (isSpared) count++;
      }
    },
    forget() {
      count = 0;
    },
    count: () => count,
  };
}

type LeftOut = Readonly<{ directory: string; model: ModelId; code: string }>;

function isOfAnother(state: EngineState, { directory, model, code }: LeftOut): boolean {
  const key = keyIn(state, directory, model);
  const account = providerOf(key);
  if (code === 'headroom.drain') return false;
  if (code.startsWith('headroom.')) return fullest(get(state.windows, account) ?? [])?.machine !== undefined;
  const both = [get(state.models, key), get(state.providers, account)];
  if (code.startsWith('limit.')) return both.some((health) => health?.limit?.machine !== undefined);
  if (!code.startsWith('breaker.')) return false;
  return both.some((health) => health !== undefined && isCircuitOfAnother(health.breaker));
}

/** The ruling limit is the fullest one. */
const fullest = (windows: readonly Window[]): Window | undefined =>
  windows.toSorted((one, other) => other.used - one.used)[0];
