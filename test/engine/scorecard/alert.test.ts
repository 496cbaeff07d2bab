import { describe, expect, it } from 'vitest';
import { ALERT_WINDOW_MS, alertAt, newAlert } from '../../../src/engine/scorecard';
import { type AlertTrack, quietTrack, trackFailure } from '../../../src/engine/scorecard/alert';
import { LEAD, SECOND, stage } from './support/stage';

const tracked = (times: readonly number[], from: AlertTrack = quietTrack): AlertTrack =>
  times.reduce(trackFailure, from);
const every = (ms: number, n: number, from = 0): number[] => Array.from({ length: n }, (_, at) => from + at * ms);

describe('given failures within five minutes', () => {
  it('when the ninth arrives, then all is quiet', () => {
    expect(alertAt(tracked(every(SECOND, 9)), 8 * SECOND)).toBeNull();
  });

  it('when the tenth arrives, then the alert is on from that moment until only four are left in the window', () => {
    expect(alertAt(tracked(every(SECOND, 10)), 9 * SECOND)).toEqual({
      episode: 1,
      since: 9 * SECOND,
      until: 5 * SECOND + ALERT_WINDOW_MS,
    });
  });

  it('when the tenth arrives 1 ms before the first is five minutes old, then the alert is on', () => {
    expect(tracked([...every(0, 9), ALERT_WINDOW_MS - 1]).alert).not.toBeNull();
  });

  it('when the tenth arrives as the first is five minutes old, then the first has left and all is quiet', () => {
    expect(tracked([...every(0, 9), ALERT_WINDOW_MS]).alert).toBeNull();
  });
});

describe('given an alert that is on', () => {
  const on = tracked(every(SECOND, 10));

  it('when 50 more failures follow, then it is still the same episode, and a notice was due once', () => {
    let track: AlertTrack = quietTrack;
    let notices = 0;
    for (const at of every(SECOND, 60)) {
      const next = trackFailure(track, at);
      if (newAlert(track, next)) notices++;
      track = next;
    }
    expect([notices, track.alert?.episode, track.alert?.since]).toEqual([1, 1, 9 * SECOND]);
  });

  it('when one fails every 31 s for an hour, then the drip around the limit is one episode', () => {
    expect(tracked(every(31 * SECOND, 116)).alert?.episode).toBe(1);
  });

  it('when its end comes, then it is over at that very millisecond', () => {
    const until = on.alert?.until ?? 0;
    expect([alertAt(on, until - 1)?.episode, alertAt(on, until)]).toEqual([1, null]);
  });

  it('when something fails at its end, then that is too late to prolong it', () => {
    const until = on.alert?.until ?? 0;
    expect(alertAt(trackFailure(on, until), until)).toBeNull();
  });

  it('when a late report is dated before it, then it goes on as long as before', () => {
    expect(trackFailure(on, 2 * SECOND).alert).toEqual(on.alert);
  });

  it('when ten fail after its end, then a second episode begins', () => {
    expect(tracked(every(SECOND, 10, 700 * SECOND), on).alert).toMatchObject({ episode: 2, since: 709 * SECOND });
  });
});

describe('given requests through the engine', () => {
  it('when nine are limited, five fail by the request itself and a tenth is limited, then only the tenth limit alerts', () => {
    const on = stage();
    for (let n = 1; n <= 15; n++) {
      const kind = n > 9 && n < 15 ? 'invalid_request' : 'rate_limit';
      const session = `s${n}`;
      const before = on.card();
      on.tell(
        {
          type: 'attempt.started',
          attempt: `t${n}:1`,
          turn: `t${n}`,
          session,
          directory: '/else',
          agent: 'a',
          model: LEAD,
          purpose: 'turn',
        },
        n * SECOND,
      );
      on.fail(`t${n}:1`, kind, n * SECOND);
      expect(newAlert(before, on.card()) !== null).toBe(n === 15);
    }
    expect(on.report().alert).toMatchObject({ episode: 1, since: 15 * SECOND });
  });
});
