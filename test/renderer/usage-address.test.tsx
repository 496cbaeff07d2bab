import { describe, expect, it } from 'vitest';
import { detailOf, FIRST_VIEW, parseView } from '../../src/renderer/usage/address';

describe('given the part of an address that names a view of usage', () => {
  it.each([
    '1d:position',
    '30d:model',
    'all:agent',
    '2026-11-08_2026-11-21:provider',
    'session:model',
    'session-ses_1:x:agent',
  ])('when %s is read and written again, then it is the same', (detail) => {
    expect(detailOf(parseView(detail))).toBe(detail);
  });

  it.each([
    null,
    '',
    'nonsense',
    '0d:model:',
    '999d',
    '2026-13-01_2026-13-02:',
    '2026-02-30_2026-03-01',
    '2026-03-02_2026-03-01',
  ])('when %s is read, then it is 30 days by position', (detail) => {
    expect(parseView(detail)).toEqual(FIRST_VIEW);
  });

  it('when only the split is known, then it counts', () => {
    expect(parseView('yesterday:agent')).toEqual({ ...FIRST_VIEW, splitBy: 'agent' });
  });
});
