import type { Registration, SessionHooks } from '../../../src/plugin/opencode2/session/types';
import { CallFailure } from './failures';

type Name = keyof SessionHooks;
type Registered = Readonly<{
  name: string;
  callback: (event: unknown) => unknown;
  providerID: string | undefined;
}>;

export type Hooks = Readonly<{
  register(name: string, callback: (event: never) => unknown, filter?: { providerID?: string }): Promise<Registration>;
  /**
   * Runs the hooks of a name in order on the same event. @throws CallFailure a defect, if one throws or rejects:
   * OpenCode has no time limit for it.
   */
  run<N extends Name>(name: N, event: SessionHooks[N]): Promise<void>;
  count(): number;
  /** Registrations so far, which `clear` can spare. */
  soFar(): ReadonlySet<unknown>;
  /** Removes all but `spared`, as when a plugin's scope ends. */
  clear(spared?: ReadonlySet<unknown>): void;
}>;

/** @param shape converts an event for plugins. @param times calls per hook. */
export function createHooks(shape: (name: string, event: object) => object, times: number): Hooks {
  const all: Registered[] = [];
  const call = async ({ callback }: Registered, event: object): Promise<void> => {
    try {
      for (let at = 0; at < times; at += 1) await callback(event);
    } catch (error) {
      throw new CallFailure({ type: 'unknown', message: `a hook threw: ${String(error)}` }, 'defect');
    }
  };
  return {
    async register(name, callback, filter) {
      const one: Registered = { name, callback: callback as Registered['callback'], providerID: filter?.providerID };
      all.push(one);
      return { dispose: async () => void all.splice(all.indexOf(one), 1) };
    },
    async run(name, event) {
      const provider = 'model' in event ? event.model.providerID : undefined;
      for (const one of [...all].filter((hook) => hook.name === name)) {
        if (one.providerID === undefined || one.providerID === provider) await call(one, shape(name, event));
      }
    },
    count: () => all.length,
    soFar: () => new Set(all),
    clear: (spared) => void all.splice(0, all.length, ...all.filter((one) => spared?.has(one))),
  };
}
