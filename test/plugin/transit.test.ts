import { describe, expect, it } from 'vitest';
import { type Evidence, standingOf } from '../../src/engine';
import { type Brain, createBrain } from '../../src/plugin/base/brain';
import { type CompanionEvent, transitMs } from '../../src/protocol';
import { CHAIN, COMPANION, DIRECTORY, openTestCore, scopeOf, virtualClock } from '../core/virtual-core';

const LIMITED: Evidence = { phase: 'body', status: 429, headers: { 'retry-after': '3600' } };

/** A companion, an app and another companion on one machine, each with an engine clock of its own. */
function threeHosts() {
  const wall = virtualClock();
  const { core } = openTestCore(wall);
  const brains = [-3_000, 7_000].map((offset) =>
    createBrain(
      () => wall.now() + offset,
      () => 0.5,
      'e1',
    ),
  );
  core.connected(COMPANION);
  return { wall, core, brains: brains as [Brain, Brain] };
}

function failLead(brain: Brain): void {
  const turn = { turn: 't1', session: 's1', directory: DIRECTORY, agent: 'build', model: CHAIN[0] };
  brain.tell({ type: 'scope.configured', directory: DIRECTORY, config: scopeOf() });
  brain.tell({ type: 'prompt.submitted', ...turn, hostLead: CHAIN[0], isExplicit: false });
  brain.tell({ type: 'attempt.started', ...turn, attempt: 'a1', purpose: 'turn' });
  brain.tell({ type: 'attempt.failed', attempt: 'a1', evidence: LIMITED, durationMs: 5 });
}

const endOf = (brain: Pick<Brain, 'state' | 'now'>): number | null => {
  const { until } = standingOf(brain.state(), CHAIN[0], brain.now());
  return until === null ? null : until - brain.now();
};

describe('given messages that take their time on the way', () => {
  it('when a cooldown goes to the app in 40 ms and on to another companion in 900 ms, then it ends at once for all', () => {
    const { wall, core, brains } = threeHosts();
    failLead(brains[0]);
    const told = brains[0].since(0).map(({ seq, event }) => ({ seq, ageMs: 0, sentAt: wall.wall(), event }));
    wall.advance(40);
    for (const said of told) core.told('i1', { ...said, event: said.event as CompanionEvent });
    const { health, sentAt } = core.syncFor('i1');
    wall.advance(900);
    brains[1].sync(health, null, transitMs(sentAt, wall.wall()));
    expect([brains[0], { state: core.state, now: wall.now }, brains[1]].map(endOf)).toEqual([
      3_599_060, 3_599_060, 3_599_060,
    ]);
  });
});

describe('given the moment a message was sent and the moment it is read', () => {
  it.each([
    ['nothing has passed', 5_000, 5_000, 0],
    ['40 ms have passed', 5_000, 5_040, 40],
    ['the clock has been put back meanwhile', 5_000, 4_000, 0],
    ['the clock has been put forward by an hour', 5_000, 3_605_000, 10_000],
  ])('when %s, then the way took as long as it can have taken', (_, sentAt, now, tookMs) => {
    expect(transitMs(sentAt, now)).toBe(tookMs);
  });
});
