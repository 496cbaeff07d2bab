import type { InstanceRow, Snapshot } from '../../contract/snapshot';
import type { CompanionEvent } from '../../protocol';
import type { Clock } from '../ports/ports';

const GONE_SHOWN = 5;

/** Where one that is gone has worked: the places it closed last. */
const GONE_DIRECTORIES = 16;

/** One OpenCode process, as its companion introduced itself. */
export type Companion = Readonly<{ instance: string; epoch: string; pid: number; opencode: string; plugin: string }>;

/** Which OpenCode processes there are, and how far each has been heard. Times are wall-clock milliseconds. */
export type Instances = Readonly<{
  rows(): readonly InstanceRow[];
  connection(): Snapshot['connection'];
  /** Last number heard of this life of the companion; null when none. */
  heardOf(companion: Pick<Companion, 'instance' | 'epoch'>): number | null;
  seenOf(instance: string): number | null;
  /** Last number of it that is on the disk; null when none is. */
  keptOf(instance: string): number | null;
  /** Its numbers up to this one are on the disk. */
  keep(instance: string, seq: number): void;
  /** It has forgotten so many events that were never on a disk. @returns whether that is news. */
  drop(instance: string, count: number): boolean;
  /** One of its events was given up here before it was on the disk. */
  lose(instance: string): void;
  /** The life an instance is in; null when it never said. */
  epochOf(instance: string): string | null;
  arrive(companion: Companion, since: number): void;
  /** @returns whether it was connected. */
  leave(instance: string, since: number): boolean;
  /** Everybody who is connected leaves: what an end without a farewell leaves behind. */
  connected(): readonly string[];
  shown(): readonly string[];
  /** Takes in a number. @returns whether it is new; false for an instance that never arrived. */
  hear(instance: string, seq: number): boolean;
  /** It works in that directory, by that configuration; null where that is not known any more. */
  opened(instance: string, directory: string, config: Configured | null): void;
  /** By which configuration others work in a directory that this one has left: the newest one’s; null where nobody does. */
  configElsewhere(instance: string, directory: string): Configured | null;
  /** It works in that directory no more, and lives on. */
  closed(instance: string, directory: string): void;
  directoriesOf(instance: string): readonly string[];
  workedIn(instance: string): readonly string[];
  /** Whether another one that is connected works in that directory as well. */
  isOpenElsewhere(instance: string, directory: string): boolean;
  /** The newest that is connected and has that directory open; null when none has. */
  whereOpen(directory: string): string | null;
  /** An instance whose arrival stood in a part of the log that is no longer kept. */
  remember(instance: string): void;
  /** A companion of another version knocked; null when it did not say who it is. @returns whether that is news. */
  knock(companion: Companion | null): boolean;
}>;

/** By which configuration a companion works in a directory. */
type Configured = Extract<CompanionEvent, { type: 'scope.configured' }>;

type InstanceEntry = {
  row: InstanceRow;
  epoch: string | null;
  lastSeq: number | null;
  keptSeq: number | null;
  /** How many of its events it has forgotten, and how many were given up here. */
  forgotten: number;
  givenUp: number;
  /** Directories it has closed; those closed last. */
  closed: readonly string[];
  /** By which configuration it works, by directory. */
  configs: ReadonlyMap<string, Configured>;
};

const NOTHING_HEARD = {
  lastSeq: null,
  keptSeq: null,
  forgotten: 0,
  givenUp: 0,
  closed: [],
  configs: new Map(),
} as const;

/** Directories remembered of each after it has closed them. */
const CLOSED_MAX = 500;

/** Companions remembered after they are no longer shown. */
const PAST_MAX = 500;

