import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { icns, ico } from '../../scripts/icon-files.mjs';
import { TRAY_LEVELS } from '../../src/main/tray-headroom';
import { TRAY_ICONS } from '../../src/main/tray-view';
import { type Picture, readIcns, readIco, readPng } from '../support/pictures';

const root = join(import.meta.dirname, '../..');
const bytes = (path: string): Buffer => readFileSync(join(root, path));
const STATES = [
  'all-down',
  'attention',
  'cooling',
  'disconnected',
  'fallback',
  'healthy',
  'healthy-idle',
  'paused',
] as const;
const ICONS = STATES.flatMap((state) => [state, ...TRAY_LEVELS.map((level) => `${state}-${level}`)]);
const BAR_SIZES = [16, 20, 24, 32, 48];
const [BLACK, WHITE] = [0, 255];

const pixelsOf = ({ pixels }: Picture) =>
  Array.from({ length: pixels.length / 4 }, (_, index) => [...pixels.subarray(index * 4, index * 4 + 4)]);
const alphas = (picture: Picture): number[] => pixelsOf(picture).map(([, , , alpha = 0]) => alpha);
/** The darkest or brightest that a picture gets where there is something; drawing rounds by a step or two. */
const isOnly = (picture: Picture, tone: number): boolean =>
  pixelsOf(picture).every(
    ([red = 0, green = 0, blue = 0, alpha = 0]) =>
      alpha < 32 || [red, green, blue].every((channel) => Math.abs(channel - tone) <= 4),
  );
const corners = (picture: Picture): number[] => {
  const all = alphas(picture);
  return [0, picture.width - 1, all.length - picture.width, all.length - 1].map((at) => all[at] ?? -1);
};
const small = (state: string): Picture => readPng(bytes(`resources/tray/mac/${state}Template.png`));

describe('given the icons of the bar', () => {
  it('when their states are listed, then none is missing', () => {
    const drawn = readdirSync(join(root, 'resources/tray-source')).filter((name) => name.endsWith('.svg'));
    expect(drawn.sort()).toEqual(STATES.map((state) => `${state}.svg`).sort());
    expect(TRAY_ICONS.filter((icon) => !STATES.includes(icon))).toEqual([]);
  });

  it.each(ICONS)('when %s is read for macOS, then it is black at 16 and 32 pixels on nothing', (state) => {
    const pictures = ['', '@2x'].map((density) => readPng(bytes(`resources/tray/mac/${state}Template${density}.png`)));
    expect(pictures.map(({ width, height }) => [width, height])).toEqual([
      [16, 16],
      [32, 32],
    ]);
    expect(pictures.map((picture) => [isOnly(picture, BLACK), corners(picture)])).toEqual(
      Array(2).fill([true, [0, 0, 0, 0]]),
    );
  });

  it.each(ICONS)('when %s is read for Windows, then both sets hold five sizes, white for dark bars', (state) => {
    for (const [bar, tone] of [['light', BLACK] as const, ['dark', WHITE] as const]) {
      const entries = readIco(bytes(`resources/tray/windows/${bar}/${state}.ico`));
      const pictures = [...entries.values()].map(readPng);
      expect([[...entries.keys()], pictures.map(({ width }) => width)]).toEqual([BAR_SIZES, BAR_SIZES]);
      expect(pictures.map((picture) => [isOnly(picture, tone), corners(picture)])).toEqual(
        BAR_SIZES.map(() => [true, [0, 0, 0, 0]]),
      );
    }
  });

  it.each(ICONS)('when %s is read for Linux, then it is 48 pixels wide, white with a dark rim on nothing', (state) => {
    const picture = readPng(bytes(`resources/tray/linux/${state}.png`));
    expect([picture.width, picture.height, corners(picture)]).toEqual([48, 48, [0, 0, 0, 0]]);
    const seen = pixelsOf(picture).filter(([, , , alpha = 0]) => alpha > 128);
    const [dark, bright] = [seen.filter(([red = 0]) => red < 64), seen.filter(([red = 0]) => red > 192)];
    // Enough of both that either half of the drawing can be told from its bar.
    expect([dark.length > seen.length / 10, bright.length > seen.length / 4]).toEqual([true, true]);
  });

  it.each(ICONS)('when %s is 16 pixels wide, then there is neither too little nor too much of it', (state) => {
    const all = alphas(small(state));
    const coverage = all.reduce((sum, alpha) => sum + alpha, 0) / 255 / all.length;
    expect(coverage).toBeGreaterThan(0.12);
    expect(coverage).toBeLessThan(0.6);
    // Some of it is fully there: nothing but grey would be a smudge.
    expect(all.filter((alpha) => alpha > 230).length).toBeGreaterThanOrEqual(8);
  });

  const pairs = STATES.flatMap((one, index) => STATES.slice(index + 1).map((other) => [one, other] as const));
  const leveledPairs = ['', ...TRAY_LEVELS.map((level) => `-${level}`)].flatMap((level) =>
    pairs.map(([one, other]) => [one, other, level] as const),
  );
  it.each(leveledPairs)(
    'when %s and %s are 16 pixels wide, both with the level "%s", then they differ without colour, and blurred too',
    (one, other, level) => {
      const [left, right] = [alphas(small(`${one}${level}`)), alphas(small(`${other}${level}`))];
      // In whole pixels of 256; with work and without is one state, whose two forms may be near.
      const isOneState = one === 'healthy' && other === 'healthy-idle';
      expect(difference(left, right)).toBeGreaterThan(isOneState ? 10 : 30);
      expect(difference(blurred(left, 16), blurred(right, 16))).toBeGreaterThan(isOneState ? 10 : 20);
    },
  );

  it.each(STATES)(
    'when %s has a level at 16 pixels, then that is a line of its own at the bottom, as long as it is full',
    (state) => {
      const rowOf = (name: string, row: number): number[] => alphas(small(name)).slice(row * 16, row * 16 + 16);
      const track = (length: number): number[] => [0, ...Array(length).fill(255), ...Array(14 - length).fill(89), 0];
      const levels = TRAY_LEVELS.map((level) => `${state}-${level}`);
      expect(levels.map((name) => rowOf(name, 15))).toEqual([track(11), track(14)]);
      expect(levels.map((name) => rowOf(name, 14))).toEqual(Array(2).fill(Array(16).fill(0)));
    },
  );

  it.each(STATES)('when %s has a level, then its shape is the same, a pixel further up', (state) => {
    const plain = alphas(small(state)).slice(16, 15 * 16);
    const moved = alphas(small(`${state}-full`)).slice(0, 14 * 16);
    // What comes too near to the level is left out, and drawing rounds.
    expect(difference(plain, moved)).toBeLessThan(2);
  });

  it('when the macOS icon is read, then it has every type from 32 to 1024, with room around', () => {
    const pictures = [...readIcns(bytes('resources/icon.icns'))].map(([type, png]) => [type, readPng(png)] as const);
    expect(pictures.map(([type, { width }]) => [type, width])).toEqual([
      ...[
        ['ic11', 32],
        ['ic12', 64],
        ['ic07', 128],
        ['ic08', 256],
        ['ic13', 256],
      ],
      ...[
        ['ic09', 512],
        ['ic14', 512],
        ['ic10', 1024],
      ],
    ]);
    const largest = pictures.at(-1)?.[1] as Picture;
    expect(alphas(largest).indexOf(255)).toBeGreaterThan(99 * 1024);
  });

  it('when the Linux icon is read, then it is 512 pixels wide with round corners', () => {
    const picture = readPng(bytes('resources/icon.png'));
    expect([picture.width, picture.height, corners(picture)]).toEqual([512, 512, [0, 0, 0, 0]]);
  });
});

