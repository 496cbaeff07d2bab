import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { QueryOutput } from '../../src/contract/contract';
import type { ScorecardDocument } from '../../src/contract/scorecard';
import { clock } from '../../src/wording/wording';
// Loaded before the first test, so that no test's time is spent on it.
import '../../src/renderer/pages/sessions/SessionsPage';
import { hrefOf } from '../../src/renderer/app/routes';
import { speak } from '../../src/texts';
import { german } from '../../src/texts/de';
import { sampleAgent } from '../support/sample-agent';
import { sampleScorecard } from '../support/sample-scorecard';
import { sampleTimeline, sessionEntry, TURN_AT, timelineAxis, timelineTurn } from '../support/sample-sessions';
import { sampleSnapshot } from '../support/sample-snapshot';
import { press, renderPanel, ScriptedCore, textOf } from './render-panel';

type Listed = QueryOutput<'sessions.list'>;
type Told = QueryOutput<'sessions.timeline'>;

let shown: ReturnType<typeof renderPanel> | null = null;

async function show(address: string, core = new ScriptedCore(sampleSnapshot())) {
  shown = renderPanel(core, address);
  await settle();
  return { core, page: shown.page };
}
const settle = () =>
  act(async () => {
    await vi.dynamicImportSettled();
    await vi.advanceTimersByTimeAsync(0);
  });
const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));
const asked = (core: ScriptedCore, name: string) => core.asked.filter((each) => each.name === name);
const button = (name: string, place: Element | null = document.body) =>
  [...(place?.querySelectorAll('button') ?? [])].find((item) => textOf(item) === name);
const key = (name: string, init: KeyboardEventInit = {}) =>
  act(async () => void window.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, ...init })));
async function type(input: HTMLInputElement | null, text: string): Promise<void> {
  if (!input) throw new Error('there is nowhere to type');
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
}
const rows = () => [...document.querySelectorAll('tbody .sess-row')].map(textOf);
const search = () => document.querySelector<HTMLInputElement>('input[type=search]');

/** A core with these sessions. */
function listing(entries: Listed['entries']): ScriptedCore {
  const core = new ScriptedCore(sampleSnapshot());
  core.handlers['sessions.list'] = () => ({ entries, next: null, total: entries.length });
  return core;
}

function telling(change: Partial<Told>, document: ScorecardDocument = sampleScorecard()): ScriptedCore {
  const core = new ScriptedCore(sampleSnapshot());
  const told = { ...sampleTimeline, ...change };
  core.handlers['sessions.timeline'] = () => told;
  core.handlers['scorecard.get'] = () => document;
  return core;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  shown?.remove();
  shown = null;
  speak('en', {});
  vi.useRealTimers();
});

