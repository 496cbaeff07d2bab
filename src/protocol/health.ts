import * as z from 'zod';
import type { EngineEvent, SyncedHealth as EngineHealth } from '../engine';
import type { SharedHealth as EngineShared } from '../engine/tools';
import { AccountWindows, HeardAccounts, SharedWindows, UnderWay } from './headroom';
import { Count, Kind, RelativeMs, WallMs } from './measures';
import { Directory, MachineName, ModelRef, safeText } from './text';

type EngineHeard = Extract<EngineEvent, { type: 'fleet.heard' }>;

const BreakerCommon = { generation: z.int(), serial: z.int(), trips: Count };
const Limit = z.lazy(() =>
  z.object({
    kind: Kind,
    until: RelativeMs,
    preferAt: RelativeMs,
    source: z.enum(['provider', 'estimate']),
    since: RelativeMs,
    returns: Count.optional(),
    machine: MachineName.optional(),
  }),
);
const Health = z.lazy(() =>
  z.object({
    breaker: z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('closed'),
        ...BreakerCommon,
        failures: z.array(RelativeMs).max(1000),
        calmSince: RelativeMs.optional(),
      }),
      z.object({
        kind: z.literal('open'),
        ...BreakerCommon,
        until: RelativeMs,
        machine: MachineName.optional(),
      }),
      z.object({
        kind: z.literal('halfOpen'),
        ...BreakerCommon,
        probe: z.object({ serial: z.int(), since: RelativeMs, machine: MachineName.optional() }).nullable(),
      }),
    ]),
    limit: Limit.nullable(),
    rest: z.object({ kind: Kind, until: RelativeMs, since: RelativeMs, machine: MachineName.optional() }).nullable(),
    block: z.object({ kind: Kind, since: RelativeMs }).nullable(),
    last: z.object({ kind: Kind, status: z.int().nullable(), message: safeText(500), at: RelativeMs }).nullable(),
    calls: Count,
    failed: Count,
    directory: Directory.nullable(),
  }),
);

const Actor = safeText(100);
const UntilEnded = { until: RelativeMs.nullable(), since: RelativeMs, by: Actor };
const Manual = z.lazy(() =>
  z.object({
    isolatedBy: z.array(Actor).max(100),
    hold: z.object({ state: z.enum(['open', 'closed']), ...UntilEnded }).nullable(),
  }),
);

/** Times are wall clock. */
export const SharedWords = z.lazy(() =>
  z.object({
    manual: z.array(z.tuple([ModelRef, Manual])).max(5000),
    pins: z.array(z.tuple([safeText(5000), z.object({ model: ModelRef, ...UntilEnded })])).max(1000),
    pause: z.object(UntilEnded).nullable(),
  }),
);

/** Times are ms relative to sending. */
export const SyncedHealth = z.lazy(() =>
  z.object({
    models: z.array(z.tuple([ModelRef, Health])).max(5000),
    providers: z.array(z.tuple([safeText(200), Health])).max(1000),
    ...SharedWords.unwrap().partial().shape,
    // Invalid limits must not discard valid health.
    windows: AccountWindows.optional().catch(undefined),
    underWay: UnderWay.optional().catch(undefined),
  }),
);

export const FleetHeard = z.lazy(() =>
  z.object({
    type: z.literal('fleet.heard'),
    health: SyncedHealth.unwrap().pick({ models: true, providers: true, windows: true }),
    windows: HeardAccounts.optional(),
    forgotten: z
      .array(z.tuple([safeText(200), MachineName]))
      .max(1_000)
      .optional(),
  }),
);

export type FleetHeard = z.infer<typeof FleetHeard>;

export function asHeardEvent(event: FleetHeard): EngineHeard {
  return event as EngineHeard;
}

const SharedEntry = z.lazy(() =>
  Health.unwrap().extend({
    limits: z.array(Limit).max(100),
    cleared: z.object({
      limit: WallMs.optional(),
      rest: WallMs.optional(),
      block: WallMs.optional(),
      failures: WallMs.optional(),
    }),
  }),
);

/** In the file that companions without an app share; times are wall clock. */
export const SharedHealth = z.lazy(() =>
  z.object({
    models: z.array(z.tuple([ModelRef, SharedEntry])).max(5000),
    providers: z.array(z.tuple([safeText(200), SharedEntry])).max(1000),
    windows: SharedWindows.optional().catch(undefined),
  }),
);

export function asEngineHealth(health: z.infer<typeof SyncedHealth>): EngineHealth {
  return health as EngineHealth;
}

export function asSharedHealth(health: z.infer<typeof SharedHealth>): EngineShared {
  return health as EngineShared;
}
