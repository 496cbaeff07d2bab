import { beforeEach, describe, expect, it } from 'vitest';
import type { CliParts } from '../../src/cli/program';
import type { NoticeRow } from '../../src/contract/notices';
import type { Snapshot } from '../../src/contract/snapshot';
import type { UnknownPhrase } from '../../src/contract/unknown-phrase';
import { EMPTY } from '../../src/core/notices/episode';
import { recordsOf } from '../../src/wording/agent-record';
import { fakeHost, openedOn } from '../support/panel-host';
import { agentRow, BACK_AT, modelRow, snapshotOf, understudyRow } from '../support/rows';
import { runCli } from './run-cli';

let printed: string[];
let errors: string[];
let panels: unknown[];
let demos: unknown[];
let closed: number;

beforeEach(() => {
  [printed, errors, panels, demos, closed] = [[], [], [], [], 0];
});

function run(args: readonly string[], change: Partial<CliParts> = {}): Promise<number> {
  return runCli(args, {
    runPanel: async (options) => {
      panels.push(options);
      return 0;
    },
    runDemo: async (options) => {
      demos.push(options);
      return 0;
    },
    print: (text) => printed.push(text),
    printError: (text) => errors.push(text),
    ...change,
  });
}

const attached = (snapshot: Snapshot, handlers: Parameters<typeof fakeHost>[1] = {}): Partial<CliParts> => ({
  attachCore: async () =>
    openedOn(fakeHost(snapshot, handlers), {
      close: async () => {
        closed += 1;
      },
    }),
});

const away = snapshotOf(
  [
    agentRow({ agent: 'plan' }),
    understudyRow(),
    understudyRow({
      ...{ agent: 'review\u001b[2J', status: 'exhausted', why: null },
      chain: understudyRow().chain.map((link) => ({ ...link, state: 'cooling' })),
    }),
    agentRow({ agent: 'oracle', status: 'exhausted', isLeftOut: true }),
  ],
  {
    models: [
      modelRow({
        ...{ state: 'cooling', code: 'limit.rate_limit' },
        until: BACK_AT,
        source: 'provider',
        lastFailure: { kind: 'rate_limit', status: 429, message: 'slow down', at: 0 },
      }),
      modelRow({ model: 'openai/gpt-5', state: 'degraded', failures: 2 }),
      modelRow({
        model: 'google/gemini-3-pro',
        usage: {
          tokens: { input: 800, output: 400, reasoning: 100, cacheRead: 200, cacheWrite: 0 },
          total: 1_500,
          internal: 0,
          cost: 0.42,
          pricedShare: 1,
        },
      }),
    ],
    config: [
      {
        path: 'model-fallback.json',
        directory: null,
        problems: [{ severity: 'error', message: 'Expected a comma.', line: 3, column: 7 }],
      },
    ],
  },
);

describe('given a question that waits', () => {
  it.each([
    ['openai/gpt-5', 'yes', 'openai/gpt-5 takes over for build.'],
    [null, 'yes', 'build tries anthropic/opus again.'],
    [null, 'no', 'build ends its turn.'],
  ])(
    'when %j would take over and the answer is %s, then that answer is given, and what it means is said',
    async (to, word, says) => {
      const question = {
        id: 'q1',
        session: 'ses_1',
        agent: 'build',
        model: 'anthropic/opus',
        to,
        kind: 'auth',
        skippedAt: 60_000,
      };
      const acts: unknown[] = [];
      const host = attached(snapshotOf([agentRow()], { questions: [question as Snapshot['questions'][number]] }), {
        'person.act': ({ act }) => {
          acts.push(act);
          return { accepted: true, rev: 2 };
        },
      });
      expect([await run(['answer', word], host), printed, acts]).toEqual([
        0,
        [says],
        [{ type: 'question.answered', question: 'q1', yes: word === 'yes' }],
      ]);
    },
  );
});

