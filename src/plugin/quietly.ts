import { countError } from '../core/base/internal-errors';

/** Makes a call to OpenCode that it may refuse. @returns null if it does. */
export async function quietly<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch {
    // silent: OpenCode may refuse a call or end meanwhile, and callers go on without its answer
    return null;
  }
}

/** The same for a call that answers at once. */
export function quietlyNow<T>(call: () => T): T | null {
  try {
    return call();
  } catch {
    // silent: as above
    return null;
  }
}

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
