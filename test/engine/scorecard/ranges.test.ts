import { describe, expect, it } from 'vitest';
import { emptyScorecard, record, sessionsIn } from '../../../src/engine/scorecard';
import { lifeOf } from './support/life';
import { answeredTurn, HOUR, LEAD, MINUTE, SECOND, stage } from './support/stage';

const calls = (on: ReturnType<typeof stage>, query: Parameters<(typeof on)['report']>[0]): number =>
  on.report(query).overall.totalCalls;

describe('given one answered turn in each of four hours', () => {
  const on = stage({ hoursKept: 100 });
  for (const hour of [0, 1, 2, 3]) answeredTurn(on, `t${hour}`, hour * HOUR, `s${hour}`);

  it('when a range begins or ends inside an hour, then that hour counts whole, and the report says so', () => {
    const report = on.report({ sinceMs: HOUR + MINUTE, untilMs: 2 * HOUR + MINUTE });
    expect([report.overall.totalCalls, report.range]).toEqual([2, { sinceMs: HOUR, untilMs: 3 * HOUR }]);
  });

  it('when a range ends as an hour begins, then that hour is not in it', () => {
    expect(calls(on, { sinceMs: HOUR, untilMs: 2 * HOUR })).toBe(1);
  });

  it('when a range is empty or upside down, then there is nothing', () => {
    expect([calls(on, { sinceMs: HOUR, untilMs: HOUR }), calls(on, { sinceMs: 3 * HOUR, untilMs: HOUR })]).toEqual([
      0, 0,
    ]);
  });

  it('when one session is asked for, in and out of its hour, then only its own turn counts', () => {
    expect([calls(on, { session: 's1' }), calls(on, { session: 's1', sinceMs: 2 * HOUR })]).toEqual([1, 0]);
  });

  it('when nobody knows the session or the model, then the report is empty', () => {
    expect([calls(on, { session: 'nobody' }), calls(on, { model: 'no/model' }), calls(on, { model: LEAD })]).toEqual([
      0, 0, 4,
    ]);
  });
});

describe('given an attempt that starts in one hour and is answered in the next', () => {
  it('when either hour is read, then attempt and outcome are both in the first', () => {
    const on = stage();
    on.prompt('t1', HOUR - SECOND);
    on.start('t1:1', LEAD, HOUR - SECOND);
    on.answer('t1:1', HOUR + SECOND);
    on.idle(HOUR + SECOND);
    const first = on.report({ untilMs: HOUR }).overall;
    expect([first.totalCalls, first.outcomes.success, first.turns.answered]).toEqual([1, 1, 1]);
    expect(on.report({ sinceMs: HOUR }).models).toEqual([]);
  });
});

describe('given a card that keeps two hours', () => {
  it('when the third begins, then the first has left, overall and in its session', () => {
    const on = stage({ hoursKept: 2 });
    for (const hour of [0, 1, 2]) answeredTurn(on, `t${hour}`, hour * HOUR);
    expect([calls(on, {}), calls(on, { session: 's1' }), on.report().keptSinceMs]).toEqual([2, 2, HOUR]);
  });

  it('when an answer comes for an hour that has left, then the hour does not come back', () => {
    const on = stage({ hoursKept: 2 });
    on.prompt('t1', 0);
    on.start('t1:1', LEAD, 0);
    answeredTurn(on, 't2', 2 * HOUR, 's2');
    on.answer('t1:1', 2 * HOUR + MINUTE);
    on.idle(2 * HOUR + MINUTE);
    expect(on.report().overall).toMatchObject({
      totalCalls: 1,
      outcomes: { success: 1, inFlight: 0 },
      turns: { total: 1, open: 0 },
    });
    expect(on.card().inFlightCount).toBe(0);
  });
});

describe('given a card that keeps two sessions', () => {
  const on = stage({ sessionsKept: 2 });
  on.prompt('t1', 0, 's1');
  on.start('t1:1', LEAD, 0, 's1');
  answeredTurn(on, 't2', MINUTE, 's2');
  answeredTurn(on, 't3', 2 * MINUTE, 's3');

  it('when a third comes, then the quietest leaves, and the whole still counts all', () => {
    expect(sessionsIn(on.card()).map(({ session }) => session)).toEqual(['s3', 's2']);
    expect([calls(on, {}), calls(on, { session: 's1' })]).toEqual([3, 0]);
  });

  it('when the one that left comes back, then the end of its old attempt does not touch its new figures', () => {
    on.prompt('t4', 3 * MINUTE, 's1');
    on.answer('t1:1', 3 * MINUTE + SECOND);
    expect(on.report({ session: 's1' }).overall.outcomes).toMatchObject({ success: 0, inFlight: 0 });
    expect(on.report().overall.outcomes).toMatchObject({ success: 3, inFlight: 0 });
  });
});

describe('given a report that arrives late', () => {
  it('when it belongs to an earlier hour, then it stands there, and the oldest hour is known', () => {
    const on = stage({ hoursKept: 4 });
    const tokens = { input: 1, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
    const usage = { type: 'usage.recorded', session: 's1', turn: 't1', model: LEAD, tokens, cost: null } as const;
    for (const hour of [5, 3, 5, 3, 1]) on.tell(usage, hour * HOUR);
    const inputOf = (hour: number) =>
      on.report({ sinceMs: hour * HOUR, untilMs: (hour + 1) * HOUR }).overall.tokens.input;
    expect([1, 3, 4, 5].map(inputOf)).toEqual([0, 2, 0, 2]);
    expect(on.report().keptSinceMs).toBe(3 * HOUR);
  });
});

describe('given a session that speaks again', () => {
  it('when room is needed, then the other one, quiet for longer, leaves', () => {
    const on = stage({ sessionsKept: 2 });
    answeredTurn(on, 't1', 0, 's1');
    answeredTurn(on, 't2', MINUTE, 's2');
    answeredTurn(on, 't3', 2 * MINUTE, 's1');
    answeredTurn(on, 't4', 3 * MINUTE, 's3');
    expect(sessionsIn(on.card()).map(({ session }) => session)).toEqual(['s3', 's1']);
  });
});

describe('given more requests on their way than anybody waits for', () => {
  it('when the 2,001st starts, then the first is given up as neutral', () => {
    let card = emptyScorecard();
    for (let n = 0; n <= 2_000; n++) {
      const where = { session: 's', directory: '/project', agent: 'build', model: LEAD, purpose: 'turn' } as const;
      const event = { type: 'attempt.started', attempt: `a${n}`, turn: `t${n}`, ...where } as const;
      card = record(card, { event, decisions: [], facts: lifeOf(event), now: n });
    }
    expect([card.inFlightCount, card.turnCount]).toEqual([2_000, 2_000]);
  });
});

describe('given what only a caller’s bug can be', () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY])('when now is %f, then it is thrown and repeated', (now) => {
    const step = { event: { type: 'session.idle', session: 's' }, decisions: [], facts: [], now } as const;
    expect(() => record(emptyScorecard(), step)).toThrow(RangeError);
  });

  it.each([{ hoursKept: 0 }, { sessionsKept: 1.5 }, { slowOverMs: Number.NaN }])(
    'when the options are %j, then they are refused',
    (options) => {
      expect(() => emptyScorecard(options)).toThrow(RangeError);
    },
  );
});
