import { describe, expect, it } from 'vitest';
import type { AgentRow, ChainRow, Snapshot } from '../../src/contract/snapshot';
import { saidIn } from '../../src/texts';
import { german } from '../../src/texts/de';
import { recordsOf } from '../../src/wording/agent-record';
import { type Attention, attentionOf, worstOf } from '../../src/wording/attention';
import {
  attentionDetail,
  attentionEnd,
  attentionTitle,
  protectedPhrase,
  verdict,
  wayPhrase,
} from '../../src/wording/attention-words';
import { protectionOf } from '../../src/wording/protection';
import { agentReason } from '../../src/wording/standing-words';
import { statusMarkdown, statusText } from '../../src/wording/status-text';
import { agentRow, BACK_AT, modelRow, snapshotOf, understudyRow } from '../support/rows';

const [SONNET, GPT] = ['anthropic/claude-sonnet-4-5', 'openai/gpt-5'] as const;
const SHOP = '/home/ada/shop';
type State = AgentRow['chain'][number]['state'];
const chainOf = (...states: readonly State[]): AgentRow['chain'] =>
  states.map((state, index) => ({ model: index === 0 ? SONNET : GPT, state, code: null }));
const armed = (agent: string, change: Partial<ChainRow> = {}): ChainRow => ({
  ...{ directory: SHOP, agent, chain: chainOf('ready', 'ready') },
  ...change,
});

const question: Snapshot['questions'][number] = {
  ...{ id: 'q1', session: 'ses_1', agent: 'build', model: SONNET, to: GPT },
  ...{ kind: 'rate_limit', skippedAt: 60_000 },
};
const failing = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  sessions: snapshot.sessions.map((row) => ({ ...row, requests: { asked: 4, failed: 3, isOutage: true } })),
});
const leftOut = agentRow({ agent: 'oracle', status: 'exhausted', isLeftOut: true });
const spent = agentRow({ agent: 'write', status: 'exhausted', chain: chainOf('cooling', 'open') });
/** The line under the model of an agent. */
const reasonIn = (row: AgentRow, snapshot = snapshotOf([row])): string => {
  const found = recordsOf(snapshot).find(({ key }) => key === row.key);
  return found ? agentReason(found, row) : '';
};
const away = understudyRow({ agent: 'plan' });
const waits: NonNullable<AgentRow['waits']> = {
  ...{ by: 'host', model: SONNET, kind: 'rate_limit', status: 429 },
  ...{ since: BACK_AT - 600_000, until: BACK_AT },
};
/** A turn that OpenCode has been given the failure of. */
const stuck = agentRow({ agent: 'review', chain: chainOf('cooling'), isAlone: true, waits });
const alone = agentRow({ agent: 'docs', chain: chainOf('ready'), isAlone: true });
const refused = modelRow({ model: SONNET, state: 'blocked', code: 'blocked.auth' });
const cooling = modelRow({ model: SONNET, state: 'cooling', until: BACK_AT, source: 'provider' });

const whole = (items: readonly Attention[], snapshot: Snapshot): string[][] =>
  items.map((item) => [
    item.kind,
    `${attentionTitle(item, snapshot)} ${attentionDetail(item, snapshot)}`,
    attentionEnd(item),
    wayPhrase(item)?.short ?? '',
    item.way.kind === 'go' ? `${item.way.view}/${item.way.detail ?? ''}` : item.way.kind,
  ]);
const queueOf = (snapshot: Snapshot): string[][] => whole(attentionOf(snapshot), snapshot);

describe('given a session whose requests failed', () => {
  const NOW = 10_000_000;
  const gone = (endedMs: number, later = false): readonly string[] => {
    const { sessions, ...rest } = failing(snapshotOf([agentRow({ chain: chainOf('ready', 'ready') })], { at: NOW }));
    const [one] = sessions;
    if (!one) throw new TypeError('no session');
    const ended = { ...one, isIdle: true, at: NOW - endedMs };
    const next = { ...one, session: 'ses_2', agents: [], isIdle: true, at: NOW - 1, requests: undefined };
    return attentionOf({ ...rest, sessions: later ? [ended, next] : [ended] }).map(({ kind }) => kind);
  };

  it('when its last turn ended, then that is told for ten minutes, unless the user goes on in another session', () => {
    expect([gone(60_000), gone(600_000), gone(60_000, true)]).toEqual([['failing'], [], []]);
  });
});

