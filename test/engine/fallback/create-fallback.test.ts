import { describe, expect, it } from 'vitest';
import { FallbackExhaustedError } from '../../../src/engine/fallback/create-fallback';
import { MINUTE, SECOND } from '../world';
import { CHAIN, FAIL, playing, Stage } from './stage';

describe('given a chain of three models', () => {
  it('when the first answers, then it is one call, no switch, and its value comes back', async () => {
    const stage = new Stage(playing({ 'a/1': 'yes' }));
    expect(await stage.answer()).toEqual({
      value: 'yes',
      model: 'a/1',
      attempts: 1,
      switches: 0,
      codes: ['keep.lead'],
    });
  });

  it('when the first is overloaded, then the second answers: 2 calls, 1 switch, and the first rests 60 s', async () => {
    const stage = new Stage(playing({ 'a/1': FAIL.overloaded, 'b/1': 'yes' }));
    expect(await stage.answer()).toEqual({
      value: 'yes',
      model: 'b/1',
      attempts: 2,
      switches: 1,
      codes: ['keep.lead', 'switch.overloaded'],
    });
    expect(stage.fallback.health()[0]).toMatchObject({ state: 'resting', backInMs: MINUTE, calls: 1, failed: 1 });
  });

  it('when a limit names 3 s, then the same model is asked again after 3 s', async () => {
    const stage = new Stage(async (_, { attempt }) => {
      if (attempt === 1) throw FAIL.limited(3);
      return 'yes';
    });
    expect(await stage.answer()).toMatchObject({ model: 'a/1', attempts: 2, switches: 0 });
    expect([stage.clock.now(), stage.asked]).toEqual([3 * SECOND, ['a/1', 'a/1']]);
  });

  it('when a limit names 30 s, then nobody waits: the second answers at once', async () => {
    const stage = new Stage(playing({ 'a/1': () => FAIL.limited(30) }));
    expect(await stage.answer()).toMatchObject({ model: 'b/1', attempts: 2, switches: 1 });
    expect([stage.clock.now(), stage.states()]).toEqual([0, 'cooling ready unseen']);
  });

  it('when the first is rate limited, then it is left alone until 15 min after the hit, and asked first again at 15:00', async () => {
    const stage = new Stage(playing({ 'a/1': () => FAIL.limited() }));
    await stage.answer();
    stage.play = playing({});
    await stage.clock.advance(15 * MINUTE - 1);
    expect(await stage.answer()).toMatchObject({ model: 'b/1', attempts: 1, switches: 0 });
    await stage.clock.advance(1);
    expect(await stage.answer()).toMatchObject({ model: 'a/1', attempts: 1, switches: 0 });
  });

  it('when the request itself is wrong, then the very error of the call comes back after 1 call', async () => {
    const error = FAIL.malformed();
    const stage = new Stage(playing({ 'a/1': () => error }));
    expect(await stage.refusal()).toBe(error);
    expect([stage.asked, stage.states()]).toEqual([['a/1'], 'ready unseen unseen']);
  });

  it('when nothing is known of an error, then it comes back as it is: a bug of the caller is no outage', async () => {
    const stage = new Stage(async () => {
      throw new TypeError('x is not a function');
    });
    expect(await stage.refusal()).toBeInstanceOf(TypeError);
    expect(stage.asked).toEqual(['a/1']);
  });

  it('when the policy is steady and a gateway fails twice, then the same model is asked after 1 s and after 2 s', async () => {
    const stage = new Stage(
      async (_, { attempt }) => {
        if (attempt <= 2) throw Object.assign(new Error('Bad Gateway'), { status: 502 });
        return 'yes';
      },
      { policy: 'steady' },
    );
    expect(await stage.answer()).toMatchObject({ model: 'a/1', attempts: 3, switches: 0 });
    expect(stage.clock.now()).toBe(3 * SECOND);
  });

  it('when the policy is patient, then after a wait of 30 s the second is asked: 1 switch', async () => {
    const stage = new Stage(playing({ 'a/1': FAIL.overloaded }), { policy: 'patient' });
    expect(await stage.answer()).toMatchObject({ model: 'b/1', attempts: 2, switches: 1 });
    expect(stage.clock.now()).toBe(30 * SECOND);
  });

  it('when fallbackOn names only rate limits, then a failing server is handed back and a limit moves on', async () => {
    const stage = new Stage(playing({ 'a/1': FAIL.server }), { fallbackOn: ['rate_limit'] });
    expect(await stage.refusal()).toMatchObject({ status: 500 });
    stage.play = playing({ 'a/1': () => FAIL.limited() });
    expect(await stage.answer()).toMatchObject({ model: 'b/1' });
  });

  it('when 1,000 consults are over, then no session of theirs is kept', async () => {
    const stage = new Stage(playing({ 'a/1': FAIL.server }));
    for (let round = 0; round < 1_000; round++) await stage.fallback.consult('question');
    const { sessions, speakers, models } = stage.fallback.snapshot();
    expect([sessions.length, speakers.length, models.length]).toEqual([0, 0, 3]);
  });
});