describe('given sessions that are kept', () => {
  it('when they are listed, then each says project, agents, what became of it, its figures and when it was', async () => {
    const { page } = await show(
      '#/sessions',
      listing([
        sessionEntry({ session: 'a', isLive: true, outcome: 'working', until: TURN_AT }),
        sessionEntry({ session: 'b', project: 'checkout', outcome: 'lost', lost: 2, cost: null, pricedShare: null }),
        sessionEntry({
          session: 'c',
          outcome: 'saved',
          saved: 5,
          turns: 1,
          switches: 2,
          cost: 0.004,
          pricedShare: 0.5,
        }),
      ]),
    );
    const from = clock(TURN_AT);
    const name = `.*${from} · build, plan · claude-sonnet-4-5`;
    expect(rows()[0]).toMatch(new RegExp(`^${name}shopAnswering33 turns11 switch\\$1\\.84live since .*${from}$`));
    expect(rows()[1]).toMatch(new RegExp(`^${name}checkout2 turns not finished33 turns11 switch–`));
    expect(rows()[2]).toMatch(
      new RegExp(`^${name}shopAll answered, 5 by a fallback model11 turn22 switchesunder \\$0\\.0150\\s?% priced`),
    );
    expect(page.querySelector('table')?.getAttribute('aria-rowcount')).toBe('4');
  });

  it('when OpenCode’s title may be shown, then it is the name, and the project and the agents stand below', async () => {
    await show('#/sessions', listing([sessionEntry({ title: 'Speed up the nightly import' })]));
    expect(rows()[0]).toMatch(/^Speed up the nightly importshop · build, planAll answered/);
  });

  it('when a name holds markup, then it is text', async () => {
    const title = '<img src=x onerror=alert(1)>';
    const { page } = await show('#/sessions', listing([sessionEntry({ title })]));
    expect([textOf(page.querySelector('[data-row]')), page.querySelector('main img')]).toEqual([title, null]);
  });

  it('when nobody remembers who spoke or who was asked, then it is named by what is known', async () => {
    const agents = ['build', 'explore', 'oracle', 'plan', 'review'];
    await show(
      '#/sessions',
      listing([
        sessionEntry({ session: 'a', firstModel: null, agents: [] }),
        sessionEntry({ session: 'b', since: null, agents }),
      ]),
    );
    const names = [...document.querySelectorAll('[data-row]')].map(textOf);
    expect(names).toEqual([
      expect.stringMatching(new RegExp(`${clock(TURN_AT)}$`)),
      expect.stringMatching(
        new RegExp(`${clock(TURN_AT + 3_600_000)} · build, explore, oracle \\+2 · claude-sonnet-4-5$`),
      ),
    ]);
  });

  it('when a part of a name is typed, then it is asked for a moment later, and the hits are counted aloud', async () => {
    const { core, page } = await show('#/sessions');
    await pass(1_000);
    await type(search(), ' GPT ');
    await pass(250);
    expect(asked(core, 'sessions.list').at(-1)?.input).toEqual({ search: 'GPT', before: null });
    expect(textOf(page.querySelector('[aria-live]'))).toBe('1 session found');
  });

  it('when nothing fits, then it says so, and the search can be cleared', async () => {
    const core = new ScriptedCore(sampleSnapshot());
    core.handlers['sessions.list'] = ({ search }) =>
      search === '' ? { entries: [sessionEntry()], next: null, total: 1 } : { entries: [], next: null, total: 0 };
    const { page } = await show('#/sessions', core);
    await type(search(), 'nothing like it');
    await pass(250);
    expect(textOf(page.querySelector('.empty h2'))).toBe('No session matches “nothing like it”.');
    await press(button('Clear the search'));
    await pass(250);
    expect([search()?.value, rows().length]).toEqual(['', 1]);
  });

  it('when none is kept, then it names the next step', async () => {
    const { page } = await show('#/sessions', listing([]));
    expect(textOf(page.querySelector('.empty'))).toContain('No session is stored yet.');
  });

  it('when they cannot be read, then it says why, and asking again brings them', async () => {
    const core = new ScriptedCore(sampleSnapshot());
    const answer = core.handlers['sessions.list'];
    core.handlers['sessions.list'] = () => {
      throw new Error('The history cannot be read: disk I/O error');
    };
    const { page } = await show('#/sessions', core);
    expect(textOf(page.querySelector('[role=alert]'))).toContain('The history cannot be read: disk I/O error');
    core.handlers['sessions.list'] = answer;
    await press(button('Try again'));
    expect([page.querySelector('[role=alert]'), rows().length]).toEqual([null, 1]);
  });

  it('when the answer is late, then the shape of it is there after 300 ms, and not before', async () => {
    const core = new ScriptedCore(sampleSnapshot());
    core.handlers['sessions.list'] = () => new Promise(() => {});
    const { page } = await show('#/sessions', core);
    expect(page.querySelector('.bone')).toBeNull();
    await pass(300);
    expect(page.querySelector('.bone')).not.toBeNull();
  });

  it('when contact is lost, then the view says so first, and what was read stays', async () => {
    const { core, page } = await show('#/sessions');
    core.link('lost');
    await settle();
    expect(textOf(page.querySelector('h1'))).toBe('This view lost its connection to Understudy.');
    expect([rows().length, page.querySelector('main')?.className]).toEqual([1, 'main stale']);
  });

  it('when one moves on while the focus is in the list, then nothing moves; without it, the newest comes on top', async () => {
    const core = listing([sessionEntry({ session: 'a' }), sessionEntry({ session: 'b' })]);
    const { page } = await show('#/sessions', core);
    const order = () => [...page.querySelectorAll<HTMLElement>('[data-row]')].map((row) => row.dataset.row);
    const move = async (rev: number, next: Listed['entries']) => {
      core.handlers['sessions.list'] = () => ({ entries: next, next: null, total: next.length });
      const snapshot = sampleSnapshot();
      const [first, ...others] = snapshot.sessions;
      core.push({ ...snapshot, rev, sessions: [{ ...first!, turns: rev }, ...others] });
      await pass(1_000);
    };
    page.querySelector<HTMLElement>('[data-row=a]')?.focus();
    await move(101, [sessionEntry({ session: 'b', turns: 9 }), sessionEntry({ session: 'a' })]);
    expect([order(), rows()[1]?.includes('99 turns')]).toEqual([['a', 'b'], true]);
    await act(async () => (document.activeElement as HTMLElement).blur());
    await move(102, [sessionEntry({ session: 'b', turns: 9 }), sessionEntry({ session: 'a' })]);
    expect(order()).toEqual(['b', 'a']);
  });
});