describe('given budgets of the user', () => {
  const budget = (change: Partial<Snapshot['budgets'][number]>): Snapshot['budgets'][number] => ({
    ...{ id: 'day|2025-10-09|5', period: 'day', action: 'stop', provider: null, agent: null, directory: null },
    ...{ session: null, limit: 5, spent: 5.02, pricedShare: 1, endsAt: BACK_AT, isAllowed: false },
    ...change,
  });
  const kinds = (...budgets: Snapshot['budgets']) =>
    attentionOf({ ...snapshotOf([]), budgets }).map(({ kind }) => kind);

  it('when one is spent, then the headline says which, how much, what happens now, and when it begins anew', () => {
    const snapshot = { ...snapshotOf([]), budgets: [budget({})] };
    expect(queueOf(snapshot)[0]).toEqual([
      'spent',
      'Budget spent: today. $5.02 of $5.00. Understudy sends no request that counts towards it. It resets 14:32.',
      ...['', 'View…', 'headroom/'],
    ]);
    expect(verdict(snapshot).title).toBe('Budget spent: today.');
  });

  it('when one agent sends nothing for it and another has no model left, then title and detail are about the same one', () => {
    const halted = {
      near: {
        code: 'money.day',
        window: 'day',
        unit: 'dollars' as const,
        lengthMs: null,
        used: 1.004,
        limit: 5,
        remaining: 0,
        needs: null,
      },
      until: BACK_AT,
    };
    const { title, lede } = verdict(snapshotOf([agentRow({ agent: 'write', halted }), { ...spent, agent: 'build' }]));
    expect([title, lede]).toEqual(['build has no model left.', expect.stringMatching(/^Both models are unavailable/)]);
  });

  it('when an agent sends nothing for it, then that entry alone has the amounts', () => {
    const near = { code: 'money.day', window: 'day', unit: 'dollars' as const, lengthMs: null, used: 1.004 };
    const halted = { near: { ...near, limit: 5, remaining: 0, needs: null }, until: BACK_AT };
    const snapshot = { ...snapshotOf([agentRow({ agent: 'write', halted })]), budgets: [budget({})] };
    expect(attentionOf(snapshot).map(({ kind }) => kind)).toEqual(['exhausted']);
  });

  it.each<[string, Partial<Snapshot['budgets'][number]>]>([
    ['a cent is left', { spent: 4.99 }],
    ['the user has said to go on', { action: 'ask', isAllowed: true }],
    ['its session is over', { period: 'session', session: 'ses_gone', endsAt: null }],
  ])('when %s, then nothing is said of it', (_, change) => {
    expect(kinds(budget(change))).not.toContain('spent');
  });
});

