import type { LedgerLine, ReservedLine } from './spent';

const SETTLED_MAX = 1_000;

export type ReservedBook = Readonly<{
  /** @returns whether the line counts: a reservation is settled once, even if two processes found it open. */
  add(line: LedgerLine): boolean;
  open(): readonly ReservedLine[];
}>;

/** Files are read in any order: a line may settle a reservation that is read later. */
export function createReservedBook(): ReservedBook {
  const open = new Map<string, ReservedLine>();
  const settled = new Set<string>();
  const settle = (id: string): boolean => {
    if (settled.has(id)) return false;
    open.delete(id);
    settled.add(id);
    const [oldest] = settled;
    if (settled.size > SETTLED_MAX && oldest !== undefined) settled.delete(oldest);
    return true;
  };
  return {
    add(line) {
      if ('reserved' in line) {
        if (!settled.has(line.reserved)) open.set(line.reserved, line);
        return false;
      }
      if ('settled' in line) {
        settle(line.settled);
        return false;
      }
      return !('settles' in line) || line.settles === undefined || settle(line.settles);
    },
    open: () => [...open.values()],
  };
}
