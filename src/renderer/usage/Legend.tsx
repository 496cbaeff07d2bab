import { useId } from 'react';
import { Symbols } from 'recharts';
import { Patterns } from './Patterns';
import { styleOf, toneOf } from './series';

/** One series: `place` is its style; a line is named by its dash, an area by its pattern. */
export type LegendItem = Readonly<{ name: string; place: number; isLine?: boolean }>;

/** Which pattern, dash and colour is what. */
export function Legend({ items }: Readonly<{ items: readonly LegendItem[] }>) {
  const id = useId().replace(/\W/g, '');
  return (
    <ul className="legend">
      {items.map(({ name, place, isLine = false }) => (
        <li key={name}>
          {isLine ? (
            <svg className="legend-line" viewBox="0 0 26 14" aria-hidden="true">
              <path d="M0 7h26" stroke={toneOf(place)} strokeWidth="2" strokeDasharray={styleOf(place).dash} />
              <Symbols cx={13} cy={7} type={styleOf(place).mark} size={36} fill={toneOf(place)} stroke="none" />
            </svg>
          ) : (
            <svg viewBox="0 0 14 14" aria-hidden="true">
              <Patterns id={`${id}${place}`} />
              <rect width="14" height="14" fill={`url(#${id}${place}-${styleOf(place).tone})`} />
            </svg>
          )}
          {name}
        </li>
      ))}
    </ul>
  );
}
