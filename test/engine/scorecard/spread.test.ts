import { describe, expect, it } from 'vitest';
import type { SeenWindow } from '../../../src/engine';
import { config, LEAD, MINUTE, OTHER, SECOND, type Stage, stage } from './support/stage';

const WORK = 'acme@work/lead';

const week = (used: number): SeenWindow => ({
  ...{ id: 'week', unit: 'share', lengthMs: 604_800_000, of: 'account', used, limit: null, remaining: null },
  ...{ resetInMs: 86_400_000, refills: 'at_reset', charges: 'used' },
});

/** A lead and another account of its model, which has more headroom. */
function spread(): Stage {
  const headroom = { act: 'move', moveAt: 0.97, spread: true } as const;
  const on = stage({}, { ...config([LEAD, WORK, OTHER]), headroom });
  for (const [model, used] of [
    [LEAD, 0.72],
    [WORK, 0.23],
  ] as const)
    on.tell({ type: 'headroom.seen', attempt: null, directory: '/project', model, windows: [week(used)] }, 0);
  expect(on.prompt('t1', MINUTE)).toMatchObject([{ code: 'headroom.spread', action: { to: WORK } }]);
  return on;
}

const figures = (on: Stage) => {
  const { turns, fallbacksOut, time } = on.report().overall;
  const { byLead, saved, spared } = turns;
  return { byLead, saved, spared, fallbacksOut, savedMs: time.savedMs };
};

describe('given a turn that the emptier account of the lead’s model answers', () => {
  it('when that answers, then it is the lead’s turn: nobody fell back, and nothing was saved', () => {
    const on = spread();
    on.start('t1:1', WORK, MINUTE);
    on.answer('t1:1', MINUTE + SECOND);
    on.idle(2 * MINUTE);
    expect(figures(on)).toEqual({ byLead: 1, saved: 0, spared: 0, fallbacksOut: 0, savedMs: 0 });
  });

  it('when it fails and the lead answers, then that fell back to the lead’s own model', () => {
    const on = spread();
    on.start('t1:1', WORK, MINUTE);
    on.fail('t1:1', 'rate_limit', MINUTE);
    on.start('t1:2', LEAD, MINUTE);
    on.answer('t1:2', MINUTE + SECOND);
    on.idle(2 * MINUTE);
    expect(figures(on)).toEqual({ byLead: 1, saved: 0, spared: 0, fallbacksOut: 1, savedMs: 0 });
  });

  it('when both fail and another model answers, then that has saved the turn', () => {
    const on = spread();
    for (const [n, model] of [WORK, LEAD].entries()) {
      on.start(`t1:${n}`, model, MINUTE);
      on.fail(`t1:${n}`, 'rate_limit', MINUTE);
    }
    on.start('t1:2', OTHER, MINUTE);
    on.answer('t1:2', MINUTE + SECOND);
    on.idle(2 * MINUTE);
    expect(figures(on)).toMatchObject({ byLead: 0, saved: 1, spared: 0, fallbacksOut: 2 });
  });
});