describe('given everything to see to at once', () => {
  const snapshot = snapshotOf([away, alone, leftOut, spent, stuck], {
    ...{ questions: [question], models: [refused], pause: { until: BACK_AT, since: 0, by: 'panel' } },
    chains: [armed('build'), armed('plan')],
  });

  it('when it is put in order, then the worst is first, and each has what it takes', () => {
    expect(queueOf(snapshot)).toEqual([
      ['question', 'build waits for your answer. May gpt-5 answer for build?', '', '', 'answer'],
      [
        ...[
          'stuck',
          'review is stuck until about 14:32: it has no fallback model. claude-sonnet-4-5 is rate limited (429); the request is then sent again.',
        ],
        ...['', 'Add one…', `chains/${SHOP}|review`],
      ],
      [
        ...[
          'exhausted',
          'write has no model left. Both models are unavailable. Your session is safe; send the message again when one is back.',
        ],
        ...['', 'View…', `models/${SONNET}`],
      ],
      ['leftOut', 'oracle is paused in its session. Bring it back to get answers.', '', 'Bring back', 'act'],
      [
        ...[
          'paused',
          'Automatic fallback is paused until 14:32. The next message of each agent goes to its primary, available or not. When a model fails, work stops.',
        ],
        ...['', 'Resume', 'act'],
      ],
      [
        'unprotected',
        'docs has no fallback model. When its model fails, work stops.',
        '',
        'Add one…',
        `chains/${SHOP}|docs`,
      ],
      [
        'needsYou',
        'anthropic needs you. Give anthropic a valid API key (opencode auth login), then reset it.',
        '',
        'Fix…',
        `models/${SONNET}`,
      ],
    ]);
  });

  /** From the worst to the calm one: each is without those before it. */
  it.each<[string, Snapshot, string, string]>([
    [
      'a question waits, and a turn stands still',
      failing(snapshot),
      'build waits for your answer. review is waiting until about 14:32.',
      'May gpt-5 answer for build?',
    ],
    [
      'a turn stands still, and an agent has nobody left',
      failing(snapshotOf([leftOut, spent, away, stuck])),
      'review is stuck until about 14:32: it has no fallback model. write has no model left.',
      'claude-sonnet-4-5 is rate limited (429); the request is then sent again.',
    ],
    [
      'all models of an agent are out, and one is left out',
      failing(snapshotOf([leftOut, spent, away])),
      'write has no model left. oracle is paused in its session.',
      'Both models are unavailable. Your session is safe; send the message again when one is back.',
    ],
    [
      'an agent is left out',
      failing(snapshotOf([leftOut, away])),
      'oracle is paused in its session.',
      'Bring it back to get answers.',
    ],
    ['requests fail', failing(snapshotOf([agentRow()])), 'Requests in shop are failing.', '3 of the last 4 failed.'],
    [
      'switching is paused',
      snapshotOf([away], { pause: { until: null, since: 0, by: 'panel' } }),
      'Automatic fallback is paused.',
      'The next message of each agent goes to its primary, available or not. When a model fails, work stops.',
    ],
    [
      'an agent has no fallback model',
      snapshotOf([agentRow(), alone, away]),
      'docs has no fallback model.',
      'When its model fails, work stops.',
    ],
    [
      'a provider waits for a person',
      snapshotOf([agentRow({ chain: chainOf('blocked', 'ready') }), away], { models: [refused] }),
      'anthropic needs you.',
      'Give anthropic a valid API key (opencode auth login), then reset it.',
    ],
    [
      'an agent is on a fallback model',
      failing(snapshotOf([agentRow(), away])),
      'plan uses gpt-5, 2 of 2.',
      'claude-sonnet-4-5 is rate limited (429), primary back about 14:32.',
    ],
    [
      'an agent is on a fallback model, as another machine of the fleet has found out',
      snapshotOf([away], { models: [{ ...cooling, machine: 'build-7' }] }),
      'plan uses gpt-5, 2 of 2.',
      'claude-sonnet-4-5 is rate limited (429), reported by build-7, primary back about 14:32.',
    ],
    [
      'all is well',
      snapshotOf([agentRow()], { chains: [armed('build'), armed('plan')] }),
      'All 2 agents are protected and on their primary.',
      'Nothing needs your attention.',
    ],
    [
      'all is well, and there is one',
      snapshotOf([agentRow()]),
      'build is protected and on its primary.',
      'Nothing needs your attention.',
    ],
  ])('when %s, then that is said, and nothing calmer', (_, shown, title, lede) => {
    expect(verdict(shown)).toEqual({ title, lede });
  });
});

