import { Symbols } from 'recharts';
import type { Look } from '../../app/looks';
import { Swatch } from '../../components/Swatch';
import { MARKS, type MarkKind } from './marks';

export type LegendItem = Readonly<{ name: string }> &
  (Readonly<{ look: Look; isLine?: boolean }> | Readonly<{ mark: MarkKind }>);

export function Legend({ items }: Readonly<{ items: readonly LegendItem[] }>) {
  return (
    <ul className="legend">
      {items.map((item) => (
        <li key={item.name}>
          <Sign item={item} />
          {item.name}
        </li>
      ))}
    </ul>
  );
}

function Sign({ item }: Readonly<{ item: LegendItem }>) {
  if ('mark' in item)
    return (
      <svg className="legend-mark" viewBox="-7 -7 14 14" aria-hidden="true">
        <path className={`mark mark-${item.mark}`} d={MARKS[item.mark]} />
      </svg>
    );
  const { look, isLine = false } = item;
  if (!isLine) return <Swatch look={look} />;
  return (
    <svg className="legend-line" viewBox="0 0 26 14" aria-hidden="true">
      <path d="M0 7h26" stroke={look.colour} strokeWidth="2" strokeDasharray={look.dash} />
      <Symbols cx={13} cy={7} type={look.mark} size={36} fill={look.colour} stroke="none" />
    </svg>
  );
}
