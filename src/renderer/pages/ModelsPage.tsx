import { type RefObject, useCallback, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { ModelRow } from '../../contract';
import { modelsPhrase, shortName } from '../../contract';
import { ModelTile } from '../components/ModelTile';
import { PageHead } from '../components/PageHead';
import { Toast } from '../components/Toast';
import { usePanel, useSnapshot } from '../panel';

type Outcome = Readonly<{ model: string; refusal: string | null; count: number }>;

/** Every model with its health, worst first, and a way to give one another chance. */
export function ModelsPage() {
  const { models } = useSnapshot();
  const list = useRef<HTMLUListElement>(null);
  const shown = useSteadyOrder(models, list);
  const { outcome, reset, forget } = useReset();
  const mostCalls = Math.max(...models.map((row) => row.calls));
  return (
    <>
      <PageHead
        title={models.length > 0 ? 'Models' : 'No model is known yet.'}
        lede={models.length > 0 ? modelsPhrase(models) : 'Models appear here with a chain, or with their first call.'}
      />
      <ul className="tiles" ref={list}>
        {shown.map((row) => (
          <ModelTile
            key={row.model}
            row={row}
            mostCalls={mostCalls}
            refusal={outcome?.model === row.model ? outcome.refusal : null}
            onReset={reset}
          />
        ))}
      </ul>
      {outcome &&
        outcome.refusal === null &&
        createPortal(
          <Toast
            key={outcome.count}
            subject={shortName(outcome.model)}
            text="reset. The next request will try it."
            onEnd={forget}
          />,
          document.body,
        )}
    </>
  );
}

function useReset() {
  const { api, store } = usePanel();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const reset = useCallback(
    async (model: string) => {
      const tell = (refusal: string | null) =>
        setOutcome((last) => ({ model, refusal, count: (last?.count ?? 0) + 1 }));
      try {
        const answer = await api.ask('health.reset', { target: { model }, rev: store.getState().snapshot?.rev ?? 0 });
        tell(answer.accepted ? null : answer.reason);
      } catch (error) {
        tell(error instanceof Error ? error.message : String(error));
      }
    },
    [api, store],
  );
  const forget = useCallback(() => setOutcome(null), []);
  return { outcome, reset, forget };
}

/** Keeps the order of the last drawing while focus is inside the list, so that nothing moves under the hand. */
function useSteadyOrder(models: readonly ModelRow[], list: RefObject<HTMLElement | null>): readonly ModelRow[] {
  const order = useRef<readonly string[]>([]);
  const hasFocus = list.current?.contains(document.activeElement) ?? false;
  const place = (row: ModelRow) => {
    const index = order.current.indexOf(row.model);
    return index < 0 ? order.current.length : index;
  };
  const shown = hasFocus ? models.toSorted((a, b) => place(a) - place(b)) : models;
  order.current = shown.map((row) => row.model);
  return shown;
}
