import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Handlers } from '../../src/contract/contract';
import type { CouncilView } from '../../src/features/council/contract/council';
import type { CouncilRunRow } from '../../src/features/council/contract/council-run';
import { LESS_GROUNDED } from '../../src/features/council/rules/base/text';
// Loaded before the first test, so that no test's time is spent on it.
import '../../src/features/council/renderer/CouncilPage';
import { speak } from '../../src/texts';
import { german } from '../../src/texts/de';
import {
  councilAnswers,
  finishedRow,
  RUN,
  samplePlan,
  sampleQuestion,
  sampleRuns,
  sampleStorm,
  sampleTranscript,
  sampleView,
  withCouncils,
} from '../support/sample-council';
import { SAMPLE_AT, sampleSnapshot } from '../support/sample-snapshot';
import { press, renderPanel, ScriptedCore, textOf } from './render-panel';

const AT = SAMPLE_AT;
let shown: ReturnType<typeof renderPanel> | null = null;

const settle = () =>
  act(async () => {
    await vi.dynamicImportSettled();
    await vi.advanceTimersByTimeAsync(0);
  });
const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));

type World = Readonly<{
  view?: CouncilView;
  runs?: readonly CouncilRunRow[];
  /** Runs in the snapshot; that of the view where nothing is said. */
  councils?: readonly CouncilRunRow[];
  address?: string;
  handlers?: Partial<Handlers>;
}>;

async function opened({ view = sampleView({ at: AT }), runs, councils, address, handlers = {} }: World = {}) {
  const snapshot = withCouncils(sampleSnapshot(), councils ?? [view.row]);
  const core = new ScriptedCore(snapshot);
  core.handlers = { ...core.handlers, ...councilAnswers(AT, view, runs ?? [view.row]), ...handlers };
  shown = renderPanel(core, address ?? `#/council/${RUN}`);
  await settle();
  const { page } = shown;
  let { rev } = snapshot;
  /** What the core tells next of its runs. */
  const tell = async (rows: readonly CouncilRunRow[]) => {
    rev += 1;
    core.push({ ...withCouncils(sampleSnapshot(), rows), rev });
    await settle();
  };
  return { core, page, tell };
}

const title = (page: Element) => textOf(page.querySelector('h1'));
const lede = (page: Element) => textOf(page.querySelector('.lede'));
const button = (name: string | RegExp, place: Element = document.body) =>
  [...place.querySelectorAll('button, summary')].find((each) => {
    const said = each.getAttribute('aria-label') ?? textOf(each);
    return typeof name === 'string' ? said === name : name.test(said);
  });
const asked = (core: ScriptedCore, name: string) => core.asked.filter((each) => each.name === name);
const lastAsked = (core: ScriptedCore, name: string) => asked(core, name).at(-1)?.input;
const words = (core: ScriptedCore) => asked(core, 'council.say').map(({ input }) => (input as { word: unknown }).word);
const findings = (page: Element) => [...page.querySelectorAll('.co-board .fnd-title')].map((each) => textOf(each));
const members = (page: Element) => [...page.querySelectorAll('.party button.party-row')].map((each) => textOf(each));
const stages = (page: Element) => [...page.querySelectorAll('.stages li')].map((each) => textOf(each));
const notice = () => textOf(document.querySelector('.toast'));
const banner = (page: Element) => textOf(page.querySelector('main .ask'));

async function type(field: Element | null | undefined, text: string): Promise<void> {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) throw new Error('No such field');
  const proto = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
  await act(async () => {
    Object.getOwnPropertyDescriptor(proto.prototype, 'value')?.set?.call(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

async function choose(select: Element | null | undefined, value: string): Promise<void> {
  if (!(select instanceof HTMLSelectElement)) throw new Error('No such list');
  await act(async () => {
    select.value = value;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
}

const key = (target: Element | null, name: string) =>
  act(
    async () =>
      void target?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true })),
  );

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  shown?.remove();
  shown = null;
  speak('en', {});
  vi.useRealTimers();
});

const what = (page: Element) => page.querySelector('.co-ask textarea');
const place = (page: Element) => page.querySelector('.co-ask input');
const cap = (page: Element) => page.querySelector('.co-cap input');
const LIST = { address: '#/council', councils: [] };

