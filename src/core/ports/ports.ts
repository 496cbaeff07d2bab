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

/** Time, as the core needs it. */
export type Clock = Readonly<{
  /** Monotonic engine milliseconds, anchored to the wall clock when the process started. */
  now(): number;
  /** Wall clock, Unix ms. */
  wall(): number;
  /**
   * How long the machine has been running, its sleep included, in ms, and which start of it that is counted from: null where
   * the system does not say. Nobody sets it. Null for a clock of no machine.
   */
  uptime(): Readonly<{ ms: number; boot: string | null }> | null;
  /** Calls back once after `delayMs`; @returns what cancels it. A waiting timer never keeps the process alive. */
  schedule(delayMs: number, callback: () => void): () => void;
}>;

/** Where the ordered log goes, and comes from. */
export type LogSink = Readonly<{
  /** Takes a record; written soon, never waited for. */
  append(record: LogRecord): void;
  /**
   * Resolves with null when every record so far is on the disk, and with the reason when the disk does not take them, or not
   * soon; absent where nothing is kept.
   */
  settle?(): Promise<string | null>;
  /** Reads everything back that is kept, oldest first. */
  readAll(): Promise<Readonly<{ records: readonly LogRecord[] }>>;
}>;

/** Makes one smallest real request to a model, from a project or, with null, from none. Never rejects. */
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
  /** Null where this machine has no database: history then reaches as far back as the log. */
  store: Store | null;
  /** Who looks into configuration files and writes them; absent where nobody can. */
  setup?: SetupPort;
  /** Who reads and writes the user's choices for the app; absent where nobody can. */
  preferences?: PreferencesPort;
  /** Who keeps what is recorded; absent where nothing is. */
  data?: DataPort;
  /** Absent without rankings. */
  ranking?: RankingPort;
  /** Who reads, plays and ends councils; absent where nobody does. */
  council?: CouncilPort;
  /** Absent where no OpenCode can be run. */
  probe?: ProbePort;
  demo?: DemoPort;
  /** How the fleet of this machine is; absent where there can be none. */
  fleet?: Readonly<{ status(): FleetStatus }>;
  /** Uniform in [0, 1). */
  random(): number;
  /** Hears of each step of the engine once it is made, and of the state before it. */
  onStep?(before: EngineState, event: EngineEvent, at: number): void;
}>;
