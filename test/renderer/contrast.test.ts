import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const css = readFileSync(join(import.meta.dirname, '../../src/renderer/styles/tokens.css'), 'utf8');
const defined = [...css.matchAll(/--([\w-]+):\s*light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\)/g)].map(
  ([, name = '', light = '', dark = '']) => [name, [light, dark]] as const,
);
/** Colours as usual, and for users who prefer more contrast: those are defined last. */
const PALETTES = [new Map(defined.toReversed()), new Map(defined)];

const STATES = ['ready', 'degraded', 'cooling', 'open', 'probing', 'needs', 'held'];
const SURFACES = ['bg', 'side', 'surface', 'inset', 'hover', 'raised'];
const on = (inks: readonly string[], grounds: readonly string[], least: number) =>
  inks.flatMap((ink) => grounds.map((ground) => [ink, ground, least] as const));

/** Every text on every ground it stands on, with the least contrast WCAG AA asks for; 3 for marks. */
const PAIRS: readonly (readonly [ink: string, ground: string, least: number])[] = [
  ...on(['ink', 'ink-2', 'ink-3'], SURFACES, 4.5),
  ...on(['ink', 'ink-2'], ['accent-soft', 'add-soft', 'del-soft'], 4.5),
  ...on([...STATES, 'unseen'], ['surface', 'bg', 'hover', 'raised'], 4.5),
  ...STATES.map((state) => [state, `${state}-soft`, 4.5] as const),
  ...on(['accent'], SURFACES, 4.5),
  ...on(['on-accent'], ['accent', 'accent-hover'], 4.5),
  ...[['on-accent-soft', 'accent-soft', 4.5] as const, ['on-needs-solid', 'needs-solid', 4.5] as const],
  ...[['surface', 'ink', 4.5] as const],
  ...on(['focus'], ['bg', 'side', 'surface', 'accent-soft', 'raised'], 3),
  ...on(['line-control'], ['surface', 'bg', 'raised', 'hover'], 3),
  ...[['oracle', 'surface', 3] as const, ['on-oracle', 'oracle', 4.5] as const],
  ...on(['series-1', ...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `model-${n}`)], ['surface', 'inset'], 3),
];

const channel = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const luminance = (hex: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    channel(Number.parseInt(hex.slice(at, at + 2), 16) / 255),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
function ratio(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe('given the colours of the panel', () => {
  it('when white meets black, then the contrast is 21 to 1', () => {
    expect(ratio('#ffffff', '#000000')).toBeCloseTo(21, 5);
  });

  it.each(PAIRS)('when %s stands on %s, then it has at least %s to 1 in both themes', (ink, ground, least) => {
    for (const tokens of PALETTES)
      for (const theme of [0, 1] as const) {
        const [text, surface] = [tokens.get(ink)?.[theme], tokens.get(ground)?.[theme]];
        if (!text || !surface) throw new Error(`No token ${text ? ground : ink}`);
        expect(ratio(text, surface)).toBeGreaterThanOrEqual(least);
      }
  });
});
