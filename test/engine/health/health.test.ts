import { describe, expect, it } from 'vitest';
import { DEFAULT_HEALTH, type Evidence, standingOf } from '../../../src/engine';
import { entries, preferredAtIn, restoreState, saveState } from '../../../src/engine/tools';
import { DAY, EVIDENCE, HOUR, MINUTE, SECOND, scopeOf, World } from '../world';

const ready = { state: 'ready', use: 'first', code: null, inMs: null };
const unseen = { ...ready, state: 'unseen' };
const limited = (seconds: number): Evidence => ({ ...EVIDENCE.rateLimit, headers: { 'retry-after': String(seconds) } });

describe('given a model that hit its rate limit', () => {
  const hit = (evidence: Evidence = EVIDENCE.rateLimit): World => {
    const world = new World();
    world.failingAlone('a/1', evidence);
    return world;
  };

  it('when 4:59.999 have passed, then it still cools', () => {
    expect(
      hit()
        .wait(5 * MINUTE - 1)
        .standing('a/1'),
    ).toEqual({
      state: 'cooling',
      use: 'out',
      code: 'limit.rate_limit',
      inMs: 1,
    });
  });

  it('when 5:00.000 have passed, then it may be used last, for 10 more minutes', () => {
    expect(
      hit()
        .wait(5 * MINUTE)
        .standing('a/1'),
    ).toEqual({
      state: 'resting',
      use: 'last',
      code: 'rest.rate_limit',
      inMs: 10 * MINUTE,
    });
  });

  it('when 14:59.999 and 15:00.000 have passed, then it is last and first choice', () => {
    const world = hit();
    expect([world.wait(15 * MINUTE - 1).standing('a/1').use, world.wait(1).standing('a/1')]).toEqual(['last', ready]);
  });

  it.each([20, 12 * 60, 20 * 60])('when the provider asks for %i s, then it is ready at the end of them', (seconds) => {
    const world = hit(limited(seconds));
    expect([world.standing('a/1').inMs, world.wait(seconds * SECOND).standing('a/1')]).toEqual([
      seconds * SECOND,
      ready,
    ]);
  });

  it.each<[string, (world: World) => void]>([
    ['the machine has slept', (world) => void world.tell({ type: 'host.resumed', asleepMs: HOUR })],
    [
      'the host was started again',
      (world) => {
        const saved = JSON.parse(JSON.stringify(saveState(world.state, world.now)));
        world.now = 5;
        world.state = restoreState(saved, world.now).state;
      },
    ],
  ])('when %s since, then the answer to a request of before that does not end it either', (_, happen) => {
    const world = new World();
    world.now = 10 * MINUTE;
    const early = world.start('t', 'a/1').attempt;
    world.wait(MINUTE).failingAlone('a/1', limited(2 * 3_600));
    happen(world);
    world.succeed(early);
    expect(world.standing('a/1').state).toBe('cooling');
  });

  it('when a later hit names a shorter time, then the longer one stays', () => {
    const world = new World();
    const early = world.start('t', 'a/1').attempt;
    world.failingAlone('a/1', limited(20 * 60));
    world.wait(MINUTE).fail(early, limited(60));
    expect(world.standing('a/1').inMs).toBe(19 * MINUTE);
  });

  it('when a later hit names a longer time, then that one counts', () => {
    const world = new World();
    const early = world.start('t', 'a/1').attempt;
    world.failingAlone('a/1', EVIDENCE.rateLimit);
    world.wait(MINUTE).fail(early, limited(30 * 60));
    expect(world.standing('a/1').inMs).toBe(30 * MINUTE);
  });

  it('when a request that was on its way is answered, then it stays out: that answer knows nothing of the limit', () => {
    const world = new World();
    const early = world.start('t', 'a/1').attempt;
    world.wait(1).failingAlone('a/1', limited(3_600));
    world.wait(1).succeed(early);
    expect(world.standing('a/1')).toMatchObject({ state: 'cooling', use: 'out', inMs: 3_600 * SECOND - 1 });
  });

  it('when a request that is sent afterwards is answered, in the same millisecond too, then it is well at once', () => {
    for (const ms of [0, 1, MINUTE]) {
      const world = hit(limited(3_600)).wait(ms);
      world.succeed(world.start('own', 'a/1', { purpose: 'internal' }).attempt);
      expect(world.standing('a/1')).toEqual(ready);
    }
  });

  it('when it is told of the same limit once more, by a shorter time, then an answer from between does not end it', () => {
    const world = hit(limited(3_600));
    const between = world.wait(MINUTE).start('own', 'a/1', { purpose: 'internal' }).attempt;
    const other = world.start('other', 'a/1', { purpose: 'internal' }).attempt;
    world.wait(1).fail(other, limited(60));
    world.wait(1).succeed(between);
    expect(world.standing('a/1')).toMatchObject({ state: 'cooling', inMs: 59 * MINUTE - 2 });
  });

  it.each([
    ['a limit', limited(3_600), 'cooling'],
    ['a block', EVIDENCE.auth, 'blocked'],
  ] as const)(
    'when an answer of before it is told only now, its request too, then %s of later stays',
    (_, evidence, state) => {
      const world = hit(evidence);
      world.wait(-MINUTE);
      const late = world.start('own', 'a/1', { purpose: 'internal' }).attempt;
      world.wait(SECOND).succeed(late);
      expect(world.wait(MINUTE - SECOND).standing('a/1')).toMatchObject({ state });
    },
  );

  it('when a failure of before it and an answer between them are told only now, then the limit of later stays', () => {
    const world = hit(limited(3_600)).wait(-MINUTE);
    world.fail(world.start('own', 'a/1', { purpose: 'internal' }).attempt, limited(60));
    world.wait(SECOND).succeed(world.start('between', 'a/1', { purpose: 'internal' }).attempt);
    expect(world.wait(MINUTE - SECOND).standing('a/1')).toMatchObject({ state: 'cooling', inMs: 3_600 * SECOND });
  });

  it('when others of its provider are asked for, then they are not touched', () => {
    expect(hit().standing('a/2')).toEqual(unseen);
  });

  it('when another directory counts 1 and 2 minutes, then a hit there never shortens what this one set', () => {
    const world = new World();
    const short = { ...DEFAULT_HEALTH, cooldownMs: MINUTE, retryOriginalAfterMs: 2 * MINUTE };
    world.configure(scopeOf(['a/1', 'b/1'], { health: short }), '/other');
    const { attempt } = world.start('elsewhere', 'a/1', { directory: '/other', session: 'other' });
    world.failingAlone('a/1', EVIDENCE.rateLimit);
    world.wait(4 * MINUTE + 30 * SECOND).fail(attempt, EVIDENCE.rateLimit);
    world.wait(2 * MINUTE + 30 * SECOND);
    expect(world.standing('a/1')).toEqual({
      state: 'resting',
      use: 'last',
      code: 'rest.rate_limit',
      inMs: 8 * MINUTE,
    });
  });
});

