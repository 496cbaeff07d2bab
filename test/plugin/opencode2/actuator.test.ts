import { describe, expect, it } from 'vitest';
import { featuresOf, levelFor, openActuator } from '../../../src/plugin/opencode2/session/actuator';
import type { PluginContext } from '../../../src/plugin/opencode2/session/types';

const WHOLE = {
  event: { subscribe: async function* () {} },
  session: {
    hook: async () => ({ dispose: async () => undefined }),
    switchModel: async () => {},
    synthetic: async () => {},
  },
} satisfies PluginContext;
const { hook } = WHOLE.session;

describe('given what a host has', () => {
  it.each<readonly [string, PluginContext, boolean, string]>([
    ['all of it', WHOLE, true, 'switch'],
    ['no retry hook', WHOLE, false, 'steer'],
    ['neither a retry hook nor events', { ...WHOLE, event: {} }, false, 'watch'],
    [
      'no retry hook, and nothing can be said',
      { ...WHOLE, session: { hook, switchModel: async () => {} } },
      false,
      'watch',
    ],
    ['no switch of models', { ...WHOLE, session: { hook, synthetic: async () => {} } }, true, 'watch'],
    ['nothing', {}, true, 'watch'],
  ])('when it is %s, then the best way is %s', (_, context, hasRetryHook, level) => {
    expect(levelFor(featuresOf(context, hasRetryHook))).toBe(level);
  });
});

describe('given a way to move turns', () => {
  const open = (known: 'soft' | 'watch' = 'soft') => {
    const learnt: (readonly string[])[] = [];
    const learn = async (broken: readonly string[]) => void learnt.push(broken);
    return { learnt, actuator: openActuator(() => 'switch', { actuator: () => known, learn }) };
  };

  it('when switches hold, then that is remembered once', () => {
    const { learnt, actuator } = open();
    expect(actuator.isProven()).toBe(false);
    actuator.prove();
    actuator.prove();
    expect([actuator.isProven(), actuator.level(), learnt]).toEqual([true, 'switch', [[]]]);
  });

  it('when one does not, then nothing is touched again, and that is news once', () => {
    const { learnt, actuator } = open();
    expect([actuator.distrust(), actuator.distrust(), actuator.level()]).toEqual([true, false, 'watch']);
    expect(learnt).toEqual([['moves']]);
  });

  it('when this version is known not to let turns be moved, then nothing is touched from the start', () => {
    expect(open('watch').actuator.level()).toBe('watch');
  });
});
