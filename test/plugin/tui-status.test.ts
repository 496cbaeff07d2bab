import { describe, expect, it } from 'vitest';
import { createUsageBook, type UsedStep } from '../../src/core/history/usage';
import { type EngineEvent, type Evidence, type Policy, type SeenWindow, SWIFT } from '../../src/engine';
import { entries, PRESETS } from '../../src/engine/tools';
import { createBrain } from '../../src/plugin/base/brain';
import { tuiStatus } from '../../src/plugin/user/tui-status';
import { clock } from '../../src/wording/wording';
import { scopeOf } from './support/opencode-double';

const [LEAD, SPARE] = ['lead/one', 'spare/two'];
const PLACE = { turn: 't1', session: 's1', directory: '/p', agent: 'build', model: LEAD };
const LIMITED: Evidence = { phase: 'body', status: 429, message: 'Slow down', seenAt: 0 };
const STEP: UsedStep = {
  ...{ session: 's1', agent: 'build', model: LEAD, purpose: 'turn', cost: 0.03, position: null },
  tokens: { input: 12_000, output: 400, reasoning: 0, cacheRead: 0, cacheWrite: 0 },
};
/** Noon, UTC. */
const NOON = Date.UTC(2026, 0, 15, 12);

function open(chain: readonly string[] = [LEAD, SPARE], policy: Policy = SWIFT) {
  const brain = createBrain(
    () => 0,
    () => 0.5,
  );
  const usage = createUsageBook();
  brain.tell({
    type: 'scope.configured',
    directory: '/p',
    config: { ...scopeOf(chain, { abilities: ['ask'] }), agents: { '*': { chain, policy } } },
  });
  const ask = (attempt: string, model: string, evidence: Evidence | null) => {
    brain.tell({ type: 'attempt.started', ...PLACE, attempt, model, purpose: 'turn' });
    if (evidence) brain.tell({ type: 'attempt.failed', attempt, evidence, durationMs: 40 });
    else brain.tell({ type: 'attempt.succeeded', attempt, durationMs: 90, firstTokenMs: 20, outputChars: 12 });
    if (!evidence) brain.tell({ type: 'session.idle', session: 's1' });
  };
  return {
    brain,
    ask,
    prompt: () => brain.tell({ type: 'prompt.submitted', ...PLACE, hostLead: LEAD, isExplicit: false } as EngineEvent),
    use: (step: Partial<UsedStep>) => usage.add({ ...STEP, ...step }),
    shown: (directory = '/p') => tuiStatus(directory, { brain, usage, instance: 'i' }, NOON),
  };
}

