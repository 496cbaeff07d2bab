import type { DrillResult, QueryInput } from '../contract';
import type { Clock } from './ports';

/** A drill that a companion shall make. */
export type DrillAsked = Readonly<{ instance: string; id: string } & QueryInput<'drill.run'>>;

/** Drills under way, each with the companion that makes it. */
export type Drills = Readonly<{
  /** Has a companion make a drill. A companion that goes away, or says nothing for 90 s, is an answer as well. */
  run(instance: string, input: QueryInput<'drill.run'>): Promise<DrillResult>;
  /** A companion tells how its drill came out. */
  ended(instance: string, id: string, result: DrillResult): void;
  lost(instance: string): void;
}>;

/** Longer than a companion takes before it gives up by itself. */
const LIMIT_MS = 90_000;

/** An empty book. `ask` sends a drill to its companion. */
export function createDrills(clock: Clock, ask: (asked: DrillAsked) => void): Drills {
  const waiting = new Map<string, Readonly<{ instance: string; settle: (result: DrillResult) => void }>>();
  let nextId = 1;
  return {
    run: (instance, input) =>
      new Promise((resolve) => {
        const id = String(nextId++);
        const settle = (result: DrillResult): void => {
          cancel();
          waiting.delete(id);
          resolve(result);
        };
        const cancel = clock.schedule(LIMIT_MS, () => settle({ ok: false, reason: 'OpenCode said nothing of it' }));
        waiting.set(id, { instance, settle });
        ask({ instance, id, ...input });
      }),
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
