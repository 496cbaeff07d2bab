import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isOwnFolder } from '../base/private-folder';
import { stateHome } from '../base/state-home';
import { journalFolder, listReceipts, type Receipt } from '../config/config-journal';
import { companionFolder, companionPath } from './companion-files';
import { detectSetup, type SetupPlace } from './install';

export type Journals = Readonly<{
  /** With receipts. */
  homes: readonly string[];
  /** Named in a configuration, but missing. */
  lost: readonly string[];
  receipts: readonly (Receipt & Readonly<{ home: string }>)[];
}>;

/** Ignores a project's configuration: it could name forged receipts. */
export async function readJournals(place: SetupPlace): Promise<Journals> {
  const named = await namedHomes(place);
  const usual = stateHome({ ...place.env, UNDERSTUDY_HOME: undefined });
  const others = [...new Set([usual, ...named])].filter((home) => home !== place.home);
  const ownJournals = await Promise.all(others.map(async (home) => (await isOwnJournal(home)) && home));
  const homes = [place.home, ...ownJournals.filter((home) => home !== false)];
  const all = await Promise.all(
    homes.map(async (home) => (await listReceipts(home)).map((receipt) => ({ ...receipt, home }))),
  );
  return {
    homes,
    lost: named.filter((home) => home !== place.home && !existsSync(home)),
    receipts: all.flat().toSorted((one, other) => other.at - one.at),
  };
}

async function isOwnJournal(home: string): Promise<boolean> {
  return (await isOwnFolder(home)) && (await isOwnFolder(journalFolder(home)));
}

async function namedHomes(place: SetupPlace): Promise<readonly string[]> {
  const { files } = await detectSetup({ ...place, directory: null });
  const addresses = files.flatMap((file) => ('found' in file ? file.found.companions : []));
  return [...new Set(addresses.flatMap((address) => homeOf(address) ?? []))];
}

function homeOf(address: string): string | null {
  try {
    const path = fileURLToPath(address);
    const home = dirname(dirname(path));
    return [companionPath(home), companionFolder(home)].includes(path) && basename(home) !== '' ? home : null;
  } catch {
    // silent: an address that is not a file's is a package
    return null;
  }
}
