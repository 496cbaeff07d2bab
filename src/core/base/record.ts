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

/** What the app itself adds to the log: acts of people, its own ticks, and who came and went. */
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
  /** What companions had found out by themselves while no app was there; times are relative to the record's. */
  z.object({ type: z.literal('health.learned'), health: SyncedHealth }),
  z.object({ type: z.literal('person.acted'), act: PersonAct, actor: z.string() }),
  z.object({ type: z.literal('drill.ended'), result: DrillResult }),
  z.object({ type: z.literal('probe.ended'), model: z.string(), result: ProbeResult, actor: z.string() }),
  z.object({ type: z.literal('tick') }),
  /** The app itself has counted how full limits are that a user has entered: no companion has told it. */
  HeadroomCounted.unwrap(),
  FleetHeard.unwrap(),
  /**
   * What the clocks said at that moment, at the beginning of a life, now and then, and when the wall clock has been set: a
   * later life knows by it how much time has gone by. `movedMs` is what a new life adds to all times before it.
   */
  z.object({ type: z.literal('clock.read'), clock: ClockReading, movedMs: z.number() }),
  z.object({ type: z.literal('host.resumed'), asleepMs: z.number() }),
  z.object({ type: z.literal('lease.requested'), model: z.string(), epoch: z.string() }),
  /** Somebody was, or would have been, told something; it takes the place of what was told under the same key. */
  z.object({ type: z.literal('notice.told'), notice: NoticeRow }),
  z.object({ type: z.literal('notice.read'), upTo: z.int().nonnegative() }),
  z.object({ type: z.literal('instance.connected'), ...Instance.shape }),
  z.object({ type: z.literal('instance.lost'), instance: z.string() }),
  /**
   * Everything before it was deleted. It says how far companions had been heard, who would tell it all again otherwise, and
   * how directories were configured, which they tell only once.
   */
  z.object({
    type: z.literal('data.erased'),
    heard: z.array(z.object({ instance: z.string(), seq: z.int().nonnegative(), directories: z.array(z.string()) })),
    scopes: z.array(ScopeConfigured),
    /** What the clocks said then; absent in older logs. */
    clock: ClockReading.optional(),
  }),
]);
export type AppEvent = z.infer<typeof AppEvent>;

/** One line of the ordered log. The same lines, stepped in order at their own times, give the same state. */
export const LogRecord = z.object({
  v: z.literal(1),
  /** Counts the records of all lives, from 1; absent in logs older than the store. */
  n: z.int().positive().optional(),
  /** Engine ms of the core that wrote it. */
  at: z.number(),
  /** Who said it, and with which number; null for the app's own. */
  from: z.object({ instance: z.string(), seq: z.int().nonnegative() }).nullable(),
  event: z.union([CompanionEvent, AppEvent]),
  /** What other machines had reported before it and no line holds yet; times are relative to `at`. */
  heard: FleetHeard.optional(),
});
export type LogRecord = z.infer<typeof LogRecord>;