describe('given no council yet', () => {
  it('when the page is opened, then it asks what to look at, and says that there is no run', async () => {
    const { page, core } = await opened({ ...LIST, runs: [] });
    expect(title(page)).toBe('Council');
    expect(textOf(page.querySelector('main'))).toContain('No runs yet.');
    expect(button('Check')?.getAttribute('aria-disabled')).toBe('true');
    await press(button('Check'));
    expect(asked(core, 'council.plan')).toEqual([]);
  });

  it('when none can be played here, then why is said', async () => {
    const { page } = await opened({
      ...LIST,
      handlers: { 'council.runs': () => ({ runs: [], whyNot: 'git is missing.' }) },
    });
    expect(textOf(page.querySelector('.co-new'))).toContain('No council can run here: git is missing.');
  });

  it('when the runs cannot be read, then why is said, with the way to ask once more', async () => {
    const refuse = () => {
      throw new Error('The folder of runs cannot be read.');
    };
    const { page } = await opened({ ...LIST, handlers: { 'council.runs': refuse } });
    expect(textOf(page.querySelector('main [role=alert]'))).toContain('The folder of runs cannot be read.');
  });

  it.each([
    ['/home/ada/code/storefront-api', '', 'A code review of storefront-api.', null, '/home/ada/code/storefront-api'],
    [
      '/home/ada/my shop',
      '',
      'A brainstorm without a folder. Enter a path with spaces in the second field.',
      '/home/ada/my shop',
      null,
    ],
    ['', '/home/ada/my shop', 'A code review of my shop.', null, '/home/ada/my shop'],
    ['"/home/ada/my shop"', '', 'A code review of my shop.', null, '/home/ada/my shop'],
    [
      '"/home/ada/my shop" Where do orders get lost?',
      '',
      'Brainstorm with read access to my shop.',
      'Where do orders get lost?',
      '/home/ada/my shop',
    ],
    [
      '/login returns 500, why?',
      '',
      'A brainstorm without a folder. Enter a path with spaces in the second field.',
      '/login returns 500, why?',
      null,
    ],
    [
      '/home/ada/shop\nWhere do orders get lost?',
      '',
      'Brainstorm with read access to shop.',
      'Where do orders get lost?',
      '/home/ada/shop',
    ],
    ['"Where?" is asked too often', '', 'A brainstorm without a folder.', '"Where?" is asked too often', null],
    ['git@example.com:ada/shop.git', '', 'A code review of shop.', null, 'git@example.com:ada/shop.git'],
    [
      'git@example.com:shop.git why slow?',
      '',
      'Brainstorm with read access to shop.',
      'why slow?',
      'git@example.com:shop.git',
    ],
    ['std::vector is slow', '', 'A brainstorm without a folder.', 'std::vector is slow', null],
    ['https://example.com/ada/shop.git', '', 'A code review of shop.', null, 'https://example.com/ada/shop.git'],
    ['Where do orders get lost?', '', 'A brainstorm without a folder.', 'Where do orders get lost?', null],
    [
      'Where do orders get lost?',
      '/home/ada/shop',
      'Brainstorm with read access to shop.',
      'Where do orders get lost?',
      '/home/ada/shop',
    ],
    [
      'https://example.com/ada/shop why slow?',
      '',
      'Brainstorm with read access to shop.',
      'why slow?',
      'https://example.com/ada/shop',
    ],
    ['', '~/shop', 'A code review of shop.', null, '~/shop'],
  ])('when "%s" and "%s" are typed, then it is told: %s', async (text, folder, says, problem, repo) => {
    const { page, core } = await opened({ ...LIST, runs: [] });
    await type(what(page), text);
    await type(place(page), folder);
    expect(textOf(page.querySelector('.co-drop > p'))).toBe(says);
    await press(button('Check'));
    await settle();
    expect(lastAsked(core, 'council.plan')).toMatchObject({ problem, repo, isDeep: false, maxCost: null });
  });

  it('when a brainstorm shall be deeper and cheaper, then it is asked for so', async () => {
    const { page, core } = await opened({ ...LIST, runs: [] });
    const deeper = page.querySelector<HTMLInputElement>('.co-choices .tick input');
    expect(deeper?.disabled).toBe(true);
    await type(what(page), 'Where do orders get lost?');
    await act(async () => deeper?.click());
    await type(cap(page), '0,5');
    await press(button('Check'));
    await settle();
    expect(lastAsked(core, 'council.plan')).toMatchObject({ isDeep: true, maxCost: 0.5 });
    expect(textOf(page.querySelector('.co-plan'))).toContain('Red Team');
    expect(textOf(page.querySelector('.co-plan'))).toContain('pauses at $0.50 and asks');
  });

  it('when the cap is no amount, then nothing is asked and that is said', async () => {
    const { page, core } = await opened({ ...LIST, runs: [] });
    await type(what(page), 'Where do orders get lost?');
    await type(cap(page), 'much');
    await press(button('Check'));
    expect(textOf(page.querySelector('.co-problem'))).toBe('The cap is not an amount of money.');
    expect(asked(core, 'council.plan')).toEqual([]);
  });
});

describe('given a plan', () => {
  async function planned(plan = samplePlan(), handlers: Partial<Handlers> = {}) {
    const world = await opened({
      ...LIST,
      runs: [],
      handlers: { 'council.plan': () => ({ ok: true, plan }), ...handlers },
    });
    await type(what(world.page), '/home/ada/code/storefront-api');
    await press(button('Check'));
    await settle();
    return { ...world, card: () => textOf(world.page.querySelector('.co-plan')) };
  }

  it('when it is shown, then it says stages, speakers, fallbacks, party, the estimate as one, cap and player', async () => {
    const { page, card } = await planned();
    for (const part of [
      ...['Reconnaissance', 'Presentation', 'model of Opus', '4 to 6, 3 at a time', 'about $1.60 for 41 turns'],
      ...['pauses at $2.00 and asks', 'then claude-haiku-4-5', 'no fallback', 'OpenCode 1.18.34, started for it'],
      'Gpt, Gemini and Claude take turns.',
      'The Oracle chooses them; by default: Architect, Sentinel, Healer, Sage and Warden.',
    ])
      expect(card()).toContain(part);
    expect(page.querySelector('.co-estimate.src-ours')).not.toBeNull();
  });

  it('when begun, then the run is opened', async () => {
    const { core } = await planned();
    await press(button('Start'));
    await settle();
    expect(lastAsked(core, 'council.begin')).toEqual({ plan: 'p1' });
    expect(window.location.hash).toBe(`#/council/${RUN}`);
  });

  it('when it cannot begin, then why is said in its place, and the plan stays', async () => {
    const { page } = await planned(samplePlan(), {
      'council.begin': () => ({ ok: false, reason: 'This plan is too old: look again.' }),
    });
    await press(button('Start'));
    await settle();
    expect(textOf(page.querySelector('.co-plan [role=alert]'))).toBe(
      'The run did not start: This plan is too old: look again.',
    );
    expect(window.location.hash).toBe('#/council');
  });

  it.each([
    ['begins', { ok: true, run: RUN } as const, 'Council on storefront-api has started.'],
    [
      'cannot begin',
      { ok: false, reason: 'git could not fetch it.' } as const,
      'Council on storefront-api did not start: git could not fetch it.',
    ],
  ])(
    'when it %s after somebody has left the page, then that is told where they are, and they stay there',
    async (_how, outcome, says) => {
      let answer: (outcome: { ok: true; run: string } | { ok: false; reason: string }) => void = () => {};
      await planned(samplePlan(), {
        'council.begin': () =>
          new Promise((resolve) => {
            answer = resolve;
          }),
      });
      await press(button('Start'));
      await act(async () => {
        window.location.hash = '#/now';
      });
      await settle();
      await act(async () => answer(outcome));
      await settle();
      expect([window.location.hash, notice()]).toEqual(['#/now', expect.stringContaining(says)]);
      expect(document.querySelector('.toast [role=alert]') !== null).toBe(!outcome.ok);
    },
  );

  it('when it is refused, then why is said and nothing can begin', async () => {
    const reason = 'Cannot fallback across vendors (anthropic → google). Fallbacks must stay within model family.';
    const { page } = await planned(samplePlan(), { 'council.plan': () => ({ ok: false, reason }) });
    expect(textOf(page.querySelector('.co-new [role=alert]'))).toBe(`This cannot run: ${reason}`);
    expect(button('Start')).toBeUndefined();
  });

  it('when nobody can play it, then why is said and it does not begin', async () => {
    const { core, card } = await planned(samplePlan({ player: null, whyNoPlayer: 'OpenCode is not installed.' }));
    expect(card()).toContain('It cannot run: OpenCode is not installed.');
    await press(button('Start'));
    expect(asked(core, 'council.begin')).toEqual([]);
  });

  it('when prices are missing and speakers cannot speak yet, then both are said', async () => {
    const { card } = await planned(
      samplePlan({
        estimate: { cost: null, turns: 41, unpriced: ['google/gemini-3-pro'] },
        resets: [{ speaker: 'claude', until: AT + 3_600_000 }],
        leftOut: [{ speaker: 'gpt', model: 'openai/gpt-5' }],
        cap: null,
      }),
    );
    for (const part of [
      '41 turns, price unknown',
      'Without a price: gemini-3-pro.',
      /Claude, until \d\d:\d\d/,
      'Excluded by you',
    ])
      expect(card()).toMatch(part);
  });

  it('when something else is typed after it, then it goes: a yes would be for another run', async () => {
    const { page } = await planned();
    await type(what(page), '/home/ada/code/other');
    expect(page.querySelector('.co-plan')).toBeNull();
  });
});

