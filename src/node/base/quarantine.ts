import { randomBytes } from 'node:crypto';
import { rename } from './disk';
import { failureCode } from './failure';

/**
 * Moves a file we cannot read out of the way, beside itself, so that work can go on and nothing is lost.
 *
 * @returns its new path; null when there was nothing to move or the system refused.
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
