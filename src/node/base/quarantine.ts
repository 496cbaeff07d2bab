import { randomBytes } from 'node:crypto';
import { rename } from './disk';
import { failureCode } from './failure';

/**
 * Renames an unreadable file in its folder, so that work continues and nothing is lost.
 * @returns its new path; null if there was no file or the system refused.
 */
export async function quarantine(path: string, nowMs: number = Date.now()): Promise<string | null> {
  const stamp = new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-');
  const aside = `${path}.corrupt-${stamp}-${randomBytes(3).toString('hex')}`;
  try {
    await rename(path, aside);
    return aside;
  } catch (error) {
    if (failureCode(error) === null) throw error;
    return null;
  }
}
