import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ledgerLineIn, type SpentLine } from '../../src/core/budget/spent';
import { isSpendingFile } from '../../src/node/data/spending';

/** US dollars that a ledger says were spent, of the lines that are meant. */
export async function spentIn(home: string, isMeant: (line: SpentLine) => boolean): Promise<number> {
  const names = (await readdir(home)).filter(isSpendingFile);
  const texts = await Promise.all(names.map((name) => readFile(join(home, name), 'utf8')));
  const lines = texts.flatMap((text) => text.split('\n')).map(ledgerLineIn);
  return lines.reduce((sum, line) => sum + (line && 'cost' in line && isMeant(line) ? (line.cost ?? 0) : 0), 0);
}
