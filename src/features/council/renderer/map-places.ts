export type Place = Readonly<{ x: number; y: number }>;

/** The map is 120 by 120. */
export const MIDDLE: Place = { x: 60, y: 60 };
const RADIUS = 42;
/** Limits of a hero's size: absolute, and as share of the distance to its neighbour. */
const SIZE = 6.6;
const SHARE = 0.42;
/** More names would overlap. */
const NAMED_MOST = 10;

export function placesOf(count: number): Readonly<{ places: readonly Place[]; size: number; isNamed: boolean }> {
  const places = Array.from({ length: count }, (_, index) => {
    const angle = (2 * Math.PI * index) / count - Math.PI / 2;
    return { x: rounded(MIDDLE.x + RADIUS * Math.cos(angle)), y: rounded(MIDDLE.y + RADIUS * Math.sin(angle)) };
  });
  const apart = count < 2 ? Number.POSITIVE_INFINITY : 2 * RADIUS * Math.sin(Math.PI / count);
  return { places, size: rounded(Math.min(SIZE, SHARE * apart)), isNamed: count <= NAMED_MOST };
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

const PULL = 0.3;

/** Bends to the centre, so that the line crosses no participant. */
export function bent(from: Place, to: Place): string {
  const half = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const bend = { x: half.x + PULL * (MIDDLE.x - half.x), y: half.y + PULL * (MIDDLE.y - half.y) };
  return `M${from.x} ${from.y}Q${rounded(bend.x)} ${rounded(bend.y)} ${to.x} ${to.y}`;
}

/** Names of two heroes near the bottom point outwards. */
const LOW_Y = 85;
const NEAR_X = 22;

export function leanOf({ x, y }: Place): 'start' | 'middle' | 'end' {
  const off = x - MIDDLE.x;
  if (y < LOW_Y || Math.abs(off) < 1 || Math.abs(off) > NEAR_X) return 'middle';
  return off > 0 ? 'start' : 'end';
}

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
