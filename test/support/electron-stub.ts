import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Marker before the fuses of every Electron; the version of the list, its length and a digit per fuse follow. */
const FUSES_BEGIN = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
/** Defaults: runs as Node, accepts Node's options, can be inspected, reads its own file protocol. */
const FUSES_AT_FIRST = '10110001';

/** An Electron for Linux as a packager sees it: files, and fuses that can be set. */
export async function makeElectronStub(folder: string): Promise<void> {
  await mkdir(join(folder, 'resources'), { recursive: true });
  await mkdir(join(folder, 'locales'));
  for (const name of ['en-US', 'de', 'fr']) await writeFile(join(folder, 'locales', `${name}.pak`), '');
  await writeFile(join(folder, 'LICENSE'), 'of Electron');
  const fuses = `${FUSES_BEGIN}\u0001\u0008${FUSES_AT_FIRST}`;
  await writeFile(join(folder, 'electron'), `\u007fELF${' '.repeat(64)}${fuses}${' '.repeat(64)}`, { mode: 0o755 });
}