/** An empty book. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: state and its methods, each short, as a class would hold them
export function createInstances(clock: Clock): Instances {
  const all = new Map<string, InstanceEntry>();
  /** Those no longer shown: a companion that comes back must not be counted twice. */
  const past = new Map<string, InstanceEntry>();
  let connection: Snapshot['connection'] = { status: 'waiting', since: clock.wall() };

  const show = (status: Snapshot['connection']['status'], since = clock.wall()): boolean => {
    if (status === connection.status) return false;
    connection = { status, since };
    return true;
  };
  const connected = (): string[] =>
    [...all].filter(([, { row }]) => row.status === 'connected').map(([instance]) => instance);
  const openElsewhere = (instance: string, directory: string): string | undefined =>
    connected().findLast((other) => other !== instance && all.get(other)?.row.directories.includes(directory));
  const settle = (since?: number): void => {
    const gone = [...all].filter(([, { row }]) => row.status !== 'connected');
    for (const [key, known] of gone.slice(0, Math.max(0, gone.length - GONE_SHOWN))) {
      all.delete(key);
      past.set(key, known);
    }
    for (const key of [...past.keys()].slice(0, Math.max(0, past.size - PAST_MAX))) past.delete(key);
    show(connected().length > 0 ? 'connected' : all.size > 0 ? 'lost' : 'waiting', since);
  };
  const countLost = (known: InstanceEntry): void => {
    known.row = { ...known.row, dropped: known.forgotten + known.givenUp };
  };
  const heardOf: Instances['heardOf'] = ({ instance, epoch }) => {
    const known = all.get(instance) ?? past.get(instance);
    return known && (known.epoch === null || known.epoch === epoch) ? known.lastSeq : null;
  };

  return {
    rows: () =>
      [...all.values()].map(({ row, closed }) =>
        // Before it goes, it closes what it had open.
        row.status === 'connected'
          ? row
          : { ...row, directories: [...row.directories, ...closed].slice(-GONE_DIRECTORIES) },
      ),
    connection: () => connection,
    heardOf,
    epochOf: (instance) => all.get(instance)?.epoch ?? null,
    seenOf: (instance) => all.get(instance)?.lastSeq ?? null,
    keptOf: (instance) => all.get(instance)?.keptSeq ?? null,
    keep(instance, seq) {
      const known = all.get(instance) ?? past.get(instance);
      if (known) known.keptSeq = Math.max(seq, known.keptSeq ?? seq);
    },
    drop(instance, count) {
      const known = all.get(instance);
      if (!known || known.forgotten === count) return false;
      known.forgotten = count;
      countLost(known);
      return true;
    },
    lose(instance) {
      const known = all.get(instance) ?? past.get(instance);
      if (!known) return;
      known.givenUp++;
      countLost(known);
    },
    arrive(companion, since) {
      const lastSeq = heardOf(companion);
      const before = all.get(companion.instance) ?? past.get(companion.instance);
      const { row: { directories } = { directories: [] }, closed = [], configs = new Map() } = before ?? {};
      const { keptSeq = null, forgotten = 0, givenUp = 0 } = (lastSeq === null ? undefined : before) ?? {};
      const row = {
        ...rowOf(companion, 'connected', since),
        directories,
        ...(forgotten + givenUp > 0 ? { dropped: forgotten + givenUp } : {}),
      };
      const counts = { lastSeq, keptSeq, forgotten, givenUp };
      all.set(companion.instance, { row, epoch: companion.epoch, ...counts, closed, configs });
      settle();
    },
    leave(instance, since) {
      const known = all.get(instance);
      if (known?.row.status !== 'connected') return false;
      known.row = { ...known.row, status: 'lost', since };
      settle(since);
      return true;
    },
    connected,
    shown: () => [...all.keys()],
    hear(instance, seq) {
      const known = all.get(instance);
      if (!known || (known.lastSeq !== null && seq <= known.lastSeq)) return false;
      known.lastSeq = seq;
      return true;
    },
    opened(instance, directory, config) {
      const known = all.get(instance);
      if (known && config) known.configs = new Map(known.configs).set(directory, config);
      if (!known || known.row.directories.includes(directory)) return;
      known.row = { ...known.row, directories: [...known.row.directories, directory] };
      known.closed = known.closed.filter((each) => each !== directory);
    },
    closed(instance, directory) {
      const known = all.get(instance);
      if (!known?.row.directories.includes(directory)) return;
      known.row = { ...known.row, directories: known.row.directories.filter((each) => each !== directory) };
      known.closed = [...known.closed, directory].slice(-CLOSED_MAX);
      const configs = new Map(known.configs);
      configs.delete(directory);
      known.configs = configs;
    },
    configElsewhere(instance, directory) {
      const other = openElsewhere(instance, directory);
      return (other === undefined ? undefined : all.get(other)?.configs.get(directory)) ?? null;
    },
    directoriesOf: (instance) => (all.get(instance) ?? past.get(instance))?.row.directories ?? [],
    workedIn(instance) {
      const { row, closed = [] } = all.get(instance) ?? past.get(instance) ?? {};
      return [...(row?.directories ?? []), ...closed];
    },
    isOpenElsewhere: (instance, directory) => openElsewhere(instance, directory) !== undefined,
    whereOpen: (directory) =>
      connected().findLast((instance) => all.get(instance)?.row.directories.includes(directory)) ?? null,
    remember(instance) {
      if (all.has(instance)) return;
      const before = past.get(instance);
      if (before) {
        all.set(instance, before);
        return;
      }
      const row = rowOf({ instance, pid: 0, opencode: '', plugin: '' }, 'lost', clock.wall());
      all.set(instance, { row, epoch: null, ...NOTHING_HEARD });
    },
    knock(companion) {
      const known = companion && all.get(companion.instance);
      // It knocks again every few seconds, and one knock tells all there is to tell.
      const isNew = companion !== null && !known;
      if (isNew) {
        const row = rowOf(companion, 'incompatible', clock.wall());
        all.set(companion.instance, { row, epoch: companion.epoch, ...NOTHING_HEARD });
      }
      const isShown = connection.status !== 'connected' && show('incompatible');
      return isNew || isShown;
    },
  };
}

function rowOf(companion: Omit<Companion, 'epoch'>, status: InstanceRow['status'], since: number): InstanceRow {
  const { instance, pid, opencode, plugin } = companion;
  return { instance, pid, opencode, plugin, directories: [], status, since };
}
