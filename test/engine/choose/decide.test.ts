import { describe, expect, it } from 'vitest';
import { type Evidence, FAILURE_KINDS, type FailureKind, KIND_INFO, SWIFT } from '../../../src/engine';
import { narrowPolicy } from '../../../src/engine/tools';
import { finishedBy } from '../asides';
import { EVIDENCE, MINUTE, outline, SECOND, scopeOf, World } from '../world';

const limited = (seconds: string): Evidence => ({ ...EVIDENCE.rateLimit, headers: { 'retry-after': seconds } });
const switchTo = (from: string, to: string, position: number, code: string): unknown => ({
  kind: 'switch',
  from,
  to,
  position,
  code,
});

describe('given a lead that fails in a turn', () => {
  it('when it hit its limit, then the whole decision says what failed, who was considered and who speaks next', () => {
    const world = new World(['a/1', 'b/1', 'c/1']);
    world.prompt('t1');
    const { attempt } = world.start('t1', 'a/1');
    expect(world.fail(attempt, EVIDENCE.rateLimit)).toEqual({
      turn: 't1',
      attempt,
      session: 's',
      agent: 'build',
      action: { kind: 'switch', from: 'a/1', to: 'b/1', position: 1 },
      code: 'switch.rate_limit',
      failure: {
        kind: 'rate_limit',
        class: 'ProviderRateLimit',
        scope: 'model',
        lane: 'cooldown',
        status: 429,
        message: 'Rate limit reached',
        hintMs: null,
        outputChars: 0,
      },
      trace: [
        {
          model: 'a/1',
          position: 0,
          verdict: 'failed',
          code: 'chain.tried',
          state: 'cooling',
          backInMs: 5 * MINUTE,
        },
        { model: 'b/1', position: 1, verdict: 'chosen', code: 'chain.first', state: 'unseen', backInMs: null },
        { model: 'c/1', position: 2, verdict: 'skipped', code: 'chain.later', state: 'unseen', backInMs: null },
      ],
    });
  });

  it.each<[keyof typeof EVIDENCE, string]>([
    ['rateLimit', 'switch.rate_limit'],
    ['quota', 'switch.quota'],
    ['overloaded', 'switch.overloaded'],
    ['serverError', 'switch.server_error'],
    ['silence', 'switch.timeout'],
    ['network', 'switch.network_transient'],
    ['auth', 'switch.auth'],
    ['permission', 'switch.permission'],
    ['malformed', 'switch.early_termination'],
    ['empty', 'switch.empty_response'],
    ['picture', 'switch.unsupported_input'],
    ['invalid', 'pass.invalid_request'],
  ])('when it is %s, then swift says %s', (name, code) => {
    const world = new World();
    world.prompt('t1');
    expect(world.failing('t1', 'a/1', EVIDENCE[name])?.code).toBe(code);
  });

  it('when two models of the chain belong to a provider whose key is wrong, then both are skipped', () => {
    const world = new World(['a/1', 'a/2', 'b/1']);
    world.prompt('t1');
    expect(outline(world.failing('t1', 'a/1', EVIDENCE.auth))).toEqual(switchTo('a/1', 'b/1', 2, 'switch.auth'));
  });

  it('when its provider cannot be reached, then the next provider is asked, not the next model', () => {
    const world = new World(['a/1', 'a/2', 'b/1']);
    world.prompt('t1');
    expect(outline(world.failing('t1', 'a/1', EVIDENCE.network))).toEqual(
      switchTo('a/1', 'b/1', 2, 'switch.network_transient'),
    );
  });

  it('when the request itself is wrong, then nobody is chosen in the trace', () => {
    const world = new World(['a/1', 'b/1']);
    world.prompt('t1');
    expect(world.failing('t1', 'a/1', EVIDENCE.invalid)?.trace.map(({ verdict }) => verdict)).toEqual([
      'failed',
      'skipped',
    ]);
  });

  it('when the user stops it, then there is no decision and nobody is blamed', () => {
    const world = new World();
    world.prompt('t1');
    const decision = world.failing('t1', 'a/1', { phase: 'stream', observed: 'aborted' });
    expect([decision, world.standing('a/1').state]).toEqual([null, 'ready']);
  });

  it('when the request is a title, then there is no decision, but its model cools', () => {
    const world = new World();
    world.prompt('t1');
    const { attempt } = world.start('t1', 'a/1', { purpose: 'internal', agent: 'title' });
    expect([world.fail(attempt, EVIDENCE.rateLimit), world.standing('a/1').state]).toEqual([null, 'cooling']);
  });
});

