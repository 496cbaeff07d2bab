/** A place on the map, in its own units. */
export type Place = Readonly<{ x: number; y: number }>;

/** The map is 120 by 120; the Oracle stands in the middle of it. */
export const MIDDLE: Place = { x: 60, y: 60 };
const RADIUS = 42;
/** As large as a hero is drawn where there is room, and how much of the way to its neighbour it takes at most. */
const SIZE = 6.6;
const SHARE = 0.42;
/** Names of more heroes than these would stand over each other. */
const NAMED_MOST = 10;

/** Where so many heroes stand around the Oracle, the first at the top, and how large each of them is. */
export function placesOf(count: number): Readonly<{ places: readonly Place[]; size: number; isNamed: boolean }> {
  const places = Array.from({ length: count }, (_, index) => {
    const angle = (2 * Math.PI * index) / count - Math.PI / 2;
    return { x: rounded(MIDDLE.x + RADIUS * Math.cos(angle)), y: rounded(MIDDLE.y + RADIUS * Math.sin(angle)) };
  });
  const apart = count < 2 ? Number.POSITIVE_INFINITY : 2 * RADIUS * Math.sin(Math.PI / count);
  return { places, size: rounded(Math.min(SIZE, SHARE * apart)), isNamed: count <= NAMED_MOST };
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** How far a line between two is drawn towards the middle, as a share. */
const PULL = 0.3;

/** A line from one to another that bends to the middle, so that it runs through none of those between. */
export function bent(from: Place, to: Place): string {
  const half = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const bend = { x: half.x + PULL * (MIDDLE.x - half.x), y: half.y + PULL * (MIDDLE.y - half.y) };
  return `M${from.x} ${from.y}Q${rounded(bend.x)} ${rounded(bend.y)} ${to.x} ${to.y}`;
}

/** Two in the lower half, near the middle line, have their names outwards: below each other there is no room for both. */
const LOW_Y = 85;
const NEAR_X = 22;

/** On which side of its hero a name begins. */
export function leanOf({ x, y }: Place): 'start' | 'middle' | 'end' {
  const off = x - MIDDLE.x;
  if (y < LOW_Y || Math.abs(off) < 1 || Math.abs(off) > NEAR_X) return 'middle';
  return off > 0 ? 'start' : 'end';
}

/** Two letters of each name, different ones for each as far as its letters allow. */
export function initialsOf(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const [first = '?', ...others] = [...name.replace(/\s+/g, '')];
    const pairs = others.map((other) => `${first.toUpperCase()}${other.toLowerCase()}`);
    const free = pairs.find((pair) => !taken.has(pair)) ?? pairs[0] ?? first.toUpperCase();
    taken.add(free);
    return free;
  });
}
