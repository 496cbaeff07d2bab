import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { talksIn } from '../../src/features/council/plugin/talking';
import { expectSocket } from '../../src/plugin/opencode2/request/socket-tap';
import { changesFrom } from '../support/globals/changes';
import { differences, lookAtGlobals } from '../support/globals/look.mjs';

/** Removes symbols of earlier tests in this worker. */
const clear = (): void => {
  for (const name of ['understudy sockets', 'understudy council talkers'])
    Reflect.deleteProperty(globalThis, Symbol.for(name));
};

beforeEach(() => {
  clear();
  vi.stubGlobal(
    'WebSocket',
    class extends EventTarget {
      send(): void {}
    },
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  clear();
});

describe('given a process in which no web socket and no council was used', () => {
  it.each([
    ['socket', () => expectSocket('{}', () => undefined)],
    ['council', () => talksIn('run', async () => null)()],
  ] as const)('when the first %s is used, then the process differs by the documented list', (name, use) => {
    const before = lookAtGlobals();
    use();
    expect(differences(before, lookAtGlobals())).toEqual(changesFrom(name));
  });
});
