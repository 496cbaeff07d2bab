import { type CSSProperties, type KeyboardEvent, memo, useCallback, useMemo, useRef, useState } from 'react';
import { useLanguage } from '../../../renderer/app/language';
import { ModelId } from '../../../renderer/components/ModelId';
import { rankingPageTexts } from '../../../texts';
import { shortName } from '../../../wording/wording';
import { BENCHMARKS, type BenchmarkId, type RankAnswer } from '../contract/ranking';
import { valueText, weightText } from '../wording/ranking-page-words';
import { type Cell, type HeatRow, shadesOf } from './heat';
import { ValueDetail } from './ValueDetail';

type At = Readonly<{ row: number; column: number }>;
type Props = Readonly<{
  rows: readonly HeatRow[];
  all: readonly HeatRow[];
  columns: readonly BenchmarkId[];
  answer: RankAnswer;
  headingId: string;
  onCorrect: (cell: Cell) => void;
}>;

/** One tab stop; arrow keys move between values. */
export function HeatMap({ rows, all, columns, answer, headingId, onCorrect }: Props) {
  const [stop, setStop] = useState<At>({ row: 0, column: 0 });
  const [seen, see] = useState<At | null>(null);
  const table = useRef<HTMLTableElement>(null);
  const detail = `${headingId}-detail`;
  const shades = useMemo(() => new Map(columns.map((column) => [column, shadesOf(all, column)])), [all, columns]);
  const at: At = { row: Math.min(stop.row, rows.length - 1), column: Math.min(stop.column, columns.length - 1) };
  const onLook = useCallback((where: At, isFocus: boolean) => {
    if (isFocus) setStop(where);
    see(where);
  }, []);
  const onKey = (event: KeyboardEvent) => {
    const next = stepFrom(at, event, rows.length, columns.length);
    if (next === null) return;
    event.preventDefault();
    setStop(next);
    see(next);
    table.current?.querySelector<HTMLElement>(`[data-at="${next.row} ${next.column}"]`)?.focus();
  };
  const cellAt = ({ row, column }: At): Cell | null => {
    const [of, benchmark] = [rows[row], columns[column]];
    return of && benchmark ? { row: of, benchmark } : null;
  };
  return (
    <>
      <div className="scroll hm-wrap">
        <table
          className="hm"
          style={{ '--columns': columns.length } as CSSProperties}
          ref={table}
          aria-labelledby={headingId}
          onKeyDown={onKey}
        >
          <Head columns={columns} answer={answer} />
          <tbody>
            {rows.map((row, rowAt) => (
              <Row
                key={row.model}
                row={row}
                rowAt={rowAt}
                columns={columns}
                shades={shades}
                detail={detail}
                onLook={onLook}
                stop={at.row === rowAt ? at.column : null}
              />
            ))}
          </tbody>
        </table>
      </div>
      <ValueDetail id={detail} cell={seen && cellAt(seen)} onCorrect={onCorrect} />
    </>
  );
}

function stepFrom({ row, column }: At, { key }: KeyboardEvent, rows: number, columns: number): At | null {
  switch (key) {
    case 'ArrowUp':
      return { row: Math.max(0, row - 1), column };
    case 'ArrowDown':
      return { row: Math.min(rows - 1, row + 1), column };
    case 'ArrowLeft':
      return { row, column: Math.max(0, column - 1) };
    case 'ArrowRight':
      return { row, column: Math.min(columns - 1, column + 1) };
    case 'Home':
      return { row, column: 0 };
    case 'End':
      return { row, column: columns - 1 };
    default:
      return null;
  }
}

function Head({ columns, answer }: Readonly<{ columns: readonly BenchmarkId[]; answer: RankAnswer }>) {
  const texts = rankingPageTexts();
  const { formula } = answer;
  return (
    <thead>
      <tr>
        <th scope="col">{texts.values.model}</th>
        {columns.map((benchmark) => {
          const weight = formula?.weights?.[benchmark];
          const isCounted = formula?.benchmarks.includes(benchmark) ?? false;
          return (
            <th key={benchmark} scope="col" className={isCounted ? 'on' : undefined} title={BENCHMARKS[benchmark].name}>
              {texts.short[benchmark]}
              {weight !== undefined && <span className="hm-weight">{texts.weights.percent(weightText(weight))}</span>}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

type RowProps = Readonly<{
  row: HeatRow;
  rowAt: number;
  columns: readonly BenchmarkId[];
  shades: ReadonlyMap<BenchmarkId, ReturnType<typeof shadesOf>>;
  stop: number | null;
  detail: string;
  onLook: (at: At, isFocus: boolean) => void;
}>;

/** Memoized: a pointer visits many cells in a second. */
const Row = memo(function Row({ row, rowAt, columns, shades, stop, detail, onLook }: RowProps) {
  useLanguage();
  return (
    <tr>
      <th scope="row">
        <ModelId model={row.model} />
      </th>
      {columns.map((benchmark, column) => (
        <HeatCell
          key={benchmark}
          cell={{ row, benchmark }}
          at={{ row: rowAt, column }}
          shade={shades.get(benchmark)}
          isStop={column === stop}
          detail={detail}
          onLook={onLook}
        />
      ))}
    </tr>
  );
});

const MARKS = { published: '', measured: '•', estimated: '~' } as const;

type CellProps = Readonly<{
  cell: Cell;
  at: At;
  shade: ReturnType<typeof shadesOf> | undefined;
  isStop: boolean;
  detail: string;
  onLook: (at: At, isFocus: boolean) => void;
}>;

function HeatCell({ cell: { row, benchmark }, at, shade, isStop, detail, onLook }: CellProps) {
  const texts = rankingPageTexts().values;
  const value = row.values.get(benchmark);
  const text = value ? valueText(value) : texts.missing;
  const kind = value && value.kind !== 'published' ? `, ${texts.kind[value.kind]}` : '';
  return (
    <td>
      <button
        type="button"
        className={value ? `hm-cell q${shade?.(value) ?? 0}` : 'hm-cell hm-none'}
        tabIndex={isStop ? 0 : -1}
        data-at={`${at.row} ${at.column}`}
        aria-label={texts.cell(shortName(row.model), benchmark, `${text}${kind}`)}
        aria-describedby={isStop ? detail : undefined}
        onFocus={() => onLook(at, true)}
        onClick={() => onLook(at, true)}
        onPointerEnter={() => onLook(at, false)}
      >
        {value ? text : '–'}
        {value && value.kind !== 'published' && <sup>{MARKS[value.kind]}</sup>}
      </button>
    </td>
  );
}
