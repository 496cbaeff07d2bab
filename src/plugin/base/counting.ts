import { countError } from '../../core/base/internal-errors';

/** Does work of our own that must not fail OpenCode: an error is counted at `place`. @returns null after an error. */
export async function counting<T>(place: string, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    countError(place, error);
    return null;
  }
}

/** The same for work that ends at once. */
export function countingNow<T>(place: string, work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    countError(place, error);
    return null;
  }
}
