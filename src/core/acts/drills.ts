import type { Handlers, QueryInput } from '../../contract/contract';
import type { DrillResult } from '../../contract/drill';
import { listen, tellEach } from '../base/listen';
import type { Clock } from '../ports/ports';

type Input = QueryInput<'drill.run'>;

/** A drill that a companion shall make. */
export type DrillAsked = Readonly<{ instance: string; id: string } & Input>;

/** Drills under way, each with the companion that makes it. */
export type Drills = Readonly<{
  /** Has the companion of a directory make one. When it goes away, or says nothing for 90 s, that is an answer as well. */
  run: (input: Input) => ReturnType<Handlers['drill.run']>;
  /** Calls back with each drill that a companion has to make. @returns what ends it. */
  onAsk(listener: (asked: DrillAsked) => void): () => void;
  /** A companion tells how its drill came out. */
  ended(instance: string, id: string, result: DrillResult): void;
  lost(instance: string): void;
}>;

/** Longer than a companion takes before it gives up by itself. */
const LIMIT_MS = 90_000;

/** What drills need: which companion works in a directory, and whom to tell of a result. */
type DrillPorts = Readonly<{
  whereOpen: (directory: string) => string | null;
  tell: (result: DrillResult) => void;
}>;

/** An empty book. */
export function createDrills(clock: Clock, { whereOpen, tell }: DrillPorts): Drills {
  const waiting = new Map<string, Readonly<{ instance: string; settle: (result: DrillResult) => void }>>();
  const listeners = new Set<(asked: DrillAsked) => void>();
  let nextId = 1;

  const ask = (instance: string, input: Input): Promise<DrillResult> =>
    new Promise((resolve) => {
      const id = String(nextId++);
      const settle = (result: DrillResult): void => {
        cancel();
        waiting.delete(id);
        tell(result);
        resolve(result);
      };
      const cancel = clock.schedule(LIMIT_MS, () => settle({ ok: false, reason: 'OpenCode said nothing of it' }));
      waiting.set(id, { instance, settle });
      tellEach(listeners, (listener) => listener({ instance, id, ...input }));
    });

  return {
    run(input) {
      const instance = whereOpen(input.directory);
      return instance === null ? { ok: false, reason: notThere(input.directory) } : ask(instance, input);
    },
    onAsk: (listener) => listen(listeners, listener),
    ended(instance, id, result) {
      const drill = waiting.get(id);
      if (drill?.instance === instance) drill.settle(result);
    },
    lost(instance) {
      for (const drill of waiting.values())
        if (drill.instance === instance) drill.settle({ ok: false, reason: 'OpenCode went away meanwhile' });
    },
  };
}

const notThere = (directory: string): string =>
  `no OpenCode with a chain in force runs in ${directory}. Start OpenCode there; "understudy doctor" tells what else is missing`;