describe('given a provider whose quota is spent', () => {
  const spent = (headers: Record<string, string> = {}): World => {
    const world = new World();
    world.failingAlone('a/1', { ...EVIDENCE.quota, headers });
    return world;
  };

  it('when it names no reset, then all its models cool for one hour and others do not', () => {
    const world = spent();
    const cooling = { state: 'cooling', use: 'out', code: 'limit.quota', inMs: HOUR };
    expect(['a/1', 'a/2', 'b/1'].map((model) => world.standing(model))).toEqual([cooling, cooling, unseen]);
  });

  it('when it names a reset in 10 minutes, then that counts and not the hour', () => {
    expect(spent({ 'retry-after': '600' }).standing('a/2').inMs).toBe(10 * MINUTE);
  });

  it('when it names a reset in 0 seconds, then that is none, and all cool for the hour', () => {
    expect(spent({ 'retry-after': '0' }).standing('a/2').inMs).toBe(HOUR);
  });

  it('when it names a reset in 6 days, then that is kept', () => {
    expect(spent({ 'retry-after': String((6 * DAY) / SECOND) }).standing('a/2').inMs).toBe(6 * DAY);
  });

  it.each([
    ['quota of five hours', { ...EVIDENCE.quota, headers: { 'retry-after': '18000' } }, 'cooling'],
    ['refused key', EVIDENCE.auth, 'blocked'],
  ] as const)(
    'when another of its models, asked before, is answered after its %s, then all stay out',
    (_, why, shown) => {
      const world = new World();
      const early = world.start('t', 'a/2').attempt;
      world.wait(1).failingAlone('a/1', why);
      world.wait(1).succeed(early);
      expect(['a/1', 'a/2'].map((model) => world.standing(model).state)).toEqual([shown, shown]);
    },
  );

  it('when another of its models, asked afterwards, is answered, then all are well', () => {
    const world = new World();
    world.failingAlone('a/1', EVIDENCE.quota);
    world.succeed(world.start('own', 'a/2', { purpose: 'internal' }).attempt);
    expect([world.standing('a/1'), world.standing('a/2')]).toEqual([ready, ready]);
  });

  it('when a model has a limit of its own that is preferred again later, then the later one counts', () => {
    const world = new World();
    const early = world.start('t', 'a/1').attempt;
    world.failingAlone('a/1', { ...EVIDENCE.quota, headers: { 'retry-after': '1200' } });
    world.wait(10 * MINUTE).fail(early, EVIDENCE.rateLimit);
    expect(world.wait(10 * MINUTE).standing('a/1')).toEqual({
      state: 'resting',
      use: 'last',
      code: 'rest.rate_limit',
      inMs: 5 * MINUTE,
    });
  });

  it('when the credit is empty (402), then no clock brings it back', () => {
    const world = new World();
    world.failingAlone('a/1', { phase: 'body', status: 402, message: 'Insufficient Balance' });
    expect(world.wait(31 * DAY).standing('a/2')).toEqual({
      state: 'blocked',
      use: 'out',
      code: 'blocked.quota',
      inMs: null,
    });
  });
});

