import type { Snapshot } from '../../src/contract/snapshot';
import type { LogRecord } from '../../src/core/base/record';
import type { Store } from '../../src/core/base/store-rows';
import { type Companion, type Core, createCore } from '../../src/core/core';
import type { Clock, CorePorts } from '../../src/core/ports/ports';
import { DEFAULT_HEALTH, type Evidence, type ScopeConfig, SWIFT } from '../../src/engine';
import type { CompanionEvent } from '../../src/protocol';

export const START = 1_790_000_000_000;
export const DIRECTORY = '/home/u/project';
export const CHAIN = ['lead/one', 'spare/two', 'last/three'] as const;
export const COMPANION: Companion = { instance: 'i1', epoch: 'e1', pid: 42, opencode: '1.18.33', plugin: '0.1.0' };

export type VirtualClock = Clock &
  Readonly<{
    advance(ms: number): void;
    /** The machine sleeps: the wall clock goes on, and its uptime does. */
    sleep(ms: number): void;
    /** Somebody sets the wall clock by so much. */
    set(ms: number): void;
    /** A new process of the same machine: its engine clock starts at the wall clock. */
    nextLife(): VirtualClock;
    /** The machine is started again after `ms`. */
    reboot(ms: number): void;
    waiting(): number;
  }>;

/** What the machine had been running for before the clock of a test began, in ms. */
const UP_MS = 86_400_000;

/** A machine as several processes of it see it. */
type Machine = { asleepMs: number; setMs: number; bootAt: number; boot: number };

/** A clock that moves when it is told to, and calls back what has become due on the way. */
export function virtualClock(start = START): VirtualClock {
  return clockOn({ asleepMs: 0, setMs: 0, bootAt: start - UP_MS, boot: 1 }, start, 0);
}

/** @param aheadMs what this process's engine clock is ahead of the time that machine was awake for. */
function clockOn(machine: Machine, start: number, aheadMs: number): VirtualClock {
  let now = start;
  let timers: { at: number; callback: () => void }[] = [];
  const awake = (): number => now - aheadMs;
  const wall = (): number => awake() + machine.asleepMs + machine.setMs;
  return {
    now: () => now,
    wall,
    uptime: () => ({ ms: awake() + machine.asleepMs - machine.bootAt, boot: `boot ${machine.boot}` }),
    schedule(delayMs, callback) {
      const timer = { at: now + delayMs, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const due = timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
        if (!due) break;
        timers = timers.filter((timer) => timer !== due);
        now = Math.max(now, due.at);
        due.callback();
      }
      now = end;
    },
    sleep(ms) {
      machine.asleepMs += ms;
    },
    set(ms) {
      machine.setMs += ms;
    },
    nextLife: () => clockOn(machine, wall(), machine.asleepMs + machine.setMs),
    reboot(ms) {
      machine.asleepMs += ms;
      machine.bootAt = awake() + machine.asleepMs;
      machine.boot++;
    },
    waiting: () => timers.length,
  };
}

/** A configuration with one chain for every agent. */
export const scopeOf = (chain: readonly string[] = CHAIN): ScopeConfig => ({
  enabled: true,
  health: DEFAULT_HEALTH,
  maxFallbackDepth: 3,
  onExhausted: 'error',
  backupModel: null,
  agents: { '*': { chain, policy: SWIFT } },
});

export type TestCore = Readonly<{
  core: Core;
  clock: VirtualClock;
  log: LogRecord[];
  /** Says something as the companion, with its next number. */
  tell(event: CompanionEvent, instance?: string): void;
}>;

/** A core on a virtual clock, with its log in memory. */
export function openTestCore(
  clock: VirtualClock = virtualClock(),
  store: Store | null = null,
  ports: Partial<CorePorts> = {},
  app: Partial<Snapshot['app']> = {},
): TestCore {
  const log: LogRecord[] = [];
  const core = createCore(
    {
      clock,
      log: { append: (record) => void log.push(record), readAll: async () => ({ records: log }) },
      store,
      random: () => 0.5,
      ...ports,
    },
    { version: '0.1.0', runtime: 'test', ...app },
  );
  let seq = 0;
  return {
    core,
    clock,
    log,
    tell: (event, instance = 'i1') => core.told(instance, { seq: ++seq, ageMs: 0, sentAt: clock.wall(), event }),
  };
}

/** A core that a companion has opened its project in. */
export function openArmedCore(ports: Partial<CorePorts> = {}): TestCore {
  const test = openTestCore(virtualClock(), null, ports);
  test.core.connected(COMPANION);
  test.tell(configured());
  return test;
}

export const configured = (directory = DIRECTORY, chain: readonly string[] = CHAIN): CompanionEvent => ({
  type: 'scope.configured',
  directory,
  config: scopeOf(chain) as Extract<CompanionEvent, { type: 'scope.configured' }>['config'],
});

type Of<T extends CompanionEvent['type']> = Extract<CompanionEvent, { type: T }>;

export const prompted = (over: Partial<Of<'prompt.submitted'>> = {}): CompanionEvent => ({
  type: 'prompt.submitted',
  turn: 't1',
  session: 's1',
  directory: DIRECTORY,
  agent: 'build',
  model: CHAIN[0],
  hostLead: CHAIN[0],
  isExplicit: false,
  ...over,
});

export const started = (over: Partial<Of<'attempt.started'>> = {}): CompanionEvent => ({
  type: 'attempt.started',
  attempt: 'a1',
  turn: 't1',
  session: 's1',
  directory: DIRECTORY,
  agent: 'build',
  model: CHAIN[0],
  purpose: 'turn',
  ...over,
});

export const LIMITED: Evidence = { phase: 'body', status: 429, message: 'Rate limit reached', seenAt: START };

export const failed = (attempt = 'a1', evidence: Evidence = LIMITED): CompanionEvent => ({
  type: 'attempt.failed',
  attempt,
  evidence: evidence as Of<'attempt.failed'>['evidence'],
  durationMs: 40,
});

export const succeeded = (attempt: string): CompanionEvent => ({
  type: 'attempt.succeeded',
  attempt,
  durationMs: 90,
  firstTokenMs: 20,
  outputChars: 12,
});

export const carried = (ok = true): CompanionEvent => ({
  type: 'switch.carried',
  turn: 't1',
  from: CHAIN[0],
  ok,
  durationMs: 31,
  ...(ok ? {} : { reason: 'OpenCode did not accept the new model' }),
});

/** A turn whose lead is limited and whose understudy answers. */
export const SWITCHED_TURN: readonly CompanionEvent[] = [
  prompted(),
  started(),
  failed(),
  carried(),
  started({ attempt: 'a2', model: CHAIN[1] }),
  succeeded('a2'),
];
