const DAY_CHARS = '2026-01-31'.length;

export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, DAY_CHARS);
