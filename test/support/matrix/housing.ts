import type { EventStream, OpencodeEvent } from '../../../src/node/opencode';
import type { CaseOptions, MakeNeighbours, Neighbour } from '../stage';
import { CALM, type Row } from './row';

const OF_THE_MODELS: ReadonlySet<string> = new Set<keyof CaseOptions>(['models', 'wires', 'refusedAt']);
const OF_THE_PROJECT: ReadonlySet<string> = new Set<keyof CaseOptions>(['defaults', 'git']);

/** Settings that rows of one project share; null for a row that needs its own project. */
function streetOf({ send, options = {}, isAlone }: Row): Pick<CaseOptions, 'defaults' | 'git'> | null {
  const isModest = Object.keys(options).every((key) => OF_THE_MODELS.has(key) || OF_THE_PROJECT.has(key));
  if (send !== undefined || isAlone || !isModest) return null;
  return { defaults: { ...CALM, ...options.defaults }, git: options.git ?? true };
}

/**
 * Groups compatible rows in one project, because another project is half a second of work for OpenCode. Projects are
 * created on first use.
 * @returns the place of a row; null if it needs its own project or is not in `rows`.
 */
export function housing(rows: readonly Row[], make: MakeNeighbours): (row: Row) => Promise<Neighbour | null> | null {
  const streets = new Map<string, Row[]>();
  for (const row of rows) {
    const street = streetOf(row);
    if (street === null) continue;
    const name = JSON.stringify(street);
    streets.set(name, [...(streets.get(name) ?? []), row]);
  }
  const built = new Map<string, ReturnType<MakeNeighbours>>();
  const build = (street: Parameters<MakeNeighbours>[1], inIt: readonly Row[]) =>
    make(
      inIt.map(({ options = {} }) => pick(options)),
      street,
    );
  return (row) => {
    const street = streetOf(row);
    const name = JSON.stringify(street);
    const inIt = streets.get(name) ?? [];
    if (street === null || !inIt.includes(row)) return null;
    const homes = built.get(name) ?? build(street, inIt);
    built.set(name, homes);
    return homes.then((all) => all[inIt.indexOf(row)] ?? null);
  };
}

const pick = (options: CaseOptions): CaseOptions =>
  Object.fromEntries(Object.entries(options).filter(([key]) => OF_THE_MODELS.has(key)));

function sessionOf({ properties }: OpencodeEvent): unknown {
  const { sessionID, info, part } = properties as Readonly<
    Record<'info' | 'part', { sessionID?: string; id?: string } | undefined> & { sessionID?: string }
  >;
  return sessionID ?? part?.sessionID ?? info?.sessionID ?? info?.id;
}

export function ownEvents(stream: EventStream, session: string): EventStream {
  const isOwn = (event: OpencodeEvent): boolean => sessionOf(event) === session;
  return {
    seen: () => stream.seen().filter(isOwn),
    waitFor: (fits, limitMs) => stream.waitFor((event) => isOwn(event) && fits(event), limitMs),
    next: (fits, limitMs) => stream.next((event) => isOwn(event) && fits(event), limitMs),
    close: stream.close,
    async *[Symbol.asyncIterator]() {
      for await (const event of stream) if (isOwn(event)) yield event;
    },
  };
}
