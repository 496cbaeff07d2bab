/** Null if OpenCode refuses the call. */
export async function quietly<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch {
    // silent: OpenCode may refuse a call or end meanwhile, and callers go on without its answer
    return null;
  }
}

export function quietlyNow<T>(call: () => T): T | null {
  try {
    return call();
  } catch {
    // silent: as above
    return null;
  }
}