describe('given who is protected', () => {
  const others: Snapshot['others'] = [
    { directory: SHOP, agent: 'plan', lead: GPT, by: 'nobody' },
    { directory: SHOP, agent: 'general', lead: null, by: 'nobody' },
    { directory: SHOP, agent: 'explore', lead: GPT, by: 'nobody' },
  ];

  it('when only one agent has a chain, then the others are counted though none has spoken, and all can be protected', () => {
    const snapshot = snapshotOf([], { chains: [armed('build')], others });
    expect([verdict(snapshot), protectedPhrase(snapshot), queueOf(snapshot).map((row) => row.slice(2))]).toEqual([
      { title: '1 of 4 agents is protected.', lede: 'Without a fallback model: plan, general and explore.' },
      '1 of 4 agents is protected.',
      [['', 'Protect all…', 'setup/']],
    ]);
  });

  it.each([
    ['it rests', armed('build', { chain: chainOf('resting', 'ready') })],
    ['it is probed', armed('build', { chain: chainOf('probing', 'ready') })],
  ])('when its primary is not out, but %s, then the next message goes elsewhere', (_, chain) => {
    expect(verdict(snapshotOf([], { chains: [chain] }))).toEqual({
      title: 'build is protected.',
      lede: 'The next message of build goes to a fallback model.',
    });
  });

  it.each([
    [SONNET, null, 'build is pinned to claude-sonnet-4-5.', 'When it fails, no other model answers.'],
    [GPT, BACK_AT, 'build is pinned to gpt-5.', 'When it fails, no other model answers, until 14:32.'],
  ])(
    'when the user pinned it to %s, then it is not called protected, and can be unpinned',
    (model, until, title, lede) => {
      const pins = [{ directory: SHOP, agent: 'build', model, until, since: 0, by: 'panel' as const }];
      const snapshot = snapshotOf([], { chains: [armed('build')], pins });
      expect(verdict(snapshot)).toEqual({ title, lede });
      expect(queueOf(snapshot).map(([kind, , , button]) => [kind, button])).toEqual([['pinned', 'Unpin']]);
      const other = { ...snapshot, pins: pins.map((pin) => ({ ...pin, directory: '/elsewhere' })) };
      expect(verdict(other).title).toBe('build is protected and on its primary.');
    },
  );

  it('when OpenCode tells of its agents for titles and summaries, then nobody protects them', () => {
    const own = ['compaction', 'summary', 'title'].map((agent) => ({
      directory: SHOP,
      agent,
      lead: GPT,
      by: 'nobody',
    }));
    expect(protectionOf(snapshotOf([], { others: own as typeof others })).of).toBe(0);
  });

  it('when two agents without a model are back at different times, then each is told its own', () => {
    const OWN = 'a/own';
    const chains = [
      armed('build', {
        chain: [
          { model: GPT, state: 'cooling', code: null },
          { model: SONNET, state: 'cooling', code: null },
        ],
      }),
      armed('plan', {
        chain: [
          { model: SONNET, state: 'cooling', code: null },
          { model: OWN, state: 'cooling', code: null },
        ],
      }),
    ];
    const models = [GPT, SONNET, OWN].map((model, at) =>
      modelRow({ model, state: 'cooling', until: BACK_AT + at * 60_000, source: 'provider' }),
    );
    const ahead = attentionOf(snapshotOf([], { chains, models })).filter(({ kind }) => kind === 'unable');
    expect(ahead.map((item) => [item.key, 'until' in item && item.until])).toEqual([
      ['unable', BACK_AT],
      [expect.stringContaining('plan'), BACK_AT + 60_000],
    ]);
  });

  it('when there is a chain for all without one, then they are protected by it, behind their own primary', () => {
    const rest = armed('*', { chain: [{ model: SONNET, state: 'ready', code: null }] });
    const snapshot = snapshotOf([], {
      chains: [rest],
      others: others.map((row) => ({ ...row, by: 'rest' as const })),
    });
    const plan = protectionOf(snapshot).agents.find(({ agent }) => agent === 'plan');
    expect([verdict(snapshot).title, plan?.chain.map(({ model }) => model)]).toEqual([
      'All 3 agents are protected and on their primary.',
      [GPT, SONNET],
    ]);
  });

  it('when fallback is off in the project, then nobody is called protected, and the button leads to where it is on', () => {
    const snapshot = snapshotOf([agentRow({ chain: chainOf('ready') })], {
      others: [{ directory: SHOP, agent: 'build', lead: SONNET, by: 'off' }],
    });
    expect(queueOf(snapshot)).toEqual([
      [
        ...['unprotected', 'Fallback is off for build. Fallback is switched off. When a model fails, work stops.'],
        ...['', 'Settings…', 'settings/'],
      ],
    ]);
  });

  it('when the model of last resort stands in, then one model is enough', () => {
    const snapshot = snapshotOf([agentRow({ chain: chainOf('ready') })], {
      chains: [armed('build', { chain: chainOf('ready') })],
    });
    expect(verdict(snapshot).title).toBe('build is protected and on its primary.');
  });

  it('when only OpenCode’s own housekeeping has nobody, then that is nothing to see to', () => {
    const snapshot = snapshotOf([], {
      chains: [armed('build'), armed('title', { chain: chainOf('ready'), isAlone: true })],
    });
    expect(verdict(snapshot).title).toBe('build is protected and on its primary.');
  });

  it('when an agent is protected in one project and not in the other, then it is one agent, and not protected', () => {
    const snapshot = snapshotOf([], {
      chains: [armed('build'), armed('build', { directory: '/blog', chain: chainOf('ready'), isAlone: true })],
    });
    expect([protectionOf(snapshot).of, protectionOf(snapshot).protected, verdict(snapshot).title]).toEqual([
      ...[1, 0],
      'build has no fallback model.',
    ]);
  });

  it('when OpenCode is gone, then nobody is counted', () => {
    const snapshot = snapshotOf([], { chains: [armed('build')], others, connection: { status: 'lost', since: 0 } });
    expect([protectionOf(snapshot).of, verdict(snapshot).title]).toEqual([0, 'Not connected to OpenCode.']);
  });
});

