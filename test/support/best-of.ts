const TIMES = 5;

/** Shortest of several runs, in ms, to exclude other load. Only for work that would take seconds if it were wrong. */
export function shortestMs(act: () => unknown): number {
  const took = Array.from({ length: TIMES }, () => {
    const startedAt = performance.now();
    act();
    return performance.now() - startedAt;
  });
  return Math.min(...took);
}