describe('given a short hint after a rate limit', () => {
  const hit = (hint: string, changes: Partial<Evidence> = {}): World => {
    const world = new World();
    world.prompt('t1');
    world.failing('t1', 'a/1', { ...limited(hint), ...changes });
    return world;
  };
  const decided = (world: World): unknown => outline(world.decisions.at(-1) ?? null);

  it('when it is 5 s, then the same model is asked again after 5 s and is not blamed', () => {
    const world = hit('5');
    expect([decided(world), world.standing('a/1').state]).toEqual([
      { kind: 'hold', to: 'a/1', waitMs: 5 * SECOND, code: 'hold.rate_limit' },
      'ready',
    ]);
  });

  it('when it is 5.001 s, then the turn moves on', () => {
    expect(decided(hit('5.001'))).toEqual(switchTo('a/1', 'b/1', 1, 'switch.rate_limit'));
  });

  it('when the second request of the same turn fails so too, then it switches and the model cools', () => {
    const world = hit('2');
    world.wait(2 * SECOND).failing('t1', 'a/1', limited('2'));
    expect([decided(world), world.standing('a/1').state]).toEqual([
      switchTo('a/1', 'b/1', 1, 'switch.rate_limit'),
      'cooling',
    ]);
  });

  it('when the next model asks for 2 s as well, then each model is waited for once', () => {
    const world = hit('2');
    world.failing('t1', 'a/1', limited('2'));
    world.failing('t1', 'b/1', limited('1'));
    expect(decided(world)).toEqual({ kind: 'hold', to: 'b/1', waitMs: SECOND, code: 'hold.rate_limit' });
  });

  it('when part of the answer has been read, then it is not asked for again', () => {
    expect(decided(hit('2', { outputChars: 1 }))).toEqual(switchTo('a/1', 'b/1', 1, 'switch.rate_limit'));
  });

  it('when it is held, then no model is chosen in the trace', () => {
    const verdicts = hit('2')
      .decisions.at(-1)
      ?.trace.map(({ verdict }) => verdict);
    expect(verdicts).toEqual(['failed', 'skipped', 'skipped']);
  });
});

describe('given a chain of three with two dead', () => {
  it('when both fail in one turn, then the third answers', () => {
    const world = new World();
    world.prompt('t1');
    const first = outline(world.failing('t1', 'a/1', EVIDENCE.serverError));
    const second = outline(world.failing('t1', 'b/1', EVIDENCE.auth));
    world.answering('t1', 'c/1');
    expect([first, second, world.tell({ type: 'session.idle', session: 's' }).facts]).toMatchObject([
      switchTo('a/1', 'b/1', 1, 'switch.server_error'),
      switchTo('b/1', 'c/1', 2, 'switch.auth'),
      finishedBy('c/1', 2),
    ]);
  });
});

