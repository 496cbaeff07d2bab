import type { SelfCheck } from '../../runtime/self-check';
import type { PluginContext } from './types';

/**
 * How a failing turn is moved here, from the best to the safest. `switch`: in flight, by the retry hook. `steer`: after
 * OpenCode has given up, by one text that takes the turn up again. `watch`: not at all; failures only count.
 */
export type Level = 'switch' | 'steer' | 'watch';

/** Whether and how turns can be moved in the OpenCode this process lives in. */
export type Actuator = Readonly<{
  level(): Level;
  /** Whether a switch has been seen to work in this process. */
  isProven(): boolean;
  /** A call came with the model its session was moved to. */
  prove(): void;
  /** OpenCode did something else than a switch asks of it: from now on nothing is touched. @returns whether that is news. */
  distrust(): boolean;
}>;

/** What of the interface is there. Nothing is asked and nothing is changed to find out. */
export type Features = Readonly<{ hasRetryHook: boolean; canSwitch: boolean; canSay: boolean; hearsEvents: boolean }>;

/** Looks which functions the host has. `hasRetryHook` is whether it took that hook. */
export const featuresOf = ({ session, event }: PluginContext, hasRetryHook: boolean): Features => ({
  hasRetryHook,
  canSwitch: typeof session?.switchModel === 'function',
  canSay: typeof session?.synthetic === 'function',
  hearsEvents: typeof event?.subscribe === 'function',
});

/** The best way these features allow. */
export function levelFor({ hasRetryHook, canSwitch, canSay, hearsEvents }: Features): Level {
  if (!canSwitch) return 'watch';
  if (hasRetryHook) return 'switch';
  return canSay && hearsEvents ? 'steer' : 'watch';
}

/** Begins with the best way, and leaves it for good when the host does not behave as assumed. */
export function openActuator(best: () => Level, selfCheck: Pick<SelfCheck, 'actuator' | 'learn'>): Actuator {
  let isProven = false;
  let isDistrusted = false;
  return {
    level: () => (isDistrusted || selfCheck.actuator() === 'watch' ? 'watch' : best()),
    isProven: () => isProven,
    prove() {
      if (isProven) return;
      isProven = true;
      void selfCheck.learn([]);
    },
    distrust() {
      const isNews = !isDistrusted;
      isDistrusted = true;
      if (isNews) void selfCheck.learn(['moves']);
      return isNews;
    },
  };
}
