import { describe, expect, it } from 'vitest';
import type { AttemptExport } from '../../../src/core/base/store-rows';
import { timelineOf } from '../../../src/core/history/timeline';

const AT = 1_790_000_000_000;

/** A turn of so many failures in a row, each of another model. */
function failures(count: number) {
  const attempts = Array.from({ length: count }, (_, n): AttemptExport => {
    const about = { at: AT + n, session: 's1', turn: 't1', agent: 'build', model: `acme/m${n}`, position: n };
    const end = { outcome: 'failure', kind: 'server_error', status: 500, durationMs: 1, firstTokenMs: null } as const;
    return { ...about, purpose: 'turn', ...end };
  });
  const turn = {
    turn: 't1',
    session: 's1',
    agent: 'build',
    at: AT,
    lastAt: AT + count,
    until: AT + count + 1,
    isTroubled: true,
  };
  return {
    turns: [turn],
    store: { attempts: () => attempts, used: () => [] },
    decisions: () => [],
    family: ['s1'],
  };
}

describe('given a turn of 60 failed attempts', () => {
  it('when it is shown, then the first and the last 10 are, and the rest is counted', () => {
    const told = failures(60);
    const { turns } = timelineOf(told.turns, told, { after: null, within: null, limit: 10, isTroubleOnly: false });
    const models = turns[0]?.attempts.map(({ model }) => model) ?? [];
    expect([models.length, models[9], models[10], turns[0]?.hidden]).toEqual([20, 'acme/m9', 'acme/m50', 40]);
    expect(turns[0]?.outcome).toBe('lost');
  });
});