describe('given one agent in several conversations', () => {
  it('when it is away in both, then it is one entry and one name', () => {
    const snapshot = snapshotOf([away, { ...away, key: 'k2', session: 'ses_2' }]);
    expect([attentionOf(snapshot).length, verdict(snapshot).title]).toEqual([1, 'plan uses gpt-5, 2 of 2.']);
  });

  it('when it is away in two projects, then the project is said', () => {
    const [session] = snapshotOf([away]).sessions;
    if (!session) throw new Error('no session');
    const other = { ...session, session: 'ses_2', directory: '/blog', project: 'blog' };
    const snapshot = snapshotOf([], { sessions: [session, other] });
    expect([attentionOf(snapshot).length, verdict(snapshot).title]).toEqual([
      2,
      'plan in shop and plan in blog use a fallback model.',
    ]);
  });

  it('when one of them is over, then it is not told of', () => {
    const [session] = snapshotOf([away]).sessions;
    if (!session) throw new Error('no session');
    expect(attentionOf(snapshotOf([], { sessions: [{ ...session, isLive: false }] }))).toEqual([]);
  });

  it('when a question is of one that is over, then it waits for nobody', () => {
    const [session] = snapshotOf([agentRow()]).sessions;
    if (!session) throw new Error('no session');
    const snapshot = snapshotOf([], { sessions: [{ ...session, isLive: false }], questions: [question] });
    expect(attentionOf(snapshot)).toEqual([]);
  });
});

describe('given an agent that does not speak', () => {
  it('when its turn found no model and one is back, then it is told to be asked again, and not that all are out', () => {
    const row = agentRow({ status: 'exhausted', chain: chainOf('cooling', 'ready') });
    const snapshot = snapshotOf([row]);
    expect([verdict(snapshot), reasonIn(row), queueOf(snapshot)[0]?.slice(2)]).toEqual([
      {
        title: 'build has stopped.',
        lede: 'Its turn ended without an answer, but gpt-5 accepts requests now. Your session is safe; send the message again.',
      },
      'The last turn ended without an answer; gpt-5 accepts requests',
      ['with your next message', '', 'ends'],
    ]);
  });

  it('when its only model is out and it has not met it again, then it has none left already, and its row says so too', () => {
    const row = agentRow({ chain: chainOf('open') });
    const snapshot = snapshotOf([row], { models: [cooling], chains: [armed('build')] });
    expect([queueOf(snapshot), reasonIn(row, snapshot)]).toEqual([
      [
        [
          ...['exhausted', 'build has no model left. Its only model is unavailable, back about 14:32.'],
          ...['14:32', '', 'ends'],
        ],
      ],
      'All models unavailable; claude-sonnet-4-5 is unavailable',
    ]);
  });

  it('when a member of its chain waits for a person, then that is what the button leads to', () => {
    const snapshot = snapshotOf([agentRow({ status: 'exhausted', chain: chainOf('blocked', 'open') })]);
    expect(queueOf(snapshot)[0]?.slice(2)).toEqual(['', 'Fix…', `models/${SONNET}`]);
  });

  it('when two are left out, then they are named, and the row says so whatever its models are', () => {
    const snapshot = snapshotOf([leftOut, { ...leftOut, agent: 'plan', key: 'k2' }]);
    expect([verdict(snapshot).title, reasonIn(leftOut)]).toEqual([
      'oracle and plan are paused in their sessions.',
      'Paused',
    ]);
  });
});

