import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { queries } from '../../src/contract/contract';
import type { NoticeRow } from '../../src/contract/notices';
import { NOTICES } from '../../src/contract/preferences';
import { PAGES } from '../../src/contract/shell';
import { EMPTY } from '../../src/core/notices/episode';
import { noticeActs, noticeBody, noticeTitle, noticeView } from '../../src/wording/notice-words';
import { clock } from '../../src/wording/wording';
import { sampleSnapshot } from '../support/sample-snapshot';

const BACK = Date.UTC(2026, 3, 14, 12, 32);
const SONNET = 'anthropic/claude-sonnet-4-5';

const row = (over: Partial<NoticeRow>): NoticeRow => ({ ...EMPTY, id: 1, isRead: false, key: 'k', ...over });

const OF_MONEY: NonNullable<NoticeRow['near']> = {
  ...{ code: 'money.day', window: 'money.day', unit: 'dollars', lengthMs: null, used: 0.97, limit: 5 },
  ...{ remaining: 0.15, needs: null },
};

/** A notice of each kind, with all it may say. */
const ROWS: Readonly<Record<string, NoticeRow>> = Object.fromEntries(
  [...NOTICES, 'digest' as const].map((notice) => [
    notice,
    row({
      notice,
      agents: ['plan', 'build', 'review'],
      project: 'shop',
      session: 's1',
      model: SONNET,
      to: 'openai/gpt-5',
      kind: 'rate_limit',
      status: 429,
      at: BACK - 600_000,
      until: BACK,
      version: '2.0.0',
      figures: {
        of: 4,
        turns: 41,
        fallbacks: 3,
        cost: 1.84,
        times: 4,
        count: 3,
        lastedMs: 18 * 60_000,
        critical: 1,
        cap: 2,
        fullAt: BACK,
      },
      near: {
        ...{ code: 'headroom.plan', window: 'unified-5h', unit: 'share', lengthMs: 18_000_000, used: 0.97 },
        ...{ limit: null, remaining: null, needs: null },
      },
      ...(notice === 'N16' ? { near: { ...OF_MONEY } } : {}),
      council: {
        run: 'r20260414-120000-a1b2',
        question: { id: 'q1', speaker: 'claude', failure: 'rate_limit' },
        pause: 'cap',
      },
    }),
  ]),
);

describe('given a notice of each kind', () => {
  it('when it is told, then it says what the catalogue says', () => {
    const at = clock(BACK);
    expect(Object.values(ROWS).map((each) => `${each.notice}: ${noticeTitle(each)} / ${noticeBody(each)}`)).toEqual([
      `N1: plan now uses gpt-5 / claude-sonnet-4-5 is rate limited (429). Back about ${at}.`,
      'N2: 3 agents switched models / anthropic is rate limited: plan, build, review.',
      `N3: plan has no model left / All 4 models are unavailable. First back about ${at} (gpt-5).`,
      'N4: plan is working again / claude-sonnet-4-5 answered.',
      'N5: plan is back on claude-sonnet-4-5 / On fallback for 18 min, 41 turns.',
      'N6: anthropic needs attention / claude-sonnet-4-5 is rate limited (429). Retrying will not help.',
      `N7: claude-sonnet-4-5 is unstable / It is held out of use until ${at}.`,
      'N8: Lost contact with OpenCode / Understudy does not see whether its sessions are protected.',
      'N9: Companion and app versions differ / The companion in OpenCode and this app cannot communicate.',
      'N10: Session finished: 41 turns, 3 fallbacks, $1.84 / shop',
      'N11: plan uses a costlier model / gpt-5: about 4× claude-sonnet-4-5.',
      'N12: Configuration edited elsewhere / A configuration file was changed outside this app.',
      'N13: Understudy 2.0.0 is ready / Install it to use it: see Settings › General.',
      `N14: anthropic, 5 h limit: 97\u{202f}% used / At this pace full about ${at}. Resets ${at}.`,
      `N15: plan now uses gpt-5 / claude-sonnet-4-5 has used 97\u{202f}% of its 5 h limit. Back about ${at}.`,
      `N16: plan has stopped: a budget is spent / $4.85 of today’s $5.00 are spent. It resets ${at}.`,
      'N17: Requests of plan keep failing / At least half of the last requests in its session failed.',
      'N18: Many requests fail / 3 within five minutes. Check your network and providers.',
      'N19: plan has used 3 of 4 retries / Check your network and providers.',
      `N20: plan is stuck until about ${at} / claude-sonnet-4-5 is rate limited (429). OpenCode keeps retrying it.`,
      'N21: plan waits for your answer / May gpt-5 answer instead?',
      `N22: Council on shop asks about a fallback model / claude-sonnet-4-5 is rate limited. Use gpt-5 for Claude? Without an answer the council continues without Claude at about ${at}.`,
      'N23: Council on shop is paused at its cap / $1.84 of $2.00 spent. It continues when you approve.',
      'N24: Council on shop has finished / 3 findings, 1 critical. Its report is ready.',
      'digest: 3 notices during quiet hours / See the list of notices.',
    ]);
  });

  it('when it asks about a plan that would be used up, then it says how long that would last, and what silence means', () => {
    const near: NoticeRow['near'] = {
      ...{ code: 'headroom.drain', window: 'week', unit: 'share' as const, lengthMs: 604_800_000, used: 0.41 },
      ...{ limit: null, remaining: null, needs: null, fullInMs: 21_600_000 },
    };
    expect(noticeBody(row({ ...ROWS.N21, near }))).toBe(
      'gpt-5 has used 41\u{202f}% of its week limit, and the rest would last about 6 h. May gpt-5 answer? Without your answer it does.',
    );
  });

  it('when less is known, then it says no more than that', () => {
    const bare = (notice: NoticeRow['notice'], over: Partial<NoticeRow> = {}) =>
      noticeBody(row({ notice, agents: ['plan', 'build'], model: SONNET, ...over }));
    expect([
      bare('N1'),
      bare('N2', { model: null }),
      bare('N3', { figures: { of: 2 } }),
      bare('N3', { figures: { of: 2 }, to: SONNET }),
      bare('N3', { figures: { count: 3 } }),
      bare('N3'),
      bare('N7'),
    ]).toEqual([
      'claude-sonnet-4-5.',
      'plan, build.',
      'All 2 models are unavailable. Fix one of them to continue.',
      'All 2 failed for this message; claude-sonnet-4-5 takes the next one.',
      'maxFallbackDepth ended its message after 3 switches; models remain.',
      'Its message ended before every model was requested.',
      'It is held out of use.',
    ]);
  });
});

