import * as z from 'zod';
import { PersonAct } from '../../contract/acts';
import { DrillResult } from '../../contract/drill';
import { NoticeRow } from '../../contract/notices';
import { ProbeResult } from '../../contract/probe';
import { CompanionEvent, FleetHeard, HeadroomCounted, ScopeConfigured, SyncedHealth } from '../../protocol';
import { ClockReading } from './clock-reading';

const Instance = z.object({
  instance: z.string(),
  pid: z.int(),
  opencode: z.string(),
  plugin: z.string(),
  epoch: z.string(),
});

const AppEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('health.reset'),
    target: z.union([
      z.object({ model: z.string() }),
      z.object({ provider: z.string() }),
      z.object({ all: z.literal(true) }),
    ]),
    actor: z.string(),
  }),
  /** Detected while no app was running; times are relative to the record's. */
  z.object({ type: z.literal('health.learned'), health: SyncedHealth }),
  z.object({ type: z.literal('person.acted'), act: PersonAct, actor: z.string() }),
  z.object({ type: z.literal('drill.ended'), result: DrillResult }),
  z.object({ type: z.literal('probe.ended'), model: z.string(), result: ProbeResult, actor: z.string() }),
  z.object({ type: z.literal('tick') }),
  HeadroomCounted.unwrap(),
  FleetHeard.unwrap(),
  /** Written at a run's start, periodically, and after the clock was set. `movedMs` shifts all earlier times. */
  z.object({ type: z.literal('clock.read'), clock: ClockReading, movedMs: z.number() }),
  z.object({ type: z.literal('host.resumed'), asleepMs: z.number() }),
  z.object({ type: z.literal('lease.requested'), model: z.string(), epoch: z.string() }),
  z.object({ type: z.literal('notice.told'), notice: NoticeRow }),
  z.object({ type: z.literal('notice.read'), upTo: z.int().nonnegative() }),
  z.object({ type: z.literal('instance.connected'), ...Instance.shape }),
  z.object({ type: z.literal('instance.lost'), instance: z.string() }),
  /** Holds applied sequence numbers and configurations, which companions send only once. */
  z.object({
    type: z.literal('data.erased'),
    heard: z.array(z.object({ instance: z.string(), seq: z.int().nonnegative(), directories: z.array(z.string()) })),
    scopes: z.array(ScopeConfigured),
    /** Absent in older logs. */
    clock: ClockReading.optional(),
  }),
]);
export type AppEvent = z.infer<typeof AppEvent>;

/** Replaying the same lines at their own times gives the same state. */
export const LogRecord = z.object({
  v: z.literal(1),
  /** Counts over all runs, from 1; absent in logs older than the store. */
  n: z.int().positive().optional(),
  /** Engine ms of the core that wrote it. */
  at: z.number(),
  /** Null for the app itself. */
  from: z.object({ instance: z.string(), seq: z.int().nonnegative() }).nullable(),
  event: z.union([CompanionEvent, AppEvent]),
  /** In no earlier line; times are relative to `at`. */
  heard: FleetHeard.optional(),
});
export type LogRecord = z.infer<typeof LogRecord>;
