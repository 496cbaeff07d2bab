export const partWidth = (part: number): string => `${(100 * Math.min(1, Math.max(0, part))).toFixed(2)}%`;