describe('given one session', () => {
  const address = hrefOf('sessions', 'ses_1');

  it('when it is opened, then each turn says who was asked, why he was left, and what it took', async () => {
    const { page } = await show(address, telling({}));
    expect(textOf(page.querySelector('h1'))).toMatch(/ · build, plan · claude-sonnet-4-5$/);
    expect(textOf(page.querySelector('.lede'))).toMatch(
      /^3 turns finished and none lost; 1 finished by a fallback model\. .*, shop, build, plan\.$/,
    );
    expect(textOf(page.querySelector('.grow .gl'))).toBe('Turn 3 3plan10 sWhy?');
    expect(page.querySelector('.grow .glane')?.getAttribute('aria-label')).toBe(
      `${clock(TURN_AT, true)}, finished by gpt-5, number 2 in its chain: claude-sonnet-4-5 rate limited (429); gpt-5 answered 2 requests`,
    );
    const bars = [...page.querySelectorAll('.grow .gbar')];
    expect(bars.map(({ classList }) => [classList.contains('gbar-lost'), classList.contains('hue-2')])).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(page.querySelectorAll('.grow .gtag')).toHaveLength(1);
  });

  const why = () => document.querySelector('.gwhy');
  const whyOf = (turn: number) => document.querySelector<HTMLButtonElement>(`button[data-why="${turn}"]`) ?? undefined;

  it('when it is asked why, then that opens under its row, with the models in order; the next one closes it', async () => {
    const second = timelineTurn({ number: 4, turn: 'msg_4', outcome: 'lost' });
    const core = telling({ turns: [timelineTurn(), second] });
    const { page } = await show(address, core);
    expect([why(), whyOf(3)?.getAttribute('aria-expanded')]).toEqual([null, 'false']);
    await press(whyOf(3));
    await settle();
    expect(asked(core, 'decision.explain').map(({ input }) => input)).toEqual([{ event: 7 }]);
    expect(textOf(why()?.querySelector('b') ?? null)).toBe('gpt-5 answered turn 3, number 2 in its chain, after 10 s.');
    expect([...(why()?.querySelectorAll('li') ?? [])].map(textOf)).toEqual([
      expect.stringMatching(/^anthropic\/claude-sonnet-4-5Failedrate limited \(429\) · 700 ms/),
      expect.stringMatching(
        /^openai\/gpt-5Chosenanswered 2 requests · 9\.2 s · first token 900 ms · 12\.4k tokens · \$0\.02/,
      ),
    ]);
    expect(whyOf(3)?.closest('li')?.contains(why())).toBe(true);
    await press(whyOf(4));
    await settle();
    expect(page.querySelectorAll('.gwhy')).toHaveLength(1);
    expect(why()?.getAttribute('data-turn')).toBe('4');
    await press(whyOf(4));
    expect(why()).toBeNull();
  });

  it('when Escape is pressed in what is open, then that closes, and the session stays', async () => {
    await show(address, telling({}));
    await press(whyOf(3));
    await act(
      async () =>
        void whyOf(3)?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })),
    );
    expect([why(), window.location.hash]).toEqual([null, address]);
  });

  it('when the table is asked for, then each attempt and each state is in it, and the chart is back with one press', async () => {
    const { page } = await show(address, telling({}));
    await press(button('Table'));
    const tables = [...page.querySelectorAll('.gtables tbody')].map((body) =>
      [...body.querySelectorAll('tr')].map((row) => [...row.children].map(textOf)),
    );
    expect(tables).toEqual([
      [
        ['Turn 3', 'plan', 'anthropic/claude-sonnet-4-5', clock(TURN_AT, true), 'rate limited (429)', '700 ms'],
        [
          ...['Turn 3', 'plan', 'openai/gpt-5', expect.any(String)],
          ...['answered 2 requests · first token 900 ms · 12.4k tokens · $0.02', '9.2 s'],
        ],
      ],
      [
        ['anthropic/claude-sonnet-4-5', 'Cooling', clock(TURN_AT + 700, true), clock(TURN_AT + 50_000, true)],
        ['openai/gpt-5', 'Ready', clock(TURN_AT, true), clock(TURN_AT + 50_000, true)],
      ],
    ]);
    expect(page.querySelector('.glane')).toBeNull();
    await press(button('Chart'));
    expect(page.querySelector('.glane')).not.toBeNull();
  });

  const HOUR_MS = 3_600_000;
  const long = () => {
    const marks = Array.from({ length: 120 }, (_, n) => ({
      at: TURN_AT + n * 60_000,
      turns: 1,
      troubled: n === 60 ? 1 : 0,
    }));
    return timelineAxis({ until: TURN_AT + 2 * HOUR_MS, marks });
  };
  const windows = (core: ScriptedCore) =>
    asked(core, 'sessions.timeline').flatMap(({ input }) => {
      const { within } = input as { within?: { since: number; until: number } | null };
      return within ? [[within.since - TURN_AT, within.until - TURN_AT].map((ms) => Math.round(ms / 60_000))] : [];
    });

  it('when it is long, then the part with trouble is shown, and keys move and zoom it', async () => {
    const core = telling({ axis: long() });
    await show(address, core);
    expect(windows(core)).toEqual([[57, 63]]);
    const brush = document.querySelector<HTMLElement>('[role=slider]');
    expect(brush?.getAttribute('aria-valuetext')).toMatch(/^\d\d:\d\d:\d\d to \d\d:\d\d:\d\d, 6 min$/);
    const keyed = async (name: string) => {
      await act(async () => void brush?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true })));
      await pass(200);
    };
    for (const name of ['ArrowRight', '-', '+', 'Home', 'End']) await keyed(name);
    expect(windows(core).slice(1)).toEqual([
      [59, 65],
      [56, 68],
      [59, 65],
      [-2, 4],
      [116, 122],
    ]);
    await press(button('All'));
    await pass(200);
    expect(asked(core, 'sessions.timeline').at(-1)?.input).toMatchObject({ within: null });
    await press(button('30 min'));
    await pass(200);
    expect(windows(core).at(-1)).toEqual([45, 75]);
  });

  it('when nobody touches it, then nothing is asked for and no clock of the page begins anew', async () => {
    const core = telling({ axis: long() });
    await show(address, core);
    await pass(1_000);
    const begun = vi.spyOn(globalThis, 'setTimeout');
    const before = core.asked.length;
    await pass(3_000);
    expect([begun.mock.calls.filter(([, ms = 0]) => ms <= 150), core.asked.length]).toEqual([[], before]);
    begun.mockRestore();
  });

  it('when a person had a model asked again, then that stands on the axis', async () => {
    const resets = [{ at: TURN_AT + 5_000, event: 9, model: 'anthropic/claude-sonnet-4-5', provider: null }];
    const { page } = await show(address, telling({ axis: timelineAxis({ resets }) }));
    expect(page.querySelector('.gmark')?.getAttribute('aria-label')).toBe(
      `claude-sonnet-4-5 reset at ${clock(TURN_AT + 5_000, true)}`,
    );
    expect([page.querySelectorAll('.greset').length, textOf(page.querySelector('.glegend'))]).toEqual([
      3,
      expect.stringContaining('reset by you'),
    ]);
  });

  it('when it is opened, then the figures of its scorecard are those of the document, block by block', async () => {
    const { page } = await show(address, telling({}));
    expect([...page.querySelectorAll('.fig')].map(textOf)).toEqual([
      'Turns saved3of 10, plus 1 avoided',
      'First try62.5\u202f%5 of 8'.replace('\u202f', ' '),
      'Attempts118 answered',
      'Cost$0.0250 % priced',
    ]);
    expect([...page.querySelectorAll('.score .block h3 > span:first-child')].map(textOf)).toEqual([
      'Advice',
      'Models that finished turns',
      'Availability',
      'Switches by model',
      'Time',
      'Retries, waits and breakers',
      'By model',
      'Why attempts failed',
      'Tools that failed',
      'Changes of state',
      'Data quality',
    ]);
    expect([...page.querySelectorAll('.fall dd')].map(textOf)).toEqual(['4', '3', '1', '0', '2']);
    expect(textOf(page.querySelector('.score-models tfoot'))).toBe('All1172.7 %1.6 s$0.02');
    expect(textOf(page.querySelector('.score'))).toContain('8 answered + 3 failed = 11 attempts.');
  });

  const blockOf = (page: Element, title: string) =>
    textOf([...page.querySelectorAll('.score .block')].find((one) => textOf(one).startsWith(title)) ?? null);

  it('when its models changed their states, then the card tells what the ribbons draw, and why where that is known', async () => {
    const card = sampleScorecard();
    const lead = 'anthropic/claude-sonnet-4-5';
    const at = (ms: number) => new Date(TURN_AT + ms).toISOString();
    const transitions = [
      { at: at(900), model: lead, state: 'cooling', kind: 'rate_limit' as const },
      // What another session met meanwhile: the axis tells of this one's own, with their reasons.
      { at: at(700), model: lead, state: 'cooling', kind: 'quota' as const },
      { at: at(950), model: 'other/model', state: 'open', kind: 'timeout' as const },
    ];
    const { page } = await show(address, telling({}, { ...card, transitions }));
    const block = [...page.querySelectorAll('.score .block')].find((one) => textOf(one).startsWith('Changes of state'));
    expect([...(block?.querySelectorAll('dt') ?? [])].map(textOf)).toEqual([
      'anthropic/claude-sonnet-4-5Cooling: rate limited',
    ]);
  });

  it('when turns were moved, retried and waited for, then it says so in the figures of the document', async () => {
    const card = sampleScorecard();
    const waits = { count: 3, totalMs: 12_500, p50Ms: 4_000, p95Ms: 5_000 };
    const totals = { ...card.totals, retries: 4, waits, networkActivations: 2 };
    const switches = [
      { from: 'acme/lead', to: 'globex/steady', count: 9 },
      { from: 'globex/steady', to: 'acme/lead', count: 1 },
    ];
    const { page } = await show(address, telling({}, { ...card, totals, switches }));
    expect(blockOf(page, 'Availability')).toBe(
      'Availabilityof 8 turns that endedWith fallbacks100 %With the primary alone50 %',
    );
    expect(blockOf(page, 'Retries')).toBe(
      'Retries, waits and breakersRetries of the same model4Waits before retries3, 12.5 s in totalBreakers opened1Opened because a provider could not be reached2',
    );
    const rows = [...page.querySelectorAll('.score-switches tbody tr')];
    expect(rows.map((row) => [...row.children].map(textOf))).toEqual([
      ['acme/lead', 'globex/steady', '9'],
      ['globex/steady', 'acme/lead', '1'],
    ]);
  });

  it('when no turn has ended and none was left, then it says that, and no share', async () => {
    const card = sampleScorecard();
    const none = { value: null, lower: null, upper: null, n: 0 };
    const totals = { ...card.totals, availability: { withFallback: none, withoutFallback: none } };
    const { page } = await show(address, telling({}, { ...card, totals, switches: [] }));
    expect(blockOf(page, 'Availability')).toBe('AvailabilityNo turn has ended yet.');
    expect(blockOf(page, 'Switches by')).toBe('Switches by modelNo turn switched its model.');
    expect(blockOf(page, 'Retries')).toContain('Waits before retries0');
  });

  it('when there are more pairs than are shown, then it says how many stand in the export', async () => {
    const switches = Array.from({ length: 14 }, (_, n) => ({ from: 'acme/lead', to: `x/${n}`, count: 20 - n }));
    const { page } = await show(address, telling({}, { ...sampleScorecard(), switches }));
    expect([...page.querySelectorAll('.score-switches tbody tr')]).toHaveLength(12);
    expect(blockOf(page, 'Switches by')).toContain('2 more in the export');
  });

  const NO_TOOLS = { validation: 0, permission: 0, not_found: 0, timeout: 0, execution: 0 };
  it.each([
    [null, null, null, null, 'Not reported: no answer came from a companion that reports this.'],
    [0, NO_TOOLS, 0, 0.125, 'No tool failed.Empty, cut or continued answers, or bad arguments12.5\u202f%'],
    [
      ...([4, { ...NO_TOOLS, validation: 3, timeout: 1 }, 2, 0.5] as const),
      'Bad arguments from the model3Took too long1of them repeated the call before2Empty, cut or continued answers, or bad arguments50\u202f%',
    ],
  ])('when %j tools failed, then it says why, or that nobody would have told', async (...told) => {
    const [tool, toolReasons, toolRepeats, flawedShare, text] = told;
    const card = sampleScorecard();
    const errors = { tool, toolReasons, toolRepeats, provider: 3 };
    const totals = { ...card.totals, errors, quality: { ...card.totals.quality, flawedShare } };
    const { page } = await show(address, telling({}, { ...card, totals }));
    const block = [...page.querySelectorAll('.score .block')].find((one) =>
      textOf(one).startsWith('Tools that failed'),
    );
    expect(textOf(block ?? null)).toBe(`Tools that failed${text.replace('\u202f', ' ')}`);
  });

  it('when two failures are like the one before of their provider, then the reasons end with them', async () => {
    const card = sampleScorecard();
    const totals = { ...card.totals, errors: { ...card.totals.errors, providerRepeats: 2 } };
    const { page } = await show(address, telling({}, { ...card, totals }));
    const block = [...page.querySelectorAll('.score .block')].find((one) =>
      textOf(one).startsWith('Why attempts failed'),
    );
    expect(textOf(block ?? null)).toMatch(/of them the same as the failure before2$/);
  });

  it('when single attempts are kept, then it says how available each agent was, above the models', async () => {
    const core = telling({});
    core.handlers['scorecard.agents'] = () => [sampleAgent()];
    const { page } = await show(address, core);
    const table = page.querySelector('[aria-label="Figures of each agent"]');
    expect([...(table?.querySelectorAll('th, td') ?? [])].slice(-7).map(textOf)).toEqual([
      ...['oracle', '10', '87.5 %', '50 %', '50 %', '4, 75 %', '1.6 min'],
    ]);
    expect(asked(core, 'scorecard.agents').map(({ input }) => input)).toEqual([{ session: 'ses_1' }]);
  });

  it('when it has advice, then the button of each leads to where it is followed', async () => {
    const advice = (code: string, provider: string | null, ...models: string[]) => ({
      ...{ code, provider, models },
      ...{ text: `do ${code}`, confidence: 'high' as const, n: 30 },
    });
    const [chain] = sampleSnapshot().chains;
    const [first = '', second = ''] = chain?.chain.map(({ model }) => model) ?? [];
    const document = {
      ...sampleScorecard(),
      advice: [
        advice('chain.reorder', null, second, first),
        advice('breaker.often', null, 'gone/model'),
        advice('provider.prefer', 'nobody'),
      ],
    };
    const { page } = await show(address, telling({}, document));
    expect([...page.querySelectorAll('.advice a')].map((link) => link.getAttribute('href'))).toEqual([
      hrefOf('chains', `${chain?.directory}|${chain?.agent}`),
      hrefOf('models', 'gone/model'),
      '#/chains',
    ]);
    expect(textOf(page.querySelector('.advice li'))).toBe('do chain.reordern = 30, confidence highReview');
  });

  it('when only turns with trouble are wanted, then the core is asked for them', async () => {
    const { core } = await show(address, telling({}));
    const only = () =>
      asked(core, 'sessions.timeline').flatMap(({ input }) => {
        const { isTroubleOnly } = input as { isTroubleOnly?: boolean };
        return isTroubleOnly === undefined ? [] : [isTroubleOnly];
      });
    expect([only(), button('All 3')?.getAttribute('aria-pressed')]).toEqual([[false], 'true']);
    await press(button('Trouble'));
    await settle();
    expect([only(), button('Trouble')?.getAttribute('aria-pressed')]).toEqual([[false, true], 'true']);
  });

  it('when none had trouble, or all had, then there is nothing to choose', async () => {
    for (const troubled of [0, 3]) {
      await show(address, telling({ troubled }));
      expect([button('Trouble'), document.querySelectorAll('.grow').length]).toEqual([undefined, 1]);
      shown?.remove();
    }
  });

  it('when it goes on, then it is read again with each change, at most once a second', async () => {
    const snapshot = sampleSnapshot();
    const [first, ...others] = snapshot.sessions;
    const core = new ScriptedCore(snapshot);
    const { page } = await show(hrefOf('sessions', first!.session), core);
    await pass(2_000);
    const before = asked(core, 'sessions.timeline').length;
    core.handlers['sessions.timeline'] = () => ({
      ...{ entry: sessionEntry(), total: 4, troubled: 2, found: 4, axis: timelineAxis(), next: null },
      turns: [timelineTurn(), timelineTurn({ number: 4, turn: 'msg_4' })],
    });
    for (let n = 1; n <= 5; n++)
      core.push({ ...snapshot, rev: 100 + n, sessions: [{ ...first!, at: first!.at + n }, ...others] });
    await pass(1_000);
    expect(asked(core, 'sessions.timeline').length - before).toBeLessThanOrEqual(4);
    expect([...page.querySelectorAll('.grow .n')].map(textOf)).toEqual(['Turn 3 3', 'Turn 4 4']);
  });

  it('when nobody knows it, then it says so, and the way back is there', async () => {
    const { page } = await show(address, telling({ entry: null, turns: [], total: 0, troubled: 0 }));
    expect(textOf(page.querySelector('h1'))).toBe('This session was not found.');
    expect(page.querySelector('.head a')?.getAttribute('href')).toBe('#/sessions');
  });

  it('when its timeline cannot be read, then that is said, and the scorecard is still there', async () => {
    const core = telling({});
    core.handlers['sessions.timeline'] = () => {
      throw new Error('Single attempts are not stored: this needs Node 22.13 or newer, or libsql.');
    };
    const { page } = await show(address, core);
    expect(textOf(page.querySelector('[role=alert]'))).toContain('Single attempts are not stored');
    expect(page.querySelectorAll('.fig')).toHaveLength(4);
  });

  it('when Escape is pressed, then the list is back, with its search', async () => {
    await show('#/sessions');
    await type(search(), 'sh');
    await pass(250);
    await act(async () => {
      window.location.hash = address;
      window.dispatchEvent(new HashChangeEvent('hashchange'));
    });
    await settle();
    await key('Escape');
    await act(async () => void window.dispatchEvent(new HashChangeEvent('hashchange')));
    expect([window.location.hash, search()?.value]).toEqual(['#/sessions', 'sh']);
  });

  it('when German is spoken, then no sentence of the page is left in English', async () => {
    speak('de', german);
    const { page } = await show(address, telling({}));
    expect(textOf(page.querySelector('.lede'))).toMatch(
      /^3 Runden beendet und keine verloren; 1 von einem Fallback-Modell beendet\./,
    );
    expect(textOf(page.querySelector('.score'))).toContain('Modelle, die Runden beendeten');
    expect(textOf(page.querySelector('.figs'))).toContain('0,02 $');
  });
});

