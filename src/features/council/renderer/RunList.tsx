import { type RefObject, useEffect, useId, useState } from 'react';
import { useActs } from '../../../renderer/app/acts';
import { hasNoFocus } from '../../../renderer/app/detail-page';
import { useSnapshot } from '../../../renderer/app/panel';
import { hrefOf } from '../../../renderer/app/routes';
import { useVirtualRows } from '../../../renderer/app/virtual-rows';
import { Icon } from '../../../renderer/components/Icon';
import { councilPageTexts, councilRunTexts } from '../../../texts';
import type { CouncilRunRow } from '../contract/council-run';
import { foundPhrase } from '../wording/council-page-words';
import { aboutRun, whenPhrase } from '../wording/council-run-words';
import { councilSpent } from '../wording/council-words';
import { RemoveDialog } from './RunDialogs';
import { RunMark } from './RunMark';

/** Estimated height in px. */
const ROW_PX = 54;

type Props = Readonly<{
  runs: readonly CouncilRunRow[];
  onChange: () => void;
  left: RefObject<string | null>;
}>;

export function RunList({ runs, onChange, left }: Props) {
  const texts = councilPageTexts().runs;
  const [removing, setRemoving] = useState<CouncilRunRow | null>(null);
  const list = useVirtualRows<HTMLTableSectionElement>({
    count: runs.length,
    keyOf: (index) => runs[index]?.run ?? index,
    estimatePx: ROW_PX,
    onNearEnd: nothingMore,
  });
  const { focusRow } = list;
  useEffect(() => {
    const back = left.current;
    left.current = null;
    if (back !== null && hasNoFocus()) focusRow(runs.findIndex(({ run }) => run === back));
  }, [left, runs, focusRow]);
  return (
    <section aria-labelledby="co-runs">
      <div className="section-title">
        <h2 id="co-runs">{texts.title}</h2>
      </div>
      {runs.length === 0 && <p className="card card-body muted">{texts.none}</p>}
      {runs.length > 0 && (
        <table className="card sess co-runs" aria-labelledby="co-runs" aria-rowcount={runs.length + 1}>
          <thead>
            <tr className="co-run co-run-head sess-head" aria-rowindex={1}>
              {Object.entries(texts.columns).map(([name, text]) => (
                <th className={`co-run-${name} cap`} scope="col" key={name}>
                  {text}
                </th>
              ))}
              <td className="co-run-act" />
            </tr>
          </thead>
          <tbody ref={list.container} style={list.style} onKeyDown={list.onKey}>
            {list.rows.map(({ index, props }) => {
              const row = runs[index];
              return (
                row && (
                  <tr key={row.run} className="co-run" aria-rowindex={index + 2} {...props}>
                    <RunCells row={row} onRemove={() => setRemoving(row)} />
                  </tr>
                )
              );
            })}
          </tbody>
        </table>
      )}
      {removing && <RemoveDialog row={removing} onDone={onChange} onEnd={() => setRemoving(null)} />}
    </section>
  );
}

const nothingMore = (): void => {};

function RunCells({ row, onRemove }: Readonly<{ row: CouncilRunRow; onRemove: () => void }>) {
  const { at } = useSnapshot();
  const { say } = useActs();
  const texts = councilPageTexts();
  const id = useId();
  const what = aboutRun(row);
  const { begunAt, state, headline } = row;
  return (
    <>
      <td className="co-run-what">
        <RunMark state={state} />
        <span className="co-run-name">
          <a
            data-row={row.run}
            href={hrefOf('council', row.run)}
            title={what}
            aria-describedby={`${id}-state ${id}-when`}
          >
            {what}
          </a>
          {headline !== null && <span className="cap">{headline}</span>}
        </span>
      </td>
      <td className="co-run-state" id={`${id}-state`}>
        {councilRunTexts().states[state]}
      </td>
      <td className="co-run-found">{foundPhrase(row)}</td>
      <td className="co-run-spent">{councilSpent(row)}</td>
      <td className="co-run-when" id={`${id}-when`}>
        {begunAt === null ? texts.runs.noTitle : whenPhrase(begunAt, at)}
      </td>
      <td className="co-run-act">
        {state === 'fetching' ? (
          <button
            className="btn btn-icon btn-quiet btn-sm"
            type="button"
            aria-label={texts.runs.stopOf(what)}
            title={texts.runs.stop}
            onClick={() => void say({ run: row.run, word: { kind: 'stop' } }, { text: texts.runs.stopped(what) })}
          >
            <Icon name="stop" />
          </button>
        ) : (
          <button
            className="btn btn-icon btn-quiet btn-sm"
            type="button"
            aria-label={texts.runs.removeOf(what)}
            title={texts.runs.remove}
            onClick={onRemove}
          >
            <Icon name="close" />
          </button>
        )}
      </td>
    </>
  );
}
