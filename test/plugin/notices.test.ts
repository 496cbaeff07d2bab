import { describe, expect, it } from 'vitest';
import type { CountedBudget, Evidence } from '../../src/engine';
import { createBrain } from '../../src/plugin/base/brain';
import type { Notice } from '../../src/plugin/runtime/episodes';
import { giveNotices } from '../../src/plugin/runtime/notices';
import { CHAIN, DIRECTORY, LIMITED, scopeOf, virtualClock } from '../core/virtual-core';

const ELSEWHERE = '/home/u/other';

function openNotices() {
  const clock = virtualClock();
  const brain = createBrain(clock.now, () => 0.5, null, clock.schedule);
  for (const directory of [DIRECTORY, ELSEWHERE])
    brain.tell({ type: 'scope.configured', directory, config: scopeOf(CHAIN.slice(0, 2)) });
  const heard: Notice[] = [];
  const end = giveNotices(brain, { directory: DIRECTORY, tell: (notice) => heard.push(notice) }, clock.schedule);
  let attempts = 0;
  /** One message of a session; each model fails as told, the last one answers. */
  const turn = (session: string, failures: readonly Evidence[], directory = DIRECTORY): void => {
    const id = `t${attempts}`;
    const base = { turn: id, session, directory, agent: 'build' };
    const [decision] = brain.tell({
      ...{ type: 'prompt.submitted', ...base, model: CHAIN[0] },
      ...{ hostLead: CHAIN[0], isExplicit: false },
    });
    let model: string = decision && 'to' in decision.action ? decision.action.to : CHAIN[0];
    for (const evidence of [...failures, null]) {
      const attempt = `a${attempts++}`;
      const [refusal] = brain.tell({ type: 'attempt.started', ...base, attempt, model, purpose: 'turn' });
      if (refusal?.action.kind === 'exhausted') break;
      if (evidence === null) {
        brain.tell({ type: 'attempt.succeeded', attempt, durationMs: 1, firstTokenMs: 1, outputChars: 5 });
        break;
      }
      const [next] = brain.tell({ type: 'attempt.failed', attempt, evidence, durationMs: 1 });
      if (next?.action.kind === 'exhausted') break;
      if (next && 'to' in next.action) model = next.action.to;
    }
    brain.tell({ type: 'session.idle', session });
  };
  return { clock, brain, turn, end, messages: () => heard.map(({ message }) => message) };
}

describe('given the companion in one directory', () => {
  it('when three sessions meet one failure, then it is told once, and the lead’s first answer ends it', () => {
    const { clock, turn, messages } = openNotices();
    turn('s1', [LIMITED]);
    turn('s2', []);
    turn('s3', []);
    clock.advance(10_000);
    expect(messages()).toEqual([expect.stringMatching(/^build switched one → two: rate limited \(429\), back about/)]);
    clock.advance(3_600_000);
    turn('s2', []);
    expect(messages().slice(1)).toEqual(['build is back on one']);
  });

  it('when the whole chain fails, then that is told at once, and once', () => {
    const { clock, turn, messages } = openNotices();
    turn('s1', [LIMITED, LIMITED]);
    turn('s1', []);
    expect(messages()).toEqual([
      expect.stringMatching(/^build has no available model: .*; first back about \d\d:\d\d$/),
    ]);
    clock.advance(3_600_000);
    turn('s1', []);
    expect(messages().at(-1)).toBe('build is working again: one answered');
  });

  it('when a loop sends messages while only estimates keep all models out, then the third quick one is held, and that is told', () => {
    const { brain, clock, turn, messages } = openNotices();
    const config = { ...scopeOf(CHAIN.slice(0, 2)), guessProbe: true, abilities: ['hold.start'] as const };
    brain.tell({ type: 'scope.configured', directory: DIRECTORY, config });
    turn('s1', [LIMITED, LIMITED]);
    for (let n = 0; n < 3; n++) {
      clock.advance(1_000);
      turn('s1', [LIMITED, LIMITED]);
    }
    expect(messages().filter((message) => message.includes('15 s'))).toEqual([
      'build holds this message for 15 s, then uses one: several messages came right after an error',
    ]);
  });

  it('when a model fails and returns four times within 10 minutes, then that it is held is told without the app', () => {
    const { brain, clock, turn, messages } = openNotices();
    const breaker = { failureThreshold: 1, windowMs: 3_600_000, cooldownMs: 60_000, growth: 1 };
    const { health, ...rest } = scopeOf(CHAIN.slice(0, 2));
    const config = { ...rest, health: { ...health, restMs: 0, breaker } };
    brain.tell({ type: 'scope.configured', directory: DIRECTORY, config });
    for (let n = 0; n < 3; n++) {
      turn('s1', [{ phase: 'body', status: 500, message: 'Internal error' }]);
      clock.advance(60_000);
      brain.tell({ type: 'tick' });
    }
    expect(messages().filter((message) => message.includes('held out'))).toEqual([
      expect.stringMatching(/^one kept failing and returning: it is held out of use until \d\d:\d\d$/),
    ]);
  });

  it('when it happens in another directory, or after the end, then nothing is told here', () => {
    const { clock, turn, end, messages } = openNotices();
    turn('s9', [LIMITED, LIMITED], ELSEWHERE);
    clock.advance(10_000);
    end();
    turn('s1', [LIMITED, LIMITED]);
    clock.advance(10_000);
    expect(messages()).toEqual([]);
  });
});

