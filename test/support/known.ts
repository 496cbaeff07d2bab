declare module 'vitest' {
  interface TaskMeta {
    /** Reason why this promise is expected to fail, or this fact to differ, on the tested release. */
    known?: string;
  }
}

/** Marks a test as a known failure in the report: neither passed nor failed. See `scripts/promises.mjs`. */
export function markKnown(task: { meta: { known?: string } }, why: string): void {
  task.meta.known = why;
}