describe('given an agent on a fallback model', () => {
  it.each<[string, AgentRow, string[]]>([
    ['a clock says when it goes home', understudyRow({ chain: chainOf('ready', 'ready') }), ['14:32', '', 'ends']],
    [
      'no clock ends it',
      understudyRow({ why: null, chain: chainOf('open', 'ready') }),
      ['', 'View…', `models/${SONNET}`],
    ],
    [
      'nobody knows why',
      understudyRow({ why: null, chain: chainOf('ready', 'ready') }),
      ['with your next message', '', 'ends'],
    ],
    [
      'its primary waits for a person',
      understudyRow({ chain: chainOf('blocked', 'ready') }),
      ['', 'Fix…', `models/${SONNET}`],
    ],
  ])('when %s, then the entry says what ends it', (_, row, end) => {
    expect(
      queueOf(snapshotOf([row]))
        .find(([kind]) => kind === 'away')
        ?.slice(2),
    ).toEqual(end);
  });

  it('when a person holds it there, then that is said, and the button lets go', () => {
    const pins = [{ directory: SHOP, agent: 'build', model: GPT, until: BACK_AT, since: 0, by: 'panel' }];
    expect(queueOf(snapshotOf([understudyRow()], { pins }))).toEqual([
      ['away', 'build uses gpt-5, 2 of 2. You pinned it to gpt-5 until 14:32.', '', 'Unpin', 'act'],
    ]);
  });
});

describe('given a turn that stands still', () => {
  it('when it is told in a terminal, then its row says what the headline says', () => {
    expect(statusText(snapshotOf([stuck])).split('\n')).toEqual([
      'review is stuck until about 14:32: it has no fallback model.',
      'claude-sonnet-4-5 is rate limited (429); the request is then sent again.',
      '',
      '  review  claude-sonnet-4-5  primary, 1 of 1  waits for a retry  claude-sonnet-4-5 is rate limited (429), 10m 0s left, until about 14:32 (provider says)',
    ]);
  });

  it('when it ends on another day, then no clock time is said, which would be one of today', () => {
    const row = agentRow({ waits: { ...waits, since: 0, until: 3 * 86_400_000 } });
    expect(verdict(snapshotOf([row])).title).toBe('build is stuck.');
  });

  it('when a wait of ours holds it, then it waits, and goes on by itself', () => {
    const row = agentRow({ waits: { ...waits, by: 'hold' } });
    expect(queueOf(snapshotOf([row]))[0]).toEqual([
      ...[
        'stuck',
        'build is waiting until about 14:32. claude-sonnet-4-5 is rate limited (429); the request is then sent again.',
      ],
      ...['14:32', '', 'ends'],
    ]);
  });
});

describe('given a message that waits because it looks like one of a loop', () => {
  it('when it is shown, then the messages are the reason, and no failure of its model', () => {
    const row = agentRow({ waits: { ...waits, by: 'hold', isLoop: true } });
    expect(reasonIn(row)).toBe('Waits for a retry; several messages came right after an error');
  });
});

describe('given the question of another directory', () => {
  it('when a directory is looked at, then only its own questions head it', () => {
    const snapshot = snapshotOf([agentRow()], { questions: [{ ...question, session: 'ses_9' }], models: [modelRow()] });
    const titleIn = (shown: Snapshot) => statusMarkdown(shown, SHOP).split('\n')[0];
    expect([titleIn(snapshot), titleIn({ ...snapshot, questions: [question] })]).toEqual([
      '**build is protected and on its primary.**',
      '**build waits for your answer.**',
    ]);
  });
});

