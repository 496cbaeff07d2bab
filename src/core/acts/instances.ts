import type { InstanceRow, Snapshot } from '../../contract/snapshot';
import type { CompanionEvent } from '../../protocol';
import type { Clock } from '../ports/ports';

const GONE_SHOWN = 5;

const GONE_DIRECTORIES = 16;

export type Companion = Readonly<{ instance: string; epoch: string; pid: number; opencode: string; plugin: string }>;

/** Times are wall-clock ms. */
export type Instances = Readonly<{
  rows(): readonly InstanceRow[];
  connection(): Snapshot['connection'];
  /** Null for none, or for another epoch. */
  heardOf(companion: Pick<Companion, 'instance' | 'epoch'>): number | null;
  seenOf(instance: string): number | null;
  /** Null for none. */
  keptOf(instance: string): number | null;
  keep(instance: string, seq: number): void;
  /** @returns whether the count of events dropped by the companion changed. */
  drop(instance: string, count: number): boolean;
  lose(instance: string): void;
  epochOf(instance: string): string | null;
  arrive(companion: Companion, since: number): void;
  leave(instance: string, since: number): boolean;
  connected(): readonly string[];
  shown(): readonly string[];
  /** @returns whether the number is new. */
  hear(instance: string, seq: number): boolean;
  opened(instance: string, directory: string, config: Configured | null): void;
  configElsewhere(instance: string, directory: string): Configured | null;
  closed(instance: string, directory: string): void;
  directoriesOf(instance: string): readonly string[];
  workedIn(instance: string): readonly string[];
  isOpenElsewhere(instance: string, directory: string): boolean;
  whereOpen(directory: string): string | null;
  remember(instance: string): void;
  /** Null if the companion of an incompatible version did not identify itself. @returns whether anything changed. */
  knock(companion: Companion | null): boolean;
}>;

type Configured = Extract<CompanionEvent, { type: 'scope.configured' }>;

type InstanceEntry = {
  row: InstanceRow;
  epoch: string | null;
  lastSeq: number | null;
  keptSeq: number | null;
  /** Events dropped by the companion, and by the app. */
  forgotten: number;
  givenUp: number;
  closed: readonly string[];
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

const CLOSED_MAX = 500;

const PAST_MAX = 500;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: state and its methods, each short, as a class would hold them
export function createInstances(clock: Clock): Instances {
  const all = new Map<string, InstanceEntry>();
  /** Hidden companions: one that reconnects must not be counted twice. */
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
    for (const [key, entry] of gone.slice(0, Math.max(0, gone.length - GONE_SHOWN))) {
      all.delete(key);
      past.set(key, entry);
    }
    for (const key of [...past.keys()].slice(0, Math.max(0, past.size - PAST_MAX))) past.delete(key);
    show(connected().length > 0 ? 'connected' : all.size > 0 ? 'lost' : 'waiting', since);
  };
  const countLost = (entry: InstanceEntry): void => {
    entry.row = { ...entry.row, dropped: entry.forgotten + entry.givenUp };
  };
  const heardOf: Instances['heardOf'] = ({ instance, epoch }) => {
    const entry = all.get(instance) ?? past.get(instance);
    return entry && (entry.epoch === null || entry.epoch === epoch) ? entry.lastSeq : null;
  };

  return {
    rows: () =>
      [...all.values()].map(({ row, closed }) =>
        // A companion closes its directories before it disconnects.
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
      const entry = all.get(instance) ?? past.get(instance);
      if (entry) entry.keptSeq = Math.max(seq, entry.keptSeq ?? seq);
    },
    drop(instance, count) {
      const entry = all.get(instance);
      if (!entry || entry.forgotten === count) return false;
      entry.forgotten = count;
      countLost(entry);
      return true;
    },
    lose(instance) {
      const entry = all.get(instance) ?? past.get(instance);
      if (!entry) return;
      entry.givenUp++;
      countLost(entry);
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
      const entry = all.get(instance);
      if (entry?.row.status !== 'connected') return false;
      entry.row = { ...entry.row, status: 'lost', since };
      settle(since);
      return true;
    },
    connected,
    shown: () => [...all.keys()],
    hear(instance, seq) {
      const entry = all.get(instance);
      if (!entry || (entry.lastSeq !== null && seq <= entry.lastSeq)) return false;
      entry.lastSeq = seq;
      return true;
    },
    opened(instance, directory, config) {
      const entry = all.get(instance);
      if (entry && config) entry.configs = new Map(entry.configs).set(directory, config);
      if (!entry || entry.row.directories.includes(directory)) return;
      entry.row = { ...entry.row, directories: [...entry.row.directories, directory] };
      entry.closed = entry.closed.filter((each) => each !== directory);
    },
    closed(instance, directory) {
      const entry = all.get(instance);
      if (!entry?.row.directories.includes(directory)) return;
      entry.row = { ...entry.row, directories: entry.row.directories.filter((each) => each !== directory) };
      entry.closed = [...entry.closed, directory].slice(-CLOSED_MAX);
      const configs = new Map(entry.configs);
      configs.delete(directory);
      entry.configs = configs;
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
      const existing = companion && all.get(companion.instance);
      // It reconnects every few seconds; only the first attempt matters.
      const isNew = companion !== null && !existing;
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