describe('given something that is dragged onto the form', () => {
  const folder = { kind: 'file', webkitGetAsEntry: () => ({ isDirectory: true }) };
  async function dropped(page: Element, dataTransfer: unknown) {
    const event = Object.assign(new Event('drop', { bubbles: true, cancelable: true }), { dataTransfer });
    await act(async () => void page.querySelector('.co-drop')?.dispatchEvent(event));
  }
  const file = new File([], 'storefront-api');
  const folderDrag = { files: [file], items: [folder], getData: () => '' };

  afterEach(() => {
    delete window.understudy;
  });

  it('when it is a folder in a browser, then it is told that its path has to be written, and nothing is lost', async () => {
    const { page } = await opened({ ...LIST, runs: [] });
    await type(place(page), '/home/ada/shop');
    await dropped(page, folderDrag);
    expect(textOf(page.querySelector('.co-problem'))).toBe('Browsers do not reveal a folder’s path. Type it.');
    expect(place(page)).toHaveProperty('value', '/home/ada/shop');
  });

  it('when it is a folder in the app, then its path is taken', async () => {
    const { page } = await opened({ ...LIST, runs: [] });
    const transport = { ask: async () => null, on: () => () => {}, onLink: () => {} };
    window.understudy = {
      ...transport,
      pathOf: (each: File) => (each === file ? '/home/ada/storefront-api' : ''),
    } as never;
    await dropped(page, folderDrag);
    expect(place(page)).toHaveProperty('value', '/home/ada/storefront-api');
  });

  it('when it is an address, then that is taken', async () => {
    const { page } = await opened({ ...LIST, runs: [] });
    await dropped(page, { files: [], items: [], getData: () => 'https://example.com/ada/shop\n' });
    expect(place(page)).toHaveProperty('value', 'https://example.com/ada/shop');
  });

  it.each([
    [
      'a file',
      { files: [file], items: [{ kind: 'file', webkitGetAsEntry: () => ({ isDirectory: false }) }], getData: () => '' },
    ],
    ['a script', { files: [], items: [], getData: () => 'javascript:alert(1)' }],
  ])('when it is %s, then it is told that this is neither a folder nor an address', async (_, drag) => {
    const { page } = await opened({ ...LIST, runs: [] });
    await dropped(page, drag);
    expect(textOf(page.querySelector('.co-problem'))).toBe('You dropped neither a folder nor an address.');
  });
});

describe('given runs in every state', () => {
  const rows = sampleRuns(AT);

  it('when they are listed, then each says what, how it stands, what was found, and what it cost', async () => {
    const { page } = await opened({ ...LIST, runs: rows });
    const said = [...page.querySelectorAll('tbody .co-run')].map((each) => textOf(each));
    expect(said).toHaveLength(rows.length);
    expect(said[0]).toMatch(/^Code review of storefront-apirunning23 findings\$0\.84 of \$2\.00/);
    expect(said[3]).toContain('paused, all speakers offline');
    expect(said.at(-1)).toContain('5 ideas');
  });

  it('when one is removed with its sessions, then that is asked for, told, and they are read again', async () => {
    const { page, core } = await opened({ ...LIST, runs: rows });
    await press(button('Remove Code review of storefront-api…', page));
    const dialog = document.querySelector('dialog');
    expect(textOf(dialog)).toContain('The participants’ sessions stay in OpenCode.');
    await act(async () => dialog?.querySelector<HTMLInputElement>('.tick input')?.click());
    expect(textOf(dialog)).toContain('are deleted as well.');
    await act(async () => dialog?.querySelector<HTMLButtonElement>('[type=submit]')?.click());
    await settle();
    expect(lastAsked(core, 'council.remove')).toEqual({ run: rows[0]?.run, sessions: true });
    expect(notice()).toContain('is removed.');
    expect(asked(core, 'council.runs').length).toBeGreaterThan(1);
  });

  it('when what one looks at is still fetched, then it says so, and fetching can be stopped', async () => {
    const fetching = rows.filter(({ state }) => state === 'fetching');
    const { page, core } = await opened({ ...LIST, runs: fetching });
    expect(textOf(page.querySelector('tbody .co-run'))).toMatch(/^shoppreparing/);
    expect(button(/^Remove/, page)).toBeUndefined();
    await press(button('Stop shop', page));
    expect(asked(core, 'council.say').at(-1)?.input).toEqual({ run: fetching[0]?.run, word: { kind: 'stop' } });
    expect(notice()).toContain('is stopped. It never started.');
  });

  it('when arrow keys are pressed, then they go from run to run', async () => {
    const { page } = await opened({ ...LIST, runs: rows });
    const links = [...page.querySelectorAll<HTMLElement>('tbody [data-row]')];
    act(() => links[0]?.focus());
    await key(links[0] ?? null, 'ArrowDown');
    expect(document.activeElement).toBe(links[1]);
    await key(document.activeElement, 'k');
    expect(document.activeElement).toBe(links[0]);
  });
});