describe('given what can be done about a notice', () => {
  const snapshot = sampleSnapshot();
  const session = snapshot.sessions.find(({ agents }) => agents.some(({ chain }) => chain.length > 1));
  const speaker = session?.agents.find(({ chain }) => chain.length > 1);
  const about = { agents: [speaker?.agent ?? ''], session: speaker?.session ?? null, to: speaker?.active ?? null };
  const all = Object.values(ROWS).flatMap((each) => noticeActs({ ...each, ...about }, snapshot));

  it('when a view is opened, then it is one of the panel', () => {
    const views = [
      ...Object.values(ROWS).map((each) => noticeView(each)),
      ...all.flatMap((act) => ('view' in act ? [act.view] : [])),
    ];
    for (const view of views) expect(PAGES).toContain(/^#\/([a-z]+)/.exec(view)?.[1]);
  });

  it('when the core is asked, then the panel asks the same, and the question is well put', () => {
    const panel = readdirSync('src/renderer', { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => readFileSync(join('src/renderer', file), 'utf8'))
      .join('\n');
    const asked = all.flatMap((act) => ('ask' in act ? [act.ask] : []));
    expect(asked.map(({ name }) => name)).toEqual(expect.arrayContaining(['health.reset', 'person.act']));
    for (const ask of asked) {
      expect(queries[ask.name].input.safeParse(ask.input).success).toBe(true);
      expect(panel).toContain(`'${ask.name}'`);
      if (ask.name === 'person.act') expect(panel).toContain(`'${ask.input.act.type}'`);
    }
  });

  it('when an agent is held where it is, then it is that agent, in its project, for half an hour', () => {
    const [hold] = noticeActs({ ...(ROWS.N1 as NoticeRow), ...about }, snapshot);
    expect(hold).toEqual({
      label: 'Pin here 30m',
      ask: {
        name: 'person.act',
        input: {
          act: {
            type: 'agent.pinned',
            directory: session?.directory,
            agent: speaker?.agent,
            model: speaker?.active,
            forMs: 1_800_000,
          },
          rev: snapshot.rev,
        },
      },
    });
  });

  it('when its session is forgotten, or nothing is held any more, then only its view is left', () => {
    const labels = (notice: string) =>
      noticeActs(ROWS[notice] as NoticeRow, { ...snapshot, sessions: [], models: [] }).map(({ label }) => label);
    expect([labels('N1'), labels('N7'), labels('N11'), labels('N5')]).toEqual([['Open'], ['Open'], ['Open'], []]);
  });

  it('when a cheaper model of the chain is usable, then the agent can be held on the cheapest', () => {
    const priced = (price: number | null) => ({
      context: null,
      vision: null,
      tools: null,
      priceIn: price,
      priceOut: price,
    });
    const prices: Readonly<Record<string, number>> = { 'a/lead': 3, 'b/dear': 12, 'c/cheap': 1, 'd/out': 0.1 };
    const [model] = snapshot.models;
    const chain = Object.keys(prices).map((id) => ({
      model: id,
      state: id === 'd/out' ? ('cooling' as const) : ('ready' as const),
      code: null,
    }));
    if (!model || !session || !speaker) throw new Error('The sample has no model and nobody who speaks.');
    const own = {
      ...snapshot,
      sessions: [{ ...session, agents: [{ ...speaker, chain }] }],
      models: Object.entries(prices).map(([id, price]) => ({ ...model, model: id, abilities: priced(price) })),
    };
    const acts = noticeActs({ ...(ROWS.N11 as NoticeRow), ...about, to: 'b/dear' }, own);
    expect(acts.map(({ label }) => label)).toEqual(['Pin to cheap 30m', 'Open']);
    expect(acts[0]).toMatchObject({ ask: { input: { act: { model: 'c/cheap' } } } });
  });
});

describe('given a provider that waits for a person', () => {
  it.each([
    ['login', 'Log in to anthropic again: opencode auth login.'],
    ['auth', 'Give anthropic a valid API key (opencode auth login), then reset it.'],
    ['model_not_found', 'Check the name and package of claude-sonnet-4-5, or remove it from the chain.'],
  ] as const)('when the failure is %s, then the notice ends with what to do', (kind, remedy) => {
    expect(noticeBody({ ...(ROWS.N6 as NoticeRow), kind })).toMatch(
      new RegExp(`\\. ${remedy.replace(/[().]/g, '\\$&')}$`),
    );
  });
});
