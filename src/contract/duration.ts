const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses `90s`, `30m`, `2h` or `1d` to ms; else null. */
export function readDuration(text: string): number | null {
  const [, amount, unit = ''] = /^(\d{1,4})([smhd])$/.exec(text) ?? [];
  const unitMs = UNIT_MS[unit];
  return amount === undefined || unitMs === undefined || Number(amount) === 0 ? null : Number(amount) * unitMs;
}
