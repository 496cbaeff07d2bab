import { describe, expect, it } from 'vitest';
import { parseView, viewHref } from '../../src/renderer/pages/usage/address';

const UNSAID = { range: null, splitBy: 'position', project: null };

describe('given the part of an address that names a view of usage', () => {
  it.each([
    '1d:position',
    '30d:model',
    'all:agent',
    '2026-11-08_2026-11-21:provider',
    'h495012_495018:model',
    'session:model',
    'session-ses_1:x:agent',
  ])('when %s is read and written again, then it is the same', (detail) => {
    const view = parseView(detail);
    if (!view.range) throw new TypeError('no range');
    expect(decodeURIComponent(viewHref({ ...view, range: view.range }))).toBe(`#/usage/${detail}`);
  });

  it('when it names a project, then that is read and written again as well', () => {
    const view = parseView('7d:model', 'project=my+%26+yours');
    expect(view).toEqual({ range: { kind: 'days', days: 7 }, splitBy: 'model', project: 'my & yours' });
    expect(viewHref({ ...view, range: { kind: 'all' } })).toBe('#/usage/all%3Amodel?project=my+%26+yours');
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
    'h495018_495012',
    'h1_99999999',
  ])('when %s is read, then it says nothing of when', (detail) => {
    expect(parseView(detail)).toEqual(UNSAID);
  });

  it('when only the split is known, then it counts', () => {
    expect(parseView('yesterday:agent')).toEqual({ ...UNSAID, splitBy: 'agent' });
  });
});
