import type { Display, Rectangle } from 'electron';

type Edge = 'top' | 'bottom' | 'left' | 'right';

const WIDTH = 360;
const MOST_HEIGHT = 520;
const GAP = 8;

/** In the system's own units. */
export function glancePlace(icon: Rectangle, { bounds, workArea }: Pick<Display, 'bounds' | 'workArea'>): Rectangle {
  const width = Math.min(WIDTH, workArea.width);
  const height = Math.min(MOST_HEIGHT, workArea.height);
  const right = workArea.x + workArea.width;
  const bottom = workArea.y + workArea.height;
  const besideX = icon.x + icon.width / 2 - width / 2;
  const besideY = icon.y + icon.height / 2 - height / 2;
  const wanted = {
    top: { x: besideX, y: Math.max(workArea.y, icon.y + icon.height) + GAP },
    bottom: { x: besideX, y: Math.min(bottom, icon.y) - height - GAP },
    left: { x: Math.max(workArea.x, icon.x + icon.width) + GAP, y: besideY },
    right: { x: Math.min(right, icon.x) - width - GAP, y: besideY },
  }[edgeOf(icon, { bounds, workArea })];
  return {
    x: within(wanted.x, workArea.x, right - width),
    y: within(wanted.y, workArea.y, bottom - height),
    width,
    height,
  };
}

/** A bar that hides takes no space: then the nearest edge. */
function edgeOf(icon: Rectangle, { bounds, workArea }: Pick<Display, 'bounds' | 'workArea'>): Edge {
  const x = icon.x + icon.width / 2;
  const y = icon.y + icon.height / 2;
  if (y < workArea.y) return 'top';
  if (y > workArea.y + workArea.height) return 'bottom';
  if (x < workArea.x) return 'left';
  if (x > workArea.x + workArea.width) return 'right';
  const distances: readonly (readonly [Edge, number])[] = [
    ['bottom', bounds.y + bounds.height - y],
    ['top', y - bounds.y],
    ['left', x - bounds.x],
    ['right', bounds.x + bounds.width - x],
  ];
  return distances.reduce((nearest, next) => (next[1] < nearest[1] ? next : nearest))[0];
}

/** The gap shrinks if space is short. */
function within(wanted: number, least: number, most: number): number {
  const gap = Math.max(0, Math.min(GAP, (most - least) / 2));
  return Math.round(Math.min(Math.max(wanted, least + gap), most - gap));
}
