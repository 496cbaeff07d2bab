import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { ModelRow } from '../../contract';
import { modelsPhrase, resettable } from '../../contract';
import { modelTexts, shellTexts } from '../../texts';
import { ModelTile } from '../components/ModelTile';
import { PageHead } from '../components/PageHead';
import { ModelDetail } from '../models/ModelDetail';
import { ModelDialog, type ModelQuestion } from '../models/ModelDialogs';
import { useSnapshot } from '../panel';
import { hrefOf } from '../routes';
import { onRowKey } from '../row-keys';

/** Every model with its health, worst first; `openModel` is the one the address names. */
export function ModelsPage({ openModel }: Readonly<{ openModel: string | null }>) {
  const snapshot = useSnapshot();
  const { models } = snapshot;
  const said = modelTexts();
  const list = useRef<HTMLUListElement>(null);
  const shown = useSteadyOrder(models, list);
  const [question, ask] = useState<ModelQuestion | null>(null);
  const endQuestion = useCallback(() => ask(null), []);
  const open = models.find((row) => row.model === openModel);
  const takesFocus = useFocusBetween(open?.model ?? null, list);
  const mostCalls = Math.max(...models.map((row) => row.calls));
  const close = () => {
    window.location.hash = hrefOf('models');
  };
  return (
    <>
      <PageHead
        title={models.length > 0 ? shellTexts().views.models : said.page.none}
        lede={models.length > 0 ? modelsPhrase(models) : said.page.noneLede}
      >
        {resettable(snapshot, { all: true }).length > 0 && (
          <button className="btn" type="button" onClick={() => ask({ kind: 'resetMany' })}>
            {said.actions.reset}
          </button>
        )}
      </PageHead>
      <div className={open ? 'models models-open' : 'models'}>
        <ul className="tiles" ref={list} onKeyDown={onRowKey}>
          {shown.map((row) => (
            <ModelTile key={row.model} row={row} mostCalls={mostCalls} isOpen={row === open} />
          ))}
        </ul>
        {open && <ModelDetail key={open.model} row={open} takesFocus={takesFocus} onAsk={ask} onClose={close} />}
      </div>
      {question && <ModelDialog question={question} onEnd={endQuestion} />}
    </>
  );
}

/**
 * Keeps the focus on the page: a model that is closed gives it back to its tile. @returns whether opening this one took the
 * list, and with it the focus, off the screen.
 */
function useFocusBetween(open: string | null, list: RefObject<HTMLElement | null>): boolean {
  const last = useRef(open);
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    const before = last.current;
    if (before === open) return;
    last.current = open;
    setGone(open !== null && list.current?.offsetParent === null);
    const tiles = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
    if (open === null && document.activeElement === document.body)
      tiles.find((tile) => tile.dataset.row === before)?.focus();
  }, [open, list]);
  return isGone;
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
