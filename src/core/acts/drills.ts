import type { Handlers, QueryInput } from '../../contract/contract';
import type { DrillResult } from '../../contract/drill';
import { listen, tellEach } from '../base/listen';
import type { Clock } from '../ports/ports';

type Input = QueryInput<'drill.run'>;

export type DrillAsked = Readonly<{ instance: string; id: string } & Input>;

export type Drills = Readonly<{
  /** Fails if the companion disconnects or does not respond within 90 s. */
  run: (input: Input) => ReturnType<Handlers['drill.run']>;
  onAsk(listener: (request: DrillAsked) => void): () => void;
  ended(instance: string, id: string, result: DrillResult): void;
  lost(instance: string): void;
}>;

const LIMIT_MS = 90_000;

type DrillPorts = Readonly<{
  whereOpen: (directory: string) => string | null;
  tell: (result: DrillResult) => void;
}>;

export function createDrills(clock: Clock, { whereOpen, tell }: DrillPorts): Drills {
  const waiting = new Map<string, Readonly<{ instance: string; settle: (result: DrillResult) => void }>>();
  const listeners = new Set<(request: DrillAsked) => void>();
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
      const cancel = clock.schedule(LIMIT_MS, () => settle({ ok: false, reason: 'OpenCode did not respond' }));
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
        if (drill.instance === instance) drill.settle({ ok: false, reason: 'OpenCode disconnected during the drill' });
    },
  };
}

const notThere = (directory: string): string =>
  `no OpenCode with an active chain runs in ${directory}. Start OpenCode there, or run "understudy doctor" to find the problem`;