describe('given a run that is played', () => {
  it('when it is opened, then the headline says where it is and what was found', async () => {
    const { page } = await opened();
    expect(title(page)).toBe('Cross-Reference, stage 3 of 6: 23 findings, 2 of them critical.');
    expect(lede(page)).toMatch(/^Code review of storefront-api, started at \d\d:\d\d\.$/);
  });

  it('when its stages are shown, then each says who took part and how long, or how far it is', async () => {
    const { page } = await opened();
    expect(stages(page)).toEqual([
      '1 Reconnaissancedone, 7 heroes · 3 min',
      '2 Deep Analysisdone, 6 of 7 heroes · 8 min',
      '3 Cross-Referencerunning, Sage speaks, 4 of 6',
      '4 Oracle Reviewpending, Oracle',
      '5 Synthesispending, one hero',
      '6 Presentationpending, Oracle',
    ]);
    expect(page.querySelector('.stages [aria-current=step]')).not.toBeNull();
  });

  it('when its party is shown, then the list says all that the map draws', async () => {
    const view = sampleView({ at: AT, heroes: 10, findings: 50 });
    const { page } = await opened({ view });
    expect(members(page)).toEqual([
      'OrOracle watches · claude-opus-4-1',
      'ArArchitect done · gpt-522 posted, 0 remarks',
      'SeSentinel done · gemini-3-pro33 posted, 1 remarks',
      'AlAlchemist done · gpt-544 posted, 2 remarks',
      'HeHealer asks you · claude-sonnet-4-5overloaded (529), also in the retry after the round55 posted, 0 remarks',
      'SaSage running · claude-opus-4-122 posted, 1 remarks',
      'WaWarden waits · gemini-3-pro33 posted, 2 remarks',
      'ScScout waits · gpt-544 posted, 0 remarks',
      'AcArchaeologist unavailable · claude-sonnet-4-5Fallback timeout55 posted, 1 remarks',
      'CaCartographer retried later · gemini-3-proGemini error, retrying in 2s... (attempt 2/3)22 posted, 2 remarks',
      'BaBard done · gpt-533 posted, 0 remarks',
    ]);
    expect(page.querySelectorAll('.cmap .cmap-hero')).toHaveLength(10);
    expect(page.querySelector('.cmap')?.getAttribute('aria-label')).toContain('10 heroes around it');
  });

  it('when its map is drawn, then the Oracle stands in the middle and nobody stands over anybody', async () => {
    const { page } = await opened({ view: sampleView({ at: AT, heroes: 10 }) });
    expect(page.querySelector('.cmap')?.getAttribute('viewBox')).toBe('0 0 120 120');
    const circles = [...page.querySelectorAll('.cmap-hero circle, .cmap-oracle circle:not(.cmap-ring)')].map((each) =>
      ['cx', 'cy', 'r'].map((name) => Number(each.getAttribute(name))),
    );
    expect(circles.at(-1)).toEqual([60, 60, 10]);
    const apart = circles.flatMap(([x = 0, y = 0, r = 0], at) =>
      circles.slice(at + 1).map(([a = 0, b = 0, s = 0]) => Math.hypot(x - a, y - b) - r - s),
    );
    expect(Math.min(...apart)).toBeGreaterThan(2);
  });

  it('when its spend is shown, then spent, cap, estimate, unpriced turns and retries are said', async () => {
    const { page } = await opened({ view: sampleView({ at: AT, row: { unpricedTurns: 2 } }) });
    const said = textOf(page.querySelector('.co-spend'));
    for (const part of ['$0.84 of $2.00', 'about $1.60 in total, estimated', '2 unpriced', '3 of 30 retries', '16 min'])
      expect(said).toContain(part);
    expect(page.querySelector('.co-bar')?.getAttribute('aria-label')).toMatch(/^42.%\sof \$2\.00 spent$/);
  });

  it('when news come, then they are asked for calmly, and the newest are shown', async () => {
    const { core, page, tell } = await opened();
    const before = asked(core, 'council.run').length;
    for (let rev = 41; rev <= 60; rev++) {
      await tell([sampleView({ at: AT, rev }).row]);
      await pass(20);
    }
    expect(asked(core, 'council.run').length - before).toBeLessThanOrEqual(2);
    const next = sampleView({ at: AT, findings: 30, rev: 61 });
    core.handlers = { ...core.handlers, 'council.run': () => next };
    await tell([next.row]);
    await pass(600);
    expect(title(page)).toContain('30 findings');
    expect(textOf(page.querySelector('.fl'))).toBe('All 30');
  });

  it('when somebody has left the run’s page, then Escape has led to the list', async () => {
    await opened();
    await act(async () => void window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' })));
    expect(window.location.hash).toBe('#/council');
  });

  it('when nobody knows the run, then that is said, with the way to all of them', async () => {
    const { page } = await opened({
      address: '#/council/nobody',
      councils: [],
      runs: [],
      handlers: { 'council.run': () => null },
    });
    await pass(400);
    expect(title(page)).toBe('There is no such run.');
    expect(page.querySelector('a.btn[href="#/council"]')).not.toBeNull();
  });
});

describe('given the board of a run', () => {
  it('when it is opened, then the worst come first, ten at a time, and those without evidence stand apart', async () => {
    const { page } = await opened();
    expect(findings(page).slice(0, 3)).toEqual([
      'Session token is compared with ==, so timing leaks it, Critical.',
      'Refund endpoint trusts the amount from the client, Critical.',
      'N+1 query while listing invoices: 1 + n per page, Major.',
    ]);
    expect(page.querySelectorAll('.co-board > div .fnd')).toHaveLength(10);
    expect(textOf(button('1 whose quote was not found'))).not.toBe('');
    await press(button('13 more'));
    expect(page.querySelector('[aria-setsize="23"]')).not.toBeNull();
  });

  it.each([
    ['by weight', async () => press(button('Critical: 2')), 2],
    ['by hero', async () => choose(document.querySelectorAll('.co-pick select')[0], 'Sage'), 3],
    ['by file', async () => choose(document.querySelectorAll('.co-pick select')[1], 'src/auth/session.ts'), 1],
    ['by what came of the quote', async () => choose(document.querySelectorAll('.co-pick select')[2], 'moved'), 5],
    ['by who stands behind it', async () => choose(document.querySelectorAll('.co-pick select')[3], '1'), 19],
    [
      'by challenge',
      async () => act(async () => document.querySelector<HTMLElement>('.co-conditions .tick input')?.click()),
      3,
    ],
  ])('when it is filtered %s, then only those are shown, and how many is told', async (_, filter, count) => {
    const { page } = await opened();
    await press(button('Hero, file, confirmed'));
    await filter();
    const listed = page.querySelector('.co-board .fnds > li')?.getAttribute('aria-setsize');
    expect(Number(listed) + Number(/^(\d+) more$/.exec(textOf(button(/^\d+ more$/)))?.[1] ?? 0)).toBe(count);
    expect(textOf(page.querySelector('.co-board [aria-live]'))).toBe(`${count} of 23 displayed`);
  });

  it('when no finding is like that, then it says so, with the way back', async () => {
    const { page } = await opened();
    await press(button('Hero, file, confirmed'));
    await press(button('Critical: 2'));
    await choose(page.querySelectorAll('.co-pick select')[1], 'test/clock.ts');
    expect(textOf(page.querySelector('.co-board'))).toContain('No finding matches.');
    await press(button('Show all'));
    expect(findings(page)).toHaveLength(11);
  });

  it('when one is opened, then its quote, evidence, suggestion and remarks are shown beneath it; Escape closes it', async () => {
    const { page } = await opened();
    const row = page.querySelector<HTMLElement>('.fnd[data-row=f2]');
    await press(row);
    const detail = textOf(page.querySelector('#co-f-f2'));
    for (const part of ['return rows;', 'The comparison stops', 'Architect confirms', 'Architect adds'])
      expect(detail).toContain(part);
    expect(row?.getAttribute('aria-expanded')).toBe('true');
    await act(async () => void window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', cancelable: true })));
    expect(page.querySelector('#co-f-f2')).toBeNull();
    expect(window.location.hash).toBe(`#/council/${RUN}`);
  });

  it('when new ones come while one has the focus, then no row changes its place', async () => {
    const few = sampleView({ at: AT, findings: 6 });
    const { core, page, tell } = await opened({ view: few });
    await pass(3_000);
    const before = findings(page).slice(0, 6);
    act(() => page.querySelector<HTMLElement>('.fnd')?.focus());
    const worse = {
      ...few.report.findings[2]!,
      id: 'f77',
      severity: 'critical' as const,
      title: 'A new hole',
      support: 9,
    };
    const next = {
      ...few,
      row: { ...few.row, rev: 50 },
      report: { ...few.report, findings: [worse, ...few.report.findings] },
    };
    core.handlers = { ...core.handlers, 'council.run': () => next };
    await tell([next.row]);
    await pass(3_000);
    expect(findings(page).slice(0, 6)).toEqual(before);
    expect(findings(page)[6]).toBe('A new hole, Critical.');
    act(() => (document.activeElement as HTMLElement).blur());
    await tell([{ ...next.row, rev: 51 }]);
    await pass(3_000);
    expect(findings(page)[0]).toBe('A new hole, Critical.');
  });

  it('when a title is made of tags, then it is shown as it was written', async () => {
    const view = sampleView({ at: AT, findings: 1 });
    const title = '<img src=x onerror=alert(1)>';
    const hostile = {
      ...view,
      report: { ...view.report, findings: [{ ...view.report.findings[0]!, title, quote: '</pre><script>' }] },
    };
    const { page } = await opened({ view: hostile });
    await press(page.querySelector('.fnd'));
    expect(findings(page)[0]).toContain(title);
    expect(page.querySelector('main img, main script')).toBeNull();
  });
});

describe('given the transcript of a participant', () => {
  it('when a run is opened, then that of who speaks is shown, and each kind of entry is said', async () => {
    const { page, core } = await opened();
    expect(lastAsked(core, 'council.transcript')).toEqual({ run: RUN, member: 'sage' });
    const said = [...page.querySelectorAll('.talk li')].map((each) => textOf(each));
    expect(said).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d Deep Analysis$/),
      'read src/jobs/queue.ts',
      'edit: refused src/jobs/queue.ts',
      'Posts: Retry loop swallows the last error src/jobs/queue.ts:57 · moved',
      'Notes tests The queue has a test for its dead letters.',
      'Retried, attempt 2 of 3: overloaded',
      'Failed: overloaded The model is overloaded.',
      'Could not be parsed A call of PostFindings named no file.',
      'Completes the stage Tests are fast; the queue is not covered.',
      expect.stringMatching(/^\d\d:\d\d:\d\d Cross-Reference$/),
      'read test/queue.test.ts',
      expect.stringContaining('A test covers the dead-letter path'),
      'Challenges f4 (Retry loop swallows the last error) the last error is kept after the fifth attempt.',
      'Confirms f3 (N+1 query while listing invoices: 1 + n per page) the fixture of 50 invoices makes 51 queries.',
      'grep "findMany" src/jobs',
    ]);
    expect(textOf(page.querySelector('.co-about'))).toContain('live');
    expect(textOf(page.querySelector('.co-brief'))).toBe('Brief: Look at what no test would notice.');
  });

  it.each([
    ['notPlayed', 'from the journal; the full text is in the session'],
    ['unreachable', 'from the journal; the OpenCode that runs it is unreachable'],
  ] as const)('when it is %s, then it says where it comes from', async (live, says) => {
    const { page } = await opened({ handlers: { 'council.transcript': () => sampleTranscript(AT, live) } });
    expect(textOf(page.querySelector('.co-about'))).toContain(says);
  });

  it('when somebody else is chosen in the party, then theirs is asked for and kept, whoever speaks', async () => {
    const { page, core, tell } = await opened();
    await press(page.querySelector('.party-row[data-row=warden]'));
    await settle();
    expect(lastAsked(core, 'council.transcript')).toEqual({ run: RUN, member: 'warden' });
    expect(page.querySelector('.party-row[data-row=warden]')?.getAttribute('aria-pressed')).toBe('true');
    await tell([sampleView({ at: AT, rev: 41 }).row]);
    await pass(600);
    expect(lastAsked(core, 'council.transcript')).toEqual({ run: RUN, member: 'warden' });
  });

  it('when who speaks goes on speaking without news, then it is asked for again after a while, and of a run at rest not', async () => {
    const { core } = await opened();
    const before = asked(core, 'council.transcript').length;
    await pass(4_500);
    expect(asked(core, 'council.transcript').length).toBeGreaterThan(before);
    shown?.remove();
    const rest = await opened({ view: sampleView({ at: AT, row: { state: 'left', isPlayed: false } }) });
    const once = asked(rest.core, 'council.transcript').length;
    await pass(10_000);
    expect(asked(rest.core, 'council.transcript').length).toBe(once);
  });

  it('when another is chosen and nothing of theirs has come, then nothing stands under their name; when it cannot be read, neither', async () => {
    let refuse: (why: Error) => void = () => {};
    const ofWarden = new Promise<never>((_, reject) => {
      refuse = reject;
    });
    const { page } = await opened({
      handlers: { 'council.transcript': ({ member }) => (member === 'sage' ? sampleTranscript(AT) : ofWarden) },
    });
    expect(page.querySelectorAll('.talk li').length).toBeGreaterThan(0);
    await press(page.querySelector('.party-row[data-row=warden]'));
    await settle();
    const shownOfWarden = () => [
      textOf(page.querySelector('#co-talk')),
      page.querySelectorAll('.talk li').length,
      textOf(page.querySelector('.co-about > p.cap')),
      textOf(page.querySelector('.co-entries > p:not(.co-brief)')),
    ];
    expect(shownOfWarden()).toEqual(['Transcript of Warden', 0, '', '']);
    await act(async () => refuse(new Error('The journal cannot be read.')));
    expect(shownOfWarden()).toEqual(['Transcript of Warden', 0, '', '']);
    expect(textOf(page.querySelector('.co-talk [role=alert]'))).toContain('The journal cannot be read.');
  });

  it('when each answer takes five seconds, then what is said is shown all the same, and one is started at a time', async () => {
    let [asking, most, rev] = [0, 0, 41];
    const { page, core, tell } = await opened({
      handlers: {
        'council.transcript': async () => {
          most = Math.max(most, ++asking);
          await new Promise((resolve) => setTimeout(resolve, 5_000));
          asking -= 1;
          return sampleTranscript(AT);
        },
      },
    });
    expect(page.querySelectorAll('.talk li')).toHaveLength(0);
    const busy = async (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        await tell([sampleView({ at: AT, rev: rev++ }).row]);
        await pass(1_000);
      }
    };
    await busy(5);
    expect(page.querySelectorAll('.talk li')).toHaveLength(15);
    await busy(11);
    expect([asked(core, 'council.transcript').length, most]).toEqual([4, 1]);
  });

  it('when it cannot be read, then why is said beside the rest', async () => {
    const refuse = () => {
      throw new Error('The journal cannot be read.');
    };
    const { page } = await opened({ handlers: { 'council.transcript': refuse } });
    expect(textOf(page.querySelector('.co-talk [role=alert]'))).toContain('The journal cannot be read.');
    expect(findings(page).length).toBeGreaterThan(0);
  });
});

