import type { SelfCheck } from '../../runtime/self-check';
import type { PluginContext } from './types';

/**
 * How a failing turn moves. `switch`: in the retry hook. `steer`: after OpenCode has given up, by a message that
 * resumes the turn. `watch`: never.
 */
export type Level = 'switch' | 'steer' | 'watch';

export type Actuator = Readonly<{
  level(): Level;
  /** True once a switch has worked in this process. */
  isProven(): boolean;
  /** Records a call with the model its session was moved to. */
  prove(): void;
  /**
   * Disables moves after unexpected behavior of OpenCode.
   * @returns true the first time.
   */
  distrust(): boolean;
}>;

export type Features = Readonly<{ hasRetryHook: boolean; canSwitch: boolean; canSay: boolean; hearsEvents: boolean }>;

/** `hasRetryHook` is true if OpenCode accepted the hook. */
export const featuresOf = ({ session, event }: PluginContext, hasRetryHook: boolean): Features => ({
  hasRetryHook,
  canSwitch: typeof session?.switchModel === 'function',
  canSay: typeof session?.synthetic === 'function',
  hearsEvents: typeof event?.subscribe === 'function',
});

export function levelFor({ hasRetryHook, canSwitch, canSay, hearsEvents }: Features): Level {
  if (!canSwitch) return 'watch';
  if (hasRetryHook) return 'switch';
  return canSay && hearsEvents ? 'steer' : 'watch';
}

/** Drops to `watch` for good if OpenCode behaves unexpectedly. */
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
