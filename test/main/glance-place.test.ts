import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { glancePlace } from '../../src/main/glance-place';

const box = (x: number, y: number, width: number, height: number) => ({ x, y, width, height });
const screen = box(0, 0, 1280, 800);

const cases = [
  {
    name: 'a bar below',
    bounds: screen,
    workArea: box(0, 0, 1280, 760),
    icon: box(1000, 764, 24, 32),
    place: box(832, 232, 360, 520),
  },
  {
    name: 'a bar below, in its corner',
    bounds: screen,
    workArea: box(0, 0, 1280, 760),
    icon: box(1250, 764, 24, 32),
    place: box(912, 232, 360, 520),
  },
  {
    name: 'the menu bar of macOS',
    bounds: screen,
    workArea: box(0, 25, 1280, 775),
    icon: box(900, 0, 30, 24),
    place: box(735, 33, 360, 520),
  },
  {
    name: 'a bar on the left',
    bounds: screen,
    workArea: box(60, 0, 1220, 800),
    icon: box(18, 700, 24, 24),
    place: box(68, 272, 360, 520),
  },
  {
    name: 'a bar on the right',
    bounds: screen,
    workArea: box(0, 0, 1220, 800),
    icon: box(1238, 300, 24, 24),
    place: box(852, 52, 360, 520),
  },
  {
    name: 'a bar below that hides itself',
    bounds: screen,
    workArea: screen,
    icon: box(1000, 772, 24, 24),
    place: box(832, 244, 360, 520),
  },
  {
    name: 'an icon in the overflow above the bar',
    bounds: screen,
    workArea: box(0, 0, 1280, 760),
    icon: box(1000, 700, 24, 24),
    place: box(832, 172, 360, 520),
  },
  {
    name: 'a second screen on the left',
    bounds: box(-1920, -200, 1920, 1080),
    workArea: box(-1920, -200, 1920, 1040),
    icon: box(-60, 844, 24, 32),
    place: box(-368, 312, 360, 520),
  },
  {
    name: 'a screen of scale 1.5, whose places are no whole numbers',
    bounds: box(0, 0, 1706.67, 960),
    workArea: box(0, 0, 1706.67, 912),
    icon: box(1500.67, 920, 21.33, 32),
    place: box(1331, 384, 360, 520),
  },
  {
    name: 'a screen that is lower than the popover',
    bounds: box(0, 0, 800, 480),
    workArea: box(0, 0, 800, 440),
    icon: box(700, 444, 24, 32),
    place: box(432, 0, 360, 440),
  },
  {
    name: 'a screen that is narrower than the popover',
    bounds: box(0, 0, 320, 640),
    workArea: box(0, 0, 320, 600),
    icon: box(280, 604, 24, 32),
    place: box(0, 72, 320, 520),
  },
] as const;

describe('given the place of the popover', () => {
  it.each(cases)('when it belongs to $name, then it is beside the icon', ({ bounds, workArea, icon, place }) => {
    expect(glancePlace(icon, { bounds, workArea })).toEqual(place);
  });

  it('when icon and bar are anywhere, then it is wholly within the room for windows, in whole units', () => {
    const side = fc.integer({ min: -4_000, max: 4_000 });
    const bar = fc.integer({ min: 0, max: 90 });
    fc.assert(
      fc.property(
        fc.record({ x: side, y: side, width: fc.integer({ min: 600, max: 4_000 }), height: fc.constant(900) }),
        fc.record({ top: bar, bottom: bar, left: bar, right: bar }),
        fc.record({ x: side, y: side, width: fc.constant(24), height: fc.constant(24) }),
        (bounds, { top, bottom, left, right }, icon) => {
          const workArea = box(
            ...([bounds.x + left, bounds.y + top, bounds.width - left - right, bounds.height - top - bottom] as const),
          );
          const place = glancePlace(icon, { bounds, workArea });
          expect(place.x).toBeGreaterThanOrEqual(workArea.x);
          expect(place.y).toBeGreaterThanOrEqual(workArea.y);
          expect(place.x + place.width).toBeLessThanOrEqual(workArea.x + workArea.width);
          expect(place.y + place.height).toBeLessThanOrEqual(workArea.y + workArea.height);
          expect(Object.values(place).every(Number.isInteger)).toBe(true);
        },
      ),
    );
  });
});