describe('given agents that are left out of their sessions', () => {
  const paused = (agent: string, session: string) =>
    agentRow({ agent, session, key: `${session}|${agent}`, status: 'exhausted', isLeftOut: true });
  const sessionsOf = (...agents: ReturnType<typeof agentRow>[]): Snapshot => {
    const snapshot = snapshotOf(agents);
    const [first] = snapshot.sessions;
    if (!first) throw new Error('no session');
    const sessions = [...new Set(agents.map(({ session }) => session))].map((session) => ({
      ...{ ...first, session, title: `About ${session}\u001b[2J` },
      agents: agents.filter((row) => row.session === session),
    }));
    return { ...snapshot, sessions };
  };
  const both = sessionsOf(paused('build', 'ses_1'), paused('plan', 'ses_2'), agentRow({ agent: 'review' }));

  it.each([
    [sessionsOf(paused('build', 'ses_1')), [], { session: 'ses_1', agent: null }],
    [both, ['plan'], { session: 'ses_2', agent: 'plan' }],
    [both, ['--session', 'ses_1'], { session: 'ses_1', agent: null }],
    [both, ['build', '--session', 'ses_1'], { session: 'ses_1', agent: 'build' }],
  ])('when one session is meant (%#), then its agents are brought back', async (snapshot, args, meant) => {
    const acts: unknown[] = [];
    const host = attached(snapshot, {
      'person.act': ({ act }) => {
        acts.push(act);
        return { accepted: true, rev: 2 };
      },
    });
    expect([await run(['agent', 'return', ...args], host), acts]).toEqual([0, [{ type: 'speaker.retried', ...meant }]]);
  });

  it('when several sessions or none could be meant, then nobody is brought back, and the commands are listed', async () => {
    expect(await run(['agent', 'return'], attached(both))).toBe(5);
    expect(errors.splice(0).join('\n')).toMatch(
      /Name one:\n {2}understudy agent return build --session ses_1 {3}in \S+, "About ses_1.*"\n {2}understudy agent return plan --session ses_2/,
    );
    expect([await run(['agent', 'return'], attached(sessionsOf(agentRow()))), errors]).toEqual([
      5,
      ['No agent is paused.'],
    ]);
  });

  it.each([
    [['nobody'], "No paused agent matches 'nobody'. Sessions: ses_1, ses_2."],
    [['--session', 'ses_9'], "There is no session 'ses_9'. Sessions: ses_1, ses_2, ses_3."],
  ])('when %j matches none, then the existing ones are listed: 5', async (args, says) => {
    const snapshot = sessionsOf(paused('build', 'ses_1'), paused('plan', 'ses_2'), agentRow({ session: 'ses_3' }));
    expect([await run(['agent', 'return', ...args], attached(snapshot)), errors]).toEqual([5, [says]]);
  });
});

describe('given an agent that the project does not have', () => {
  const chain = (agent: string) => ({ directory: '/nowhere', agent, chain: [] });
  const snapshot = { ...snapshotOf([]), chains: [chain('*'), chain('build'), chain('plan')] };

  it.each([
    [['agent', 'pin', 'nobody', 'a/1']],
    [['agent', 'unpin', 'nobody']],
    [['drill', 'nobody']],
    [['logs', '--agent', 'nobody']],
    [['report', 'what-if', '--agent', 'nobody']],
  ])('when %j is run, then the existing agents are listed: 5', async (args) => {
    const host = attached(snapshot, {
      'events.page': () => ({ events: [], total: 0, newest: 0, kept: { sinceMs: null, isDurable: true } }),
    });
    expect([await run(args, host), errors]).toEqual([5, ["There is no agent 'nobody'. Agents: build, plan."]]);
  });

  it('when no companion lists agents, then the core decides', async () => {
    const host = attached(snapshotOf([]), { 'person.act': () => ({ accepted: false, reason: 'Unknown.' }) });
    expect([await run(['agent', 'unpin', 'nobody'], host), errors]).toEqual([5, ['Unknown.']]);
  });
});

describe('given an act that the disk does not take', () => {
  const full = () =>
    attached(snapshotOf([agentRow()], { models: [modelRow()] }), {
      'person.act': () => ({ accepted: true, rev: 2, unwritten: 'no space left on device' }),
    });

  it('when it is done, then it counts, and what it would cost to kill Understudy now is said', async () => {
    expect([await run(['pause'], full()), printed.length, errors]).toEqual([
      0,
      1,
      [
        'It applies, but is not on the disk yet: no space left on device. Until then it is lost if Understudy is killed.',
      ],
    ]);
  });

  it('when JSON is asked for, then it says why', async () => {
    expect([await run(['pause', '--json'], full()), JSON.parse(printed.join('')), errors]).toEqual([
      0,
      { ok: true, done: expect.any(String), rev: 2, unwritten: 'no space left on device' },
      [],
    ]);
  });
});

