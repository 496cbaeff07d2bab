import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../src/engine';
import { get, mergeShared, type SharedHealth, shortNow } from '../../../src/engine/tools';
import { EVIDENCE, HOUR, MINUTE, outline, SECOND } from '../world';
import { bucketWith, hearing, MOVE, Near, planAt, spends, tokensWith } from './seen';

const DAY = 24 * HOUR;
const LONG = { phase: 'body', status: 400, code: 'context_length_exceeded', message: 'too long' } as const;
const targetOf = (decision: Decision): unknown => 'to' in decision.action && decision.action.to;
const WINDOWS = { a: { context: 100_000 }, c: { context: 100_000 }, b: { context: 1_000_000 } };

describe('given a limit that is near, which is a preference and never a refusal', () => {
  it('when a conversation is too long for all but a model near its limit, then that one takes it', () => {
    const models = Object.fromEntries(Object.entries(WINDOWS).map(([name, facts]) => [`${name}/1`, facts]));
    const world = new Near(['a/1', 'c/1', 'b/1'], { models });
    world.hears('b/1', planAt(0.98));
    world.prompt('t1');
    // OpenCode shortens it first.
    world.failing('t1', 'a/1', LONG);
    expect(outline(world.failing('t1', 'a/1', LONG))).toMatchObject({
      kind: 'switch',
      to: 'b/1',
      code: 'switch.larger',
    });
  });

  it('when all of the chain refuse and the model of last resort is well, then it answers', () => {
    const world = new Near(['a/1', 'b/1'], { backupModel: 'z/1' });
    for (const model of ['a/1', 'b/1']) world.hears(model, planAt(1, { isRefusing: true }));
    expect(outline(world.prompt('t1'))).toMatchObject({ kind: 'redirect', to: 'z/1', code: 'headroom.refused' });
    // Where it is no better off, the lead is asked as ever.
    world.hears('z/1', planAt(1, { isRefusing: true }));
    expect(targetOf(world.prompt('t2'))).toBe('a/1');
  });

  it('when a model was left for a limit that has room again, then it comes before one that would refuse', () => {
    const world = new Near();
    world.prompt('t1');
    world.hears('a/1', bucketWith(0, { refills: 'at_reset', resetInMs: 20 * SECOND }));
    world.hears('c/1', planAt(1, { isRefusing: true }));
    expect(outline(world.start('t1', 'a/1').decision)).toMatchObject({ kind: 'switch', to: 'b/1' });
    const { attempt } = world.start('t1', 'b/1');
    world.wait(MINUTE);
    expect(outline(world.fail(attempt, EVIDENCE.serverError))).toMatchObject({ kind: 'switch', to: 'a/1' });
  });

  it('when one request is larger than the whole window, then others are not pushed away by it', () => {
    const world = new Near();
    world.hears('a/1', tokensWith(20_000, { limit: 30_000, resetInMs: 20 * SECOND }));
    world.prompt('t1');
    expect(world.start('t1', 'a/1', { spend: spends(5_000, 500, 32_000) }).decision).toBeNull();
    world.prompt('t2', { session: 'other' });
    const small = world.start('t2', 'a/1', { session: 'other', spend: spends(1_000, 500, 2_000) });
    expect(small.decision).toBeNull();
  });

  it('when a plan that is nearly spent was not heard of for six hours, then a turn finds out; one that is spent is not asked', () => {
    const [near, spent] = [0.98, 1].map((used) => {
      const world = new Near();
      world.hears('a/1', planAt(used, { lengthMs: 7 * DAY, resetInMs: 5 * DAY }));
      return [6 * HOUR - 1, 1].map((ms, at) => targetOf(world.wait(ms).prompt(`t${at}`)));
    });
    expect([near, spent]).toEqual([
      ['b/1', 'a/1'],
      ['b/1', 'b/1'],
    ]);
  });

  it('when a reset is said to be a year away, then it is believed for 31 days', () => {
    const world = new Near();
    world.hears('a/1', planAt(1, { resetInMs: 365 * DAY, lengthMs: null, isRefusing: true }));
    const at = (ms: number, turn: string) => targetOf(world.wait(ms).prompt(turn));
    expect([at(31 * DAY - 1, 't1'), at(1, 't2')]).toEqual(['b/1', 'a/1']);
  });

  it('when what is kept for another agent is an overage that comes after a plan, then nobody moves for it', () => {
    const world = new Near(undefined, { headroom: { ...MOVE, reserve: { a: { oracle: 0.15 } } } });
    const overage = planAt(0.9, { id: 'unified-overage', unit: 'credits', lengthMs: null, isShownOnly: true });
    world.hears('a/1', [planAt(0.05), { ...overage, isOverdrawable: true }]);
    expect(outline(world.prompt('t1'))).toEqual({ kind: 'keep', to: 'a/1', code: 'keep.lead' });
  });
});

