import { describe, expect, it } from 'vitest';
import { type EventRow, Snapshot } from '../../src/contract/snapshot';
import { ABILITIES, type Evidence } from '../../src/engine';
import { PRESETS } from '../../src/engine/tools';
import type { CompanionEvent } from '../../src/protocol';
import { questionPhrase } from '../../src/wording/act-words';
import { verdict } from '../../src/wording/attention-words';
import { eventSentence } from '../../src/wording/event-words';
import { reasonPhrase } from '../../src/wording/reason-words';
import {
  CHAIN,
  COMPANION,
  configured,
  DIRECTORY,
  failed,
  openTestCore,
  prompted,
  scopeOf,
  started,
  succeeded,
  type TestCore,
} from './virtual-core';

const CRASH: Evidence = { phase: 'body', status: 500, message: 'no' };
const NO_NETWORK: Evidence = { phase: 'headers', code: 'ENOTFOUND' };

type Config = Extract<CompanionEvent, { type: 'scope.configured' }>['config'];

/** A core whose companion can do everything, with one agent's policy. */
function openWith(policy: keyof typeof PRESETS, over: Partial<Config> = {}): TestCore {
  const test = openTestCore();
  test.core.connected(COMPANION);
  const base = configured() as Extract<CompanionEvent, { type: 'scope.configured' }>;
  const agents = { build: { chain: [...CHAIN], policy: PRESETS[policy] } } as unknown as Config['agents'];
  const config: Config = { ...base.config, abilities: [...ABILITIES], agents, ...over };
  test.tell({ type: 'scope.configured', directory: DIRECTORY, config });
  test.tell(prompted());
  return test;
}
const fail = (test: TestCore, attempt: string, evidence: Evidence, model: string = CHAIN[0]): void => {
  test.tell(started({ attempt, model }));
  test.tell(failed(attempt, evidence));
};
/** What happened after the project was opened, oldest first. */
const rows = (test: TestCore) =>
  snapshotOf(test)
    .events.filter(({ code }) => !code.startsWith('instance.') && !code.startsWith('config.'))
    .map(({ code, agent, model, tally, until, at }) => ({ code, agent, model, tally, forMs: until && until - at }))
    .reverse();
const snapshotOf = ({ core }: TestCore) => Snapshot.parse(core.host.handlers['snapshot.get'](null));
const requests = (test: TestCore) => snapshotOf(test).sessions[0]?.requests;
const codes = (test: TestCore) => rows(test).map(({ code }) => code);

describe('given retries of a session', () => {
  it('when the second of three is spent and then the last, then both are told once, with their number', () => {
    const test = openWith('steady', { retryBudget: { perSession: 3, warnAt: 2 } });
    for (const attempt of ['a1', 'a2', 'a3', 'a4']) fail(test, attempt, { ...CRASH, status: 503 });
    const told = rows(test).filter(({ code }) => code.startsWith('budget.'));
    expect(told).toMatchObject([
      { code: 'budget.warned', agent: 'build', tally: { count: 2, of: 3 } },
      { code: 'budget.spent', agent: 'build', tally: { count: 3, of: 3 } },
    ]);
  });
});

describe('given council and a lead that a person has taken out of use', () => {
  const LEAD = CHAIN[0];
  const asked = () => {
    const test = openWith('council');
    test.core.host.handlers['person.act']({
      act: { type: 'health.isolated', model: LEAD },
      actor: 'panel',
      rev: snapshotOf(test).rev,
    });
    test.tell(prompted({ turn: 't2' }));
    test.tell(started({ attempt: 'a2', turn: 't2' }));
    return test;
  };

  it('when a message comes, then the question says so of the lead, and names no failure', () => {
    const [question] = snapshotOf(asked()).questions;
    expect(question).toMatchObject({ agent: 'build', model: LEAD, to: CHAIN[1], isOut: true });
    expect(question && questionPhrase(question)).toEqual({
      title: 'May two answer for build?',
      lede: 'one is out of use. Unless you choose yes, build is paused in this session until you bring it back.',
    });
  });

  it('when nobody answers, then who is left out is told without a failure', () => {
    const test = asked();
    test.clock.advance(60_000);
    const row = snapshotOf(test).events.find(({ code }) => code === 'speaker.degraded');
    expect(row && eventSentence(row)).toBe(
      'build is paused in this session: one is held. 0 of 1 active; /retry build resumes it',
    );
  });

  it('when it has failed instead, then the failure is named', () => {
    const test = openWith('council');
    fail(test, 'a1', { phase: 'body', status: 401, message: 'no' });
    const [question] = snapshotOf(test).questions;
    expect(question).not.toHaveProperty('isOut');
    expect(question && questionPhrase(question).lede).toMatch(/^one is refusing the API key\. /);
  });
});