describe('given a limit whose end somebody has to tell', () => {
  const sources: readonly (readonly [string, Evidence, 'provider' | 'estimate'])[] = [
    ['a rate limit without a time', EVIDENCE.rateLimit, 'estimate'],
    ['a rate limit of 4:59, shorter than our 5 minutes', limited(299), 'provider'],
    ['a quota without a time', EVIDENCE.quota, 'estimate'],
    ['a quota until 10 minutes', { ...EVIDENCE.quota, headers: { 'retry-after': '600' } }, 'provider'],
  ];
  it.each(sources)('when it is %s, then it is said who named its end', (_, evidence, source) => {
    const world = new World();
    world.failingAlone('a/1', evidence);
    expect(standingOf(world.state, 'a/1', world.now).source).toBe(source);
  });
});

describe('given a model that is limited and something else as well', () => {
  it('when it fails 30 s before it is first choice again, then it rests for the 60 s of that failure', () => {
    const world = new World();
    const early = world.start('t', 'a/1').attempt;
    world.failingAlone('a/1', EVIDENCE.rateLimit);
    world.wait(14 * MINUTE + 30 * SECOND).fail(early, EVIDENCE.serverError);
    expect(world.standing('a/1')).toEqual({ state: 'resting', use: 'last', code: 'rest.server_error', inMs: MINUTE });
  });

  it('when it fails 60 s before that, then the limit is told', () => {
    const world = new World();
    const early = world.start('t', 'a/1').attempt;
    world.failingAlone('a/1', EVIDENCE.rateLimit);
    world.wait(14 * MINUTE).fail(early, EVIDENCE.serverError);
    expect(world.standing('a/1').code).toBe('rest.rate_limit');
  });

  it.each([
    ['shorter', 60, HOUR, 'limit.quota'],
    ['longer', 2 * 60 * 60, 2 * HOUR, 'limit.rate_limit'],
  ] as const)(
    "when its own limit is %s than its provider's hour, then it is out until the later end",
    (_, seconds, inMs, code) => {
      const world = new World();
      const early = world.start('t', 'a/1').attempt;
      world.failingAlone('a/2', EVIDENCE.quota);
      world.fail(early, limited(seconds));
      expect(world.standing('a/1')).toEqual({ state: 'cooling', use: 'out', code, inMs });
    },
  );
});

