import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../src/contract/snapshot';
import { COMPANION, configured, failed, openTestCore, prompted, started, virtualClock } from './virtual-core';

describe('given clocks of which one counts whole milliseconds and the other fractions', () => {
  it('when 100 snapshots are taken 0.3 ms apart, then a cooling model ends in all of them at the same millisecond', async () => {
    const clock = virtualClock();
    const { core, tell } = openTestCore({ ...clock, wall: () => Math.floor(clock.wall()) });
    core.connected(COMPANION);
    tell(configured());
    tell(prompted());
    tell(started());
    tell(failed());
    const ends = new Set<string>();
    for (let taken = 0; taken < 100; taken++) {
      clock.advance(0.3);
      const { models, sessions } = (await core.host.handlers['snapshot.get'](null)) as Snapshot;
      ends.add(JSON.stringify([models, sessions]));
    }
    expect(ends.size).toBe(1);
  });
});