describe('given understudy status', () => {
  it('when no core runs, then it says so and ends with 3', async () => {
    expect([await run(['status']), printed, errors]).toEqual([
      3,
      [],
      ['Understudy is not running. Start it with "understudy panel".'],
    ]);
    expect(await run(['status', '--json'])).toBe(3);
  });

  it('when agents and models are not well, then it prints the verdict, one line for each, and what models have used', async () => {
    expect(await run(['status'], attached(away))).toBe(0);
    expect([printed.join('\n').split('\n'), closed]).toEqual([
      [
        'review[2J has no model left. oracle is paused in its session.',
        'Both models are unavailable, the first is back about 14:32. Your session is safe; send the message again then.',
        '',
        '  plan       claude-sonnet-4-5  primary, 1 of 2         idle',
        '  build      gpt-5              2 of 2, fallback model  on fallback             claude-sonnet-4-5 is rate limited (429), 10m 0s left, until about 14:32 (provider says)',
        '  review[2J  claude-sonnet-4-5  primary, 1 of 2         all models unavailable  claude-sonnet-4-5 is rate limited (429), 10m 0s left, until about 14:32 (provider says)',
        '  oracle     claude-sonnet-4-5  primary, 1 of 2         paused',
        '',
        '  anthropic/claude-sonnet-4-5  Cooling       rate limited (429)  10m 0s left, until about 14:32, provider says',
        '  openai/gpt-5                 Degraded 2/3',
        '',
        '  google/gemini-3-pro  1.5k tokens  $0.42  800 input, 400 output, 100 reasoning, 200 cache read',
        '',
        'error: model-fallback.json:3:7: Expected a comma.',
      ],
      1,
    ]);
  });

  it('when all is well, then it prints the verdict and the agents', async () => {
    await run(['status'], attached(snapshotOf([agentRow()], { models: [modelRow()] })));
    expect(printed).toEqual([
      'build is protected and on its primary.\nNothing needs your attention.\n\n  build  claude-sonnet-4-5  primary, 1 of 2  idle',
    ]);
  });

  it('when JSON is asked for, then it prints the whole snapshot', async () => {
    expect(await run(['status', '--json'], attached(away))).toBe(0);
    expect(JSON.parse(printed.join('\n'))).toEqual({ ...away, records: recordsOf(away) });
  });

  it('when the core does not answer, then it says so, ends with 4 and lets go of the core', async () => {
    const mute = attached(away, {
      'snapshot.get': () => {
        throw new Error('gone');
      },
    });
    expect([await run(['status'], mute), errors, closed]).toEqual([
      4,
      ['Understudy is running but does not answer: gone'],
      1,
    ]);
  });

  it('when attaching fails, then it says why and ends with 1', async () => {
    const code = await run(['status'], { attachCore: () => Promise.reject(new Error('No access to the socket.')) });
    expect([code, errors]).toEqual([1, ['Understudy failed: No access to the socket.']]);
  });
});

describe('given understudy phrases', () => {
  const phrase = (id: number): UnknownPhrase => ({
    id: `id ${id}`,
    provider: id === 1 ? 'zai' : 'google-vertex',
    status: id === 1 ? 418 : null,
    code: id === 1 ? null : 'E_MOON',
    text: id === 1 ? 'Moon\u001b[2J' : `The sun, ${id}`,
    count: id,
    firstSeen: 0,
    lastSeen: BACK_AT,
    model: 'zai/glm',
    suggestion: null,
  });
  const knowing = (count: number): Partial<CliParts> => {
    const entries = Array.from({ length: count }, (_, at) => phrase(at + 1));
    return attached(away, {
      'phrases.unknown': ({ offset, limit }) => ({ entries: entries.slice(offset, offset + limit), total: count }),
    });
  };

  it('when there are two, then it prints provider, status, times, when it was last seen and what was said', async () => {
    expect(await run(['config', 'phrases'], knowing(2))).toBe(0);
    expect([printed.join('\n').split('\n'), closed]).toEqual([
      [
        '2 phrases that Understudy does not know. Define their meaning in "patterns" of model-fallback.json.',
        '',
        '  provider       status  times  last seen         phrase',
        '  zai            418     1      2026-01-05 14:32  Moon[2J',
        '  google-vertex  -       2      2026-01-05 14:32  E_MOON: The sun, 2',
      ],
      1,
    ]);
  });

  it('when there are none, then it says so', async () => {
    expect([await run(['config', 'phrases'], knowing(0)), printed]).toEqual([0, ['Every failure so far has a name.']]);
  });

  it('when JSON is asked for and there are 120, then all pages are printed', async () => {
    expect(await run(['config', 'phrases', '--json'], knowing(120))).toBe(0);
    const all = JSON.parse(printed.join('\n')) as UnknownPhrase[];
    expect([all.length, all[0], all[119]]).toEqual([120, phrase(1), phrase(120)]);
  });

  it('when the core does not run or does not answer, then the exit code says which: 3 and 4', async () => {
    const mute = attached(away, {
      'phrases.unknown': () => {
        throw new Error('gone');
      },
    });
    expect([await run(['config', 'phrases']), await run(['config', 'phrases'], mute)]).toEqual([3, 4]);
  });
});