describe('given a person who asks when a model is first choice again', () => {
  const preferredIn = (world: World, model = 'a/1'): number | null => {
    const at = preferredAtIn(world.state, model, world.now);
    return at === null ? null : at - world.now;
  };

  it('when it is well or unseen, then nothing has to be waited for', () => {
    const world = new World();
    world.answering('t', 'a/1');
    expect([preferredIn(world), preferredIn(world, 'a/2')]).toEqual([null, null]);
  });

  it('when it is limited, then that is the end of the time in which it comes last', () => {
    const world = new World();
    world.failingAlone('a/1', EVIDENCE.rateLimit);
    expect(preferredIn(world)).toBe(15 * MINUTE);
  });

  it('when it is limited and then blocked, then no clock tells', () => {
    const world = new World();
    const early = world.start('t', 'a/1').attempt;
    world.failingAlone('a/1', EVIDENCE.rateLimit);
    world.fail(early, EVIDENCE.permission);
    expect(preferredIn(world)).toBeNull();
  });

  it('when it is limited and its provider is blocked, then no clock tells', () => {
    const world = new World();
    const early = world.start('t', 'a/1').attempt;
    world.failingAlone('a/1', EVIDENCE.rateLimit);
    world.fail(early, EVIDENCE.auth);
    expect(preferredIn(world)).toBeNull();
  });
});

describe('given one model of a provider whose limit per day is spent', () => {
  const spent: Evidence = {
    phase: 'body',
    status: 429,
    code: 'RESOURCE_EXHAUSTED:PerDay',
    message: 'You exceeded your current quota. Please retry in 36.4s.',
  };

  it('when its turn goes on, then another model of that provider takes over, and it cools for the hour of a quota', () => {
    const world = new World(['a/1', 'a/2', 'b/1']);
    world.prompt('t');
    expect(world.failing('t', 'a/1', spent)?.action).toEqual({ kind: 'switch', from: 'a/1', to: 'a/2', position: 1 });
    expect([world.standing('a/1'), world.standing('a/2')]).toEqual([
      { state: 'cooling', use: 'out', code: 'limit.quota', inMs: HOUR },
      unseen,
    ]);
  });
});

describe('given failures that only a person can mend', () => {
  const blocked = (evidence: Evidence): World => {
    const world = new World(['a/1', 'a/2', 'b/1']);
    world.failingAlone('a/1', evidence);
    return world;
  };

  it('when a key is wrong (401), then every model of that provider is blocked for good', () => {
    const world = blocked(EVIDENCE.auth).wait(31 * DAY);
    const out = { state: 'blocked', use: 'out', code: 'blocked.auth', inMs: null };
    expect(['a/1', 'a/2', 'b/1'].map((model) => world.standing(model))).toEqual([out, out, unseen]);
  });

  it('when a certificate has expired, then every model of that provider is blocked', () => {
    const world = blocked({ phase: 'headers', code: 'CERT_HAS_EXPIRED', message: 'certificate has expired' });
    expect(world.standing('a/2').code).toBe('blocked.network_permanent');
  });

  it('when a model is unknown (404), then only that one is blocked', () => {
    const world = blocked({ phase: 'body', status: 404, message: 'model not found' });
    expect(['a/1', 'a/2'].map((model) => world.standing(model).state)).toEqual(['blocked', 'unseen']);
  });

  it('when one model refuses permission (403), then only that one is blocked', () => {
    const world = blocked(EVIDENCE.permission);
    expect(['a/1', 'a/2', 'a/3'].map((model) => world.standing(model).state)).toEqual(['blocked', 'unseen', 'unseen']);
  });

  it('when a second one refuses as well, then the whole provider is blocked', () => {
    const world = blocked(EVIDENCE.permission);
    world.failingAlone('a/2', EVIDENCE.permission);
    expect(['a/1', 'a/2', 'a/3', 'b/1'].map((model) => world.standing(model).state)).toEqual([
      'blocked',
      'blocked',
      'blocked',
      'unseen',
    ]);
  });

  it('when another configuration is loaded, then they may be tried', () => {
    const world = blocked(EVIDENCE.auth);
    world.configure(scopeOf(['a/1', 'a/2', 'b/1'], { maxFallbackDepth: 2 }));
    expect(world.standing('a/1').state).toBe('ready');
  });

  it('when one more process loads the same configuration, then they stay blocked, until it is loaded anew', () => {
    const world = blocked(EVIDENCE.auth);
    const same = world.state.scopes;
    const [[directory, config] = ['', scopeOf([])]] = entries(same);
    world.configure({ ...config }, directory);
    const before = world.standing('a/1').state;
    world.tell({ type: 'scope.closed', directory });
    world.configure({ ...config }, directory);
    expect([before, world.standing('a/1').state]).toEqual(['blocked', 'ready']);
  });

  it('when a configuration that names none of them is loaded, then they stay blocked', () => {
    const world = blocked(EVIDENCE.auth);
    world.configure(scopeOf(['c/1', 'd/1']), '/other');
    expect(world.standing('a/1').state).toBe('blocked');
  });

  it('when one that only is the backup is mended by a configuration, then it may be tried', () => {
    const world = blocked(EVIDENCE.auth);
    world.configure(scopeOf(['c/1', 'd/1'], { backupModel: 'a/1' }), '/other');
    expect(world.standing('a/1').state).toBe('ready');
  });
});

