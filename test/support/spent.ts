import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ledgerLineIn, type SpentLine } from '../../src/core/budget/spent';
import { isSpendingFile } from '../../src/node/data/spending-files';

const filesIn = async (home: string): Promise<readonly string[]> =>
  (await readdir(home)).filter(isSpendingFile).map((name) => join(home, name));

export async function stepsIn(home: string, isMeant: (line: SpentLine) => boolean): Promise<number> {
  const texts = await Promise.all((await filesIn(home)).map((path) => readFile(path, 'utf8')));
  const lines = texts.flatMap((text) => text.split('\n')).map(ledgerLineIn);
  return lines.filter((line) => line && 'session' in line && isMeant(line)).length;
}

/** Moves a ledger's times into the past. */
export async function age(home: string, byMs: number): Promise<void> {
  for (const path of await filesIn(home)) {
    const text = await readFile(path, 'utf8');
    const older = text.replace(/"(at|began)":(\d+)/g, (_, key, at) => `"${key}":${Number(at) - byMs}`);
    await writeFile(path, older);
  }
}

export async function spentIn(home: string, isMeant: (line: SpentLine) => boolean): Promise<number> {
  const texts = await Promise.all((await filesIn(home)).map((path) => readFile(path, 'utf8')));
  const lines = texts.flatMap((text) => text.split('\n')).map(ledgerLineIn);
  return lines.reduce((sum, line) => sum + (line && 'cost' in line && isMeant(line) ? (line.cost ?? 0) : 0), 0);
}