describe('given models that all fail', () => {
  const outage = { 'a/1': () => FAIL.limited(), 'b/1': FAIL.key, 'c/1': FAIL.server };

  it('when one is consulted, then one error names each reason and the soonest, and repeats no word of a provider', async () => {
    const error = await new Stage(playing(outage)).refusal();
    expect(error).toBeInstanceOf(FallbackExhaustedError);
    expect(error).toMatchObject({
      message:
        'No model is available now: a/1 is rate limited (429), available in 5 min; b/1 is refusing the API key (401), ' +
        'needs your action; c/1 is failing (500). The next request can use c/1.',
      code: 'exhausted.server_error',
      reasons: [
        { model: 'a/1', state: 'cooling', kind: 'rate_limit', status: 429, backInMs: 5 * MINUTE },
        { model: 'b/1', state: 'blocked', kind: 'auth', status: 401, backInMs: null },
        { model: 'c/1', state: 'resting', kind: 'server_error', status: 500, backInMs: MINUTE },
      ],
      soonest: { model: 'c/1', inMs: 0 },
      attempts: 3,
      switches: 2,
      cause: { status: 500 },
    });
  });

  it('when all are limited, then until 4:29.999 nobody is asked; at 4:30 the first is worth a wait of 30 s', async () => {
    const stage = new Stage(playing({ 'a/1': FAIL.limited, 'b/1': FAIL.limited, 'c/1': FAIL.limited }));
    await stage.refusal();
    await stage.clock.advance(5 * MINUTE - 30 * SECOND - 1);
    expect(await stage.refusal()).toMatchObject({
      code: 'exhausted.cooling',
      soonest: { model: 'a/1', inMs: 30_001 },
      attempts: 0,
      message: expect.stringContaining('a/1 is rate limited (429), available in 31 s'),
    });
    expect(stage.asked).toEqual([...CHAIN]);
    await stage.clock.advance(1);
    stage.play = playing({});
    expect(await stage.answer()).toMatchObject({ model: 'a/1', attempts: 1, codes: ['keep.soon', 'hold.soonest'] });
    expect(stage.clock.now()).toBe(5 * MINUTE);
  });

  it('when the depth is 1, then the third is never asked and the error says that one switch was the limit', async () => {
    const stage = new Stage(playing(outage), { maxFallbackDepth: 1 });
    const error = await stage.refusal();
    expect(error).toMatchObject({
      code: 'exhausted.depth',
      attempts: 2,
      switches: 1,
      message: expect.stringMatching(/^Stopped after 1 switch, the limit per request: .* c\/1 was not called\.$/),
    });
  });

  it('when a chain has 12 models and no depth is set, then all 12 are called', async () => {
    const models = Array.from({ length: 12 }, (_, at) => `p${at}/m`);
    const all = playing(Object.fromEntries(models.map((model) => [model, FAIL.server])));
    const stage = new Stage(all, { primaryModel: 'p0/m', fallbackModels: models.slice(1) });
    expect(await stage.refusal()).toMatchObject({ code: 'exhausted.server_error', attempts: 12 });
    expect(stage.asked).toEqual(models);
  });

  it('when a backup is named, then it answers after the chain', async () => {
    const stage = new Stage(playing(outage), { backupModel: 'z/1' });
    expect(await stage.answer()).toMatchObject({ model: 'z/1', attempts: 4, switches: 3 });
  });

  it('when all need a person, then each consult tries the first once, and the first answer heals it', async () => {
    const stage = new Stage(playing({ 'a/1': FAIL.key, 'b/1': FAIL.key, 'c/1': FAIL.key }));
    expect(await stage.refusal()).toMatchObject({
      soonest: null,
      message: expect.stringContaining('fix these problems'),
    });
    expect(await stage.refusal()).toMatchObject({ attempts: 1 });
    stage.play = playing({});
    expect(await stage.answer()).toMatchObject({ model: 'a/1', attempts: 1 });
    expect(stage.states()).toBe('ready blocked blocked');
  });
});