describe('given agents with the same chain', () => {
  it('when a session asks for its status, then they share a line, and the model of last resort ends it', () => {
    const backup = { model: 'z/last', state: 'ready' as const, code: null };
    const chains = [armed('build'), armed('docs', { chain: chainOf('ready') }), armed('plan'), armed('*', { backup })];
    expect(
      statusMarkdown(snapshotOf([], { chains }), SHOP)
        .split('\n')
        .filter((line) => line.includes('→') || line.includes('docs')),
    ).toEqual([
      '- build, plan · claude-sonnet-4-5 (ready) → gpt-5 (ready)',
      '- docs · claude-sonnet-4-5 (ready)',
      '- all other agents · claude-sonnet-4-5 (ready) → gpt-5 (ready) → last (ready)',
    ]);
  });
});

describe('given an agent in the map of who is protected', () => {
  it('when several things are so of it, then the worst is what it shows', () => {
    const snapshot = snapshotOf([stuck, away, alone, agentRow()], { questions: [question] });
    const shown = protectionOf(snapshot).agents.map((agent) => {
      const worst = worstOf(attentionOf(snapshot), agent);
      return [agent.agent, worst && [worst.kind, worst.of?.record.model ?? null]];
    });
    expect(Object.fromEntries(shown)).toEqual({
      review: ['stuck', SONNET],
      plan: ['away', GPT],
      docs: ['unprotected', null],
      build: ['question', null],
    });
  });

  it('when the older of two conversations is the worse, then that one is what it shows', () => {
    const home = agentRow({ agent: 'plan', session: 'ses_2' });
    const snapshot = snapshotOf([home, away]);
    const [plan] = protectionOf(snapshot).agents;
    expect([plan?.record?.session, worstOf(attentionOf(snapshot), plan!)?.of?.row.session]).toEqual(['ses_2', 'ses_1']);
  });
});

describe('given agents that nobody speaks for now', () => {
  const link = (model: string, state: State) => ({ model, state, code: null });
  const idle = (...states: readonly State[]) =>
    snapshotOf([], { chains: [armed('build', { chain: chainOf(...states) })] });
  const both = [cooling, modelRow({ model: GPT, state: 'cooling', until: BACK_AT + 60_000 })];

  it('when all models are out, then it is no calm day: the next message finds none, and when the first is back', () => {
    const snapshot = { ...idle('cooling', 'cooling'), models: both };
    expect([verdict(snapshot), queueOf(snapshot)]).toEqual([
      { title: 'build has no model now.', lede: 'No model takes the next message; the first is back about 14:32.' },
      [['unable', expect.any(String), '14:32', '', 'ends']],
    ]);
  });

  it('when only our estimate keeps one of them out, then a message goes there, and nobody says that it finds none', () => {
    const [lead, spare] = chainOf('cooling', 'cooling');
    const chain = [{ ...lead!, isEarly: true as const }, spare!];
    const snapshot = { ...snapshotOf([], { chains: [armed('build', { chain })] }), models: both };
    expect(queueOf(snapshot).map(([kind]) => kind)).toEqual(['lastLeft']);
    const stopped = agentRow({ chain, status: 'exhausted' });
    expect(queueOf(snapshotOf([stopped], { chains: [armed('build', { chain })] }))[0]?.[1]).toMatch(
      /accepts requests now/,
    );
  });

  it('when one of two is left, then it says so, and so it does of two agents at once', () => {
    const snapshot = { ...idle('ready', 'cooling'), models: [both[1]!] };
    const two = { ...snapshot, chains: [...snapshot.chains, { ...snapshot.chains[0]!, agent: 'plan' }] };
    expect([verdict(snapshot), verdict(two).title]).toEqual([
      { title: 'build has one model left now.', lede: 'When it fails, work stops; the next is back about 14:33.' },
      'build and plan have one model left now.',
    ]);
  });

  it('when the one that is out needs a person, then the button leads to it', () => {
    const snapshot = { ...idle('blocked', 'blocked'), models: [refused] };
    expect(queueOf(snapshot).map(([kind, , , ...way]) => [kind, ...way])).toEqual([
      ['unable', 'Fix…', `models/${SONNET}`],
      ['needsYou', 'Fix…', `models/${SONNET}`],
    ]);
  });

  it('when the primary is out and two others are not, then nobody says that it is on its primary', () => {
    const chain = [link(SONNET, 'cooling'), link(GPT, 'ready'), link('z/last', 'ready')];
    expect(verdict(snapshotOf([], { chains: [armed('build', { chain })] }))).toEqual({
      title: 'build is protected.',
      lede: 'The next message of build goes to a fallback model.',
    });
  });

  it('when a model of last resort stands behind the chain, then it counts', () => {
    const chains = [armed('build', { chain: chainOf('ready', 'cooling'), backup: link('z/last', 'ready') })];
    expect(verdict(snapshotOf([], { chains })).title).toBe('build is protected and on its primary.');
  });
});