describe('given the export of a session', () => {
  const address = hrefOf('sessions', 'ses_1');
  const preview = () => document.querySelector('.export-preview');
  const choose = async (at: number) => {
    await act(async () => document.querySelectorAll<HTMLInputElement>('dialog input[type=radio]')[at]?.click());
    await settle();
  };
  const opened = async () => {
    const told = await show(address, telling({}));
    told.core.handlers['scorecard.export'] = ({ format }) => {
      if (format === 'csv') throw new Error('That is too long for the panel.');
      return {
        name: `card.${format}`,
        text: format === 'svg' ? '<svg xmlns="http://www.w3.org/2000/svg"/>' : `# ${format}`,
      };
    };
    await key('e', { ctrlKey: true });
    await settle();
    return told;
  };

  it('when Ctrl+E is pressed, then what will be saved is shown first, under the name it will have', async () => {
    const { core } = await opened();
    expect(textOf(preview())).toBe('# md');
    expect([...document.querySelectorAll('.dialog-lines li')].map(textOf)).toEqual([
      'Saved as card.md.',
      'It contains no message, answer or key.',
    ]);
    expect(asked(core, 'scorecard.export').map(({ input }) => input)).toEqual([{ session: 'ses_1', format: 'md' }]);
  });

  it('when HTML is chosen, then a page of the whole view is made here, and shown as text and not drawn', async () => {
    const { core } = await opened();
    await choose(1);
    await vi.waitFor(() => expect(textOf(preview())).toContain('<!doctype html>'));
    const text = textOf(preview());
    expect(text).toMatch(/<h1>[^<]* · build, plan · claude-sonnet-4-5<\/h1>/);
    expect(text).toMatch(
      /content="default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'"/,
    );
    for (const what of ['gpt-5 answered turn 3', 'rate limited (429)', 'Models that finished turns', '12.4k tokens'])
      expect(text).toContain(what);
    const page = new DOMParser().parseFromString(text, 'text/html');
    expect(page.querySelectorAll('button, script, link, [href], main [style]')).toHaveLength(0);
    expect([preview()?.querySelector('h1'), textOf(document.querySelector('.dialog-lines'))]).toEqual([
      null,
      expect.stringContaining('Saved as understudy-session-ses_1.html.'),
    ]);
    // Nobody but the page is asked for it.
    expect(asked(core, 'scorecard.export').map(({ input }) => (input as { format: string }).format)).toEqual(['md']);
  });

  it('when OpenCode’s title is shown, then the page to hand on bears the other name', async () => {
    const told = await show(address, telling({ entry: sessionEntry({ title: 'Speed up the import' }) }));
    expect(textOf(told.page.querySelector('h1'))).toBe('Speed up the import');
    await key('e', { ctrlKey: true });
    await settle();
    await choose(1);
    await vi.waitFor(() => expect(textOf(preview())).toContain('<!doctype html>'));
    expect(textOf(preview())).not.toContain('Speed up');
    expect(textOf(document.querySelector('dialog'))).not.toContain('Speed up');
  });

  it('when a format cannot be made, then it says why, shows nothing of another, and cannot be saved', async () => {
    await opened();
    await choose(3);
    expect(textOf(preview())).toBe('');
    expect(textOf(document.querySelector('.dialog-lines'))).toBe('Export failed: That is too long for the panel.');
    expect(button('Save')?.disabled).toBe(true);
  });

  it('when the picture is chosen, then it is a picture, without anything of it on the page itself', async () => {
    await opened();
    await choose(4);
    expect(preview()?.querySelector('img')?.getAttribute('src')).toMatch(/^data:image\/svg\+xml;charset=utf-8,%3Csvg/);
    expect([preview()?.querySelector('svg'), button('Copy')?.tagName]).toEqual([null, 'BUTTON']);
  });

  it('when it is saved, then the file has the shown text and name, and a notice says so', async () => {
    const blobs: Blob[] = [];
    const links: string[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      blobs.push(blob as Blob);
      return 'blob:test';
    });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      links.push(this.download);
    });
    const { page } = await opened();
    await press(button('Save'));
    vi.restoreAllMocks();
    expect([links, await blobs[0]?.text(), blobs[0]?.type]).toEqual([['card.md'], '# md', 'text/markdown']);
    expect(textOf(page.querySelector('.toast'))).toContain('saved as card.md.');
    expect(document.querySelector('dialog')).toBeNull();
  });
});
