import { countError } from '../../core/base/internal-errors';

/** @returns null after an error, which is counted at `place`. */
export async function counting<T>(place: string, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    countError(place, error);
    return null;
  }
}

export function countingNow<T>(place: string, work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    countError(place, error);
    return null;
  }
}
