/** Fills that can be told apart without colour, in the order of the hues they go with first. */
export const PATTERNS = ['solid', 'diagonal', 'dots', 'cross', 'vertical', 'horizontal', 'back', 'checks'] as const;
export type PatternName = (typeof PATTERNS)[number];

/** How something is drawn in every chart: its colour and, so that it reads without, its pattern, dash and mark. */
export type Look = Readonly<{
  /** Names it among all looks. */
  id: string;
  colour: string;
  pattern: PatternName;
  dash: string;
  mark: 'circle' | 'triangle' | 'square' | 'diamond' | 'cross' | 'wye' | 'star';
}>;

const HUES = 8;

/**
 * How a model is drawn, by its own number: the first eight differ in hue and pattern, the next eight have the same hues with
 * the next pattern, and so on: 64 models are told apart. Null is a model without a number.
 */
export function lookOfModel(slot: number | null): Look {
  if (slot === null) return OTHERS;
  const { hue, pattern } = identityOf(slot);
  return { id: `m${hue}-${pattern}`, colour: `var(--model-${hue})`, pattern, dash: '', mark: 'circle' };
}

/** Hue, from 1, and pattern of the model with this number. */
function identityOf(slot: number): Readonly<{ hue: number; pattern: PatternName }> {
  const hue = slot % HUES;
  return { hue: hue + 1, pattern: PATTERNS[(hue + Math.floor(slot / HUES)) % PATTERNS.length] ?? 'solid' };
}

/** The classes that draw the same where nothing but a style can: in a page that is one file without a script. */
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

/** What is no model is grey, and told apart by its pattern. */
const GREYS: readonly Look[] = [
  grey('p1', 'var(--series-1)', 'solid', { dash: '', mark: 'circle' }),
  grey('p2', 'var(--ink-3)', 'diagonal', { dash: '2 3', mark: 'triangle' }),
  grey('p3', 'var(--ink-2)', 'dots', { dash: '7 3', mark: 'square' }),
  grey('p4', 'var(--ink)', 'vertical', { dash: '7 3 2 3', mark: 'diamond' }),
  grey('p5', 'var(--ink-3)', 'horizontal', { dash: '4 2', mark: 'cross' }),
  grey('p6', 'var(--ink-2)', 'cross', { dash: '1 4', mark: 'wye' }),
];

/** How part n of something is drawn that is no model, from 0; after the last comes the first again. */
export const lookOfPart = (place: number): Look => GREYS[place % GREYS.length] ?? OTHERS;

/** How all that is left is drawn. */
export const OTHERS: Look = grey('others', 'var(--series-1)', 'checks', { dash: '2 4', mark: 'star' });
