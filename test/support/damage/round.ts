import { lstat, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readLog } from '../../../src/node/data/own-data';
import { startPanel } from '../panel-process';
import { sayTurn, wireCompanion } from '../wire-companion';
import { copyHome, type FullHome } from './home';
import { DAMAGES, FOREIGN } from './kinds';
import type { Opencodes } from './opencode';
import { type Ended, giveBack, giveToPrograms, programUser, runCommand } from './programs';

export type Round = Readonly<{ number: number; file: string; damage: string }>;

/** Result of a round; `faults` describe broken promises. */
export type Played = Readonly<{ isServed: boolean; faults: readonly string[] }>;

/** Files that only a person or the log can restore; no start may overwrite them. */
const KEPT = [
  'events.jsonl',
  'events.jsonl.1',
  'preferences.json',
  'trusted-projects.json',
  'config-writes/journal.jsonl',
];
const LOG = /^events\.jsonl/;
const REMEDY = /\b(?:Move|Remove|Make|Mend|Give|Start|Free|Choose|Close|see that|understudy) /;

/** Damages a file in a copy of the home and starts all programs on it. */
export async function playRound(
  full: FullHome,
  { number, file, damage }: Round,
  random: () => number,
): Promise<Played> {
  const home = join(full.root, `h${number}`);
  await copyHome(full.home, home);
  const path = join(home, file);
  await DAMAGES[damage]?.(path, random);
  if (damage !== FOREIGN) await giveToPrograms(home);
  const before = await contentOf(path);
  const around = full.aroundFor(home);
  const faults: string[] = [];
  const told = (what: string, { code, said }: Ended, codes: readonly number[]): void => {
    if (/\n\s+at .*:\d+:\d+/.test(said)) faults.push(`${what} throws: ${said.slice(0, 400)}`);
    else if (code === null) faults.push(`${what} hangs`);
    else if (!codes.includes(code) && !(said.includes(path) && REMEDY.test(said)))
      faults.push(`${what} ends with ${code}: ${said.trim().slice(-300)}`);
  };
  told('doctor', await runCommand(['doctor'], around), [0, 6]);
  told('status', await runCommand(['status'], around), [0, 3]);
  const panel = await startPanel(home, around.env, 0, programUser).catch((error: Error) => error.message);
  if (typeof panel === 'string') told('panel', { code: /ended with (\d+)/.test(panel) ? 1 : null, said: panel }, [0]);
  else {
    faults.push(...(await tellTurn(home)));
    told('status beside the app', await runCommand(['status'], around), [0]);
    const code = await panel.stop();
    if (code !== 0) faults.push(`the panel ends with ${code}`);
  }
  faults.push(...(await lostIn(full, home, file)));
  if (KEPT.includes(file) && before !== null && !(await isKept(path, before))) faults.push('it was written over');
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
  return { isServed: typeof panel !== 'string', faults: faults.map((fault) => `${file} ${damage}: ${fault}`) };
}

/** Damages a file in a copy of the home and starts a real OpenCode with the companion on it. */
export async function playOpencodeRound(
  full: FullHome,
  { number, file, damage, opencodes }: Round & Readonly<{ opencodes: Opencodes }>,
  random: () => number,
): Promise<readonly string[]> {
  const home = join(full.root, `o${number}`);
  await copyHome(full.home, home);
  await giveBack(home);
  await opencodes.introduce(home);
  const path = join(home, file);
  await DAMAGES[damage]?.(path, random);
  const before = await contentOf(path);
  const faults = [...(await opencodes.playOn(home))];
  if (KEPT.includes(file) && before !== null && !(await isKept(path, before))) faults.push('it was written over');
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
  return faults.map((fault) => `${file} ${damage}: ${fault}`);
}

async function tellTurn(home: string): Promise<readonly string[]> {
  try {
    const companion = await wireCompanion(home);
    sayTurn(companion, 'afterwards');
    await companion.settled();
    companion.close();
    return [];
  } catch (error) {
    return [`a companion is not served: ${(error as Error).message.slice(0, 300)}`];
  }
}

/** Acknowledged content that was lost from files without damage. */
async function lostIn({ home: whole, lastSeq }: FullHome, home: string, file: string): Promise<readonly string[]> {
  const faults: string[] = [];
  const held = new Set((await readLog(home)).flatMap(({ from }) => (from ? [from.seq] : [])));
  const lost = Array.from({ length: lastSeq + 1 }, (_, seq) => seq).filter((seq) => !held.has(seq));
  if (!LOG.test(file) && lost.length > 0) faults.push(`${lost.length} acknowledged events are gone`);
  for (const name of KEPT.filter((kept) => !LOG.test(kept) && kept !== file && !kept.startsWith(`${file}/`)))
    if ((await contentOf(join(home, name))) !== (await contentOf(join(whole, name))))
      faults.push(`${name} has changed`);
  return faults;
}

async function contentOf(path: string): Promise<string | null> {
  const info = await lstat(path).catch(() => null);
  if (info === null || info.size > 50_000_000) return null;
  if (info.isDirectory()) return (await readdir(path)).join();
  return info.isFile() ? await readFile(path, 'latin1') : null;
}

/** True if content still exists: in place, extended at its end, or moved aside. */
async function isKept(path: string, content: string): Promise<boolean> {
  const folder = join(path, '..');
  const names = (await readdir(folder)).map((name) => join(folder, name)).filter((each) => each.startsWith(path));
  for (const name of names) if ((await contentOf(name))?.startsWith(content)) return true;
  return false;
}
