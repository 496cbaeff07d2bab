import { describe, expect, it } from 'vitest';
import { SESSION_IDLE_MS } from '../../src/core/session-ends';
import { COMPANION, DIRECTORY, openArmedCore, prompted, started } from './virtual-core';

/** A core, and which of its sessions have ended. */
function watched() {
  const test = openArmedCore();
  const ended: string[] = [];
  test.core.onSessionEnd((session, directory) => ended.push(`${session} in ${directory}`));
  return { ...test, ended };
}

const END = `s1 in ${DIRECTORY}`;

describe('given a session that was spoken in', () => {
  it('when it is closed, then it has ended, once', () => {
    const { tell, ended, clock } = watched();
    tell(prompted());
    tell({ type: 'session.closed', session: 's1' });
    tell({ type: 'session.closed', session: 's1' });
    clock.advance(2 * SESSION_IDLE_MS);
    expect(ended).toEqual([END]);
  });

  it('when nobody speaks in it for 30 minutes, then it has ended; not one ms earlier', () => {
    const { tell, ended, clock } = watched();
    tell(prompted());
    clock.advance(SESSION_IDLE_MS / 2);
    tell({ type: 'session.idle', session: 's1' });
    clock.advance(SESSION_IDLE_MS - 1);
    expect(ended).toEqual([]);
    clock.advance(1);
    expect(ended).toEqual([END]);
  });

  it('when its OpenCode goes away, then it has ended; when another one has the folder open too, it goes on', () => {
    const { core, tell, ended } = watched();
    tell(prompted());
    core.connected({ ...COMPANION, instance: 'i2', epoch: 'e2' });
    tell({ type: 'scope.closed', directory: '/elsewhere' }, 'i2');
    core.lost('i1');
    expect(ended).toEqual([END]);
  });

  it('when it goes on after its end, then it ends again', () => {
    const { tell, ended } = watched();
    for (const turn of ['t1', 't2']) {
      tell(prompted({ turn }));
      tell({ type: 'session.closed', session: 's1' });
    }
    expect(ended).toEqual([END, END]);
  });

  it('when its sub-agent still works, then it goes on, and the sub-agent has no end of its own', () => {
    const { tell, ended, clock } = watched();
    tell(prompted());
    clock.advance(SESSION_IDLE_MS - 1);
    tell(started({ attempt: 'b1', turn: 't2', session: 's2', parentSession: 's1' }));
    tell({ type: 'session.closed', session: 's2' });
    clock.advance(SESSION_IDLE_MS - 1);
    expect(ended).toEqual([]);
    clock.advance(1);
    expect(ended).toEqual([END]);
  });
});
