import { describe, expect, it } from 'vitest';
import { createUsageBook } from '../../src/core/history/usage';
import { standingIn, standingOf } from '../../src/engine';
import { PRESETS } from '../../src/engine/tools';
import { createBrain } from '../../src/plugin/base/brain';
import { COMMANDS } from '../../src/plugin/user/command-list';
import { isCommand, runCommand } from '../../src/plugin/user/commands';
import { CHAIN, DIRECTORY, LIMITED, scopeOf, virtualClock } from '../core/virtual-core';

const KEYLESS = { phase: 'body', status: 401 } as const;

function open(policy: keyof typeof PRESETS = 'swift') {
  const clock = virtualClock();
  const brain = createBrain(clock.now, () => 0.5, null, clock.schedule);
  const usage = createUsageBook();
  let found: readonly (() => void)[] = [];
  const refresh = async () => {
    for (const take of found) take();
    return true;
  };
  const agents = { '*': { chain: CHAIN, policy: PRESETS[policy] } };
  brain.tell({ type: 'scope.configured', directory: DIRECTORY, config: { ...scopeOf(), agents, abilities: ['ask'] } });
  const base = { turn: 't1', session: 's1', directory: DIRECTORY, agent: 'build', model: CHAIN[0] };
  brain.tell({ type: 'prompt.submitted', ...base, hostLead: CHAIN[0], isExplicit: false });
  brain.tell({ type: 'attempt.started', ...base, attempt: 'a1', purpose: 'turn' });
  const type = async (text: string, directory = DIRECTORY, session = 's1') =>
    (await runCommand({ brain, instance: 'i1', usage, refresh }, { text, session, directory }))?.text ?? null;
  const stateOf = (model: string) => standingOf(brain.state(), model, clock.now()).state;
  return {
    brain,
    usage,
    type,
    /** Found out by another process, and not heard of here yet. */
    elsewhere: (take: () => void) => {
      found = [take];
    },
    tried: async (text: string) =>
      (await runCommand({ brain, instance: 'i1', usage, refresh }, { text, session: 's1', directory: DIRECTORY }))
        ?.rejoining,
    stateOf,
    fail: (evidence: typeof LIMITED | typeof KEYLESS) =>
      brain.tell({ type: 'attempt.failed', attempt: 'a1', evidence, durationMs: 5 }),
  };
}

describe('given a process that has not heard yet what others found out', () => {
  it('when /fallback-status is typed, then it looks first', async () => {
    const { brain, type, elsewhere } = open();
    elsewhere(() => void brain.tell({ type: 'attempt.failed', attempt: 'a1', evidence: LIMITED, durationMs: 5 }));
    expect(await type('/fallback-status')).toContain('rate limited');
  });
});

describe('given what a user may type', () => {
  it.each(['/yes', '/no', '/fallback-status', '/retry all', '/retry a/b ', '/retry', '/yes\n\nplease'])(
    'when it is %j, then it is a command',
    (text) => expect(isCommand(text)).toBe(true),
  );
  it.each(['yes', 'Say /yes', '/yesterday', '/constructor', '/retrying x', '', '/', '/share'])(
    'when it is %j, then it is none, and nothing is done',
    async (text) => expect([isCommand(text), await open().type(text)]).toEqual([false, null]),
  );
});