describe('given a budget that only tells', () => {
  it('when four fifths of it are spent, and then all of it, then each is told, once', () => {
    const { brain, messages } = openNotices();
    const level: CountedBudget = {
      ...{ id: 'day', period: 'day', action: 'warn', limit: 10, spent: 0, maxPrice: null },
      ...{ provider: null, agent: null, directory: null, session: null, isAllowed: false, endsInMs: 3_600_000 },
    };
    for (const spent of [7.9, 8, 8.5, 10, 11]) brain.tell({ type: 'money.counted', levels: [{ ...level, spent }] });
    expect(messages()).toEqual([
      'A budget is running low: $8.00 of today’s $10.00 are spent',
      'A budget is spent: $10.00 of today’s $10.00 are spent',
    ]);
  });
});

describe('given two accounts of the lead’s model, of which the emptier answers', () => {
  it('when turns go there, then nothing is told in passing; a limit of both is, and so is the first answer after it', () => {
    const { clock, brain, turn, messages } = openNotices();
    const other = CHAIN[0].replace('/', '@work/');
    const headroom = { act: 'move', moveAt: 0.97, spread: true } as const;
    const config = { ...scopeOf([CHAIN[0], other, CHAIN[1]]), headroom };
    brain.tell({ type: 'scope.configured', directory: DIRECTORY, config });
    const counted = { limit: null, remaining: null, refills: 'at_reset', charges: 'used' } as const;
    const week = { id: 'week', unit: 'share', lengthMs: 604_800_000, of: 'account', resetInMs: 86_400_000 } as const;
    for (const [model, used] of [
      [CHAIN[0], 0.72],
      [other, 0.23],
    ] as const) {
      const windows = [{ ...week, ...counted, used }];
      brain.tell({ type: 'headroom.seen', attempt: null, directory: DIRECTORY, model, windows });
    }
    turn('s1', []);
    turn('s1', []);
    clock.advance(10_000);
    expect(messages()).toEqual([]);
    turn('s1', [LIMITED, LIMITED]);
    clock.advance(10_000);
    expect(messages()).toEqual([expect.stringMatching(/^build switched one → two: rate limited \(429\), back about/)]);
    clock.advance(3_600_000);
    turn('s1', []);
    expect(messages().slice(1)).toEqual([]);
  });
});

const BROKEN: Evidence = { phase: 'body', status: 500, message: 'oops', seenAt: 0 };
const WARNED =
  'build calls one although at least half of this session’s last requests failed: /fallback-status shows the models';

describe('given a session of which at least half of the last requests failed', () => {
  /** Two turns in which all models fail, as long after one another as models rest. */
  function inOutage() {
    const notices = openNotices();
    for (let n = 0; n < 2; n++) {
      notices.turn('s1', [BROKEN, BROKEN]);
      notices.clock.advance(3_600_000);
    }
    return notices;
  }
  const warnings = (messages: readonly string[]) => messages.filter((message) => message.includes('at least half'));

  it('when a person writes three messages in it, then the first alone warns before it is asked', () => {
    const { turn, messages } = inOutage();
    expect(warnings(messages())).toEqual([]);
    for (let n = 0; n < 3; n++) turn('s1', []);
    expect(warnings(messages())).toEqual([WARNED]);
  });

  it('when it was answered again and a new outage has begun, then that is warned of once as well', () => {
    const { clock, turn, messages } = inOutage();
    for (let n = 0; n < 5; n++) turn('s1', []);
    for (let n = 0; n < 4; n++) {
      turn('s1', [BROKEN, BROKEN]);
      clock.advance(3_600_000);
    }
    for (let n = 0; n < 2; n++) turn('s1', []);
    expect(warnings(messages())).toEqual([WARNED, WARNED]);
  });

  it('when another session asks, or a sub-agent whose own requests failed, then nobody is warned', () => {
    const { turn, brain, messages } = inOutage();
    turn('s2', []);
    const child = { turn: 'child', session: 'c1', parentSession: 's1', directory: DIRECTORY, agent: 'explore' };
    const ask = () =>
      brain.tell({
        ...{ type: 'prompt.submitted', ...child, model: CHAIN[0] },
        ...{ hostLead: CHAIN[0], isExplicit: false },
      });
    ask();
    for (let n = 0; n < 3; n++) {
      const attempt = `c${n}`;
      brain.tell({ type: 'attempt.started', ...child, attempt, model: CHAIN[0], purpose: 'turn' });
      brain.tell({ type: 'attempt.failed', attempt, evidence: BROKEN, durationMs: 1 });
    }
    ask();
    expect(warnings(messages())).toEqual([]);
  });

  it('when nobody is left to be asked, then that is told instead', () => {
    const { turn, messages } = openNotices();
    turn('s1', [BROKEN, BROKEN]);
    turn('s1', [LIMITED, LIMITED]);
    turn('s1', []);
    expect(warnings(messages())).toEqual([]);
  });
});