describe('given a pause', () => {
  const paused = { pause: { until: null, since: 0, by: 'panel' }, chains: [armed('build'), armed('plan')] };

  it('when it lasts, then nobody is called protected', () => {
    const snapshot = snapshotOf([], paused);
    expect([verdict(snapshot).title, protectedPhrase(snapshot)]).toEqual(['Automatic fallback is paused.', '']);
  });

  it('when some have no fallback model besides, then they are named and not counted', () => {
    const others = ['docs', 'general'].map((agent) => ({
      directory: SHOP,
      agent,
      lead: SONNET,
      by: 'nobody' as const,
    }));
    const said = queueOf(snapshotOf([], { ...paused, others })).map(([kind, text]) => [kind, text]);
    expect(said.at(-1)).toEqual(['unprotected', 'docs and general have no fallback model. ']);
  });
});

describe('given several of one kind', () => {
  it('when all only wait by themselves, then nobody is called stuck', () => {
    const held = { ...waits, by: 'hold' as const };
    const snapshot = snapshotOf(['build', 'plan'].map((agent) => agentRow({ agent, waits: held })));
    expect(verdict(snapshot).title).toBe('build and plan are waiting.');
  });

  it('when one agent stands still in two conversations, its models out in one of them, then it is said once', () => {
    const rows = [chainOf('cooling', 'open'), chainOf('degraded', 'ready')].map((chain) => agentRow({ chain, waits }));
    expect(attentionOf(snapshotOf(rows)).map(({ key }) => key)).toEqual([`stuck ${SHOP}|build`]);
  });

  it('when two are left out, then both are meant', () => {
    const rows = ['oracle', 'plan'].map((agent) => agentRow({ agent, isLeftOut: true }));
    expect(verdict(snapshotOf(rows)).lede).toBe('Bring them back to get answers.');
  });

  it('when the only one without a fallback model has no model that is known, then the button leads to proposals', () => {
    const others = [{ directory: SHOP, agent: 'docs', lead: null, by: 'nobody' as const }];
    expect(queueOf(snapshotOf([], { others })).map((row) => row.slice(3))).toEqual([['Protect all…', 'setup/']]);
  });

  it('when a button is about nobody alone, then its name for whoever hears it names nobody', () => {
    const others = ['docs', 'plan'].map((agent) => ({ directory: SHOP, agent, lead: SONNET, by: 'nobody' as const }));
    const names = (snapshot: Snapshot) => attentionOf(snapshot).map((item) => wayPhrase(item)?.full);
    expect([
      names(snapshotOf([], { others })),
      names(snapshotOf([], { others: others.slice(0, 1) })),
      names(snapshotOf([], { connection: { status: 'lost', since: 0 } })),
    ]).toEqual([['Protect all…'], ['Add one… docs'], ['Connect…']]);
  });
});

describe('given German', () => {
  it('when everything is to be seen to, then nothing of it is English', () => {
    const snapshot = snapshotOf([away, alone, leftOut, spent, stuck], {
      ...{ questions: [question], models: [refused], pause: { until: null, since: 0, by: 'panel' } },
    });
    const [said, english] = [saidIn('de', german, () => queueOf(snapshot)), queueOf(snapshot)];
    expect(said.map(([kind]) => kind)).toEqual(english.map(([kind]) => kind));
    for (const [index, row] of said.entries()) expect(row[1]).not.toBe(english[index]?.[1]);
  });
});
