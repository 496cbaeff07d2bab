/** How wide a part of a bar is, which is never more than all of it. */
export const partWidth = (part: number): string => `${(100 * Math.min(1, Math.max(0, part))).toFixed(2)}%`;