describe('given a chain of which all fail', () => {
  it('when the last fails, then the turn ends and the soonest is named', () => {
    const world = new World(['a/1', 'b/1']);
    world.prompt('t1');
    world.failing('t1', 'a/1', EVIDENCE.rateLimit);
    world.wait(10 * SECOND);
    expect(outline(world.failing('t1', 'b/1', EVIDENCE.quota))).toEqual({
      kind: 'exhausted',
      soonest: { model: 'a/1', inMs: 5 * MINUTE - 10 * SECOND },
      code: 'exhausted.quota',
    });
  });

  it('when OpenCode shall go on by itself, then the last failure is passed on', () => {
    const world = new World(['a/1', 'b/1'], { onExhausted: 'native' });
    world.prompt('t1');
    world.failing('t1', 'a/1', EVIDENCE.rateLimit);
    expect(outline(world.failing('t1', 'b/1', EVIDENCE.quota))).toEqual({ kind: 'pass', code: 'pass.quota' });
  });

  it('when there is a backup model, then it is asked once, and then the turn ends', () => {
    const world = new World(['a/1', 'b/1'], { backupModel: 'z/1' });
    world.prompt('t1');
    world.failing('t1', 'a/1', EVIDENCE.rateLimit);
    const backup = world.failing('t1', 'b/1', EVIDENCE.rateLimit);
    const end = world.failing('t1', 'z/1', EVIDENCE.rateLimit);
    expect([outline(backup), backup?.trace.map(({ model, code }) => `${model} ${code}`), end?.code]).toEqual([
      switchTo('b/1', 'z/1', 2, 'switch.rate_limit'),
      ['a/1 chain.tried', 'b/1 chain.tried', 'z/1 chain.backup'],
      'exhausted.rate_limit',
    ]);
  });

  it('when the backup model is known to be out, then it is not asked', () => {
    const world = new World(['a/1', 'b/1'], { backupModel: 'z/1' });
    world.failingAlone('z/1', EVIDENCE.auth);
    world.prompt('t1');
    world.failing('t1', 'a/1', EVIDENCE.rateLimit);
    expect(world.failing('t1', 'b/1', EVIDENCE.rateLimit)?.code).toBe('exhausted.rate_limit');
  });

  it('when a lead alone has a backup model, then it stands in', () => {
    const world = new World(['a/1'], { backupModel: 'z/1' });
    world.prompt('t1');
    expect(outline(world.failing('t1', 'a/1', EVIDENCE.rateLimit))).toEqual(
      switchTo('a/1', 'z/1', 1, 'switch.rate_limit'),
    );
  });

  it('when none of them takes pictures, then OpenCode shows why and nobody is blamed', () => {
    const world = new World(['a/1', 'b/1']);
    world.prompt('t1');
    world.failing('t1', 'a/1', EVIDENCE.picture);
    expect([outline(world.failing('t1', 'b/1', EVIDENCE.picture)), world.standing('a/1').use]).toEqual([
      { kind: 'pass', code: 'pass.unsupported_input' },
      'first',
    ]);
  });
});

describe('given 3 switches at most in a turn', () => {
  const chain = ['a/1', 'b/1', 'c/1', 'd/1', 'e/1'];
  const failThrough = (world: World, models: readonly string[]): (string | undefined)[] =>
    models.map((model) => world.failing('t1', model, EVIDENCE.serverError)?.code);

  it('when the 4th model fails, then the turn ends although a 5th is ready, and the trace says why it was not taken', () => {
    const world = new World(chain);
    world.prompt('t1');
    const codes = failThrough(world, chain.slice(0, 4));
    expect([codes, world.decisions.at(-1)?.trace.at(-1)]).toEqual([
      ['switch.server_error', 'switch.server_error', 'switch.server_error', 'exhausted.depth'],
      { model: 'e/1', position: 4, verdict: 'skipped', code: 'chain.depth', state: 'unseen', backInMs: null },
    ]);
  });

  it('when two are skipped without being asked, then that costs nothing', () => {
    const world = new World(chain);
    for (const model of ['b/1', 'c/1']) world.failingAlone(model, EVIDENCE.rateLimit);
    world.prompt('t1');
    expect(failThrough(world, ['a/1', 'd/1', 'e/1'])).toEqual([
      'switch.server_error',
      'switch.server_error',
      'exhausted.server_error',
    ]);
  });

  it('when the next message comes, then it has 3 again', () => {
    const world = new World(chain);
    world.prompt('t1');
    failThrough(world, chain.slice(0, 4));
    world.tell({ type: 'session.idle', session: 's' });
    world.wait(MINUTE).prompt('t2');
    expect(world.failing('t2', 'a/1', EVIDENCE.serverError)?.code).toBe('switch.server_error');
  });
});

