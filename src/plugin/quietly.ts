/** Makes a call whose failure, thrown or rejected, is nobody's business. */
export async function quietly<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch {
    return null;
  }
}

/** The same for a call that answers at once. */
export function quietlyNow<T>(call: () => T): T | null {
  try {
    return call();
  } catch {
    return null;
  }
}
