import { describe, expect, it } from 'vitest';
import { type Board, post } from '../../src/features/council/rules/findings/board';
import type { Checked, NewFinding } from '../../src/features/council/rules/said/calls';

type Found = NewFinding & Partial<Checked>;
const found = (more: Partial<Found> = {}): Found => ({
  ...{ severity: 'major', title: 'Error handling', file: 'a.ts', line: 10, quote: 'catch {}', evidence: 'e' },
  ...{ check: 'verified', at: 10 },
  ...more,
});
const posted = (...all: readonly (readonly [string, Partial<Found>])[]): Board =>
  all.reduce<Board>((board, [by, more]) => post(board, found(more), { by, stage: 'deep_analysis' }).board, []);

describe('two findings', () => {
  it('are two where one author says the same of two places', () => {
    expect(posted(['a', {}], ['a', { line: 80, at: 80, quote: 'catch (e) {}' }])).toHaveLength(2);
  });

  it('are two where one praises what another complains of', () => {
    const board = posted(['a', { severity: 'praise' }], ['b', { severity: 'critical' }]);
    expect(board.map(({ severity }) => severity)).toEqual(['praise', 'critical']);
  });

  it('are one where two find the same words at the same place; the graver counts', () => {
    expect(posted(['a', { severity: 'minor' }], ['b', { severity: 'critical', title: 'Swallowed' }])).toMatchObject([
      { by: 'a', severity: 'critical', alsoBy: ['b'] },
    ]);
  });

  it('are one where the other proves what one has not', () => {
    const claim = { check: 'not_found', at: null, line: 12, quote: 'catch {}' } as const;
    expect(
      posted(['a', { ...claim, severity: 'critical' }], ['a', { file: 'b.ts', severity: 'critical' }]),
    ).toMatchObject([{ file: 'b.ts', severity: 'critical', check: 'verified', alsoBy: [] }]);
  });
});
