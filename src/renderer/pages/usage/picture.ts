import { usageTexts } from '../../../texts';
import type { LegendItem } from './Legend';
import { MARKS } from './marks';

const SVG = 'http://www.w3.org/2000/svg';
const SCALE = 2;
const MARGIN = 16;
const LINE = 20;
const SWATCH = 12;
/** Approximate letter width at 12 px. */
const LETTER = 7;
/** Computed styles that an image of the drawing lacks. */
const TAKEN = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
] as const;

export type PictureText = Readonly<{
  title: string;
  finding: string;
  unit: string;
  legend: readonly LegendItem[];
}>;

/** @throws Error if the browser cannot draw it. */
export async function pictureOf(svg: SVGSVGElement, text: PictureText): Promise<Blob> {
  const page = composed(svg, text);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(page.svg))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = page.width * SCALE;
  canvas.height = page.height * SCALE;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error(usageTexts().card.notDrawn)))),
  );
}

function composed(drawing: SVGSVGElement, { title, finding, unit, legend }: PictureText) {
  // A drawing hidden behind its table keeps its attributes.
  const [drawnWidth = 0, drawnHeight = 0] = ['width', 'height'].map((name) => Number(drawing.getAttribute(name)));
  const inkOf = (element: Element | null) => getComputedStyle(element ?? drawing);
  const card = drawing.closest('.card');
  const { color: ink, fontFamily } = inkOf(card);
  const width = Math.ceil(Math.max(drawnWidth, finding.length * LETTER)) + 2 * MARGIN;
  const places = legendPlaces(legend, width - 2 * MARGIN);
  const chartTop = MARGIN + 3 * LINE;
  const legendTop = chartTop + drawnHeight + 8;
  const height = legendTop + (places.at(-1)?.y ?? 0) + LINE + MARGIN;
  const svg = make('svg', { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}`, 'font-family': fontFamily });
  svg.append(make('rect', { width, height, fill: inkOf(card).backgroundColor }));
  svg.append(words(title, { x: MARGIN, y: MARGIN + 13, fill: ink, 'font-size': 15, 'font-weight': 600 }));
  svg.append(words(finding, { x: MARGIN, y: MARGIN + LINE + 13, fill: ink, 'font-size': 12 }));
  svg.append(words(unit, { x: MARGIN, y: MARGIN + 2 * LINE + 11, fill: ink, 'font-size': 11 }));
  const copy = styled(drawing);
  for (const [name, value] of [
    ['x', MARGIN],
    ['y', chartTop],
  ] as const)
    copy.setAttribute(name, String(value));
  svg.append(copy);
  for (const [at, item] of legend.entries()) {
    const { x, y } = places[at] ?? { x: 0, y: 0 };
    svg.append(swatch(item, copy, { x: MARGIN + x, y: legendTop + y, ink }));
    const label = { x: MARGIN + x + SWATCH + 6, y: legendTop + y + 11, fill: ink, 'font-size': 12 };
    svg.append(words(item.name, label));
  }
  return { svg, width, height };
}

function styled(drawing: SVGSVGElement): SVGSVGElement {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = [drawing, ...drawing.querySelectorAll('*')];
  for (const [at, element] of [copy, ...copy.querySelectorAll('*')].entries()) {
    const original = originals[at];
    if (!original) continue;
    const style = getComputedStyle(original);
    for (const name of TAKEN) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute('style');
    element.removeAttribute('class');
  }
  return copy;
}

function swatch(
  item: LegendItem,
  drawing: SVGSVGElement,
  { x, y, ink }: Readonly<{ x: number; y: number; ink: string }>,
) {
  if ('mark' in item) {
    const transform = `translate(${x + SWATCH / 2} ${y + SWATCH / 2})`;
    return make('path', { d: MARKS[item.mark], transform, fill: 'none', stroke: ink, 'stroke-width': 1.5 });
  }
  const { look, isLine = false } = item;
  const pattern = drawing.querySelector(`pattern[id$="-${look.id}"]`);
  const colour = pattern?.querySelector('rect')?.getAttribute('fill') ?? 'currentColor';
  if (!isLine) return make('rect', { x, y, width: SWATCH, height: SWATCH, fill: `url(#${pattern?.id ?? ''})` });
  const stroke = { stroke: colour, 'stroke-width': 2, 'stroke-dasharray': look.dash };
  return make('path', { d: `M${x - 4} ${y + SWATCH / 2}h${SWATCH + 6}`, ...stroke });
}

function legendPlaces(legend: readonly LegendItem[], width: number): readonly Readonly<{ x: number; y: number }>[] {
  let x = 0;
  let y = 0;
  return legend.map(({ name }) => {
    const needed = SWATCH + 6 + name.length * LETTER + 16;
    if (x > 0 && x + needed > width) {
      x = 0;
      y += LINE;
    }
    const place = { x, y };
    x += needed;
    return place;
  });
}

function make(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

function words(text: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = make('text', attributes);
  element.textContent = text;
  return element;
}
