import { describe, expect, it } from 'vitest';
import {
  admit,
  type BreakerConfig,
  type BreakerState,
  countedFailures,
  initialBreaker,
  type Permit,
  PROBE_LEASE_MS,
  recordFailure,
  recordSuccess,
  refusalOf,
  release,
} from '../../../src/engine/health/breaker';
import { HOUR, MINUTE } from '../world';

const config: BreakerConfig = {
  failureThreshold: 3,
  windowMs: HOUR,
  cooldownMs: HOUR,
  growth: 1,
  successClears: false,
};

function admitted(state: BreakerState, now: number): { state: BreakerState; permit: Permit; isProbe: boolean } {
  const admission = admit(state, now);
  if (!('permit' in admission)) throw new Error(`refused: ${admission.code}`);
  return admission;
}

function failAt(times: readonly number[], from: BreakerState = initialBreaker, numbers = config): BreakerState {
  return times.reduce((state, at) => {
    const call = admitted(state, at);
    return recordFailure(call.state, call.permit, at, numbers);
  }, from);
}

describe('given two failures in the last hour', () => {
  it('when a third arrives at 59:59.999, then it opens for one hour', () => {
    expect(failAt([0, 1_000, HOUR - 1])).toEqual({
      kind: 'open',
      generation: 1,
      serial: 3,
      until: 2 * HOUR - 1,
      trips: 1,
    });
  });

  it('when a third arrives at 60:00.000, then the first has left and two still count', () => {
    expect(failAt([0, 1_000, HOUR])).toEqual({
      kind: 'closed',
      generation: 0,
      serial: 3,
      failures: [1_000, HOUR],
      trips: 0,
    });
  });

  it('when a success comes between, then the window is not cleared and a third failure opens', () => {
    const two = failAt([0, 1_000]);
    const call = admitted(two, 2_000);
    expect(failAt([3_000], recordSuccess(call.state, call.permit, config)).kind).toBe('open');
  });

  it('when they are counted at 59:59.999 and at 60:00.000, then 2 and 1 are left', () => {
    const two = failAt([0, 1_000]);
    expect([HOUR - 1, HOUR].map((now) => countedFailures(two, now, HOUR))).toEqual([2, 1]);
  });
});

describe('given a lane in which failures must be consecutive (5)', () => {
  const network: BreakerConfig = {
    ...config,
    failureThreshold: 5,
    windowMs: Number.POSITIVE_INFINITY,
    successClears: true,
  };

  it('when 4 fail, one is answered and 4 more fail, then it stays closed', () => {
    const four = failAt([0, 1, 2, 3], initialBreaker, network);
    const call = admitted(four, 4);
    expect(failAt([5, 6, 7, 8], recordSuccess(call.state, call.permit, network), network).kind).toBe('closed');
  });

  it('when 5 fail with days between, then it opens', () => {
    expect(failAt([0, 24 * HOUR, 48 * HOUR, 72 * HOUR, 96 * HOUR], initialBreaker, network).kind).toBe('open');
  });
});

describe('given an open circuit due at T', () => {
  const open = failAt([0, 1, 2]);
  const due = HOUR + 2;

  it('when it is asked 1 ms before T, then it refuses and says when it is back', () => {
    expect(admit(open, due - 1)).toEqual({ code: 'breaker.open', backAt: due });
  });

  it('when it is asked at T, then one probe goes out in a new generation', () => {
    expect(admit(open, due)).toEqual({
      state: { kind: 'halfOpen', generation: 2, serial: 4, probe: { serial: 4, since: due }, trips: 1 },
      permit: { generation: 2, serial: 4 },
      isProbe: true,
    });
  });

  it('when 100 callers ask at once, then 1 probe goes out and 99 are refused', () => {
    let state = open;
    const answers = Array.from({ length: 100 }, () => {
      const admission = admit(state, due);
      if (!('permit' in admission)) return admission.code;
      state = admission.state;
      return admission.isProbe ? 'probe' : 'call';
    });
    const count = (answer: string): number => answers.filter((each) => each === answer).length;
    expect([count('probe'), count('breaker.probing'), count('call')]).toEqual([1, 99, 0]);
  });

  it('when the probe is answered, then it closes with nothing counted', () => {
    const probe = admitted(open, due);
    expect(recordSuccess(probe.state, probe.permit, config)).toEqual({
      kind: 'closed',
      generation: 3,
      serial: 4,
      failures: [],
      trips: 0,
    });
  });

  it('when the probe fails, then it is open again for one hour and the second trip is counted', () => {
    const probe = admitted(open, due);
    expect(recordFailure(probe.state, probe.permit, due + 5, config)).toEqual({
      kind: 'open',
      generation: 3,
      serial: 4,
      until: due + 5 + HOUR,
      trips: 2,
    });
  });

  it('when the probe is handed back, then the next caller is the probe', () => {
    const probe = admitted(open, due);
    expect(admitted(release(probe.state, probe.permit), due + 1).isProbe).toBe(true);
  });

  it('when the probe stays out for 599.999 s and for 600 s, then its slot is taken and free', () => {
    const { state } = admitted(open, due);
    expect([PROBE_LEASE_MS - 1, PROBE_LEASE_MS].map((ms) => refusalOf(state, due + ms))).toEqual([
      { code: 'breaker.probing', backAt: due + PROBE_LEASE_MS },
      null,
    ]);
  });

  it('when a probe that lost its slot answers late, then nothing changes', () => {
    const lost = admitted(open, due);
    const second = admitted(lost.state, due + PROBE_LEASE_MS);
    expect([
      recordSuccess(second.state, lost.permit, config),
      recordFailure(second.state, lost.permit, due + PROBE_LEASE_MS + 1, config),
      release(second.state, lost.permit),
    ]).toEqual([second.state, second.state, second.state]);
  });
});

describe('given a permit of before a trip', () => {
  const old = admitted(initialBreaker, 0);
  const open = failAt([1, 2, 3], old.state);

  it('when its call fails late, then the open circuit stays as it is', () => {
    expect(recordFailure(open, old.permit, 10, config)).toBe(open);
  });

  it('when its call is answered late, while a probe is out, then the probe alone decides', () => {
    const probe = admitted(open, HOUR + 3);
    expect(recordSuccess(probe.state, old.permit, config)).toBe(probe.state);
  });

  it('when a probe has failed once and reports again, then it counts once', () => {
    const probe = admitted(open, HOUR + 3);
    const again = recordFailure(probe.state, probe.permit, HOUR + 4, config);
    expect(recordFailure(again, probe.permit, HOUR + 5, config)).toBe(again);
  });
});

describe('given a growth of 2', () => {
  const growing = { ...config, growth: 2, cooldownMs: MINUTE };

  it('when it trips 9 times in a row, then the open time doubles up to 64 times and no further', () => {
    let state: BreakerState = failAt([0, 0, 0], initialBreaker, growing);
    const lasted = [state.kind === 'open' ? state.until : 0];
    for (let trip = 1; trip < 9; trip++) {
      const at = state.kind === 'open' ? state.until : 0;
      state = failAt([at], state, growing);
      lasted.push((state.kind === 'open' ? state.until : 0) - at);
    }
    expect(lasted.map((ms) => ms / MINUTE)).toEqual([1, 2, 4, 8, 16, 32, 64, 64, 64]);
  });
});
