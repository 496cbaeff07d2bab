import { join } from 'node:path';
import { countError } from '../core/base/internal-errors';
import { writeFile } from './base/disk';
import { isAlive } from './base/is-alive';
import { discard, namesOrNone } from './base/look';
import { ensurePrivateFolder, readPrivateFile } from './base/private-folder';
import { ensureStateHome } from './base/state-home';

const FOLDER = 'proofs';
/** Longer than any path. */
const PATH_BYTES = 16_384;
const NOTES_MAX = 1_000;
const PRIVATE_FILE_MODE = 0o600;

/**
 * Makes leftovers of a killed process findable: without a record, start no proof.
 * @param name begins with the id of this process.
 */
export async function noteProof(home: string, name: string, directory: string): Promise<boolean> {
  try {
    const place = await ensureStateHome(home);
    const folder = place.ok ? await ensurePrivateFolder(join(home, FOLDER)) : place;
    if (!folder.ok) return false;
    await writeFile(join(home, FOLDER, name), directory, { mode: PRIVATE_FILE_MODE });
    return true;
  } catch (error) {
    countError('proofs.note', error);
    return false;
  }
}

/** Never rejects. */
export const forgetProof = (home: string, name: string): Promise<void> => discard(join(home, FOLDER, name));

/** Proofs whose process ended first. Never rejects. */
export async function leftProofs(home: string, directory: string): Promise<readonly string[]> {
  const names = (await namesOrNone(join(home, FOLDER))).filter((name) => !isAlive(Number.parseInt(name, 10)));
  const places = await Promise.all(
    names.slice(0, NOTES_MAX).map((name) => readPrivateFile(join(home, FOLDER, name), PATH_BYTES)),
  );
  return names.filter((_, at) => places[at]?.ok && places[at].text === directory);
}
