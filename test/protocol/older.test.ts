import { describe, expect, it } from 'vitest';
import { inOlderWords } from '../../src/protocol';

describe('given a peer of before the kind `login`', () => {
  it('when it is told of a failed login, then that is a refused key', () => {
    const block = { kind: 'login', since: 1 };
    expect(inOlderWords({ health: { models: [], providers: [['p', { block, last: null }]] } })).toEqual({
      health: { models: [], providers: [['p', { block: { kind: 'auth', since: 1 }, last: null }]] },
    });
  });

  it('when a step has the condition `repeated`, then it goes without it, and other conditions stay', () => {
    const config = (...when: (string | undefined)[]) => ({
      agents: {
        build: { policy: { auth: when.map((each) => ({ step: 'switch', ...(each ? { when: each } : {}) })) } },
      },
    });
    expect(inOlderWords(config('repeated', 'gateway'))).toEqual(config(undefined, 'gateway'));
  });

  it('when it is told of a policy, then the row of that kind is missing, and no other', () => {
    const row = [{ step: 'switch' }];
    const config = (policy: object) => ({ type: 'scope.configured', config: { agents: { '*': { policy } } } });
    expect(inOlderWords(config({ auth: row, login: row }))).toEqual(config({ auth: row }));
  });
});