describe('given a model that stands against itself', () => {
  it('when it is reset, then it is asked first at once, and the others keep what stands against them', async () => {
    const stage = new Stage(playing({ 'a/1': FAIL.key, 'b/1': FAIL.key }));
    await stage.answer();
    expect(stage.states()).toBe('blocked blocked ready');
    stage.fallback.reset('a/1');
    expect(stage.states()).toBe('ready blocked ready');
    stage.fallback.reset();
    expect(stage.states()).toBe('ready ready ready');
  });

  it('when a model is reset that is not of the chain, then that is a bug of the caller', () => {
    expect(() => new Stage(playing({})).fallback.reset('typo')).toThrow('reset accepts a/1, b/1, c/1, got "typo"');
  });
});

describe('given one model without an understudy', () => {
  it('when it fails 3 times in the hour, then its own errors come back, and from then on nobody asks it for an hour', async () => {
    const stage = new Stage(playing({ 'a/1': FAIL.server }), { fallbackModels: [] });
    for (const _ of [1, 2, 3]) expect(await stage.refusal()).toMatchObject({ status: 500 });
    expect(await stage.refusal()).toMatchObject({
      code: 'exhausted.out',
      attempts: 0,
      message:
        'No model is available now: a/1 is failing (500), available in 60 min. Next available: a/1, in about 60 min.',
    });
    expect(stage.asked).toHaveLength(3);
  });

  it('when the circuit is set to 2 failures and 10 s, then it opens at the second and admits one call after 10 s', async () => {
    const circuitBreaker = { failureThreshold: 2, cooldownMs: 10 * SECOND };
    const stage = new Stage(playing({ 'a/1': FAIL.server }), { fallbackModels: [], circuitBreaker });
    for (const _ of [1, 2]) await stage.refusal();
    await stage.clock.advance(10 * SECOND - 1);
    expect(await stage.refusal()).toMatchObject({ soonest: { model: 'a/1', inMs: 1 } });
    await stage.clock.advance(1);
    stage.play = playing({});
    expect(await stage.answer()).toMatchObject({ model: 'a/1' });
  });
});

describe('given options that are bugs', () => {
  it.each([
    [{ primaryModel: '' }, 'a model needs a name'],
    [{ policy: 'fast' }, 'got "fast"'],
    [{ policy: 'toString' }, 'got "toString"'],
    [
      { circuitBreaker: { failureThreshold: 0 } },
      'circuitBreaker.failureThreshold must be a number of at least 1, got 0',
    ],
    [{ maxFallbackDepth: Number.NaN }, 'maxFallbackDepth must be a number of at least 0, got NaN'],
    [{ health: { cooldownMs: Number.NaN } }, 'health.cooldownMs must be a number of at least 0, got NaN'],
    [{ health: { restMs: -1 } }, 'health.restMs must be a number of at least 0, got -1'],
    [
      { health: { network: { failureThreshold: 0, cooldownMs: 1 } } },
      'health.network.failureThreshold must be a number of at least 1, got 0',
    ],
    [{ attemptTimeoutMs: -1 }, 'attemptTimeoutMs must be a number of at least 1, got -1'],
  ])('when they are %j, then it says at once: %s', (changes, words) => {
    const build = (): Stage => new Stage(playing({}), changes);
    expect(build).toThrow(RangeError);
    expect(build).toThrow(words);
  });
});
