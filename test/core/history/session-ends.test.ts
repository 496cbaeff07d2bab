import { describe, expect, it } from 'vitest';
import { SESSION_IDLE_MS } from '../../../src/core/history/session-ends';
import type { CompanionEvent } from '../../../src/protocol';
import { COMPANION, DIRECTORY, openArmedCore, prompted, started } from '../virtual-core';

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

  it('when OpenCode has closed its folder before it goes away, then it has ended', () => {
    const { core, tell, ended } = watched();
    tell(prompted());
    tell({ type: 'scope.closed', directory: DIRECTORY });
    expect(ended).toEqual([]);
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

describe('given a companion that was alone before it connected', () => {
  /** Tells what happened so long before the companion came. */
  function lateTold(agoMs: number) {
    const test = watched();
    let seq = 100;
    const tellAged = (ageMs: number) => (event: CompanionEvent) =>
      test.core.told('i1', { seq: ++seq, ageMs, sentAt: test.clock.wall(), event });
    return { ...test, tellLate: tellAged(agoMs), tell: tellAged(0) };
  }

  it('when it tells of a session that was closed then, then that end is not told again', () => {
    const { tellLate, tell, ended, clock } = lateTold(60_000);
    tellLate(prompted());
    tellLate({ type: 'session.closed', session: 's1' });
    clock.advance(2 * SESSION_IDLE_MS);
    expect(ended).toEqual([]);
    tell(prompted({ turn: 't2' }));
    tell({ type: 'session.closed', session: 's1' });
    expect(ended).toEqual([END]);
  });

  it('when it tells of a session that was quiet for 30 minutes, then that has ended before; of 29, then it ends in one', () => {
    const early = lateTold(SESSION_IDLE_MS);
    early.tellLate(prompted());
    early.clock.advance(2 * SESSION_IDLE_MS);
    expect(early.ended).toEqual([]);

    const { tellLate, ended, clock } = lateTold(SESSION_IDLE_MS - 60_000);
    tellLate(prompted());
    clock.advance(59_999);
    expect(ended).toEqual([]);
    clock.advance(1);
    expect(ended).toEqual([END]);
  });
});