describe('given /fallback-status', () => {
  it('when a lead is limited, then it says who speaks, the chain, and each model with its state and requests', async () => {
    const { type, fail } = open();
    fail(LIMITED);
    const lines = ((await type('/fallback-status')) ?? '').replaceAll(/\d\d:\d\d/g, 'TIME').split('\n');
    expect(lines).toEqual([
      '**build uses two, 2 of 3.**',
      'one is rate limited (429), primary back about TIME.',
      '',
      '- build · two · 2 of 3, fallback model · on fallback, running · one is rate limited (429), 15m 0s left, until about TIME (our estimate)',
      '',
      '- all other agents · one (cooling) → two (not used yet) → three (not used yet)',
      '',
      '- `lead/one` · Cooling · rate limited (429) · 5m 0s left, until about TIME, our estimate · 1 request, 1 failed',
      '- `last/three` · Not used yet',
      '- `spare/two` · Not used yet',
    ]);
  });

  it('when models have used tokens here, then it says how many and what they cost', async () => {
    const { type, usage } = open();
    const tokens = { input: 800, output: 400, reasoning: 0, cacheRead: 0, cacheWrite: 0 };
    usage.add({ session: 's1', agent: 'build', model: CHAIN[0], purpose: 'turn', tokens, cost: 0.5, position: null });
    expect(await type('/fallback-status')).toMatch(/^- `lead\/one` · 1\.2k tokens · \$0\.50 · 800 input, 400 output$/m);
  });

  it('when it is asked for in another directory, then it speaks of that one alone', async () => {
    const { type, fail } = open();
    fail(LIMITED);
    expect(await type('/fallback-status', '/elsewhere')).toMatch(/^\*\*Connected, but no chain is set\.\*\*\n[^`]*$/);
  });
});

describe('given /retry', () => {
  it.each([
    ['its name', '/retry lead/one', 'You reset one: available from your next message on.'],
    ['its short name', '/retry one', 'You reset one: available from your next message on.'],
    ['its provider', '/retry lead', 'You reset lead: available from your next message on.'],
    ['all', '/retry all', 'You reset every model: available from your next message on.'],
  ])('when a limited model is meant by %s, then it is ready, and the app hears of it', async (_, text, said) => {
    const { brain, type, stateOf, fail } = open();
    fail(LIMITED);
    expect([stateOf('lead/one'), await type(text), stateOf('lead/one')]).toEqual(['cooling', said, 'ready']);
    expect(brain.since(0).at(-1)?.event).toMatchObject({ type: 'health.reset', actor: 'opencode' });
  });

  it.each([
    ['/retry on', 'No model, provider or agent is named on. Did you mean one?'],
    ['/retry xyz', 'No model, provider or agent is named xyz.'],
    ['/retry build', 'build is not paused in this session.'],
    ['/retry', 'Name a model, a provider or an agent: /retry NAME, or /retry all.'],
  ])('when it is %j, then it says so and nothing is told', async (text, said) => {
    const { brain, type } = open();
    const before = brain.since(0).length;
    expect([await type(text), brain.since(0).length]).toEqual([said, before]);
  });
});

describe('given /yes and /no', () => {
  it('when nobody asks, or only in another directory, then they say so', async () => {
    const { type, fail } = open('council');
    const none = await type('/yes');
    fail(KEYLESS);
    expect([none, await type('/yes', '/elsewhere', 's2')]).toEqual(['No question is open.', 'No question is open.']);
  });

  it('when the answer is yes, then it says who takes over', async () => {
    const { type, fail } = open('council');
    fail(KEYLESS);
    expect(await type('/yes')).toBe(
      'You answered build with yes.\nbuild switched one → two: refusing the API key (401).',
    );
  });

  it('when two sessions ask, then each answers its own, put or not, and any other one the open one', async () => {
    const { brain, type, fail } = open('council');
    const of = (n: number) => ({ turn: `t${n}`, session: `s${n}`, directory: DIRECTORY, agent: `agent${n}` });
    for (const n of [2, 3]) {
      brain.tell({ type: 'prompt.submitted', ...of(n), model: CHAIN[0], hostLead: CHAIN[0], isExplicit: false });
      brain.tell({ type: 'attempt.started', ...of(n), model: CHAIN[0], attempt: `a${n}`, purpose: 'turn' });
    }
    fail(KEYLESS);
    for (const n of [2, 3]) brain.tell({ type: 'attempt.failed', attempt: `a${n}`, evidence: KEYLESS, durationMs: 5 });
    expect(brain.state().questions.map(({ session }) => session)).toEqual(['s1', 's2', 's3']);
    expect([
      await type('/no', DIRECTORY, 's3'),
      await type('/yes', DIRECTORY, 's9'),
      await type('/yes', DIRECTORY, 's2'),
    ]).toEqual([
      'You answered agent3 with no.\nagent3 is paused in this session: /retry agent3 resumes it.',
      'You answered build with yes.\nbuild switched one → two: refusing the API key (401).',
      'You answered agent2 with yes.\nagent2 switched one → two: refusing the API key (401).',
    ]);
  });

  it('when a sub-agent asks, then the answer in the session that started it is its', async () => {
    const { brain, type } = open('council');
    const child = { turn: 't2', session: 'c1', directory: DIRECTORY, agent: 'explore', model: CHAIN[0] };
    brain.tell({ type: 'prompt.submitted', ...child, parentSession: 's1', hostLead: CHAIN[0], isExplicit: false });
    brain.tell({ type: 'attempt.started', ...child, attempt: 'a2', purpose: 'turn' });
    brain.tell({ type: 'attempt.failed', attempt: 'a2', evidence: KEYLESS, durationMs: 5 });
    expect([await type('/yes', '/elsewhere', 's2'), await type('/yes')]).toEqual([
      'No question is open.',
      'You answered explore with yes.\nexplore switched one → two: refusing the API key (401).',
    ]);
  });

  it('when the answer is no, then the agent is left out, and /retry brings it back', async () => {
    const { type, fail } = open('council');
    fail(KEYLESS);
    expect([await type('/no'), await type('/retry build'), await type('/retry build')]).toEqual([
      'You answered build with no.\nbuild is paused in this session: /retry build resumes it.',
      'build is back in this session.',
      'build is not paused in this session.',
    ]);
  });
});

describe('given an agent that is left out of its session', () => {
  it.each([
    ['the agent', '/retry build', { agent: 'build', model: CHAIN[0] }],
    ['another model', '/retry two', null],
    ['all', '/retry all', null],
  ])(
    'when /retry names %s, then the model it was left out for is to be tried only for the agent itself',
    async (_, text, tried) => {
      const session = open('council');
      session.fail(KEYLESS);
      await session.type('/no');
      expect(await session.tried(text)).toEqual(tried);
    },
  );

  it('when somebody has taken that model out of use, then it is not to be tried, and the answer says why', async () => {
    const { brain, usage, fail, type } = open('council');
    fail(KEYLESS);
    await type('/no');
    brain.tell({ type: 'health.isolated', model: CHAIN[0], actor: 'panel' });
    const typed = { text: '/retry build', session: 's1', directory: DIRECTORY };
    expect(await runCommand({ brain, instance: 'i1', usage, refresh: async () => true }, typed)).toEqual({
      text: 'build is back in this session, but one is still unavailable: isolated by you. Understudy asks you again before build uses another model.',
      rejoining: null,
    });
  });
});

describe('given a model whose health is kept apart for an account', () => {
  it('when /retry names it, or its provider, then it is known by the name that people know', async () => {
    const { brain, type } = open();
    const config = {
      ...scopeOf(),
      books: { lead: '0123456789ab' },
      agents: { '*': { chain: CHAIN, policy: PRESETS.swift } },
    };
    brain.tell({ type: 'scope.configured', directory: DIRECTORY, config });
    const base = { turn: 't2', session: 's1', directory: DIRECTORY, agent: 'build', model: CHAIN[0] };
    brain.tell({ type: 'attempt.started', ...base, attempt: 'a2', purpose: 'internal' });
    brain.tell({ type: 'attempt.failed', attempt: 'a2', evidence: KEYLESS, durationMs: 5 });
    const stateIn = () => standingIn(brain.state(), DIRECTORY, CHAIN[0], brain.now()).state;
    expect(stateIn()).toBe('blocked');
    expect([await type('/retry one'), stateIn(), await type('/retry lead'), await type(`/retry ${CHAIN[0]}`)]).toEqual([
      expect.stringMatching(/available from your next message on\.$/),
      'ready',
      expect.stringMatching(/available from your next message on\.$/),
      expect.stringMatching(/available from your next message on\.$/),
    ]);
  });
});

describe('given OpenCode’s list of commands', () => {
  it('when it is shown, then each of ours says what it does', async () => {
    expect(Object.keys(COMMANDS)).toEqual(['fallback-status', 'retry', 'yes', 'no', 'council']);
  });
});
