import { describe, expect, it } from 'vitest';
import { standingOf } from '../../src/engine';
import { createBrain } from '../../src/plugin/base/brain';
import type { CompanionEvent } from '../../src/protocol';
import { CHAIN, COMPANION, DIRECTORY, openTestCore, scopeOf, virtualClock } from '../core/virtual-core';

const [LEAD] = CHAIN;

/** An app that knows the lead as limited, and an OpenCode that has just connected and whose events reach it late. */
function late() {
  const clock = virtualClock();
  const { core } = openTestCore(clock);
  const knowing = { ...COMPANION, instance: 'i0', epoch: 'e0' };
  core.connected(knowing);
  const about = { turn: 't0', session: 's0', directory: DIRECTORY, agent: 'build', model: LEAD };
  const events: CompanionEvent[] = [
    { type: 'scope.configured', directory: DIRECTORY, config: scopeOf() as never },
    {
      type: 'prompt.submitted',
      ...about,
      hostLead: LEAD,
      isExplicit: false,
      decided: { kind: 'keep', to: LEAD, code: 'keep.lead' },
    },
    { type: 'attempt.started', ...about, attempt: 'a0', purpose: 'turn', decided: { kind: 'keep', code: 'keep.lead' } },
    {
      ...{ type: 'attempt.failed', attempt: 'a0', durationMs: 1 },
      evidence: { phase: 'body', status: 429, headers: { 'retry-after': '3600' } },
    },
  ];
  for (const [at, event] of events.entries()) core.told('i0', { seq: at + 1, ageMs: 0, sentAt: clock.wall(), event });

  const brain = createBrain(clock.now, () => 0.5, 'e1');
  let sent = 0;
  let views = 0;
  core.connected({ ...COMPANION, instance: 'i1', epoch: 'e1' });
  const look = (): void => {
    if (!core.isBehind('i1')) return;
    const { health, seenSeq, rev } = core.syncFor('i1');
    views++;
    if (brain.sync(health, seenSeq, 0)) core.taken('i1', rev);
  };
  core.onHealth(look);
  return {
    clock,
    core,
    brain,
    look,
    /** What has happened here reaches the app. */
    async arrive(): Promise<void> {
      for (const { seq, at, event } of brain.since(sent)) {
        core.told('i1', { seq, ageMs: clock.now() - at, sentAt: clock.wall(), event: event as CompanionEvent });
        sent = seq;
      }
      await Promise.resolve();
    },
    lead: () => standingOf(brain.state(), LEAD, brain.now()).state,
    views: () => views,
  };
}

describe('given an app that knows a limit, and an OpenCode that has just connected', () => {
  it.each([0, 900, 1_100, 5_000])(
    'when the app hears its first event %i ms later, then it learns of the limit',
    async (ms) => {
      const { brain, clock, look, arrive, lead } = late();
      // It happened before the app’s first view could be taken in, and is on its way.
      brain.tell({ type: 'scope.configured', directory: DIRECTORY, config: scopeOf() });
      look();
      expect(lead()).toBe('unseen');
      clock.advance(ms);
      await arrive();
      expect(lead()).toBe('cooling');
    },
  );

  it('when it has taken a view in, then it is told nothing more until somebody else changes something', async () => {
    const { brain, clock, core, arrive, views } = late();
    brain.tell({ type: 'scope.configured', directory: DIRECTORY, config: scopeOf() });
    await arrive();
    const before = views();
    expect(core.isBehind('i1')).toBe(false);
    clock.advance(60_000);
    brain.tell({ type: 'session.idle', session: 's1' });
    await arrive();
    expect(views()).toBe(before);
  });

  it('when something changes while a view is on its way, then that view is not the last', async () => {
    const { brain, core, arrive } = late();
    brain.tell({ type: 'scope.configured', directory: DIRECTORY, config: scopeOf() });
    await arrive();
    core.told('i0', {
      ...{ seq: 5, ageMs: 0, sentAt: 0 },
      event: { type: 'health.reset', target: { model: LEAD }, actor: 'me' } as CompanionEvent,
    });
    const { rev } = core.syncFor('i1');
    core.taken('i1', rev - 1);
    expect(core.isBehind('i1')).toBe(true);
    core.taken('i1', rev);
    expect(core.isBehind('i1')).toBe(false);
  });
});