describe('given a model that fails without a limit', () => {
  it('when a turn leaves it, then it rests for 60 s and is used last', () => {
    const world = new World();
    world.failingAlone('a/1', EVIDENCE.serverError);
    expect([world.standing('a/1'), world.wait(59_999).standing('a/1').use, world.wait(1).standing('a/1')]).toEqual([
      { state: 'resting', use: 'last', code: 'rest.server_error', inMs: MINUTE },
      'last',
      { state: 'degraded', use: 'first', code: 'breaker.counting', inMs: null },
    ]);
  });

  it('when it is answered while it rests, then the rest is over', () => {
    const world = new World();
    world.failingAlone('a/1', EVIDENCE.serverError);
    world.answering('t', 'a/1');
    expect(world.standing('a/1').state).toBe('degraded');
  });

  it('when its request never was one of a turn (a title), then it does not rest', () => {
    const world = new World();
    world.fail(world.start('t', 'a/1', { purpose: 'internal' }).attempt, EVIDENCE.serverError);
    expect(world.standing('a/1').state).toBe('degraded');
  });

  it('when it fails 3 times within 59:59.999, then it is out for one hour', () => {
    const world = new World();
    world.failingAlone('a/1', EVIDENCE.serverError);
    world.wait(HOUR / 2).failingAlone('a/1', EVIDENCE.overloaded);
    world.wait(HOUR / 2 - 1).failingAlone('a/1', EVIDENCE.silence);
    expect(world.standing('a/1')).toEqual({ state: 'open', use: 'out', code: 'breaker.open', inMs: HOUR });
  });

  it('when the third comes at 60:00.000, then two count', () => {
    const world = new World();
    world.failingAlone('a/1', EVIDENCE.serverError);
    world.wait(HOUR / 2).failingAlone('a/1', EVIDENCE.serverError);
    world.wait(HOUR / 2).failingAlone('a/1', EVIDENCE.serverError);
    expect(world.wait(MINUTE).standing('a/1').state).toBe('degraded');
  });

  it('when 5 requests are refused as wrong (400), then nobody is blamed', () => {
    const world = new World();
    for (let count = 0; count < 5; count++) world.failingAlone('a/1', EVIDENCE.invalid);
    expect(world.standing('a/1')).toEqual(ready);
  });
});

