/** Space around the plot, in px. */
export type Frame = Readonly<{ left: number; right: number }>;

export const CHART_HEIGHT = 220;
export const STRIP_HEIGHT = 104;
/** Space for marks. */
export const CHART_TOP = 16;
export const AXIS_HEIGHT = 24;
/** Narrower charts scroll in their cards. */
export const CHART_WIDTH_MIN = 400;

/** Pixels from the left. */
export function middleOf(at: number, count: number, width: number, { left, right }: Frame): number {
  return left + ((at + 0.5) * (width - left - right)) / count;
}

/** Pixels from the left. */
export function edgesOf(
  [from, to]: readonly [from: number, to: number],
  count: number,
  width: number,
  { left, right }: Frame,
): readonly [left: number, right: number] {
  const each = (width - left - right) / count;
  return [left + Math.min(from, to) * each, left + (Math.max(from, to) + 1) * each];
}

/** Null beside the plot. */
export function pointAt(x: number, count: number, width: number, { left, right }: Frame): number | null {
  const at = Math.floor(((x - left) * count) / (width - left - right));
  return at >= 0 && at < count ? at : null;
}