describe('given what the icons were drawn from', () => {
  const { sources, rendered } = JSON.parse(bytes('resources/tray-source/manifest.json').toString()) as Record<
    'sources' | 'rendered',
    Record<string, string>
  >;
  const changed = (known: Record<string, string>): string[] =>
    Object.entries(known)
      .filter(([path, hash]) => createHash('sha256').update(bytes(path)).digest('hex') !== hash)
      .map(([path]) => path);

  it('when a drawing or an icon has changed, then they were rendered together', () => {
    expect([changed(sources ?? {}), changed(rendered ?? {})]).toEqual([[], []]);
  });

  it('when the folder is read, then no icon lies there that nothing draws', () => {
    const there = readdirSync(join(root, 'resources/tray'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
    expect(there.filter((path) => rendered?.[path] === undefined)).toEqual([]);
  });
});

describe('given pictures to write into one file', () => {
  const png = bytes('resources/tray/mac/healthyTemplate@2x.png');

  it('when they are written and read again, then each is as it was', () => {
    const sizes = [32, 256];
    expect([...readIco(ico(sizes.map((size) => ({ size, png }))))]).toEqual(sizes.map((size) => [size, png]));
    expect([...readIcns(icns([{ size: 32, png }]))]).toEqual([['ic11', png]]);
  });
});

function difference(left: readonly number[], right: readonly number[]): number {
  return left.reduce((sum, alpha, at) => sum + Math.abs(alpha - (right[at] ?? 0)), 0) / 255;
}

/** Each pixel as the mean of the nine around it, as eyes see it from afar. */
function blurred(picture: readonly number[], width: number): number[] {
  return picture.map((_, at) => {
    const [column, row] = [at % width, Math.floor(at / width)];
    let sum = 0;
    for (const [x, y] of AROUND) {
      const isInside = column + x >= 0 && column + x < width && row + y >= 0 && row + y < width;
      if (isInside) sum += picture[at + y * width + x] ?? 0;
    }
    return sum / AROUND.length;
  });
}

const AROUND = [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((x) => [x, y] as const));