describe('given a run that waits for a person', () => {
  const question = { state: 'awaiting_fallback_decision' as const, question: sampleQuestion(AT) };

  it('when it asks, then the question says whose fallback, why, and what happens without an answer', async () => {
    const { page } = await opened({ view: sampleView({ at: AT, row: question }) });
    expect(banner(page)).toMatch(
      /^Continue Claude with claude-haiku-4-5\?claude-sonnet-4-5: overloaded\. You can bring it back later: \/retry claude\.0:4\dthen skippedYesNo$/,
    );
    expect(lede(page)).toContain('Claude waits for your answer; the others continue.');
  });

  it.each([
    ['Yes', true, 'Claude continues with claude-haiku-4-5.'],
    ['No', false, 'Claude is skipped for this run.'],
  ])('when %s is pressed, then that question is answered, and it is told', async (name, yes, says) => {
    const { core } = await opened({ view: sampleView({ at: AT, row: question }) });
    await press(button(name));
    await settle();
    expect(words(core)).toEqual([{ kind: 'answer', yes, question: 'q1' }]);
    expect(notice()).toContain(says);
  });

  it('when it is answered elsewhere, then the question goes, and the focus stays near', async () => {
    const { page, tell } = await opened({ view: sampleView({ at: AT, row: question }) });
    act(() => (button('Yes') as HTMLElement).focus());
    await tell([sampleView({ at: AT, rev: 41 }).row]);
    expect(page.querySelector('main .ask')).toBeNull();
    await settle();
    expect(document.activeElement).not.toBe(document.body);
  });

  it('when an answer comes too late, then it is told why', async () => {
    const { core } = await opened({
      view: sampleView({ at: AT, row: question }),
      handlers: { 'council.say': () => ({ ok: false, reason: 'No question is open. Nothing has changed.' }) },
    });
    await press(button('Yes'));
    await settle();
    expect(words(core)).toHaveLength(1);
    expect(notice()).toContain('No question is open. Nothing has changed.');
  });

  it('when it is paused at its cap, then it can be raised, or the run ended', async () => {
    const { core, page } = await opened({ view: sampleView({ at: AT, row: { state: 'paused_for_user', spent: 2 } }) });
    expect(banner(page)).toContain('Paused at the cap: $2.00 of $2.00 spent.');
    await press(button('Raise cap and continue'));
    await press(button('Stop with a report'));
    await act(async () => document.querySelector<HTMLButtonElement>('dialog [type=submit]')?.click());
    await settle();
    expect(words(core)).toEqual([{ kind: 'answer', yes: true, question: null }, { kind: 'stop' }]);
  });

  it('when everybody is offline, then all can be asked again, or the run stopped after a question', async () => {
    const { core, page } = await opened({ view: sampleView({ at: AT, row: { state: 'paused' } }) });
    expect(banner(page)).toContain('All speakers are offline. The run is paused; nothing is lost.');
    await press(button('Retry all'));
    await press(button('Stop with a report'));
    await act(async () => document.querySelector<HTMLButtonElement>('dialog [type=submit]')?.click());
    await settle();
    expect(words(core)).toEqual([{ kind: 'retry', name: 'all' }, { kind: 'stop' }]);
  });

  it('when a speaker is off, then it can be asked again by its name', async () => {
    const view = sampleView({ at: AT });
    const off = { ...view.speakers[2]!, state: 'off' as const, reason: 'User declined fallback' };
    const { core, page } = await opened({
      view: { ...view, speakers: [...view.speakers.slice(0, 2), off, ...view.speakers.slice(3)] },
    });
    expect(textOf(page.querySelector('.co-voices'))).toContain('Claude off: User declined fallback');
    await press(button('Retry Claude'));
    await settle();
    expect(words(core)).toEqual([{ kind: 'retry', name: 'claude' }]);
    expect(notice()).toContain('Claude is retried.');
  });

  it('when it was left, then it can be resumed here', async () => {
    const { core, page } = await opened({ view: sampleView({ at: AT, row: { state: 'left', isPlayed: false } }) });
    expect(banner(page)).toContain('This run is not running.');
    expect(button('Stop')).toBeUndefined();
    await press(button('Resume'));
    await settle();
    expect(lastAsked(core, 'council.resume')).toEqual({ run: RUN });
  });

  it('when it was left inside OpenCode, then it says how it is resumed there', async () => {
    const { page } = await opened({
      view: sampleView({ at: AT, row: { state: 'left', isPlayed: false, isInSession: true } }),
    });
    expect(banner(page)).toContain('It was started inside OpenCode. Resume it there: /council resume.');
    expect(button('Resume')).toBeUndefined();
  });

  it('when it is stopped, then it is asked first, and then said once', async () => {
    const { core } = await opened();
    await press(button('Stop'));
    expect(textOf(document.querySelector('dialog'))).toContain('You cannot resume it.');
    expect(words(core)).toEqual([]);
    await act(async () => document.querySelector<HTMLButtonElement>('dialog [type=submit]')?.click());
    await settle();
    expect(words(core)).toEqual([{ kind: 'stop' }]);
    expect(notice()).toContain('The council is stopped.');
  });
});

