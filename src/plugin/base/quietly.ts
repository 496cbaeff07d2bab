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
