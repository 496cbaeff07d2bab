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
  /** Monotonic engine ms, anchored to the wall clock when the process started. */
  now(): number;
  /** Unix ms. */
  wall(): number;
  /**
   * In ms, including sleep, with an id of the machine's start, or null if not reported. Cannot be set. Null for a
   * clock without a machine.
   */
  uptime(): Readonly<{ ms: number; boot: string | null }> | null;
  /** Calls back once. Never keeps the process alive. @returns a function that cancels it. */
  schedule(delayMs: number, callback: () => void): () => void;
}>;

export type LogSink = Readonly<{
  append(record: LogRecord): void;
  /** Null when all records are on disk, else the reason. Absent without storage. */
  settle?(): Promise<string | null>;
  /** Oldest first. */
  readAll(): Promise<Readonly<{ records: readonly LogRecord[] }>>;
}>;

/** A minimal real request; null for no project. Never rejects. */
export type ProbePort = (request: Readonly<{ model: string; directory: string | null }>) => Promise<ProbeResult>;

export type DemoPort = Readonly<{
  status(): DemoStatus;
  start(): Promise<DemoStatus>;
  stop(): Promise<DemoStatus>;
}>;

export type CorePorts = Readonly<{
  clock: Clock;
  log: LogSink;
  /** Null without a database: history then reaches as far back as the log. */
  store: Store | null;
  setup?: SetupPort;
  preferences?: PreferencesPort;
  data?: DataPort;
  ranking?: RankingPort;
  council?: CouncilPort;
  probe?: ProbePort;
  demo?: DemoPort;
  fleet?: Readonly<{ status(): FleetStatus }>;
  /** Uniform in [0, 1). */
  random(): number;
  /** With the state before the step. */
  onStep?(before: EngineState, event: EngineEvent, at: number): void;
}>;
