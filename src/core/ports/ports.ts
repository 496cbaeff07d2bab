import type { DemoStatus } from '../../contract/demo';
import type { ProbeResult } from '../../contract/probe';
import type { EngineEvent, EngineState } from '../../engine';
import type { FleetStatus } from '../../features/fleet/contract/fleet';
import type { LogRecord } from '../base/record';
import type { Store } from '../base/store-rows';
import type { CouncilPort } from './council';
import type { DataPort } from './data';
import type { PreferencesPort } from './preferences';
import type { RankingPort } from './ranking';
import type { SetupPort } from './setup';

export type Clock = Readonly<{
  /** Monotonic engine milliseconds, anchored to the wall clock when the process started. */
  now(): number;
  /** Wall clock, Unix ms. */
  wall(): number;
  /**
   * Time since the machine's start, sleep included, in ms, with an id of that start, which is null if the system does
   * not report it. Users cannot set it. Null for a clock without a machine.
   */
  uptime(): Readonly<{ ms: number; boot: string | null }> | null;
  /**
   * Calls back once after `delayMs`. Never keeps the process alive.
   * @returns a function that cancels it.
   */
  schedule(delayMs: number, callback: () => void): () => void;
}>;

/** Storage of the ordered log. */
export type LogSink = Readonly<{
  /** Enqueues a record; written soon, without waiting. */
  append(record: LogRecord): void;
  /**
   * Resolves with null when all records are on disk, and with the reason if the disk fails or is slow. Absent without
   * storage.
   */
  settle?(): Promise<string | null>;
  /** Reads all stored records, oldest first. */
  readAll(): Promise<Readonly<{ records: readonly LogRecord[] }>>;
}>;

/** Sends the smallest possible real request to a model, from a project or, with null, from none. Never rejects. */
export type ProbePort = (asked: Readonly<{ model: string; directory: string | null }>) => Promise<ProbeResult>;

/** Plays the demo beside the panel. */
export type DemoPort = Readonly<{
  status(): DemoStatus;
  start(): Promise<DemoStatus>;
  stop(): Promise<DemoStatus>;
}>;

export type CorePorts = Readonly<{
  clock: Clock;
  log: LogSink;
  /** Null if this machine has no database: history then reaches as far back as the log. */
  store: Store | null;
  /** Reads and writes configuration files; absent if unsupported. */
  setup?: SetupPort;
  /** Reads and writes the user's preferences for the app; absent if unsupported. */
  preferences?: PreferencesPort;
  /** Manages recorded data; absent if nothing is recorded. */
  data?: DataPort;
  /** Absent without rankings. */
  ranking?: RankingPort;
  /** Absent without councils. */
  council?: CouncilPort;
  /** Absent if no OpenCode can be run. */
  probe?: ProbePort;
  demo?: DemoPort;
  /** State of this machine's fleet; absent if there can be none. */
  fleet?: Readonly<{ status(): FleetStatus }>;
  /** Uniform in [0, 1). */
  random(): number;
  /** Called after each step of the engine, with the state before it. */
  onStep?(before: EngineState, event: EngineEvent, at: number): void;
}>;
