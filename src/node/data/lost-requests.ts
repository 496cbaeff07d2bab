import { join } from 'node:path';
import { ledgerLineIn, type ReservedLine } from '../../core/budget/spent';
import { type Here, isLost } from './spending';
import { linesAfter, spendingFiles } from './spending-files';

/** A week and today. */
const SEARCHED_FILES = 8;

/** Requests that ended processes left open. Never rejects. */
export async function lostRequests(home: string, here: Here): Promise<readonly ReservedLine[]> {
  const settled = new Set<string>();
  const reserved = new Map<string, string>();
  for (const name of ((await spendingFiles(home)) ?? []).toSorted().slice(-SEARCHED_FILES)) {
    // Most lines need no parsing.
    for await (const { lines } of linesAfter(join(home, name), 0))
      for (const line of lines) {
        const [, kind, id] = /"(settles|settled|reserved)":"([^"]*)"/.exec(line) ?? [];
        if (id === undefined) continue;
        if (kind === 'reserved') reserved.set(id, line);
        else settled.add(id);
      }
  }
  const open = [...reserved].filter(([id]) => !settled.has(id)).map(([, line]) => ledgerLineIn(line));
  return open.flatMap((line) => (line && 'reserved' in line && isLost(line, here) ? [line] : []));
}
