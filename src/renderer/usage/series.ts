/** How series n is drawn, from 0: each hue has a pattern, a dash and a mark of its own. The last is for lines over others. */
export type SeriesStyle = Readonly<{
  /** Its place in the tokens, from 1. */
  tone: number;
  dash: string;
  mark: 'circle' | 'triangle' | 'square' | 'diamond' | 'cross' | 'wye' | 'star';
}>;

const STYLES: readonly SeriesStyle[] = [
  { tone: 1, dash: '', mark: 'circle' },
  { tone: 2, dash: '2 3', mark: 'triangle' },
  { tone: 3, dash: '7 3', mark: 'square' },
  { tone: 4, dash: '7 3 2 3', mark: 'diamond' },
  { tone: 5, dash: '4 2', mark: 'cross' },
  { tone: 6, dash: '1 4', mark: 'wye' },
  { tone: 7, dash: '2 4', mark: 'star' },
];

/** The place of a line that is drawn over up to six series. */
export const LINE_OVER = 6;

/** After the last comes the first again. */
export function styleOf(place: number): SeriesStyle {
  return STYLES[place % STYLES.length] ?? { tone: 1, dash: '', mark: 'circle' };
}

/** The colour of a series. */
export const toneOf = (place: number): string => `var(--series-${styleOf(place).tone})`;
