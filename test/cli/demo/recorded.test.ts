import { describe, expect, it } from 'vitest';
import { recordedIn } from '../../../src/demo/recorded';
import { CHAIN } from '../../../src/demo/scenario';

const idsOf = (round: number): string[] => JSON.stringify(recordedIn(round)).match(/(?:msg|ses)_\w+/g) ?? [];

describe('given what a companion told in a real demo', () => {
  it('when a round is read, then it fits the protocol of today, in order, with a switch in it and no turn left open', () => {
    const told = recordedIn(1);
    const times = told.map(({ afterMs }) => afterMs);
    expect([times[0], times.toSorted((one, other) => one - other)]).toEqual([0, times]);
    expect(told.some(({ event }) => event.type === 'switch.carried' && event.ok)).toBe(true);
    expect(told.at(-1)?.event.type).toBe('session.idle');
  });

  it('when it is compared with the demo, then it is that of its chain, and tells nothing of where it was recorded', () => {
    const [first] = recordedIn(1);
    if (first?.event.type !== 'scope.configured') throw new Error('It begins with something else.');
    expect([first.event.directory, first.event.config.agents.build?.chain]).toEqual(['/demo/theatre', CHAIN]);
    expect(JSON.stringify(recordedIn(1))).not.toMatch(/\/tmp|\/home|\/root|\/Users|understudy-|@/);
  });

  it('when another round is read, then no turn, session or request has an id that came before', () => {
    const before = new Set(idsOf(1));
    expect(before.size).toBeGreaterThan(10);
    expect(idsOf(2).filter((id) => before.has(id))).toEqual([]);
  });
});
