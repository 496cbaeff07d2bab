import * as z from 'zod';
import type { AccountSaid, SaidWindow, SharedEntry } from '../engine/tools';
import { SaidWindowText } from './headroom';
import { Count, Kind } from './measures';
import { MachineName, parseJson, safeText } from './text';

/** Increase it if older machines could not read the format: they ignore a newer message and delete nothing. */
const VERSION = 1;
export const WORDS_MAX_BYTES = 65_536;
/** Per account; those whose limits end last are sent. */
const MODELS_MAX = 250;
const LIMITS_MAX = 20;
/** Per account. */
const WINDOWS_MAX = 40;

// Lazy schemas: only a fleet needs them, and OpenCode waits for a starting companion.

/** Whole ms of the fleet's clock, up to the year 5138. */
const fleetMs = () => z.int().min(0).max(1e14);
const Source = z.enum(['provider', 'estimate']);

/** A week, also when clocks change. */
export const HOURS_MAX = 200;
/** Maximum per machine and hour, in billionths of a US dollar; sums stay exact. */
export const NANOS_MAX = 1e12;
const hour = () => z.int().min(0).max(1e8);
/** Hours of UTC since 1970 with their cost, in billionths of a US dollar. */
const SpentHours = z.lazy(() => z.array(z.tuple([hour(), z.int().min(0).max(NANOS_MAX)])).max(HOURS_MAX));
export const SummedHours = z.lazy(() => z.array(z.tuple([hour(), z.int().min(0)])).max(HOURS_MAX));

const LimitRow = z.lazy(() => z.tuple([Kind, Source, fleetMs(), fleetMs(), fleetMs()]));
const Circuit = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('closed'), generation: Count, trips: Count }),
    z.object({ kind: z.literal('open'), generation: Count, serial: Count, trips: Count, until: fleetMs() }),
    z.object({
      kind: z.literal('halfOpen'),
      generation: Count,
      serial: Count,
      trips: Count,
      probe: z.object({ serial: Count, since: fleetMs() }).nullable(),
    }),
  ]),
);
const Entry = z.lazy(() => {
  const ms = fleetMs().nullable();
  return z.object({
    limits: z.array(LimitRow).max(LIMITS_MAX).optional(),
    rest: z.tuple([Kind, fleetMs(), fleetMs()]).optional(),
    block: z.tuple([Kind, fleetMs()]).optional(),
    circuit: Circuit.optional(),
    /** Latest ends of limits, rests and blocks. */
    ended: z.tuple([ms, ms, ms]).optional(),
  });
});
const Words = z.lazy(() =>
  z.object({
    v: z.literal(VERSION),
    machine: MachineName,
    version: safeText(40).optional(),
    models: z.array(z.tuple([safeText(300).min(1), Entry])).max(MODELS_MAX),
    all: Entry.optional(),
    // Invalid limits must not discard valid health.
    windows: z.array(SaidWindowText).max(WINDOWS_MAX).optional().catch(undefined),
    spent: SpentHours.optional().catch(undefined),
  }),
);

/** A machine's report about an account; `version` of Understudy. */
export type MachineWords = AccountSaid &
  Readonly<{
    machine: string;
    version: string | null;
    spent: readonly (readonly [hour: number, nanos: number])[];
  }>;

/** Contains no prompts, messages or directories. */
export function fleetText({ machine, version, words, windows, spent }: MachineWords): string {
  const all = words.find(([name]) => name === '')?.[1];
  const models = words.filter(([name]) => name !== '');
  const latest = [...models].sort(([, a], [, b]) => lastEnd(b) - lastEnd(a)).slice(0, MODELS_MAX);
  return JSON.stringify({
    v: VERSION,
    machine,
    ...(version === null ? {} : { version }),
    models: latest.map(([name, entry]) => [name, rowOf(entry)]),
    ...(all ? { all: rowOf(all) } : {}),
    ...(windows.length > 0 ? { windows: windows.slice(0, WINDOWS_MAX) } : {}),
    ...(spent.length > 0
      ? { spent: spent.slice(-HOURS_MAX).map(([hour, nanos]) => [hour, Math.min(nanos, NANOS_MAX)]) }
      : {}),
  });
}

const lastEnd = ({ limits }: SharedEntry): number => limits[0]?.until ?? 0;

function rowOf({ limits, rest, block, breaker, cleared }: SharedEntry): z.input<typeof Entry> {
  const { generation, serial, trips } = breaker;
  const common = { generation, serial, trips };
  const circuit =
    breaker.kind === 'open'
      ? { kind: breaker.kind, ...common, until: breaker.until }
      : breaker.kind === 'halfOpen'
        ? { kind: breaker.kind, ...common, probe: breaker.probe && { ...breaker.probe } }
        : { kind: breaker.kind, generation, trips };
  const row = ({ kind, source, since, until, preferAt }: SharedEntry['limits'][number]): z.input<typeof LimitRow> => [
    ...([kind, source] as const),
    ...([since, until, preferAt] as const),
  ];
  return {
    ...(limits.length > 0 ? { limits: limits.slice(0, LIMITS_MAX).map(row) } : {}),
    ...(rest ? { rest: [rest.kind, rest.since, rest.until] } : {}),
    ...(block ? { block: [block.kind, block.since] } : {}),
    ...(generation > 0 ? { circuit } : {}),
    ...(Object.keys(cleared).length > 0
      ? { ended: [cleared.limit ?? null, cleared.rest ?? null, cleared.block ?? null] }
      : {}),
  };
}

/** Returns null for a newer machine's text or an invalid one. */
export function readFleetText(text: string): MachineWords | null {
  if (text.length > WORDS_MAX_BYTES) return null;
  const { data } = Words.safeParse(parseJson(text));
  if (!data) return null;
  const { machine, version = null, models, all, windows = [], spent = [] } = data;
  return {
    machine,
    version,
    spent: eachOnce(spent),
    // zod infers optional fields as `T undefined`.
    windows: windows as readonly SaidWindow[],
    words: [
      ...(all ? [['', entryOf(all)] as const] : []),
      ...models.map(([name, entry]) => [name, entryOf(entry)] as const),
    ],
  };
}

/** Repeated hours would exceed the maximum per hour. */
function eachOnce(hours: MachineWords['spent']): MachineWords['spent'] {
  const most = new Map<number, number>();
  for (const [hour, nanos] of hours) most.set(hour, Math.max(nanos, most.get(hour) ?? 0));
  return [...most];
}

function entryOf({ limits: rows = [], rest, block, circuit, ended }: z.infer<typeof Entry>): SharedEntry {
  const limits = rows.map(([kind, source, since, until, preferAt]) => ({ kind, until, preferAt, source, since }));
  const [limit, resting, blocked] = ended ?? [null, null, null];
  return {
    breaker:
      circuit === undefined || circuit.kind === 'closed'
        ? { ...(circuit ?? NO_CIRCUIT), serial: 0, failures: [], calmSince: undefined }
        : circuit,
    limits,
    limit: limits[0] ?? null,
    rest: rest ? { kind: rest[0], until: rest[2], since: rest[1] } : null,
    block: block ? { kind: block[0], since: block[1] } : null,
    last: null,
    calls: 0,
    failed: 0,
    directory: null,
    cleared: {
      ...(limit === null ? {} : { limit }),
      ...(resting === null ? {} : { rest: resting }),
      ...(blocked === null ? {} : { block: blocked }),
    },
  };
}

const NO_CIRCUIT = { kind: 'closed', generation: 0, trips: 0 } as const;
