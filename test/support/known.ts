declare module 'vitest' {
  interface TaskMeta {
    /** Why this promise is known not to hold, or this fact to be another one, on the release that is looked at. */
    known?: string;
  }
}

/** Tells whoever reads the report that this is known; it counts as neither held nor failed. See `scripts/promises.mjs`. */
export function markKnown(task: { meta: { known?: string } }, why: string): void {
  task.meta.known = why;
}
