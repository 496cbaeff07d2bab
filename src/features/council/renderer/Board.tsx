import { type ReactNode, useCallback, useRef, useState } from 'react';
import { useEscapeFirst } from '../../../renderer/app/detail-page';
import { isHeld } from '../../../renderer/app/held';
import { useSteadyOrder } from '../../../renderer/app/steady-order';
import { useVirtualRows } from '../../../renderer/app/virtual-rows';
import { Icon } from '../../../renderer/components/Icon';
import { councilPageTexts } from '../../../texts';
import { BoardFilters } from './BoardFilters';
import { type BoardFilter, boardOf, EVERYTHING, isWanted } from './board';
import { FindingRow } from './FindingRow';
import type { Finding, Report } from './use-council';

/** Estimated height in px. */
const ROW_PX = 54;
/** Keeps the text beside the findings in view. */
const SHOWN = 10;

export function Board({ report, children }: Readonly<{ report: Report; children: ReactNode }>) {
  const texts = councilPageTexts().board;
  const [filter, setFilter] = useState<BoardFilter>(EVERYTHING);
  const [open, setOpen] = useState<string | null>(null);
  const [isWhole, showWhole] = useState(false);
  const holder = useRef<HTMLDivElement>(null);
  const board = boardOf(report);
  const wanted = board.filter((finding) => isWanted(finding, filter));
  // Rows with the pointer or the focus stay.
  const rows = useSteadyOrder(
    wanted,
    ({ id }) => id,
    () => isHeld(holder.current),
  );
  const shown = isWhole || rows.length <= SHOWN + 1 ? rows : rows.slice(0, SHOWN);
  const turn = useCallback((id: string) => setOpen((last) => (last === id ? null : id)), []);
  useEscapeFirst(open === null ? null : () => setOpen(null));
  const isFiltered = filter !== EVERYTHING && wanted.length < board.length;
  return (
    <section className="card co-board" aria-labelledby="co-board">
      <div className="card-head">
        <h2 id="co-board">{texts.title}</h2>
        <span className="cap">
          {report.unproved.length === 0 ? texts.caption : texts.apart(report.unproved.length)}
        </span>
      </div>
      <BoardFilters board={board} filter={filter} onFilter={setFilter} />
      <p className="sr" aria-live="polite">
        {isFiltered ? texts.shown(wanted.length, board.length) : ''}
      </p>
      <div ref={holder}>
        {board.length === 0 && <p className="co-none muted">{texts.none}</p>}
        {board.length > 0 && wanted.length === 0 && (
          <p className="co-none muted">
            {texts.noneMatch}{' '}
            <button className="btn btn-sm" type="button" onClick={() => setFilter(EVERYTHING)}>
              {texts.clear}
            </button>
          </p>
        )}
        {shown.length > 0 && <Rows findings={shown} open={open} onTurn={turn} />}
      </div>
      {shown.length < rows.length && (
        <button className="co-fold" type="button" onClick={() => showWhole(true)}>
          <Icon name="chevron" />
          {texts.rest(rows.length - shown.length)}
        </button>
      )}
      {report.unproved.length > 0 && <Unproved findings={report.unproved} open={open} onTurn={turn} />}
      {children}
    </section>
  );
}

type RowsProps = Readonly<{ findings: readonly Finding[]; open: string | null; onTurn: (id: string) => void }>;

function Rows({ findings, open, onTurn }: RowsProps) {
  const list = useVirtualRows<HTMLOListElement>({
    count: findings.length,
    keyOf: (index) => findings[index]?.id ?? index,
    estimatePx: ROW_PX,
    onNearEnd: nothingMore,
  });
  return (
    <ol className="fnds" ref={list.container} style={list.style} onKeyDown={list.onKey}>
      {list.rows.map(({ index, props }) => {
        const finding = findings[index];
        return (
          finding && (
            <li
              key={finding.id}
              className="fnd-item"
              aria-posinset={index + 1}
              aria-setsize={findings.length}
              {...props}
            >
              <FindingRow finding={finding} isOpen={open === finding.id} onTurn={onTurn} />
            </li>
          )
        );
      })}
    </ol>
  );
}

const nothingMore = (): void => {};

function Unproved({ findings, open, onTurn }: RowsProps) {
  const texts = councilPageTexts().board;
  return (
    <details className="co-apart">
      <summary className="co-fold">{texts.unproved(findings.length)}</summary>
      <ol className="fnds">
        {findings.map((finding) => (
          <li key={finding.id} className="fnd-item">
            <FindingRow finding={finding} isOpen={open === finding.id} onTurn={onTurn} />
          </li>
        ))}
      </ol>
    </details>
  );
}
