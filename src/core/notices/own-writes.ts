import type { ConfigRow } from '../../contract/snapshot';

/** Maximum delay of detection, in ms. */
const NOTICED_MS = 10_000;

const WRITING: readonly string[] = ['chains.apply', 'config.apply', 'setup.apply', 'setup.undo'];

type Handler = (input: never) => unknown;

export type OwnWrites = Readonly<{
  watch<H extends Readonly<Record<string, Handler>>>(handlers: H): H;
  /** @returns files changed by another program. */
  foreign(rows: readonly ConfigRow[]): readonly ConfigRow[];
}>;

/** @param now engine ms. */
export function createOwnWrites(now: () => number): OwnWrites {
  const editions = new Map<string, string>();
  let underWay = 0;
  let lastAt = Number.NEGATIVE_INFINITY;
  const watched =
    (handler: Handler): Handler =>
    async (input) => {
      underWay++;
      try {
        return await handler(input);
      } finally {
        underWay--;
        lastAt = now();
      }
    };
  return {
    // The cast is safe: a wrapped handler has the same input and output.
    watch: <H extends Readonly<Record<string, Handler>>>(handlers: H) =>
      Object.fromEntries(
        Object.entries(handlers).map(([name, handler]) => [name, WRITING.includes(name) ? watched(handler) : handler]),
      ) as H,
    foreign(rows) {
      const isOwn = underWay > 0 || now() - lastAt < NOTICED_MS;
      return rows.filter(({ path, edition }) => {
        const before = editions.get(path);
        if (edition === undefined) return false;
        editions.set(path, edition);
        return before !== undefined && before !== edition && !isOwn;
      });
    },
  };
}
