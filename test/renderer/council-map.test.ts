import { describe, expect, it } from 'vitest';
import { bent, initialsOf, leanOf, placesOf } from '../../src/features/council/renderer/map-places';

/** As wide as a letter is at most, and as high as a name, in units of the map. */
const LETTER = 2.7;
const HEIGHT = 5.2;
const NAMES = [
  ...['Architect', 'Sentinel', 'Archaeologist', 'Cartographer', 'Alchemist'],
  ...['Healer', 'Sage', 'Warden', 'Scout', 'Bard'],
];
const COUNTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

type Box = Readonly<{ left: number; right: number; top: number; bottom: number }>;

/** Where the name of each of the first heroes stands. */
function boxesOf(count: number): readonly Box[] {
  const { places, size } = placesOf(count);
  return places.map((place, index) => {
    const width = LETTER * (NAMES[index]?.length ?? 0);
    const lean = leanOf(place);
    const left = lean === 'middle' ? place.x - width / 2 : lean === 'start' ? place.x - size : place.x + size - width;
    const middle = place.y + size + 3.8;
    return { left, right: left + width, top: middle - HEIGHT / 2, bottom: middle + HEIGHT / 2 };
  });
}

const isOver = (one: Box, other: Box): boolean =>
  Math.min(one.right, other.right) > Math.max(one.left, other.left) &&
  Math.min(one.bottom, other.bottom) > Math.max(one.top, other.top);

describe('given a party on the map', () => {
  it.each(COUNTS)('when there are %i heroes, then no name stands over another, and all are on the map', (count) => {
    const boxes = boxesOf(count);
    const over = boxes.flatMap((box, at) => boxes.slice(at + 1).filter((other) => isOver(box, other)));
    expect(over).toEqual([]);
    expect(boxes.filter(({ left, right, bottom }) => left < 0 || right > 120 || bottom > 120)).toEqual([]);
  });

  it.each([...COUNTS.slice(1), 14, 20])('when there are %i heroes, then none stands over another', (count) => {
    const { places, size } = placesOf(count);
    const apart = places.flatMap((one, at) =>
      places.slice(at + 1).map((other) => Math.hypot(one.x - other.x, one.y - other.y)),
    );
    expect(Math.min(...apart)).toBeGreaterThan(2 * size);
  });

  it('when there are more than ten, then their names stand in the list alone', () => {
    expect([placesOf(10).isNamed, placesOf(11).isNamed]).toEqual([true, false]);
  });

  it('when two names begin alike, then their letters differ', () => {
    expect(initialsOf(['Architect', 'Archaeologist', 'Sage', 'Sentinel', 'Scout'])).toEqual([
      'Ar',
      'Ac',
      'Sa',
      'Se',
      'Sc',
    ]);
    expect(initialsOf(['A', '', 'Ä b'])).toEqual(['A', '?', 'Äb']);
  });

  it('when a line is drawn between two, then it bends to the middle', () => {
    expect(bent({ x: 60, y: 17 }, { x: 103, y: 60 })).toBe('M60 17Q75.1 45 103 60');
  });
});
