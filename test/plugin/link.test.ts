import { describe, expect, it } from 'vitest';
import { isTakenBy } from '../../src/plugin/runtime/link';

describe('given an app of another version', () => {
  const COUNTS = ['attempt.aborted', 'headroom.seen', 'money.counted', 'headroom.counted', 'constructor'];
  it.each([
    ['one from before limits were read', {}, [true, false, false, false, true]],
    ['one from before limits were counted', { takesHeadroom: true as const }, [true, true, true, false, true]],
    [
      'one as new as this',
      { takesHeadroom: true as const, takesCounted: true as const },
      [true, true, true, true, true],
    ],
  ])(
    'when it is %s, then it is told of what it takes, and of nothing that would end the connection',
    (_case, welcome, taken) => {
      expect(COUNTS.map((type) => isTakenBy(welcome, type))).toEqual(taken);
    },
  );
});
