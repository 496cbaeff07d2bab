import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { StopSignal } from '../../../src/engine/fallback/create-fallback';
import { HOUR, MINUTE, SECOND } from '../world';
import { FAIL, playing, Stage } from './stage';

/** A stage whose first model has failed three times and whose hour is over. */
async function halfOpen(changes: ConstructorParameters<typeof Stage>[1] = {}): Promise<Stage> {
  const stage = new Stage(playing({ 'a/1': FAIL.server }), changes);
  for (const _ of [1, 2, 3]) {
    await stage.consult();
    await stage.clock.advance(MINUTE);
  }
  expect(stage.states()).toMatch(/^open/);
  await stage.clock.advance(HOUR - MINUTE);
  stage.asked.length = 0;
  return stage;
}

/** Counts each word of a list. */
function countsOf(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

describe('given a half-open model', () => {
  const slow = (stage: Stage) => async (model: string) => {
    await stage.clock.wait(2 * SECOND);
    return model;
  };

  it('when 100 ask at once, then 1 probes it and 99 are answered by the understudy; afterwards it is closed', async () => {
    const stage = await halfOpen();
    stage.play = slow(stage);
    const all = Promise.all(Array.from({ length: 100 }, () => stage.fallback.consult('question')));
    await stage.clock.until(all);
    expect(countsOf(stage.asked)).toEqual({ 'a/1': 1, 'b/1': 99 });
    expect(stage.states()).toBe('ready ready unseen');
  });

  it('when it has no understudy and 100 ask at once, then 1 probes it and 99 are refused without a call', async () => {
    const stage = await halfOpen({ fallbackModels: [] });
    stage.play = slow(stage);
    const all = Promise.allSettled(Array.from({ length: 100 }, () => stage.fallback.consult('question')));
    const result = await stage.clock.until(all);
    const ends = result.status === 'fulfilled' ? result.value : [];
    const words = ends.map((end) => (end.status === 'fulfilled' ? 'answered' : (end.reason as Error).message));
    expect(countsOf(words)).toEqual({
      answered: 1,
      'No model is available now: another request is testing a/1. Next available: a/1, within 10 min.': 99,
    });
    expect(stage.asked).toEqual(['a/1']);
  });

  it('when the others need a person, then still 1 probes it and nobody else asks anybody', async () => {
    const stage = await halfOpen({ fallbackModels: ['b/1'] });
    stage.play = async (model) => {
      if (model === 'b/1') throw FAIL.key();
      throw FAIL.server();
    };
    await stage.consult();
    await stage.clock.advance(HOUR);
    stage.asked.length = 0;
    stage.play = slow(stage);
    await stage.clock.until(Promise.allSettled(Array.from({ length: 100 }, () => stage.fallback.consult('question'))));
    expect(stage.asked).toEqual(['a/1']);
  });

  it('when the probe is stopped by its caller, then its slot is free again and the next one probes', async () => {
    const stage = await halfOpen();
    stage.play = slow(stage);
    const stop = new AbortController();
    const stopped = stage.fallback.consult('question', { signal: stop.signal });
    stop.abort(new Error('closed the window'));
    expect(await stage.clock.until(stopped)).toMatchObject({
      status: 'rejected',
      reason: { message: 'closed the window' },
    });
    expect(await stage.answer()).toMatchObject({ model: 'a/1', attempts: 1 });
  });
});

describe('given one signal for many consults', () => {
  it('when 3 are over, one of them after a wait, then nothing of them listens to it any more', async () => {
    const stage = new Stage(async (model, { attempt }) => {
      if (attempt === 1) throw FAIL.limited(4);
      return model;
    });
    const { signal } = new AbortController();
    for (const _ of [1, 2, 3]) expect((await stage.consult(signal)).status).toBe('fulfilled');
    expect([stage.asked.length, getEventListeners(signal, 'abort').length]).toEqual([6, 0]);
  });
});

describe('given a caller who stops', () => {
  const forever = (): Promise<string> => new Promise(() => {});

  it('when that is before the first call, then nobody is asked', async () => {
    const stage = new Stage(playing({}));
    expect(await stage.consult(AbortSignal.abort(new Error('no more')))).toMatchObject({
      reason: { message: 'no more' },
    });
    expect(stage.asked).toEqual([]);
  });

  it('when that is during a call, then the consult ends at once, the call is told, and no model is blamed', async () => {
    let seen: StopSignal | null = null;
    const stage = new Stage((_, { signal }) => {
      seen = signal;
      return forever();
    });
    const stop = new AbortController();
    const consult = stage.fallback.consult('question', { signal: stop.signal });
    stop.abort();
    expect(await stage.clock.until(consult)).toMatchObject({ status: 'rejected', reason: { name: 'AbortError' } });
    expect(seen).toMatchObject({ aborted: true });
    expect(stage.fallback.health()[0]).toMatchObject({ state: 'ready', calls: 1, failed: 0 });
  });

  it('when the call fails because it was stopped, then that is no failure either', async () => {
    const stage = new Stage((_, { signal }) => stage.clock.wait(MINUTE, signal).then(() => 'late'));
    const stop = new AbortController();
    for (const _ of [1, 2, 3, 4]) {
      const consult = stage.fallback.consult('question', { signal: stop.signal });
      stop.abort();
      expect((await stage.clock.until(consult)).status).toBe('rejected');
    }
    expect([stage.states(), stage.clock.pending]).toEqual(['ready unseen unseen', 0]);
  });

  it('when that is during a wait of 4 s, then the consult ends at once and the wait is over', async () => {
    const stage = new Stage(playing({ 'a/1': () => FAIL.limited(4) }));
    const stop = new AbortController();
    const consult = stage.fallback.consult('question', { signal: stop.signal });
    consult.catch(() => {});
    await stage.clock.advance(SECOND);
    stop.abort();
    expect(await stage.clock.until(consult)).toMatchObject({ status: 'rejected', reason: { name: 'AbortError' } });
    expect([stage.clock.now(), stage.clock.pending, stage.asked]).toEqual([SECOND, 0, ['a/1']]);
  });
});

describe('given a limit of 10 s for each call', () => {
  const attemptTimeoutMs = 10 * SECOND;

  it('when the first says nothing, then at 10 s it is stopped and the second answers', async () => {
    const signals: StopSignal[] = [];
    const stage = new Stage(
      (model, { signal }) => {
        signals.push(signal);
        return model === 'a/1' ? stage.clock.wait(MINUTE).then(() => 'too late') : Promise.resolve('in time');
      },
      { attemptTimeoutMs },
    );
    expect(await stage.answer()).toMatchObject({
      value: 'in time',
      model: 'b/1',
      codes: ['keep.lead', 'switch.timeout'],
    });
    expect([stage.clock.now(), signals.map(({ aborted }) => aborted)]).toEqual([10 * SECOND, [true, false]]);
    await stage.clock.advance(MINUTE);
    expect(stage.fallback.health()[0]).toMatchObject({ calls: 1, failed: 1 });
  });

  it('when the first answers at 9.999 s, then it is in time and no timer is left', async () => {
    const stage = new Stage((model) => stage.clock.wait(10 * SECOND - 1).then(() => model), { attemptTimeoutMs });
    expect(await stage.answer()).toMatchObject({ model: 'a/1', attempts: 1 });
    expect(stage.clock.pending).toBe(0);
  });
});

describe('given more consults at once than the engine keeps sessions', () => {
  it('when a probe among 200 is stopped, then its slot is free at once, not when the others are done', async () => {
    const stage = await halfOpen({ circuitBreaker: { cooldownMs: 2 * HOUR } });
    stage.play = (model) => (model === 'a/1' ? stage.clock.wait(SECOND).then(() => model) : new Promise(() => {}));
    for (let at = 0; at < 200; at++) void stage.fallback.consult('question');
    await stage.clock.advance(HOUR);
    const stop = new AbortController();
    const stopped = stage.fallback.consult('question', { signal: stop.signal });
    expect(stage.states()).toMatch(/^probing/);
    stop.abort();
    await stage.clock.until(Promise.allSettled([stopped]));
    expect(await stage.answer()).toMatchObject({ model: 'a/1' });
  });

  it('when 500 meet an overloaded model, then every one is answered by the understudy and none is forgotten', async () => {
    const stage = new Stage(async (model) => {
      await stage.clock.wait(SECOND);
      if (model === 'a/1') throw FAIL.overloaded();
      return model;
    });
    const all = Promise.all(Array.from({ length: 500 }, () => stage.fallback.consult('question')));
    const result = await stage.clock.until(all);
    const models = result.status === 'fulfilled' ? result.value.map(({ model }) => model) : [];
    expect(countsOf(models)).toEqual({ 'b/1': 500 });
    expect(stage.fallback.snapshot().sessions).toEqual([]);
  });
});