describe('given a limit that was hit and names no time', () => {
  const limitOf = (
    windows: Parameters<Near['hears']>[1],
    evidence: typeof EVIDENCE.rateLimit | typeof EVIDENCE.quota,
  ) => {
    const world = new Near();
    world.prompt('t1');
    const { attempt } = world.start('t1', 'a/1');
    world.hears('a/1', windows, attempt);
    world.fail(attempt, evidence);
    return [get(world.state.models, 'a/1')?.limit, get(world.state.providers, 'a')?.limit]
      .map((limit) => limit && [limit.until, limit.source])
      .find((limit) => limit);
  };

  it('when a day’s bucket is empty that refills all the time, then it is out as long as any other, not for a day', () => {
    expect(limitOf(bucketWith(0, { limit: 14_400, lengthMs: DAY, resetInMs: DAY }), EVIDENCE.rateLimit)).toEqual([
      5 * MINUTE,
      'estimate',
    ]);
  });

  it('when a quota is spent and a minute’s limit begins anew in 12 s, then that is not when the quota is back', () => {
    const minute = tokensWith(0, { refills: 'at_reset', resetInMs: 12 * SECOND });
    expect(limitOf(minute, EVIDENCE.quota)).toEqual([HOUR, 'estimate']);
    expect(limitOf([minute, planAt(1)], EVIDENCE.quota)).toEqual([2 * HOUR, 'provider']);
  });
});

describe('given a host that hears what another has decided', () => {
  it('when a second message goes past its lead as well, then it is still known whom it left, and for what', () => {
    const world = new Near();
    world.hears('a/1', planAt(0.97));
    const decided = { kind: 'redirect', to: 'b/1', code: 'headroom.plan' } as const;
    world.prompt('t1', { decided });
    world.tell({ type: 'session.idle', session: 's' });
    // OpenCode says the model that spoke last.
    const second = world.prompt('t2', { model: 'b/1', decided });
    expect(second).toMatchObject({ action: { from: 'a/1', to: 'b/1' }, short: { used: 0.97 } });
    expect(get(world.state.speakers, 's|build')?.why).toMatchObject({ from: 'a/1', short: { code: 'headroom.plan' } });
  });

  it('when a request did not fit, then why its agent moved is known until it would', () => {
    const world = new Near();
    world.prompt('t1');
    world.hears('a/1', tokensWith(4_000, { resetInMs: 36 * SECOND }));
    world.start('t1', 'a/1', { spend: spends(5_000, 500, 1_000) });
    const speaker = get(world.state.speakers, 's|build');
    const at = (ms: number) => (speaker ? shortNow(world.state, speaker, 'a/1', ms)?.code : undefined);
    const until = speaker?.why?.short?.until ?? 0;
    expect([at(0), at(until - 1), at(until)]).toEqual(['headroom.tokens', 'headroom.tokens', undefined]);
  });
});

describe('given windows that two processes share in a file', () => {
  const shared = (windows: ReturnType<typeof hearing>): SharedHealth => ({
    ...{ models: [], providers: [] },
    windows: [['a', { windows }]],
  });
  const listOf = (health: SharedHealth) => health.windows?.[0]?.[1].windows ?? [];

  it('when each has gone on from the same word, then what has ended at either is owed, once', () => {
    const [word] = hearing([], planAt(0.5));
    if (!word) throw new Error('nothing heard');
    const owing = (...at: number[]) => shared([{ ...word, owed: at.map((each) => ({ at: each, part: null })) }]);
    const merged = mergeShared(mergeShared(owing(1, 2), owing(2, 3)), owing(1));
    expect(listOf(merged).map(({ owed }) => owed.map(({ at }) => at))).toEqual([[1, 2, 3]]);
    expect(mergeShared(merged, merged)).toEqual(merged);
  });

  it('when neither of two words is newer, then both are kept, the fuller first; one that left later ends both', () => {
    const words = [
      hearing([], planAt(0.6), { now: 100, sentAt: 0 }),
      hearing([], planAt(0.5), { now: 90, sentAt: 50 }),
      hearing([], planAt(0.4), { now: 300, sentAt: 200 }),
    ].map(shared);
    const [one, two, three] = words as [SharedHealth, SharedHealth, SharedHealth];
    expect(listOf(mergeShared(two, one)).map(({ used }) => used)).toEqual([0.6, 0.5]);
    expect(listOf(mergeShared(three, mergeShared(one, two))).map(({ used }) => used)).toEqual([0.4]);
  });

  it('when there are more windows than one account was seen to have, then the newest 40 are kept', () => {
    const many = Array.from({ length: 60 }, (_, at) => hearing([], planAt(0.5, { id: `w${at}` }), { now: at })).flat();
    const list = listOf(mergeShared(shared(many.slice(0, 30)), shared(many.slice(30))));
    expect([list.length, Math.min(...list.map(({ at }) => at))]).toEqual([40, 20]);
  });
});