describe('given a malformed stream, which OpenCode asks for again for ever', () => {
  const malformed = (world: World, times: number): unknown[] =>
    Array.from({ length: times }, () => outline(world.failing('t1', 'a/1', EVIDENCE.malformed)));
  const passed = { kind: 'pass', code: 'pass.early_termination' };

  it('when its model has no understudy, then it may repeat 2 times and ends with the 3rd', () => {
    const world = new World(['a/1']);
    world.prompt('t1');
    expect(malformed(world, 3)).toEqual([
      passed,
      passed,
      { kind: 'exhausted', soonest: { model: 'a/1', inMs: 0 }, code: 'exhausted.early_termination' },
    ]);
  });

  it('when two other failures came before it, or a failure of another kind is the 3rd, then OpenCode may repeat', () => {
    const kinds = [
      [EVIDENCE.serverError, EVIDENCE.serverError, EVIDENCE.malformed],
      [EVIDENCE.malformed, EVIDENCE.malformed, EVIDENCE.malformed, EVIDENCE.serverError],
    ];
    const last = kinds.map((failures) => {
      const world = new World(['a/1']);
      world.prompt('t1');
      return failures.map((failure) => world.failing('t1', 'a/1', failure)?.action.kind).at(-1);
    });
    expect(last).toEqual(['pass', 'pass']);
  });

  it('when the policy does not let it leave its model, then it ends with the 3rd as well', () => {
    const policy = narrowPolicy(SWIFT, ['rate_limit']);
    const world = new World([], { agents: { '*': { chain: ['a/1', 'b/1'], policy } } });
    world.prompt('t1');
    expect(malformed(world, 3).at(-1)).toEqual({
      kind: 'exhausted',
      soonest: { model: 'b/1', inMs: 0 },
      code: 'exhausted.early_termination',
    });
  });

  it('when an answer comes between, then counting starts again', () => {
    const world = new World(['a/1']);
    world.prompt('t1');
    malformed(world, 2);
    world.answering('t1', 'a/1');
    expect(malformed(world, 2)).toEqual([passed, passed]);
  });

  it('when it happens 3 times in one turn, then the breaker has counted once', () => {
    const world = new World(['a/1']);
    world.prompt('t1');
    malformed(world, 3);
    expect(world.wait(MINUTE).standing('a/1')).toEqual({
      state: 'degraded',
      use: 'first',
      code: 'breaker.counting',
      inMs: null,
    });
  });

  it('when it happens in 3 turns, then the breaker opens', () => {
    const world = new World(['a/1']);
    for (const turn of ['t1', 't2', 't3']) world.failing(turn, 'a/1', EVIDENCE.malformed);
    expect(world.standing('a/1').state).toBe('open');
  });

  it('when nothing is configured, then OpenCode is left to itself', () => {
    const world = new World([]);
    world.prompt('t1');
    const alone = { ...passed, code: 'pass.no_chain' };
    expect(malformed(world, 4)).toEqual([alone, alone, alone, alone]);
  });
});

describe('given 24 failed requests of one message and a chain of 2', () => {
  it('when answers lie between them, then the 24th ends the turn whatever the policy says', () => {
    const world = new World(['a/1', 'b/1']);
    world.prompt('t1');
    const codes = Array.from({ length: 24 }, () => {
      const code = world.failing('t1', 'a/1', EVIDENCE.invalid)?.code;
      world.answering('t1', 'a/1');
      return code;
    });
    expect([codes.slice(0, 23), codes[23]]).toEqual([
      Array.from({ length: 23 }, () => 'pass.invalid_request'),
      'exhausted.attempts',
    ]);
  });
});