describe('given a retry that a budget forbids', () => {
  const SPENT = 'not retried: this session’s retry budget is used up';
  const newest = (test: TestCore) => snapshotOf(test).events.find(({ trace }) => trace.length > 0) as EventRow;

  it('when the next model takes over instead, then its row says of the failed one that the budget is spent', () => {
    const test = openWith('steady', { retryBudget: { perSession: 1, warnAt: 1 } });
    for (const attempt of ['a1', 'a2']) fail(test, attempt, { ...CRASH, status: 503 });
    const row = newest(test);
    expect(row.trace[0]).toMatchObject({ model: CHAIN[0], verdict: 'failed', code: 'budget.session' });
    expect(reasonPhrase(row.trace[0]?.code ?? '')).toBe(SPENT);
    expect(eventSentence(row)).toMatch(new RegExp(`^build switched .*; ${SPENT}$`));
  });

  it('when its provider’s bucket is empty, then the row says so; a stored row with the rule of version 0.1.0 is still read', () => {
    const test = openWith('steady', { retryBudget: { perSession: 30, warnAt: 20, failingTurns: 1 } });
    for (const attempt of ['a1', 'a2', 'a3', 'a4']) fail(test, attempt, { ...CRASH, status: 503 });
    test.tell(prompted({ turn: 't2' }));
    test.tell(started({ attempt: 'a5', turn: 't2' }));
    test.tell(failed('a5', { ...CRASH, status: 503 }));
    const row = newest(test);
    expect(row.trace[0]).toMatchObject({ model: CHAIN[0], code: 'budget.provider' });
    expect(eventSentence(row)).toMatch(/^build switched .*; not retried: its provider’s retry budget is used up$/);
    const old = {
      ...row,
      trace: row.trace.map((entry) => ({ ...entry, code: entry.code.replace('provider', 'ratio') })),
    };
    expect(eventSentence(old)).toContain('; not retried: too many recent requests were retries');
  });
});

describe('given a provider that fails in the same way twice in a row', () => {
  it('when the second failure moves the turn, then its row and its sentence are marked, and those of the first are not', () => {
    const test = openWith('steady', { maxRetries: 1 });
    for (const attempt of ['a1', 'a2']) fail(test, attempt, { ...CRASH, status: 503 });
    const [second, first] = snapshotOf(test).events.filter(({ trace }) => trace.length > 0) as EventRow[];
    expect([first?.isRepeated, second?.isRepeated]).toEqual([undefined, true]);
    expect(second && eventSentence(second)).toMatch(/^build switched .*; its provider failed in the same way before$/);
  });
});

