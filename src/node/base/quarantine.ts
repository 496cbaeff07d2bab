import { randomBytes } from 'node:crypto';
import { rename } from './disk';
import { failureCode } from './failure';

/** @returns the new path; null if the system refused. */
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
