import { join } from 'node:path';
import * as z from 'zod';
import { countAs } from '../../core/base/internal-errors';
import { later } from '../../core/base/later';
import { type Elsewhere, type Hours, NOTHING_ELSEWHERE } from '../../core/budget/elsewhere';
import { SummedHours } from '../../protocol';
import { writeFileAtomic } from '../base/atomic-file';
import { discard, statOrNull } from '../base/look';
import { readPrivateJson } from '../base/private-folder';
import { readText } from '../base/read-text';
import { ensureStateHome } from '../base/state-home';

/** Spending of a fleet's other machines: one process writes it, all count by it. */
export const othersSpentPath = (home: string): string => join(home, 'fleet-spent.json');

const ACCOUNTS_MAX = 300;
const MAX_BYTES = 4_194_304;
export const StoredSpent = later(() =>
  z.object({
    v: z.literal(1),
    accounts: z.array(z.tuple([z.string().max(300), SummedHours])).max(ACCOUNTS_MAX),
  }),
);

export type OthersSpent = Readonly<{
  known(): Elsewhere;
  /** @returns whether the file changed. Never rejects. */
  refresh(): Promise<boolean>;
}>;

export function openOthersSpent(home: string): OthersSpent {
  const path = othersSpentPath(home);
  let spent = NOTHING_ELSEWHERE;
  let mark = '';
  return {
    known: () => spent,
    async refresh() {
      const found = await statOrNull(path);
      const next = found === null ? '' : `${found.mtimeMs} ${found.size} ${found.ino}`;
      if (next === mark) return false;
      mark = next;
      const stored = found === null ? null : await readPrivateJson(path, MAX_BYTES, StoredSpent);
      spent = new Map(stored?.accounts ?? []);
      return true;
    },
  };
}

/** @returns whether the file changed. Never rejects. */
export async function keepOthersSpent(home: string, all: Elsewhere): Promise<boolean> {
  const path = othersSpentPath(home);
  const accounts: (readonly [string, Hours])[] = [...all].filter(([, hours]) => hours.length > 0);
  const text = `${JSON.stringify({ v: 1, accounts: accounts.slice(0, ACCOUNTS_MAX) })}\n`;
  // Another process may have written it, so compare with the disk.
  const before = await readText(path, MAX_BYTES);
  if (accounts.length === 0 ? before.kind === 'missing' : before.kind === 'text' && before.text === text) return false;
  if (accounts.length === 0) await discard(path);
  else if ((await ensureStateHome(home)).ok) await writeFileAtomic(path, text).catch(countAs('fleet.spent'));
  return true;
}