describe('given understudy notices', () => {
  const knowing = (...rows: readonly NoticeRow[]): Partial<CliParts> =>
    attached(away, { 'notices.list': () => ({ rows: [...rows], total: rows.length, unread: 1 }) });
  const fell: NoticeRow = {
    ...EMPTY,
    ...{ id: 1, notice: 'N1', key: 'k', at: BACK_AT, agents: ['plan\u001b[2J'], isRead: true },
    ...{ model: 'anthropic/claude-sonnet', to: 'openai/gpt-5', kind: 'rate_limit', status: 429 },
  };
  const lost: NoticeRow = { ...EMPTY, id: 2, notice: 'N8', key: 'l', at: BACK_AT + 60_000, isRead: false };

  it('when there are two, then they are printed oldest first, the unread one marked', async () => {
    expect(await run(['data', 'notices'], knowing(lost, fell))).toBe(0);
    expect(printed.join('\n').split('\n')).toEqual([
      '  2026-01-05 14:32  plan[2J now uses gpt-5. claude-sonnet is rate limited (429).',
      '* 2026-01-05 14:33  Lost contact with OpenCode. Understudy does not see whether its sessions are protected.',
    ]);
  });

  it('when there are none, then it says so', async () => {
    expect([await run(['data', 'notices'], knowing()), printed]).toEqual([0, ['There are no notices.']]);
  });
});

describe('given the other commands', () => {
  it.each([
    [['panel'], { port: null, open: true }],
    [['panel', '--port', '4700', '--no-open'], { port: 4700, open: false }],
  ])('when %j is run, then the headless shell gets %j', async (args, options) => {
    expect([await run(args), panels]).toEqual([0, [options]]);
  });

  it.each([
    [['demo'], { isCouncil: false, once: false, loop: false, port: 0, open: true }],
    [['demo', '--loop'], { isCouncil: false, once: false, loop: true, port: 0, open: true }],
    [
      ['demo', '--once', '--port', '4700', '--no-open'],
      { isCouncil: false, once: true, loop: false, port: 4700, open: false },
    ],
    [['demo', 'council', '--once'], { isCouncil: true, once: true, loop: false, port: 0, open: true }],
  ])('when %j is run, then the demo gets %j', async (args, options) => {
    expect([await run(args), demos]).toEqual([0, [options]]);
  });

  it('when the demo fails, then its exit code is passed on', async () => {
    expect(await run(['demo', '--once'], { runDemo: async () => 1 })).toBe(1);
  });

  it('when the headless shell fails, then its exit code is passed on', async () => {
    expect(await run(['panel'], { runPanel: async () => 1 })).toBe(1);
  });

  it.each([
    [['panel', '--port', 'x']],
    [['panel', 'extra']],
    [['demo', '--port', '70000']],
    [['demo', 'opera']],
    [['demo', 'council', '--loop']],
    [['bogus']],
    [['status', '--nope']],
    [[]],
  ])('when %j is run, then it is not understood: 2, with a hint on the error output', async (args) => {
    expect([await run(args), printed, panels]).toEqual([2, [], []]);
    expect(errors.join('\n')).toMatch(/error: |Usage: /);
  });

  it('when the version is asked for, then it is printed', async () => {
    expect([await run(['--version']), printed]).toEqual([0, ['0.1.0']]);
  });

  it('when help is asked for, then it lists every command in a group of its purpose, and shows examples', async () => {
    expect(await run(['--help'])).toBe(0);
    const help = printed.join('\n');
    expect(help.match(/^\S.*:$/gm)).toEqual(['Set up:', 'Watch and act:', 'Review and share:', 'Examples:']);
    expect(help).toMatch(
      /Set up:\n {2}install [\s\S]*Watch and act:\n {2}status [\s\S]*Review and share:\n {2}report /,
    );
    const lines = help.split('\n');
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(help).toMatch(/Examples:\n {2}understudy install[\s\S]*Exit codes: 0 done/);
  });
});
