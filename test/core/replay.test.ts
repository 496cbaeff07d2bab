import { describe, expect, it } from 'vitest';
import type { LogRecord } from '../../src/core/base/record';
import { LogRecord as Schema } from '../../src/core/base/record';
import { replayLog } from '../../src/core/replay';
import { saveState } from '../../src/engine/tools';
import { createBrain } from '../../src/plugin/base/brain';
import { CompanionEvent } from '../../src/protocol';
import {
  CHAIN,
  COMPANION,
  configured,
  failed,
  openTestCore,
  prompted,
  started,
  succeeded,
  virtualClock,
} from './virtual-core';

/** What a companion decided and its app wrote down: 5 turns, the lead of which is limited in the first. */
function lived() {
  const clock = virtualClock();
  const brain = createBrain(clock.now, () => 0.5, 'e1', clock.schedule);
  const test = openTestCore(clock);
  test.core.connected(COMPANION);
  brain.onEntry(({ event }) => test.tell(CompanionEvent.parse(event)));
  brain.tell(configured() as never);
  for (let n = 0; n < 5; n++) {
    const turn = `t${n}`;
    brain.tell(prompted({ turn }) as never);
    if (n === 0) {
      brain.tell(started({ attempt: 'a0', turn }) as never);
      brain.tell(failed('a0') as never);
    }
    brain.tell(started({ attempt: `b${n}`, turn, model: CHAIN[1] }) as never);
    brain.tell(succeeded(`b${n}`) as never);
    brain.tell({ type: 'session.idle', session: 's1' });
    clock.advance(60_000);
  }
  const log = test.log.map((record) => Schema.parse(JSON.parse(JSON.stringify(record))));
  return { ...test, log };
}

describe('given the log of 5 turns that a companion decided', () => {
  it('when it is replayed, then every decision is the same, and so is the state, byte for byte', () => {
    const { log, core } = lived();
    const replayed = replayLog(log);
    expect(replayed).toMatchObject({ records: log.length, decisions: 12, differences: [] });
    const end = log.at(-1)?.at ?? 0;
    expect(JSON.stringify(replayed.state)).toBe(JSON.stringify(saveState(core.state(), end)));
  });

  it('when one of its decisions is changed, then that record is the first difference, with both decisions', () => {
    const { log } = lived();
    const at = log.findIndex(({ event }) => event.type === 'attempt.failed');
    const wrong = { kind: 'switch', to: CHAIN[2], code: 'switch.rate_limit' } as const;
    const changed = log.map(
      (record, index): LogRecord =>
        index === at ? ({ ...record, event: { ...record.event, decided: wrong } } as LogRecord) : record,
    );
    const [first] = replayLog(changed).differences;
    expect(first).toEqual({
      record: at + 1,
      at: log[at]?.at,
      event: 'attempt.failed',
      turn: 't0',
      logged: wrong,
      replayed: { ...wrong, to: CHAIN[1] },
    });
  });

  it('when it is empty, then there is nothing to decide', () => {
    expect(replayLog([])).toMatchObject({ records: 0, decisions: 0, differences: [] });
  });
});