describe('given a provider that cannot be reached', () => {
  const unreachable = (times: number): World => {
    const world = new World();
    for (let count = 0; count < times; count++) world.failingAlone(`a/${count}`, EVIDENCE.network);
    return world.wait(MINUTE);
  };

  it('when 4 requests in a row fail, then its models are used', () => {
    expect(unreachable(4).standing('a/9').use).toBe('first');
  });

  it('when 5 in a row fail, whichever its models, then all are out for 5 minutes', () => {
    expect(unreachable(5).standing('a/9')).toEqual({
      state: 'open',
      use: 'out',
      code: 'network.open',
      inMs: 4 * MINUTE,
    });
  });

  it('when 4 fail, one is answered with a 429 and one more fails, then the way was open and they are used', () => {
    const world = unreachable(4);
    world.failingAlone('a/8', EVIDENCE.rateLimit);
    world.failingAlone('a/7', EVIDENCE.network);
    expect(world.wait(MINUTE).standing('a/9').use).toBe('first');
  });

  it('when 4 fail, one dies of silence and one more fails, then silence was no answer and they are out', () => {
    const world = unreachable(4);
    world.failingAlone('a/8', EVIDENCE.silence);
    world.failingAlone('a/7', EVIDENCE.network);
    expect(world.standing('a/9').code).toBe('network.open');
  });

  it('when 4 fail, one dies of silence after 12 characters and one more fails, then it was heard and they are used', () => {
    const world = unreachable(4);
    world.failingAlone('a/8', { ...EVIDENCE.silence, outputChars: 12 });
    world.failingAlone('a/7', EVIDENCE.network);
    expect(world.wait(MINUTE).standing('a/9').use).toBe('first');
  });

  it('when 4 fail, one is told that it took too long (408) and one more fails, then it was heard and they are used', () => {
    const world = unreachable(4);
    world.failingAlone('a/8', { phase: 'body', status: 408, message: 'Request Timeout' });
    world.failingAlone('a/7', EVIDENCE.network);
    expect(world.wait(MINUTE).standing('a/9').use).toBe('first');
  });

  it('when the 5 minutes are over and one request is answered, then it is well', () => {
    const world = unreachable(5).wait(4 * MINUTE);
    world.answering('t', 'a/9');
    expect(world.standing('a/9')).toEqual(ready);
  });
});

describe('given a person who resets', () => {
  const broken = (): World => {
    const world = new World();
    world.failingAlone('a/1', EVIDENCE.auth);
    world.failingAlone('b/1', EVIDENCE.rateLimit);
    world.failingAlone('b/2', EVIDENCE.rateLimit);
    return world;
  };
  const states = (world: World): string[] => ['a/1', 'b/1', 'b/2'].map((model) => world.standing(model).state);

  it('when it is one model, then that one is ready', () => {
    const world = broken();
    world.tell({ type: 'health.reset', target: { model: 'b/1' }, actor: 'panel' });
    expect(states(world)).toEqual(['blocked', 'ready', 'cooling']);
  });

  it('when it is a model whose provider is blocked, then the provider is let in as well', () => {
    const world = broken();
    world.tell({ type: 'health.reset', target: { model: 'a/1' }, actor: 'panel' });
    expect(states(world)).toEqual(['ready', 'cooling', 'cooling']);
  });

  it('when it is one provider, then its models are ready', () => {
    const world = broken();
    world.tell({ type: 'health.reset', target: { provider: 'b' }, actor: 'panel' });
    expect(states(world)).toEqual(['blocked', 'ready', 'ready']);
  });

  it('when it is all, then all are ready', () => {
    const world = broken();
    world.tell({ type: 'health.reset', target: { all: true }, actor: 'panel' });
    expect(states(world)).toEqual(['ready', 'ready', 'ready']);
  });

  it('when a request of before the reset fails after it, then it no longer counts', () => {
    const world = new World();
    const early = world.start('t', 'a/1').attempt;
    world.failingAlone('a/1', EVIDENCE.serverError);
    world.failingAlone('a/1', EVIDENCE.serverError);
    world.tell({ type: 'health.reset', target: { all: true }, actor: 'panel' });
    world.fail(early, EVIDENCE.serverError);
    expect(world.wait(MINUTE).standing('a/1')).toEqual(ready);
  });
});
