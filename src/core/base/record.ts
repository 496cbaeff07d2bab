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

/** Events of the app itself: acts of people, ticks, and companions that connect or disconnect. */
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
  /** Health that companions detected while no app was running; times are relative to the record's. */
  z.object({ type: z.literal('health.learned'), health: SyncedHealth }),
  z.object({ type: z.literal('person.acted'), act: PersonAct, actor: z.string() }),
  z.object({ type: z.literal('drill.ended'), result: DrillResult }),
  z.object({ type: z.literal('probe.ended'), model: z.string(), result: ProbeResult, actor: z.string() }),
  z.object({ type: z.literal('tick') }),
  /** The app itself counted the use of user-entered limits. */
  HeadroomCounted.unwrap(),
  FleetHeard.unwrap(),
  /**
   * Clock readings at the start of a run, periodically, and after the wall clock was set; later runs compute elapsed
   * time from them. `movedMs` is the shift that a new run adds to all earlier times.
   */
  z.object({ type: z.literal('clock.read'), clock: ClockReading, movedMs: z.number() }),
  z.object({ type: z.literal('host.resumed'), asleepMs: z.number() }),
  z.object({ type: z.literal('lease.requested'), model: z.string(), epoch: z.string() }),
  /** A notice that was shown or suppressed; replaces the previous one with its key. */
  z.object({ type: z.literal('notice.told'), notice: NoticeRow }),
  z.object({ type: z.literal('notice.read'), upTo: z.int().nonnegative() }),
  z.object({ type: z.literal('instance.connected'), ...Instance.shape }),
  z.object({ type: z.literal('instance.lost'), instance: z.string() }),
  /**
   * All earlier records were deleted. Stores which events of each companion were applied, so that they are not sent
   * again, and the configuration of directories, which companions send only once.
   */
  z.object({
    type: z.literal('data.erased'),
    heard: z.array(z.object({ instance: z.string(), seq: z.int().nonnegative(), directories: z.array(z.string()) })),
    scopes: z.array(ScopeConfigured),
    /** Absent in older logs. */
    clock: ClockReading.optional(),
  }),
]);
export type AppEvent = z.infer<typeof AppEvent>;

/** One line of the ordered log. Replaying the same lines at their own times gives the same state. */
export const LogRecord = z.object({
  v: z.literal(1),
  /** Counts the records of all runs, from 1; absent in logs older than the store. */
  n: z.int().positive().optional(),
  /** Engine ms of the core that wrote it. */
  at: z.number(),
  /** Sender and its sequence number; null for the app itself. */
  from: z.object({ instance: z.string(), seq: z.int().nonnegative() }).nullable(),
  event: z.union([CompanionEvent, AppEvent]),
  /** Reports of other machines received before this record and in no other line; times are relative to `at`. */
  heard: FleetHeard.optional(),
});
export type LogRecord = z.infer<typeof LogRecord>;
