import { type EngineState, keyIn, type ModelId, providerOf } from '../../engine';
import { get } from '../../engine/tools';
import type { Projection, TakenStep } from '../base/projection';

/** Counts requests that were not made into a limit because another machine of the fleet had found it. */
export type Spared = Projection<Pick<TakenStep, 'result' | 'after' | 'isReplayed'>> & Readonly<{ count(): number }>;

/** A count that begins with this life: one for each decision that leaves such a model out. */
export function createSpared(): Spared {
  let count = 0;
  return {
    hear({ result, after, isReplayed }) {
      if (isReplayed) return;
      for (const { trace, session } of result.decisions) {
        const directory = get(after.sessions, session)?.directory ?? '';
        const isSpared = trace.some(
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

/** Whether what a model is left out for is known from another machine. */
function isOfAnother(state: EngineState, { directory, model, code }: LeftOut): boolean {
  const key = keyIn(state, directory, model);
  const account = providerOf(key);
  if (code.startsWith('headroom.'))
    return (get(state.windows, account) ?? []).some(({ machine }) => machine !== undefined);
  return [get(state.models, key), get(state.providers, account)].some(
    (health) =>
      health !== undefined &&
      (health.limit?.machine !== undefined || (health.breaker.kind === 'open' && health.breaker.machine !== undefined)),
  );
}
