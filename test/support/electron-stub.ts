import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Before the fuses in every Electron; then the version of their list, how many there are, and each as a digit. */
const FUSES_BEGIN = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
/** As Electron comes: can run as Node, takes Node's options, can be inspected, reads files as its own. */
const FUSES_AT_FIRST = '10110001';

/** An Electron for Linux as far as a packager sees one: files in their places, and fuses that can be set. */
export async function makeElectronStub(folder: string): Promise<void> {
  await mkdir(join(folder, 'resources'), { recursive: true });
  await mkdir(join(folder, 'locales'));
  for (const name of ['en-US', 'de', 'fr']) await writeFile(join(folder, 'locales', `${name}.pak`), '');
  await writeFile(join(folder, 'LICENSE'), 'of Electron');
  const fuses = `${FUSES_BEGIN}\u0001\u0008${FUSES_AT_FIRST}`;
  await writeFile(join(folder, 'electron'), `\u007fELF${' '.repeat(64)}${fuses}${' '.repeat(64)}`, { mode: 0o755 });
}
