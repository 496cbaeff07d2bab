import type { ConfigRow } from '../../contract/snapshot';

/** A change is noticed within this time, in ms, after what made it. */
const NOTICED_MS = 10_000;

/** Questions whose answer writes configuration files. */
const WRITING: readonly string[] = ['chains.apply', 'config.apply', 'setup.apply', 'setup.undo'];

type Handler = (input: never) => unknown;

/** Tells changes of configuration files that somebody else made from those made here. */
export type OwnWrites = Readonly<{
  /** The same handlers, watched while they write. */
  watch<H extends Readonly<Record<string, Handler>>>(handlers: H): H;
  /** Takes in which files there are. @returns those that somebody else has changed. */
  foreign(rows: readonly ConfigRow[]): readonly ConfigRow[];
}>;

/** Knows no file yet. @param now engine ms. */
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
    // The one cast: a watched handler takes and gives what the handler does.
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