describe('given what the terminal interface shows', () => {
  it('when nothing has run, then home names the lead, and there is no session', () => {
    expect(open().shown()).toEqual({ home: { text: 'build: one not used yet', tone: 'well' }, sessions: {} });
  });

  it('when the lead has answered, then both say that it is ready', () => {
    const { prompt, ask, shown } = open();
    prompt();
    ask('a1', LEAD, null);
    const line = { text: 'build: one ready', tone: 'well' };
    expect(shown()).toEqual({ home: line, sessions: { s1: line } });
  });

  it('when a budget is spent, then both lines say so; with the action stop they say that nothing is sent', () => {
    const { brain, prompt, ask, shown } = open();
    prompt();
    ask('a1', LEAD, null);
    const spend = (action: 'warn' | 'stop', spent: number) =>
      brain.tell({
        type: 'money.counted',
        levels: [
          {
            ...{ id: 'day', period: 'day', action, provider: null, agent: null, directory: null, session: null },
            ...{ limit: 5, spent, maxPrice: null, endsInMs: 3_600_000, isAllowed: false },
          },
        ],
      });
    spend('warn', 4.99);
    expect(shown().home?.text).toBe('build: one ready');
    spend('warn', 5.02);
    const warned = { text: 'build: one ready, budget today: $5.02 of $5.00', tone: 'well' };
    expect(shown()).toEqual({ home: warned, sessions: { s1: warned } });
    spend('stop', 5.02);
    const why = '$5.02 of today’s $5.00 are spent';
    expect(shown()).toEqual({
      home: { text: `build: sends nothing, ${why}`, tone: 'out' },
      sessions: {
        s1: { text: expect.stringMatching(/^build: budget spent until about \d\d:\d\d, \$5\.02/), tone: 'out' },
      },
    });
  });

  it('when its plan is nearly spent, then the line says so; from 97 % on it says who speaks instead, and until when', () => {
    const { brain, prompt, ask, shown } = open();
    const { scopes } = brain.state();
    const config = entries(scopes)[0]?.[1];
    if (config)
      brain.tell({
        type: 'scope.configured',
        directory: '/p',
        config: { ...config, abilities: [], headroom: { act: 'move', moveAt: 0.97 } },
      });
    prompt();
    ask('a1', LEAD, null);
    const hear = (used: number) =>
      brain.tell({
        ...{ type: 'headroom.seen', attempt: null, directory: '/p', model: LEAD },
        windows: [
          {
            ...{
              id: 'unified-5h',
              unit: 'share',
              lengthMs: 18_000_000,
              of: 'account',
              used,
              limit: null,
              remaining: null,
            },
            ...{ resetInMs: 3_600_000, refills: 'at_reset', charges: 'used' },
          },
        ],
      });
    const line = (text: string, tone: 'well' | 'away') => ({ text, tone });
    hear(0.79);
    expect(shown().home).toEqual(line('build: one ready', 'well'));
    hear(0.84);
    expect(shown().home).toEqual(line('build: one ready, 84\u{202f}% of its 5 h limit used', 'well'));
    hear(0.98);
    const away = `build: two (2 of 2), one has used 98\u{202f}% of its 5 h limit, back about ${clock(NOON + 3_600_000)}`;
    expect(shown().home).toEqual(line(away, 'away'));
    brain.tell({ type: 'session.idle', session: 's1' });
    prompt();
    ask('a2', SPARE, null);
    expect(shown().sessions.s1).toEqual(line(away, 'away'));
  });

  it('when an emptier account of the lead’s model answers, then the line says by which, and is no worse for it', () => {
    const other = LEAD.replace('/', '@work/');
    const { brain, prompt, ask, shown } = open();
    const config = entries(brain.state().scopes)[0]?.[1];
    if (!config) throw new Error('no scope');
    const [agent = ''] = Object.keys(config.agents);
    const plan = config.agents[agent];
    if (!plan) throw new Error('no agent');
    const chained = { ...config, agents: { [agent]: { ...plan, chain: [LEAD, SPARE, other] } } };
    const headroom = { act: 'move', moveAt: 0.97, spread: true } as const;
    brain.tell({ type: 'scope.configured', directory: '/p', config: { ...chained, headroom } });
    const hear = (model: string, used: number) => {
      const counted = { limit: null, remaining: null, refills: 'at_reset', charges: 'used' } as const;
      const week = { id: 'week', unit: 'share', lengthMs: 604_800_000, of: 'account', resetInMs: 3_600_000 } as const;
      const windows = [{ ...week, ...counted, used }];
      brain.tell({ type: 'headroom.seen', attempt: null, directory: '/p', model, windows });
    };
    hear(LEAD, 0.72);
    hear(other, 0.23);
    const why = `${LEAD.split('/')[0]}@work has more headroom: one has used 72\u{202f}% of its week limit here, 23\u{202f}% there`;
    const line = { text: `build: one (work) not used yet, ${why}`, tone: 'well' };
    expect(shown().home).toEqual(line);
    prompt();
    ask('a1', other, null);
    const ready = { ...line, text: line.text.replace('not used yet', 'ready') };
    expect(shown()).toEqual({ home: ready, sessions: { s1: ready } });
    // It is home with the next message.
    hear(other, 0.8);
    expect(shown().sessions.s1).toEqual({ text: 'build: one (work) ready, the next message uses one', tone: 'well' });
  });

  it('when a limit that we count ourselves is nearly used up, then the line says that it is an estimate', () => {
    const { brain, prompt, ask, shown } = open();
    prompt();
    ask('a1', LEAD, null);
    const window: SeenWindow = {
      ...{ id: 'counted-requests-100-5h', unit: 'requests', lengthMs: 18_000_000, of: 'account', limit: 100 },
      ...{ used: 0.84, remaining: 16, resetInMs: 3_600_000, refills: 'at_reset', charges: 'used' },
    };
    brain.tell({ type: 'headroom.counted', accounts: [[LEAD.split('/')[0] ?? '', [window]]] });
    const text = 'build: one ready, 84\u{202f}% of its requests in 5 h used (estimate)';
    expect(shown().home).toEqual({ text, tone: 'well' });
  });

  it('when the lead is limited, then both name who stands in, and when the lead is first choice again', () => {
    const { prompt, ask, shown } = open();
    prompt();
    ask('a1', LEAD, LIMITED);
    ask('a2', SPARE, null);
    const line = {
      text: `build: two (2 of 2), one is rate limited (429), back about ${clock(NOON + 900_000)}`,
      tone: 'away',
    };
    expect(shown()).toEqual({ home: line, sessions: { s1: line } });
  });

  it.each([
    ['it has used tokens with a price', [{}], ', 12.4k tokens, $0.03'],
    ['it has used them twice', [{}, {}], ', 24.8k tokens, $0.06'],
    ['nobody knows their price', [{ cost: null }], ', 12.4k tokens'],
    ['they have a price in part', [{}, { cost: null }], ', 24.8k tokens, $0.03, 50 % priced'],
    ['another model, agent or session has used them', [{ model: SPARE }, { agent: 'plan' }, { session: 's2' }], ''],
  ])('when the lead answers and %s, then its session says so, and home does not', (_, steps, said) => {
    const { prompt, ask, use, shown } = open();
    prompt();
    ask('a1', LEAD, null);
    for (const step of steps) use(step);
    const { home, sessions } = shown();
    expect([home?.text, sessions.s1?.text]).toEqual(['build: one ready', `build: one ready${said}`]);
  });

  it('when somebody stands in, then what that one has used is told, not what the lead has', () => {
    const { prompt, ask, use, shown } = open();
    prompt();
    ask('a1', LEAD, LIMITED);
    ask('a2', SPARE, null);
    use({});
    use({ model: SPARE, tokens: { ...STEP.tokens, input: 550 }, cost: 0.002 });
    const text = `build: two (2 of 2), one is rate limited (429), back about ${clock(NOON + 900_000)}, 950 tokens, under $0.01`;
    expect(shown().sessions.s1).toEqual({ text, tone: 'away' });
  });

  it('when the whole chain is out, then both say so', () => {
    const { prompt, ask, shown } = open();
    prompt();
    ask('a1', LEAD, { ...LIMITED, headers: { 'retry-after': '900' } });
    ask('a2', SPARE, { ...LIMITED, headers: { 'retry-after': '900' } });
    const line = {
      text: `build: all models unavailable, the first is back about ${clock(NOON + 900_000)}`,
      tone: 'out',
    };
    expect(shown()).toEqual({ home: line, sessions: { s1: line } });
  });

  it('when only our estimates keep its models out, then the line names the one that takes the next message', () => {
    const { brain, prompt, ask, shown } = open();
    const config = entries(brain.state().scopes)[0]?.[1];
    if (!config) throw new Error('no scope');
    brain.tell({ type: 'scope.configured', directory: '/p', config: { ...config, guessProbe: true } });
    prompt();
    ask('a1', LEAD, LIMITED);
    ask('a2', SPARE, { ...LIMITED, headers: { 'retry-after': '900' } });
    const line = { text: 'build: stopped, one takes the next message', tone: 'out' };
    expect(shown()).toEqual({ home: line, sessions: { s1: line } });
  });

  it('when a directory has no chain, then there is nothing to show in it', () => {
    const { prompt, ask, shown } = open();
    prompt();
    ask('a1', LEAD, null);
    expect(shown('/elsewhere')).toEqual({ home: null, sessions: {} });
  });

  it('when the next model is to be asked about, then the line says what is waited for', () => {
    const { brain, prompt, ask, shown } = open([LEAD, SPARE], PRESETS.council);
    prompt();
    ask('a1', LEAD, { ...LIMITED, status: 401 });
    expect(brain.state().questions).toHaveLength(1);
    expect(shown().sessions.s1).toEqual({ text: 'build waits for your answer: /yes or /no', tone: 'away' });
    brain.tell({
      type: 'question.answered',
      question: brain.state().questions[0]?.id ?? '',
      yes: false,
      actor: 'test',
    });
    expect(shown().sessions.s1).toEqual({
      text: 'build: paused, bring it back with /retry build',
      tone: 'out',
    });
  });

  it('when a person holds the lead out of use, then that is the reason', () => {
    const { brain, prompt, ask, shown } = open();
    brain.tell({
      type: 'health.held',
      model: LEAD,
      state: 'open',
      forMs: null,
      revision: null,
      actor: 'test',
    } as never);
    prompt();
    ask('a2', SPARE, null);
    expect(shown().home?.text).toBe('build: two (2 of 2), one is held out of use by you');
  });
});
