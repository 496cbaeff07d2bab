import { describe, expect, it } from 'vitest';
import { emptyTable, remove, set } from '../../../src/engine/base/table';
import { connectionOf, isLocal, withOutcome } from '../../../src/engine/health/outage';

describe('given two providers of which the first was out of reach at 0', () => {
  const first = set(emptyTable<number>(), 'a', 0);

  it('when the second follows within 2 s, then it is this machine', () => {
    const at = (now: number) => isLocal(set(first, 'b', now), ['a', 'b', 'a'], now);
    expect([at(1_999), at(2_000), at(2_001)]).toEqual([true, true, false]);
  });

  it('when the first has answered in between, or there is no second, then it is not', () => {
    expect(isLocal(set(remove(first, 'a'), 'b', 1), ['a', 'b'], 1)).toBe(false);
    expect(isLocal(first, ['a'], 0)).toBe(false);
  });
});

describe('given the outcomes of a session', () => {
  const of = (text: string) => connectionOf([...text].reduce((all, one) => withOutcome(all, one === '1'), ''));

  it.each([
    ['', null, false],
    ['00', 1, false],
    ['001', 2 / 3, true],
    ['0011', 0.5, true],
    ['00111', 0.4, false],
  ])('when they are "%s", then the failure rate is %s and an outage is %s', (text, failureRate, isOutage) => {
    expect(of(text)).toMatchObject({ failureRate, isOutage });
  });

  it('when there are 21, then the oldest no longer counts', () => {
    expect(of(`0${'1'.repeat(20)}`)).toEqual({ events: 20, failures: 0, failureRate: 0, isOutage: false });
  });
});