describe('given a run that is over', () => {
  const over = () => sampleView({ at: AT, row: finishedRow(AT) });

  it('when it is opened, then its report is there: headline, order, figures, who took part, cost', async () => {
    const { page } = await opened({ view: over() });
    expect(title(page)).toBe('Fix two things before the release: token comparison and refund amounts.');
    expect(lede(page)).toBe('Code review of storefront-api, 23 findings. 7 heroes, 26 min, $1.52.');
    const numbers = [...page.querySelectorAll('.rep > section > ol > li .rep-n')].map((each) => textOf(each));
    expect(numbers).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
    expect(textOf(page.querySelector('.rep'))).toContain('In the Oracle’s order');
    for (const part of [
      'Quote verified in the file23 of 24',
      'Healer, answered until then: Fallback timeout',
      'Retries3 of 30',
    ])
      expect(textOf(page.querySelector('.co-side'))).toContain(part);
    await press(button('10 more recommendations'));
    expect(page.querySelectorAll('.rep > section > ol > li')).toHaveLength(20);
  });

  it('when the run itself is wanted, then its board and the journal’s transcripts are there', async () => {
    const { page } = await opened({ view: over() });
    await press(button('The run'));
    await settle();
    expect(page.querySelector('.coun')).not.toBeNull();
    expect(page.querySelector('.co-talk')).not.toBeNull();
  });

  it.each([
    ['Markdown', 'md'],
    ['HTML', 'html'],
    ['JSON', 'json'],
    ['SARIF', 'sarif'],
  ])('when %s is pressed, then that is saved under the name that the core gives it', async (name, format) => {
    const links: string[] = [];
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      links.push(this.download);
    });
    const { core } = await opened({ view: over() });
    await press(button(name));
    await settle();
    expect(lastAsked(core, 'council.export')).toEqual({ run: RUN, format });
    expect(links).toEqual([`council-${RUN}.${format}`]);
    expect(notice()).toContain(`is saved as council-${RUN}.${format}.`);
    click.mockRestore();
  });

  it('when it cannot be exported, then why is told', async () => {
    await opened({ view: over(), handlers: { 'council.export': () => ({ ok: false, reason: 'The disk is full.' }) } });
    await press(button('Markdown'));
    await settle();
    expect(notice()).toContain('could not be exported: The disk is full.');
  });

  it('when it was stopped, then the report says so and that the order is by rule', async () => {
    const view = sampleView({ at: AT, row: { ...finishedRow(AT), state: 'stopped', headline: null } });
    const { page } = await opened({ view });
    expect(title(page)).toBe('Stopped with 23 findings.');
    expect(textOf(page.querySelector('.rep'))).toContain('The run was stopped: these are the results so far.');
    expect(textOf(page.querySelector('.rep'))).toContain('By severity and support');
  });

  it.each([
    [true, LESS_GROUNDED],
    [false, null],
  ])(
    'when a source of knowledge gave nothing in time: %s, then the report says it as published, or not',
    async (isLessGrounded, says) => {
      const view = over();
      const { page } = await opened({ view: { ...view, report: { ...view.report, isLessGrounded } } });
      const said = textOf(page.querySelector('.rep > section'));
      expect(/\(Some RAG[^)]*\)/.exec(said)?.[0] ?? null).toBe(says);
    },
  );

  it('when a fallback has taken over and not answered, then that is said, and of one that has answered not', async () => {
    const view = over();
    const [first] = view.report.fallbacks;
    const fallbacks = [first!, { ...first!, speaker: 'gpt', hasAnswered: false }];
    await opened({ view: { ...view, report: { ...view.report, fallbacks } } });
    const lines = () => [...document.querySelectorAll('.co-side li.co-under-line')].map((each) => textOf(each));
    expect(lines().slice(-2)).toEqual([
      'claude-haiku-4-5 took over from claude-sonnet-4-5 as Claude',
      'claude-haiku-4-5 took over from claude-sonnet-4-5 as Gpt but has not answered',
    ]);
    shown?.remove();
    speak('de', german);
    await opened({ view: { ...view, report: { ...view.report, fallbacks } } });
    expect(lines().at(-1)).toBe('claude-haiku-4-5 übernahm von claude-sonnet-4-5 als Gpt, hat aber nicht geantwortet');
  });

  it('when it ends while it is watched, then what is shown stays, and the report is offered', async () => {
    const { core, page, tell } = await opened();
    const end = over();
    const last = { ...end, row: { ...end.row, rev: 99 } };
    core.handlers = { ...core.handlers, 'council.run': () => last };
    await tell([last.row]);
    await pass(600);
    expect(page.querySelector('.coun')).not.toBeNull();
    expect(banner(page)).toContain('The report is ready.');
    await press(button('Show the report'));
    expect(page.querySelector('.rep')).not.toBeNull();
    expect(page.querySelector('main .ask')).toBeNull();
  });

  it('when it is under way, then the same formats are behind one button', async () => {
    await opened();
    await press(document.querySelector('.head .menu summary'));
    expect([...document.querySelectorAll('.menu-list button')].map((each) => textOf(each))).toEqual([
      'Markdown',
      'HTML',
      'JSON',
      'SARIF',
    ]);
  });
});