describe('given fallbackOn with some words', () => {
  /** Connections that are refused, answers that break off, and none at all: for a user, the provider is down. */
  const BROKEN = ['network_transient', 'early_termination', 'empty_response', 'stream_interrupted'] as const;
  const words: readonly [string, readonly FailureKind[]][] = [
    ['rate_limit', ['rate_limit']],
    ['quota_exceeded', ['quota']],
    ['5xx', ['server_error', ...BROKEN]],
    ['timeout', ['timeout', ...BROKEN]],
    ['overloaded', ['overloaded']],
    ['network', ['network_transient', 'network_permanent', 'local_network']],
    ['auth', ['auth', 'permission', 'login']],
    ['model_not_found', ['model_not_found']],
    ['empty', ['early_termination', 'empty_response', 'stream_interrupted']],
    ['context', ['context_length']],
  ];

  it.each(words)('when it is %s, then only %j may leave their model', (word, kinds) => {
    const policy = narrowPolicy(SWIFT, [word]);
    const moved = FAILURE_KINDS.filter((kind) => policy[kind].some(({ step }) => step !== 'return'));
    expect(moved).toEqual(FAILURE_KINDS.filter((kind) => kinds.includes(kind)));
  });

  it('when it is the published five, then whatever keeps a provider from answering moves the turn', () => {
    const five = ['rate_limit', 'quota_exceeded', '5xx', 'timeout', 'overloaded'];
    const agents = { '*': { chain: ['a/1', 'b/1'], policy: narrowPolicy(SWIFT, five) } };
    const actions = [
      EVIDENCE.network,
      { phase: 'headers', code: 'ECONNREFUSED', message: 'connection refused' },
      { phase: 'stream', observed: 'stream_interrupted', outputChars: 40 },
      { phase: 'stream', observed: 'empty_response' },
      { phase: 'stream', observed: 'early_termination' },
      EVIDENCE.auth,
    ].map((evidence) => {
      const world = new World([], { agents });
      world.prompt('t1');
      return world.failing('t1', 'a/1', evidence as Evidence)?.action.kind;
    });
    expect(actions).toEqual(['switch', 'switch', 'switch', 'switch', 'switch', 'pass']);
  });

  it('when a word is unknown or a name of every object, then it allows nothing', () => {
    const policy = narrowPolicy(SWIFT, ['constructor', 'soup']);
    expect(FAILURE_KINDS.every((kind) => policy[kind][0]?.step === 'return')).toBe(true);
  });

  it('when a rate limit is not among them, then it is passed on and still recorded', () => {
    const policy = narrowPolicy(SWIFT, ['5xx']);
    const world = new World([], { agents: { '*': { chain: ['a/1', 'b/1'], policy } } });
    world.prompt('t1');
    expect([world.failing('t1', 'a/1', EVIDENCE.rateLimit)?.code, world.standing('a/1').state]).toEqual([
      'pass.rate_limit',
      'cooling',
    ]);
  });
});

describe('given the table of kinds', () => {
  it('when swift is read, then every kind has a row, and only neutral ones are returned at once', () => {
    const returned = FAILURE_KINDS.filter((kind) => SWIFT[kind][0]?.step === 'return');
    expect([
      FAILURE_KINDS.every((kind) => SWIFT[kind].length > 0),
      returned.every((kind) => KIND_INFO[kind].lane === 'neutral'),
    ]).toEqual([true, true]);
  });

  it('when a row of a policy is missing, then that of swift is taken', () => {
    const { rate_limit: _, ...rest } = SWIFT;
    const world = new World([]);
    world.configure(scopeOf([], { agents: { '*': { chain: ['a/1', 'b/1'], policy: rest as typeof SWIFT } } }));
    world.prompt('t1');
    expect(world.failing('t1', 'a/1', EVIDENCE.rateLimit)?.code).toBe('switch.rate_limit');
  });
});