describe('given requests of a session that fail', () => {
  it('when three have failed, then the outage is told once; when most are answered again, that too', () => {
    const test = openWith('swift');
    for (const [attempt, model] of CHAIN.entries()) fail(test, `a${attempt}`, CRASH, model);
    test.tell(prompted({ turn: 't2' }));
    for (const attempt of ['b1', 'b2', 'b3', 'b4']) {
      test.tell(started({ attempt, turn: 't2' }));
      test.tell(succeeded(attempt));
    }
    expect(codes(test).filter((code) => code.startsWith('session.'))).toEqual(['session.outage', 'session.connected']);
    expect(requests(test)).toEqual({ asked: 7, failed: 3, isOutage: false });
  });

  it('when half of at least three have failed, then the snapshot has them and the headline is not a calm one', () => {
    const test = openWith('swift');
    fail(test, 'a1', CRASH);
    fail(test, 'a2', CRASH, CHAIN[1]);
    expect([requests(test), verdict(snapshotOf(test)).lede]).toEqual([
      { asked: 2, failed: 2, isOutage: false },
      expect.not.stringContaining('requests'),
    ]);
    fail(test, 'a3', CRASH, CHAIN[2]);
    test.tell({ type: 'health.reset', target: { all: true }, actor: 'test' });
    test.tell(prompted({ turn: 't2' }));
    expect([requests(test), verdict(snapshotOf(test))]).toEqual([
      { asked: 3, failed: 3, isOutage: true },
      { title: 'Requests in project are failing.', lede: '3 of the last 3 failed.' },
    ]);
  });

  it('when the next request is answered, then the alarm is over, though half of the last ones failed', () => {
    const test = openWith('swift');
    for (const [attempt, model] of CHAIN.entries()) fail(test, `a${attempt}`, CRASH, model);
    test.tell({ type: 'health.reset', target: { all: true }, actor: 'test' });
    test.tell(prompted({ turn: 't2' }));
    test.tell(started({ turn: 't2', attempt: 'b1' }));
    test.tell(succeeded('b1'));
    expect([requests(test), verdict(snapshotOf(test)).title]).toEqual([
      { asked: 4, failed: 3, isOutage: false },
      expect.not.stringContaining('failing'),
    ]);
  });

  it('when every provider is out of reach within two seconds, then the network is told once, and that it is back', () => {
    const test = openWith('swift');
    for (const [attempt, model] of CHAIN.entries()) fail(test, `a${attempt}`, NO_NETWORK, model);
    fail(test, 'a9', NO_NETWORK, CHAIN[2]);
    test.tell(started({ attempt: 'b1', model: CHAIN[2] }));
    test.tell(succeeded('b1'));
    expect(codes(test).filter((code) => code.startsWith('network.'))).toEqual(['network.down', 'network.back']);
  });

  it('when breakers only watch, then a third failure tells what would have been', () => {
    const test = openWith('swift', { health: { ...scopeOf().health, shadow: true } });
    for (const turn of ['t1', 't2', 't3']) {
      test.tell(prompted({ turn }));
      test.tell(started({ attempt: turn, turn }));
      test.tell(failed(turn, CRASH));
    }
    expect(rows(test).filter(({ code }) => code === 'breaker.shadow')).toMatchObject([{ model: CHAIN[0] }]);
  });
});

describe('given a council whose speaker fails', () => {
  it('when nobody answers its question for a minute, then one row asks and one says who is left out', () => {
    const test = openWith('council');
    fail(test, 'a1', { phase: 'body', status: 401, message: 'no' });
    test.clock.advance(60_000);
    expect(rows(test)).toMatchObject([
      { code: 'ask.auth', agent: 'build', forMs: 60_000 },
      { code: 'speaker.degraded', agent: 'build', model: CHAIN[0], tally: { count: 0, of: 1 } },
      { code: 'session.paused', tally: { count: 0, of: 1 } },
    ]);
  });
});

describe('given a failure of another kind', () => {
  it('when its words are unknown, then the decision alone is told', () => {
    const test = openWith('swift');
    fail(test, 'a1', { phase: 'body', message: 'colourless green ideas' });
    expect(codes(test)).toEqual(['pass.unknown']);
  });

  it('when another model is waited for, then the row names who failed and who is next', () => {
    const test = openWith('patient');
    fail(test, 'a1', { phase: 'body', status: 429, message: 'no' });
    const [row] = Snapshot.parse(test.core.host.handlers['snapshot.get'](null)).events;
    expect([row?.code, row?.model, row?.to]).toEqual(['hold.rate_limit', CHAIN[0], CHAIN[1]]);
  });

  it('when a model keeps coming and going, then it is told that it flaps and until when', () => {
    const { health: own } = scopeOf();
    const health = { ...own, restMs: 0, breaker: { ...own.breaker, failureThreshold: 1, cooldownMs: 1_000 } };
    const test = openWith('swift', { health });
    for (const turn of ['t1', 't2', 't3']) {
      test.tell(prompted({ turn }));
      test.tell(started({ attempt: turn, turn }));
      test.tell(failed(turn, CRASH));
      test.clock.advance(5_000);
    }
    expect(rows(test).filter(({ code }) => code === 'model.flapping')).toMatchObject([
      { model: CHAIN[0], forMs: 600_000 },
    ]);
  });
});
