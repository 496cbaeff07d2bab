/** Legible without colour; in the order of their hues. */
export const PATTERNS = ['solid', 'diagonal', 'dots', 'cross', 'vertical', 'horizontal', 'back', 'checks'] as const;
export type PatternName = (typeof PATTERNS)[number];

/** Legible without colour. */
export type Look = Readonly<{
  id: string;
  colour: string;
  pattern: PatternName;
  dash: string;
  mark: 'circle' | 'triangle' | 'square' | 'diamond' | 'cross' | 'wye' | 'star';
}>;

const HUES = 8;

/** The first eight numbers differ in hue and pattern; each next eight shift the pattern. */
export function lookOfModel(slot: number | null): Look {
  if (slot === null) return OTHERS;
  const { hue, pattern } = identityOf(slot);
  return { id: `m${hue}-${pattern}`, colour: `var(--model-${hue})`, pattern, dash: '', mark: 'circle' };
}

function identityOf(slot: number): Readonly<{ hue: number; pattern: PatternName }> {
  const hue = slot % HUES;
  return { hue: hue + 1, pattern: PATTERNS[(hue + Math.floor(slot / HUES)) % PATTERNS.length] ?? 'solid' };
}

/** For files without a script. */
export function lookClass(slot: number): string {
  const { hue, pattern } = identityOf(slot);
  return `hue-${hue} pat-${pattern}`;
}

const grey = (id: string, colour: string, pattern: PatternName, line: Pick<Look, 'dash' | 'mark'>): Look => ({
  id,
  colour,
  pattern,
  ...line,
});

/** Looks of everything except models. */
const GREYS: readonly Look[] = [
  grey('p1', 'var(--series-1)', 'solid', { dash: '', mark: 'circle' }),
  grey('p2', 'var(--ink-3)', 'diagonal', { dash: '2 3', mark: 'triangle' }),
  grey('p3', 'var(--ink-2)', 'dots', { dash: '7 3', mark: 'square' }),
  grey('p4', 'var(--ink)', 'vertical', { dash: '7 3 2 3', mark: 'diamond' }),
  grey('p5', 'var(--ink-3)', 'horizontal', { dash: '4 2', mark: 'cross' }),
  grey('p6', 'var(--ink-2)', 'cross', { dash: '1 4', mark: 'wye' }),
];

/** Repeats after the last. */
export const lookOfPart = (place: number): Look => GREYS[place % GREYS.length] ?? OTHERS;

export const OTHERS: Look = grey('others', 'var(--series-1)', 'checks', { dash: '2 4', mark: 'star' });