describe('given a brainstorm', () => {
  it('when it is played, then its ideas are there with who speaks for and against, and no filter of findings', async () => {
    const { page } = await opened({ view: sampleStorm({ at: AT }) });
    expect(title(page)).toBe('Exchange, stage 4 of 8: 5 ideas.');
    expect(findings(page)).toHaveLength(5);
    expect(page.querySelector('.filters')).toBeNull();
    await choose(page.querySelector('.co-board select'), 'Skeptic');
    expect(findings(page)).toEqual(['Ask customers first: three of five never use the export']);
    await press(page.querySelector('.fnd'));
    expect(textOf(page.querySelector('.fnd-detail'))).toContain('Engineer supports We have the table already.');
  });

  it('when it is over, then its options are ranked by points, with ballots, dissent and next steps, and no SARIF', async () => {
    const { page } = await opened({ view: sampleStorm({ at: AT, row: finishedRow(AT) }) });
    const said = textOf(page.querySelector('.rep > section'));
    for (const part of [
      ...[
        'Ranked options',
        'Which way of handing over orders',
        'No order is lost',
        '22.5 points, first on 3 of 5 ballots',
      ],
      ...['Skeptic, about Write orders to an outbox', 'Write the outbox table', 'Refers to', 'src/orders/save.ts:31'],
    ])
      expect(said).toContain(part);
    expect([...page.querySelectorAll('.co-export button')].map((each) => textOf(each))).toEqual([
      'Markdown',
      'HTML',
      'JSON',
    ]);
    expect([...page.querySelectorAll('.rep-idea .rep-n')].map((each) => textOf(each))).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
    ]);
  });

  it('when somebody has put the ideas together, then the report has their words, with their name', async () => {
    const view = sampleStorm({ at: AT, row: finishedRow(AT) });
    const synthesis = { by: 'Pragmatist', text: 'The outbox, unless the connector is free.' };
    const { page } = await opened({ view: { ...view, report: { ...view.report, synthesis } } });
    const fold = button(/^Synthesis/, page)?.parentElement;
    expect(fold && [...fold.children].map((each) => textOf(each))).toEqual(['Synthesisby Pragmatist', synthesis.text]);
  });
});

