import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Snapshot } from '../../src/contract/snapshot';
import { LogRecord } from '../../src/core/base/record';
import { CompanionEvent } from '../../src/protocol';
import { anyAct, anyEvent, live } from '../support/any-life';
import { runs } from '../support/runs';
import { openTestCore, virtualClock } from './virtual-core';

describe('given anything that may happen', () => {
  it('when the companion’s words have passed the wire, then the picture passes the contract', () => {
    fc.assert(
      fc.property(fc.array(anyAct, { maxLength: 60 }), (acts) => {
        const { core } = live(acts);
        const snapshot = core.host.handlers['snapshot.get'](null);
        expect(Snapshot.parse(JSON.parse(JSON.stringify(snapshot)))).toEqual(snapshot);
      }),
      { numRuns: runs(150) },
    );
  });

  it('when it is written down, then every line reads back as it was written', () => {
    fc.assert(
      fc.property(fc.array(anyAct, { maxLength: 30 }), (acts) => {
        const { log } = live(acts);
        const read = log.map((record) => LogRecord.safeParse(JSON.parse(JSON.stringify(record))).data);
        expect(read).toEqual(JSON.parse(JSON.stringify(log)));
      }),
    );
  });

  it('when its log is replayed, then models and conversations are those that were lived', () => {
    fc.assert(
      fc.property(fc.array(anyAct, { maxLength: 60 }), (acts) => {
        const lived = live(acts);
        const replayed = openTestCore(virtualClock(lived.clock.now()));
        replayed.core.replay(lived.log);
        const seen = ({ core }: typeof lived) => {
          const { models, sessions, chains, pins, pause, questions } = core.host.handlers['snapshot.get'](
            null,
          ) as Snapshot;
          // Whether a conversation is live, and with it the order, depends on who is connected now.
          const rows = sessions.map(({ isLive, instance, ...row }) => row);
          return {
            models,
            chains,
            pins,
            pause,
            questions,
            sessions: rows.sort((a, b) => (a.session < b.session ? -1 : 1)),
          };
        };
        expect(seen(replayed)).toEqual(seen(lived));
      }),
    );
  });

  it('when it is generated here, then it is what a companion may say', () => {
    fc.assert(fc.property(anyEvent, (one) => CompanionEvent.safeParse(JSON.parse(JSON.stringify(one))).success));
  });
});