describe('given a screen reader', () => {
  const said = () => [...document.querySelectorAll('p.sr[aria-live=polite]')].map((each) => textOf(each)).join('|');

  it('when a run asks, pauses or ends, then that is told, and nothing else of it', async () => {
    const { tell } = await opened({ address: '#/now' });
    await pass(6_000);
    const row = (rev: number, change: Partial<CouncilRunRow>) => [sampleView({ at: AT, rev, row: change }).row];
    await tell(row(41, { spent: 1 }));
    expect(said()).not.toContain('council');
    await tell(row(42, { state: 'awaiting_fallback_decision', question: sampleQuestion(AT) }));
    await pass(0);
    expect(said()).toContain('The council asks: continue Claude with claude-haiku-4-5?');
    await pass(6_000);
    await tell(row(43, { state: 'paused_for_user' }));
    await pass(0);
    expect(said()).toContain('The council is paused at its cap.');
    await pass(6_000);
    await tell(row(44, finishedRow(AT)));
    await pass(0);
    expect(said()).toContain('The council has finished. Its report is ready.');
  });

  it('when the page opens while a run asks, then what was before is not told', async () => {
    const view = sampleView({ at: AT, row: { state: 'awaiting_fallback_decision', question: sampleQuestion(AT) } });
    await opened({ address: '#/now', view });
    await pass(6_000);
    expect(said()).not.toContain('council');
  });
});

describe('given the commands of the panel', () => {
  it('when a new council is wished for from another page, then its field has the focus', async () => {
    const { page } = await opened({ address: '#/now' });
    await act(async () => void shown?.panel.commands.run('new-council'));
    await settle();
    expect(window.location.hash).toBe('#/council');
    await settle();
    expect(document.activeElement).toBe(what(page));
  });

  it('when a run is chosen, then it is opened; on its page its report can be exported', async () => {
    const { core } = await opened({ address: '#/now' });
    const all = shown?.panel.commands.all().map(({ title }) => title) ?? [];
    expect(all).toContain('Open council run: Code review of storefront-api');
    expect(all).toContain('New council…');
    await act(async () => void shown?.panel.commands.run(`council ${RUN}`));
    await settle();
    expect(window.location.hash).toBe(`#/council/${RUN}`);
    await settle();
    await act(async () => void shown?.panel.commands.run('export'));
    await settle();
    expect(lastAsked(core, 'council.export')).toEqual({ run: RUN, format: 'md' });
  });
});

describe('given a reader of German', () => {
  it('when a run is opened, then all but names and what models said is German', async () => {
    speak('de', german);
    const view = sampleView({ at: AT, row: { state: 'awaiting_fallback_decision', question: sampleQuestion(AT) } });
    const { page } = await opened({ view });
    expect(title(page)).toBe('Gegenprüfung, Abschnitt 3 von 6: 23 Befunde, davon 2 kritisch.');
    expect(banner(page)).toContain('Claude mit claude-haiku-4-5 fortsetzen?');
    expect(members(page)[4]).toContain('Healer fragt');
    expect(textOf(page.querySelector('.co-spend'))).toContain('etwa 1,60 $ insgesamt, geschätzt');
  });
});
