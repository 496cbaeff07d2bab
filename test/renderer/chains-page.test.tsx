import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { QueryInput, QueryOutput } from '../../src/contract/contract';
import { hrefOf } from '../../src/renderer/app/routes';
import { sampleAgent } from '../support/sample-agent';
import { sampleForecast, sampleWhatIf } from '../support/sample-scorecard';
import { sampleSnapshot } from '../support/sample-snapshot';
import { press as pressNow, renderPanel, ScriptedCore, textOf } from './render-panel';

const PLAN = hrefOf('chains', '/home/ada/code/storefront-api|plan');
const [OPUS, GPT, PRO, SONNET] = [
  'anthropic/claude-opus-4-1',
  'openai/gpt-5',
  'google/gemini-3-pro',
  'anthropic/claude-sonnet-4-5',
];
let shown: ReturnType<typeof renderPanel> | null = null;

async function show(address = PLAN, core = new ScriptedCore(sampleSnapshot())) {
  shown = renderPanel(core, address);
  await act(async () => {});
  return { core, page: shown.page };
}

const rows = (page: Element) => [...page.querySelectorAll('.crow')];
const models = (page: Element) => rows(page).map((row) => row.getAttribute('data-model'));
const buttonNamed = (page: Element, text: string) =>
  [...page.querySelectorAll('button')].find((button) => textOf(button) === text);
const named = (page: Element, name: string) => page.querySelector<HTMLElement>(`[aria-label="${name}"]`);
/** Lets a change be previewed. */
const settle = () => act(async () => void (await vi.advanceTimersByTimeAsync(100)));
const press = async (button: Element | null | undefined) => {
  await pressNow(button);
  await settle();
};
const pressKey = (key: string, init: KeyboardEventInit = {}) =>
  act(async () => {
    document.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init }),
    );
  });

const type = async (key: string, init: KeyboardEventInit = {}) => {
  await pressKey(key, init);
  await settle();
};

/** The lines of what a draft changes. */
const changes = (page: Element) =>
  [...page.querySelectorAll('.ldiff li')].map((line) => [...line.children].map(textOf).filter(Boolean).join(' '));
const set = async (control: Element | null, value: string, kind: string) => {
  await act(async () => {
    if (!control) throw new TypeError('There is no such control.');
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, value);
    control.dispatchEvent(new Event(kind, { bubbles: true }));
  });
  await settle();
};
const choose = (control: Element | null, value: string) => set(control, value, 'change');
const fill = (control: Element | null, value: string) => set(control, value, 'input');
const picker = (page: Element) => page.querySelector<HTMLInputElement>('.picker input');
const offers = (page: Element) => [...page.querySelectorAll('.pick')].map((row) => row.getAttribute('data-offer'));

type Row = QueryOutput<'chains.get'>['chains'][number];
/** What files say of chains: that of `plan` in the user's own, but for the changes. */
const saying = (...rows: readonly Partial<Row>[]): (() => QueryOutput<'chains.get'>) => {
  const row: Row = {
    ...{ agent: 'plan', models: [OPUS, GPT], tiers: [], chain: 'own' },
    ...{ path: '/u/model-fallback.json', line: 4, policy: 'swift', leads: null },
  };
  return () => ({ chains: rows.map((change) => ({ ...row, ...change })), isUnread: false, problems: [] });
};

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  vi.useRealTimers();
  shown?.remove();
  shown = null;
});

describe('given an address that names an agent without a chain of its own', () => {
  const directory = '/home/ada/code/storefront-api';
  const showOf = (by: 'rest' | 'off' | 'nobody', lead: string | null = OPUS) => {
    const snapshot = sampleSnapshot();
    const rest = { directory, agent: '*', chain: [{ model: SONNET, state: 'ready', code: null }] } as const;
    return show(
      hrefOf('chains', `${directory}|explore`),
      new ScriptedCore({
        ...snapshot,
        chains: [...snapshot.chains, { ...rest, chain: [...rest.chain] }],
        others: [{ directory, agent: 'explore', lead, by }],
      }),
    );
  };

  it('when it goes by the chain for all others, then that one is open', async () => {
    const { page } = await showOf('rest');
    expect(models(page)).toEqual([SONNET]);
  });

  it('when nobody stands in for it, then it is open with its primary alone', async () => {
    const { page } = await showOf('nobody');
    expect(models(page)).toEqual([OPUS]);
  });

  it.each<['off' | 'nobody', string | null]>([
    ['off', OPUS],
    ['nobody', null],
  ])(
    'when fallback is %s and its model is %s, then nobody else’s chain is open, and the page says why',
    async (by, lead) => {
      const { page } = await showOf(by, lead);
      expect([models(page), textOf(page.querySelector('.empty h2'))]).toEqual([[], 'explore has no chain to edit.']);
    },
  );
});

describe('given the chain of one agent', () => {
  it('when shown, then its models stand in order with their state, beside what speaks now and what is configured', async () => {
    const { page } = await show();
    expect(models(page)).toEqual([OPUS, GPT, PRO, SONNET]);
    expect(rows(page).map((row) => textOf(row.querySelector('.st')))).toEqual([
      'Cooling',
      'Ready',
      'Degraded 2/3',
      'Ready',
    ]);
    expect(textOf(rows(page)[1]!.querySelector('.tag-active'))).toBe('active');
    expect([...page.querySelectorAll('.cmp > div')].map(textOf)).toEqual([
      'In use nowopenai/gpt-52 of 4, fallback model. claude-opus-4-1 is rate limited (429)',
      'Configuredanthropic/claude-opus-4-1first of 4',
    ]);
    expect(page.querySelector('.draft')).toBeNull();
  });

  it('when OpenCode is set to its primary and the file does not name it, then it is 1, and positions agree with Now', async () => {
    const core = new ScriptedCore(sampleSnapshot());
    core.handlers = { ...core.handlers, 'chains.get': saying({ models: [GPT, PRO, SONNET] }) };
    const { page } = await show(undefined, core);
    await act(async () => {});
    expect(textOf(page.querySelector('.crow-lead'))).toMatch(/^1.*claude-opus-4-1.*Primary, not in the list$/);
    const places = (row: Element) => [...row.querySelectorAll('.pos option')].map(textOf);
    expect(models(page)).toEqual([GPT, PRO, SONNET]);
    expect(
      rows(page).map((row) => row.querySelector<HTMLSelectElement>('.pos select')?.selectedOptions[0]?.text),
    ).toEqual(['2', '3', '4']);
    expect(places(rows(page)[0]!)).toEqual(['2', '3', '4']);
    expect(page.querySelector('[aria-label="Move gpt-5, position 2 of 4"]')).not.toBeNull();
    await press(named(page, 'Move gemini-3-pro up'));
    expect(changes(page)).toEqual(['Moved gemini-3-pro 3 → 2']);
    expect([...page.querySelectorAll('.cmp > div')].map(textOf)[2]).toBe(
      'Draftanthropic/claude-opus-4-1first of 4, not applied yet',
    );
    // In the list, it is at its place there; places of before still count from the primary before the list.
    await press(page.querySelector(`[data-offer="${OPUS}"]`));
    expect(page.querySelector('.crow-lead')).toBeNull();
    expect(changes(page)).toContain('Moved gemini-3-pro 3 → 1');
  });

  it('when it is copied for OpenCode, then it is the chain in force in the shape of issue 7602', async () => {
    const copied: string[] = [];
    const { page } = await show();
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: async (text: string) => void copied.push(text) },
    });
    await press(buttonNamed(page, 'Copy as OpenCode config'));
    expect(copied.map((text) => JSON.parse(text))).toEqual([
      { agents: { plan: { model: { fallback: [OPUS, GPT, PRO, SONNET] } } } },
    ]);
  });

  it('when no chain is named, then the first is open; another one is a link away', async () => {
    const { page } = await show('#/chains');
    expect(page.querySelector('.chain')?.getAttribute('aria-label')).toBe('Chain of plan');
    const links = () => [...page.querySelectorAll<HTMLAnchorElement>('.agents-list a')];
    expect(links().map(textOf)).toEqual([
      'plan 3/4 usable',
      'review 1/3 usable',
      'build 1/2 usable',
      'title 1/1 usable',
    ]);
    expect(links()[2]?.getAttribute('href')).toBe(hrefOf('chains', '/home/ada/code/storefront-api|build'));
    await choose(page.querySelector('.agents-project select'), '/home/ada/code/checkout');
    await act(async () => void window.dispatchEvent(new Event('hashchange')));
    expect(links().map(textOf)).toEqual(['all other agents 3/4 usable']);
    expect(page.querySelector('.chain')?.getAttribute('aria-label')).toBe('Chain of all other agents');
  });
});

describe('given a hand on the keyboard', () => {
  it('when Alt and arrows are pressed, then the model moves, the focus stays on it, and Ctrl+Z takes it back', async () => {
    const { page } = await show();
    named(page, 'Move gpt-5, position 2 of 4')?.focus();
    await type('ArrowUp', { altKey: true });
    expect(models(page)).toEqual([GPT, OPUS, PRO, SONNET]);
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Move gpt-5, position 1 of 4');
    await type('ArrowUp', { altKey: true });
    expect(models(page)).toEqual([GPT, OPUS, PRO, SONNET]);
    await type('ArrowDown', { altKey: true });
    await type('ArrowDown', { altKey: true });
    expect(models(page)).toEqual([OPUS, PRO, GPT, SONNET]);
    for (let step = 0; step < 3; step++) await type('z', { ctrlKey: true });
    expect([models(page), page.querySelector('.draft')]).toEqual([[OPUS, GPT, PRO, SONNET], null]);
  });

  it('when Delete is pressed, then the model is out, the next one has the focus, and the toast brings it back', async () => {
    const { page } = await show();
    named(page, 'Move gpt-5, position 2 of 4')?.focus();
    await type('Delete');
    expect(models(page)).toEqual([OPUS, PRO, SONNET]);
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Move gemini-3-pro, position 2 of 3');
    await press([...document.querySelectorAll('.toast button')].find((button) => textOf(button) === 'Undo'));
    expect(models(page)).toEqual([OPUS, GPT, PRO, SONNET]);
  });
});

describe('given buttons in place of dragging', () => {
  it('when arrows and a place are chosen, then the draft counts, captions and compares', async () => {
    const { page } = await show();
    await press(named(page, 'Move gpt-5 up'));
    await choose(named(page, 'Position of claude-sonnet-4-5'), '2');
    expect(models(page)).toEqual([GPT, OPUS, SONNET, PRO]);
    expect([...page.querySelectorAll('.pos-was')].map(textOf)).toEqual(['was 2', 'was 1', 'was 4', 'was 3']);
    expect(textOf(page.querySelector('.draft-top p'))).toBe('2 changes, not applied');
    expect(changes(page)).toEqual(['Moved gpt-5 2 → 1', 'Moved claude-sonnet-4-5 4 → 3']);
    expect(textOf(page.querySelector('.cmp > div:last-child'))).toBe('Draftopenai/gpt-5first of 4, not applied yet');
  });

  it('when the first is moved up, then its button is there, says that it cannot, and does nothing', async () => {
    const { page } = await show();
    const up = named(page, 'Move claude-opus-4-1 up');
    expect(up?.getAttribute('aria-disabled')).toBe('true');
    await press(up);
    expect(page.querySelector('.draft')).toBeNull();
  });

  it('when a model is added that is in no chain here, then the draft says so and offers to take it out', async () => {
    const { page } = await show();
    await fill(picker(page), 'x/new');
    picker(page)?.focus();
    await type('Enter');
    expect([models(page).at(-1), changes(page)]).toEqual(['x/new', ['Added new at 5 new provider: x']]);
    expect(textOf(page.querySelector('.note'))).toContain('x/new has not been used here yet');
    await press(named(page, 'Remove new from the draft'));
    expect(page.querySelector('.draft')).toBeNull();
  });
});

describe('given an address that names only an agent', () => {
  it('when its chain is not the first, then it is opened', async () => {
    const { page } = await show('#/chains/build');
    expect(page.querySelector('.chain')?.getAttribute('aria-label')).toBe('Chain of build');
  });
});

describe('given a draft', () => {
  it('when another view is looked at, then the draft is still there afterwards; Discard ends it', async () => {
    const { page } = await show();
    await press(named(page, 'Move gpt-5 up'));
    const go = (hash: string) =>
      act(async () => {
        window.location.hash = hash;
        window.dispatchEvent(new Event('hashchange'));
      });
    await go('#/now');
    await go(PLAN);
    expect(models(page)[0]).toBe(GPT);
    await press([...page.querySelectorAll('.draft button')].find((button) => textOf(button) === 'Discard'));
    expect(models(page)[0]).toBe(OPUS);
  });

  it('when enough turns are known, then what it would have done says what is likely, and within which bounds', async () => {
    const { core, page } = await show();
    const difference = { value: -0.17, lower: -0.26, upper: -0.085 };
    core.handlers = {
      ...core.handlers,
      'what-if.play': () => ({
        ...sampleWhatIf,
        stallsAvoided: -2,
        verdict: 'worse',
        forecast: { ...sampleForecast, difference, known: 390 },
      }),
    };
    await press(named(page, 'Move gpt-5 up'));
    await press([...page.querySelectorAll('.draft button')].find((item) => textOf(item) === 'Simulate this draft'));
    expect(textOf(page.querySelector('.draft-what-if [role=status]'))).toBe(
      '2 fewer turns answered. Worse: of the next 100 turns, 8.5 to 26 fewer would be answered.',
    );
    expect([...page.querySelectorAll('.draft-what-if p')].map(textOf)[1]).toBe(
      'Expected share of answered turns: 97 % (90 % to 99 %); without this draft, 80 % (71 % to 88 %). The result of 390 of 400 turns is clear; the others may be answered or not.',
    );
  });

  it('when it is asked what it would have done, then both sides and the caution are there, until the draft changes', async () => {
    const { core, page } = await show();
    await press(named(page, 'Move gpt-5 up'));
    const ask = () =>
      press([...page.querySelectorAll('.draft button')].find((item) => textOf(item) === 'Simulate this draft'));
    await ask();
    expect(core.asked.at(-1)).toEqual({
      name: 'what-if.play',
      input: { agent: 'plan', chain: [GPT, OPUS, PRO, SONNET], policy: null },
    });
    expect(textOf(page.querySelector('.draft-what-if [role=status]'))).toBe(
      '2 more turns answered. Too few turns are recorded for a forecast.',
    );
    expect([...page.querySelectorAll('.draft-what-if tr')].map((row) => [...row.children].map(textOf))).toEqual([
      ['', 'turns', 'answered', 'failed', 'unknown', 'switches', 'refused', 'time lost', 'cost'],
      ['current chain, replayed', '10', '8', '2', '0', '1', '2', '9 s', '$0.40 for 100 % of them'],
      ['this draft', '10', '10', '0', '0', '3', '0', '3 s', '$0.50 for 100 % of them'],
    ]);
    expect(textOf(page.querySelector('.draft-what-if .muted'))).toContain('An estimate');
    await press(named(page, 'Move gemini-3-pro up'));
    expect(page.querySelector('.draft-what-if table')).toBeNull();
    core.handlers = {
      ...core.handlers,
      'what-if.play': () => {
        throw new Error('The log cannot be read.');
      },
    };
    await ask();
    expect(textOf(page.querySelector('.draft-what-if [role=status]'))).toBe('The log cannot be read.');
  });

  it('when the chain comes into force as drafted, then there is no draft any more', async () => {
    const { core, page } = await show();
    await press(named(page, 'Move gpt-5 up'));
    const next = sampleSnapshot();
    const [plan, ...rest] = next.chains;
    const [first, second, ...others] = plan!.chain;
    core.push({ ...next, rev: 42, chains: [{ ...plan!, chain: [second!, first!, ...others] }, ...rest] });
    await act(async () => {});
    expect([models(page)[0], page.querySelector('.draft')]).toEqual([GPT, null]);
  });
});

describe('given a draft that is to be applied', () => {
  const directory = '/home/ada/code/storefront-api';
  const file = `${directory}/.opencode/model-fallback.json`;
  const seen = 'a'.repeat(64);
  const diff = `--- ${file}\n+++ ${file}\n@@ -1 +1 @@\n-old\n+new\n`;
  const written = (models: string[]) => ({
    ...{ agent: 'plan', models, tiers: [], chain: 'own' as const, path: file, line: 4, policy: 'steady' },
    leads: null,
  });

  async function drafted(change: Partial<ScriptedCore['handlers']> = {}) {
    const core = new ScriptedCore(sampleSnapshot());
    let models = [OPUS, GPT, PRO, SONNET];
    core.handlers = {
      ...core.handlers,
      'chains.get': () => ({ chains: [written(models)], isUnread: false, problems: [] }),
      'chains.preview': () => ({ ok: true, path: file, diff, seen, leads: [] }),
      'chains.apply': (input) => {
        models = input.models;
        return { ok: true, path: file, receipt: 'r1' };
      },
      'setup.undo': () => {
        models = [OPUS, GPT, PRO, SONNET];
        return { ok: true, path: file, receipt: 'r2' };
      },
      ...change,
    };
    const { page } = await show(PLAN, core);
    named(page, 'Move gpt-5, position 2 of 4')?.focus();
    await type('ArrowUp', { altKey: true });
    return { core, page };
  }
  const apply = () => press(document.querySelector('.draft .btn-main'));

  const NAMES = ['swift', 'steady', 'patient', 'council'];
  /** Which policies there are, in the project with one of its own, and what its file says of `plan`. */
  const policies = (own: string | null, change: Partial<QueryOutput<'config.get'>> = {}) => ({
    'config.get': (asked: { directory: string | null }): QueryOutput<'config.get'> => {
      const isProjects = asked.directory !== null;
      return {
        ...{ target: isProjects ? file : '/u/model-fallback.json', isUnread: false, problems: [] },
        values: [{ key: 'policy', value: 'swift', path: null, line: null }],
        policies: [...NAMES, ...(isProjects ? ['mine'] : [])].map((name) => ({ name, parent: null, rows: [] })),
        limits: [],
        agents: [
          { agent: 'plan', policy: own ?? 'swift', own: own === null ? null : { policy: own, path: file, line: 4 } },
        ],
        ...change,
      };
    },
    'config.preview': ({ changes }: { changes: QueryInput<'config.preview'>['changes'] }) => ({
      ...{ ok: true as const, path: file, diff, seen, changes },
    }),
    'config.apply': () => ({ ok: true as const, path: file, receipt: 'r9' }),
  });
  const buttons = (page: Element) => [...page.querySelectorAll<HTMLButtonElement>('.chain-policy button')];
  const policy = (page: Element, name: string) => buttons(page).find((button) => textOf(button) === name);
  const pressed = (page: Element) =>
    buttons(page)
      .filter((button) => button.getAttribute('aria-pressed') === 'true')
      .map(textOf);
  const applied = (core: ScriptedCore) =>
    core.asked.flatMap(({ name, input }) => (name === 'config.apply' ? [input as QueryInput<'config.apply'>] : []));
  const toast = () => textOf(document.querySelector('.toast'));

  it('when another policy is pressed, then it is written at once where its chain stands, and can be taken back', async () => {
    const { core, page } = await drafted(policies('steady'));
    expect([pressed(page), policy(page, 'steady')?.title]).toEqual([
      ['steady'],
      'Retries temporary failures first, then switches.',
    ]);
    expect(buttons(page).map(textOf)).toEqual([...NAMES, 'mine', 'Use the general policy']);
    await press(policy(page, 'patient'));
    const set = { type: 'set', path: ['agents', 'plan', 'policy'], value: 'patient' };
    expect(applied(core)).toEqual([{ directory, changes: [set], seen }]);
    expect(toast()).toContain('plan now uses the policy patient.');
    await press([...document.querySelectorAll('.toast button')].find((button) => textOf(button) === 'Undo'));
    expect(core.asked.findLast(({ name }) => name === 'setup.undo')?.input).toEqual({ receipt: 'r9' });
    await press(policy(page, 'Use the general policy'));
    expect(applied(core)[1]).toMatchObject({ changes: [{ type: 'unset', path: ['agents', 'plan', 'policy'] }] });
    expect(page.querySelector('.draft')).not.toBeNull();
  });

  it('when its chain stands in the user’s own file, then that is written, and what a project defines is not offered', async () => {
    const { core, page } = await drafted({ ...policies(null), 'chains.get': saying({}) });
    expect(buttons(page).map(textOf)).toEqual(NAMES);
    expect([pressed(page), textOf(page.querySelector('.chain-policy'))]).toEqual([
      ['swift'],
      expect.stringContaining('same as all agents'),
    ]);
    await press(policy(page, 'council'));
    expect(applied(core)[0]).toMatchObject({ directory: null });
  });

  it('when somebody else’s file names its policy, then it is told, and cannot be chosen here', async () => {
    const own = { policy: 'patient', path: '/u/oh-my-opencode-theseus.json', line: 3 };
    const agents = [{ agent: 'plan', policy: 'patient', own }];
    const { page } = await drafted({ ...policies(null, { agents }), 'chains.get': saying({}) });
    expect([buttons(page), textOf(page.querySelector('.chain > .card-head'))]).toEqual([
      [],
      expect.stringContaining('policy patient'),
    ]);
  });

  it.each([
    [true, 'Agents now use only models of their primary’s vendor (vendorLock).'],
    [false, 'Models of other vendors may still take over (vendorLock: false).'],
  ])('when the first council brings a vendor lock of %s, then that is said', async (value, sentence) => {
    const lock = { type: 'set' as const, path: ['defaults', 'vendorLock'], value };
    const { core, page } = await drafted({
      ...policies(null),
      'config.preview': ({ changes }) => ({ ok: true, path: file, diff, seen, changes: [...changes, lock] }),
    });
    await press(policy(page, 'council'));
    expect(toast()).toContain(`plan now uses the policy council. ${sentence}`);
    expect(applied(core)[0]?.changes).toContainEqual(lock);
  });

  it('when council is left and its lock stays, then that is said', async () => {
    const values = [{ key: 'vendorLock', value: true, path: file, line: 2 }];
    const { page } = await drafted(policies('council', { values }));
    await press(policy(page, 'swift'));
    expect(toast()).toContain('plan now uses the policy swift. Agents still use only models of their primary’s vendor');
  });

  it('when a policy is refused, then that is said, and nothing is written', async () => {
    const reason = 'model-fallback.json is not JSON.';
    const { core, page } = await drafted({
      ...policies(null),
      'config.preview': () => ({ ok: false, reason, fields: [] }),
    });
    await press(policy(page, 'council'));
    expect(toast()).toContain(reason);
    expect([pressed(page), applied(core)]).toEqual([['swift'], []]);
  });

  it('when two are pressed before the first is written, then one is written', async () => {
    let go = (): void => undefined;
    const wait = new Promise<void>((resolve) => {
      go = resolve;
    });
    const { core, page } = await drafted({
      ...policies('steady'),
      'config.apply': async () => {
        await wait;
        return { ok: true, path: file, receipt: 'r9' };
      },
    });
    await press(policy(page, 'patient'));
    await press(policy(page, 'swift'));
    await act(async () => go());
    expect(applied(core).map(({ changes }) => changes[0])).toEqual([expect.objectContaining({ value: 'patient' })]);
  });

  it('when its file is half written for a moment, then nobody has changed the chain, and then it is what the file says', async () => {
    let files: QueryOutput<'chains.get'> = {
      chains: [written([OPUS, GPT, PRO, SONNET])],
      isUnread: false,
      problems: [],
    };
    let isHalf = false;
    const { 'config.get': table, ...others } = policies('mine');
    const { core, page } = await drafted({
      ...{ ...others, 'chains.get': () => files },
      'config.get': (asked) => (isHalf ? { ...table(asked), isUnread: true, agents: [] } : table(asked)),
    });
    const news = async (by: number) => {
      const { rev, ...rest } = sampleSnapshot();
      core.push({ ...rest, rev: rev + by, config: [{ path: file, directory, edition: `${by}`, problems: [] }] });
      await act(async () => {});
    };
    // What a file says that cannot be read: nothing, but the primary that OpenCode's own file names.
    files = { chains: [{ ...written([OPUS]), chain: 'lead', path: null }], isUnread: true, problems: [] };
    isHalf = true;
    await news(1);
    expect([page.querySelector('.conflict'), models(page)]).toEqual([null, [GPT, OPUS, PRO, SONNET]]);
    expect(pressed(page)).toEqual(['mine']);
    isHalf = false;
    files = { chains: [written([OPUS, PRO, GPT, SONNET])], isUnread: false, problems: [] };
    await news(2);
    expect(textOf(page.querySelector('.conflict ol'))).toMatch(/opus-4-1.*gemini-3-pro.*gpt-5.*sonnet/);
  });

  it('when the chain in force is known before what its file says, then the first chain of a file is nobody else’s change', async () => {
    let files = Promise.resolve(saying()());
    const { core, page } = await drafted({ 'chains.get': () => files });
    await press(buttonNamed(page, 'Add a tier'));
    named(page, 'Move the beginning of Tier 1')?.focus();
    await type('ArrowUp', { altKey: true });
    const { rev, chains, ...rest } = sampleSnapshot();
    const inForce = chains.map((row) =>
      row.agent === 'plan'
        ? { ...row, chain: [GPT, OPUS, PRO, SONNET].map((model) => ({ ...row.chain[0]!, model })) }
        : row,
    );
    let tell = (_: QueryOutput<'chains.get'>) => {};
    files = new Promise((resolve) => {
      tell = resolve;
    });
    core.push({ ...rest, rev: rev + 1, chains: inForce });
    await act(async () => {});
    expect(page.querySelector('.conflict')).toBeNull();
    tell(saying({ models: [GPT, OPUS, PRO, SONNET], tiers: [{ name: null, size: 1 }] })());
    await act(async () => {});
    expect([page.querySelector('.conflict'), page.querySelector('.draft')]).toEqual([null, null]);
  });

  it('when the agent has had turns lately, then its chain says how available it was', async () => {
    const core = new ScriptedCore(sampleSnapshot());
    const ranges: unknown[] = [];
    core.handlers['scorecard.agents'] = (range) => {
      ranges.push(range);
      return [sampleAgent('plan')];
    };
    const { page } = await show(PLAN, core);
    await act(async () => undefined);
    expect(textOf(page.querySelector('.chain .cap'))).toContain('Available for 87.5 % of 8 turns in the last 7 days');
    expect(ranges).toEqual([{ sinceMs: Math.floor(sampleSnapshot().at / 3_600_000 - 168) * 3_600_000 }]);
  });

  it('when another project has an agent of that name, then nobody says whose figures they are', async () => {
    const { chains, ...rest } = sampleSnapshot();
    const [plan] = chains.filter(({ agent }) => agent === 'plan');
    const core = new ScriptedCore({ ...rest, chains: [...chains, { ...plan!, directory: '/home/ada/other' }] });
    core.handlers['scorecard.agents'] = () => [sampleAgent('plan')];
    const { page } = await show(PLAN, core);
    await act(async () => undefined);
    expect(textOf(page.querySelector('.chain > .card-head'))).not.toContain('Available for');
  });

  it('when Ctrl+S is pressed, then file and exact change are shown, and what is applied is what was seen', async () => {
    const { core, page } = await drafted();
    expect(textOf(page.querySelector('.chain > .card-head'))).toContain('policy steady');
    expect(textOf(page.querySelector('.cmp'))).toContain('first of 4, from .opencode/model-fallback.json:4');
    expect(textOf(page.querySelector('.draft-where'))).toContain(
      `Apply writes ${file}; its other content does not change.`,
    );
    await press(buttonNamed(page, 'Raw JSON'));
    expect([...page.querySelectorAll('.diff span')].map((line) => [line.className, textOf(line)])).toEqual([
      ['diff-at', '@@ -1 +1 @@'],
      ['diff-del', '-old'],
      ['diff-add', '+new'],
    ]);
    await type('s', { ctrlKey: true });
    const change = {
      ...{ directory, agent: 'plan', models: [GPT, OPUS, PRO, SONNET], tiers: null },
      ...{ scope: null, create: true },
    };
    const asked = core.asked.filter(({ name }) => name === 'chains.preview' || name === 'chains.apply');
    expect(asked).toEqual([
      { name: 'chains.preview', input: change },
      { name: 'chains.apply', input: { ...change, seen } },
    ]);
    expect([models(page)[0], page.querySelector('.draft')]).toEqual([GPT, null]);
    await press([...document.querySelectorAll('.toast button')].find((button) => textOf(button) === 'Undo'));
    expect(core.asked.find(({ name }) => name === 'setup.undo')?.input).toEqual({ receipt: 'r1' });
    expect([models(page)[0], page.querySelector('.draft')]).toEqual([OPUS, null]);
  });

  it('when ten arrow keys move a model, then the change is previewed once', async () => {
    const { core, page } = await show();
    named(page, 'Move gpt-5, position 2 of 4')?.focus();
    for (const way of 'DUDUDUDUDD') await pressKey(way === 'D' ? 'ArrowDown' : 'ArrowUp', { altKey: true });
    await settle();
    expect(core.asked.filter(({ name }) => name === 'chains.preview').map(({ input }) => input)).toMatchObject([
      { models: [OPUS, PRO, SONNET, GPT] },
    ]);
  });

  it('when Ctrl+S is held down, then it is written once, and told of as written', async () => {
    const { core } = await drafted();
    await act(async () => {
      for (const repeat of [false, true, true])
        document.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', { key: 's', ctrlKey: true, repeat, bubbles: true, cancelable: true }),
        );
    });
    expect(core.asked.filter(({ name }) => name === 'chains.apply').length).toBe(1);
  });

  it('when a draft is asked for before it is worked out and taken back, then doing it again writes nothing', async () => {
    let answerAll = () => {};
    const isReady = new Promise<void>((resolve) => {
      answerAll = resolve;
    });
    const { core, page } = await drafted({
      'chains.preview': async () => {
        await isReady;
        return { ok: true, path: file, diff, seen, leads: [] };
      },
    });
    await type('s', { ctrlKey: true });
    await type('z', { ctrlKey: true });
    await type('Z', { ctrlKey: true, shiftKey: true });
    await act(async () => answerAll());
    expect([models(page)[0], core.asked.some(({ name }) => name === 'chains.apply')]).toEqual([GPT, false]);
  });

  it('when a tier is being named and Ctrl+S is pressed, then it is written by that name', async () => {
    const { core, page } = await drafted();
    await press(buttonNamed(page, 'Add a tier'));
    await fill(named(page, 'Name of Tier 1'), 'Spare');
    named(page, 'Name of Tier 1')?.focus();
    await type('s', { ctrlKey: true });
    expect(core.asked.filter(({ name }) => name === 'chains.apply').map(({ input }) => input)).toMatchObject([
      { tiers: [{ from: null, name: 'Spare', size: 0 }] },
    ]);
  });

  it('when two providers have models of one name, then each change of a draft has its line', async () => {
    const warned = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { page } = await drafted();
    for (const model of ['one/same', 'two/same']) {
      await fill(picker(page), model);
      picker(page)?.focus();
      await type('Enter');
    }
    expect(changes(page).slice(0, 2)).toEqual([
      'Added same at 5 new provider: one',
      'Added same at 6 new provider: two',
    ]);
    // Lines of one key are left behind when they should go.
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });

  it('when another model would lead, then the draft says so with both prices, as the files have it', async () => {
    const priced = (priceIn: number, priceOut: number) => ({
      ...{ context: null, vision: null, tools: null },
      ...{ priceIn, priceOut },
    });
    const leads = [
      { agent: 'plan', from: { model: OPUS, abilities: priced(0.4, 2) }, to: { model: GPT, abilities: priced(3, 15) } },
    ];
    const { page } = await drafted({ 'chains.preview': () => ({ ok: true, path: file, diff, seen, leads }) });
    expect(textOf(page.querySelector('.draft-notes li'))).toBe(
      'gpt-5 ($3 / $15) becomes plan’s primary instead of claude-opus-4-1 ($0.4 / $2).',
    );
  });

  it('when the change cannot be worked out, then the reason is told and nothing can be applied', async () => {
    const { core, page } = await drafted({ 'chains.preview': () => ({ ok: false, reason: 'It cannot be read.' }) });
    expect(textOf(page.querySelector('.draft-where'))).toBe('It cannot be read.');
    expect(page.querySelector<HTMLButtonElement>('.draft .btn-main')?.disabled).toBe(true);
    await type('s', { ctrlKey: true });
    expect(core.asked.some(({ name }) => name === 'chains.apply')).toBe(false);
  });

  it('when the file has changed meanwhile, then the refusal is told and the draft is still there', async () => {
    const { page } = await drafted({ 'chains.apply': () => ({ ok: false, reason: 'The file has changed.' }) });
    await apply();
    expect(textOf(document.querySelector('.toast'))).toContain('Not changed: The file has changed.');
    expect([models(page)[0], page.querySelector('.draft') === null]).toEqual([GPT, false]);
  });
});

describe('given a chain in one list, and what OpenCode has', () => {
  const abilities = { context: null, vision: null, tools: null, priceIn: null, priceOut: null };
  const offer = (model: string, priceIn: number | null, context: number | null, vendor: string | null = null) => ({
    ...{ model, vendor, isLocal: model.startsWith('lmstudio/') },
    abilities: { ...abilities, priceIn, priceOut: priceIn && priceIn * 4, context },
  });
  const LISTED = [
    offer('zai/glm-4.6', 0.6, 200_000, 'zai'),
    offer('router/z-ai/glm-4.6', 0.7, 128_000, 'zai'),
    offer('lmstudio/qwen3', null, 32_000, 'alibaba'),
    offer('x/secret', null, null),
  ];
  const showOffers = (snapshot = { ...sampleSnapshot(), models: [] }) => {
    const core = new ScriptedCore(snapshot);
    core.handlers['chains.offers'] = () => ({ at: 1, models: LISTED });
    return show(PLAN, core);
  };

  it('when it is searched by name, vendor or price and put in order, then those that fit are there', async () => {
    const { page } = await showOffers();
    const [GLM, ROUTED, LOCAL, SECRET] = LISTED.map(({ model }) => model);
    expect(offers(page)).toEqual([LOCAL, ROUTED, SECRET, GLM]);
    for (const [typed, expected] of [
      ['glm', [ROUTED, GLM]],
      ['zai router', [ROUTED]],
      ['under $0.65', [LOCAL, GLM]],
      ['zunder 9', []],
      ['unter 0,65 glm', [GLM]],
      ['nothing', []],
    ] as const) {
      await fill(picker(page), typed);
      expect([typed, offers(page)]).toEqual([typed, expected]);
    }
    await fill(picker(page), '');
    for (const [order, expected] of [
      ['Price', [LOCAL, GLM, ROUTED, SECRET]],
      ['Context', [GLM, ROUTED, LOCAL, SECRET]],
      ['Vendor', [LOCAL, ROUTED, GLM, SECRET]],
    ] as const) {
      await press(buttonNamed(page, order));
      expect([order, offers(page)]).toEqual([order, expected]);
    }
  });

  it('when OpenCode has not listed its models yet, then it is asked again until it has', async () => {
    const core = new ScriptedCore({ ...sampleSnapshot(), models: [] });
    let at: number | null = null;
    core.handlers['chains.offers'] = () => ({ at, models: at === null ? [] : LISTED });
    const { page } = await show(PLAN, core);
    expect(textOf(page.querySelector('.picker'))).toContain('OpenCode has not listed its models yet.');
    at = 1;
    await act(async () => void (await vi.advanceTimersByTimeAsync(1_000)));
    expect(offers(page)).toHaveLength(LISTED.length);
  });

  it('when an arrow key and Enter are pressed in the search, then the chosen one is the last of the chain, once', async () => {
    const { page } = await showOffers();
    picker(page)?.focus();
    await type('ArrowDown');
    expect(page.querySelector('[aria-selected="true"]')?.getAttribute('data-offer')).toBe('router/z-ai/glm-4.6');
    await type('Enter');
    await type('Enter');
    expect([models(page).at(-1), changes(page)]).toEqual([
      'router/z-ai/glm-4.6',
      ['Added glm-4.6 at 5 new provider: router'],
    ]);
    expect(textOf(page.querySelector('[data-offer="router/z-ai/glm-4.6"]'))).toContain('in the chain, 5');
    expect(textOf(page.querySelector('.draft-notes'))).not.toContain('router/z-ai/glm-4.6 has not been used');
  });

  it('when anything is drawn anew, then the page stays where the reader has it; an arrow key takes them to its choice', async () => {
    const taken: (string | null)[] = [];
    const scrollIntoView = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
      taken.push(this.getAttribute('data-offer'));
    });
    const { core, page } = await showOffers();
    const snapshot = sampleSnapshot();
    core.push({ ...snapshot, rev: snapshot.rev + 1, models: [...snapshot.models] });
    await act(async () => {});
    expect(taken).toEqual([]);
    picker(page)?.focus();
    await type('ArrowDown');
    expect(taken).toEqual([offers(page)[1]]);
    scrollIntoView.mockRestore();
  });

  it('when Ctrl+Z is pressed wherever the focus is, then a step is taken back, and Ctrl+Shift+Z takes it again', async () => {
    const { page } = await showOffers();
    await press(page.querySelector('[data-offer="zai/glm-4.6"]'));
    picker(page)?.focus();
    await type('z', { ctrlKey: true });
    expect([models(page).length, page.querySelector('.draft')]).toEqual([4, null]);
    document.querySelector<HTMLElement>('nav a')?.focus();
    await type('Z', { ctrlKey: true, shiftKey: true });
    expect(models(page).at(-1)).toBe('zai/glm-4.6');
    await fill(picker(page), 'qwen');
    picker(page)?.focus();
    await type('z', { ctrlKey: true });
    expect(models(page).at(-1)).toBe('zai/glm-4.6');
  });

  it('when a tier is added, named and begun earlier by key, then what is asked for is the chain in tiers', async () => {
    const { core, page } = await showOffers();
    await press(buttonNamed(page, 'Add a tier'));
    named(page, 'Move the beginning of Tier 1')?.focus();
    await type('ArrowUp', { altKey: true });
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Move the beginning of Tier 1');
    await type('ArrowUp', { altKey: true });
    await fill(named(page, 'Name of Tier 1'), 'Standard');
    named(page, 'Name of Tier 1')?.focus();
    await type('Enter');
    expect(changes(page)).toEqual(['Tier Standard new, from position 3']);
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Name of Standard');
    expect(core.asked.findLast(({ name }) => name === 'chains.preview')?.input).toMatchObject({
      models: [OPUS, GPT, PRO, SONNET],
      tiers: [{ from: null, name: 'Standard', size: 2 }],
    });
    named(page, 'Remove tier Standard')?.focus();
    await press(named(page, 'Remove tier Standard'));
    expect(page.querySelector('.draft')).toBeNull();
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Move gemini-3-pro, position 3 of 4');
  });

  it('when a chain is duplicated for another agent, then a draft is open that begins with the primary of that one', async () => {
    const snapshot = sampleSnapshot();
    const directory = '/home/ada/code/storefront-api';
    const others = [{ directory, agent: 'explore', lead: 'x/own', by: 'nobody' as const }];
    const { core, page } = await showOffers({ ...snapshot, models: [], others });
    await press(buttonNamed(page, 'Duplicate…'));
    const dialog = document.querySelector('dialog')!;
    await fill(dialog.querySelector('input'), 'explore');
    await press(dialog.querySelector('.btn-main'));
    await act(async () => void window.dispatchEvent(new Event('hashchange')));
    expect([page.querySelector('.chain')?.getAttribute('aria-label'), models(page)]).toEqual([
      'Chain of explore',
      ['x/own', OPUS, GPT, PRO, SONNET],
    ]);
    expect(core.asked.some(({ name }) => name === 'chains.apply')).toBe(false);
  });

  it('when a chain is made for an agent nobody has told of, then it is among the agents as long as it is a draft', async () => {
    const { page } = await showOffers();
    await press(buttonNamed(page, 'New chain'));
    const dialog = document.querySelector('dialog')!;
    const [, begin] = dialog.querySelectorAll('select');
    await fill(dialog.querySelector('input'), 'mine');
    await choose(begin!, '/home/ada/code/storefront-api|build');
    await press(dialog.querySelector('.btn-main'));
    await act(async () => void window.dispatchEvent(new Event('hashchange')));
    const agents = () => [...page.querySelectorAll('.agents-list a')].map((link) => link.getAttribute('data-row'));
    expect([page.querySelector('.chain')?.getAttribute('aria-label'), agents().at(-1)]).toEqual([
      'Chain of mine',
      'mine',
    ]);
    await press([...page.querySelectorAll('.draft button')].find((button) => textOf(button) === 'Discard'));
    // What was discarded can be taken back for as long as it is looked at.
    expect([agents().at(-1), models(page)]).toEqual(['mine', []]);
    await type('z', { ctrlKey: true });
    expect(models(page).length).toBeGreaterThan(0);
    await press([...page.querySelectorAll('.draft button')].find((button) => textOf(button) === 'Discard'));
    await act(async () => {
      window.location.hash = PLAN;
      window.dispatchEvent(new Event('hashchange'));
    });
    expect(agents()).not.toContain('mine');
  });

  it('when it begins with no model, then it is open, and begins with the first that is chosen', async () => {
    const { core, page } = await showOffers();
    await press(buttonNamed(page, 'New chain'));
    const dialog = document.querySelector('dialog')!;
    await fill(dialog.querySelector('input'), 'mine');
    const shown = { ok: true as const, path: '/u/model-fallback.json', leads: [], diff: '+new', seen: null };
    core.handlers['chains.preview'] = () => shown;
    core.handlers['chains.apply'] = () => ({ ok: true, path: '/u/model-fallback.json', receipt: 'r1' });
    await press(dialog.querySelector('.btn-main'));
    await act(async () => void window.dispatchEvent(new Event('hashchange')));
    expect([page.querySelector('.chain')?.getAttribute('aria-label'), models(page)]).toEqual(['Chain of mine', []]);
    await press(page.querySelector('[data-offer="zai/glm-4.6"]'));
    expect([models(page), page.querySelector('.draft') === null]).toEqual([['zai/glm-4.6'], false]);
    // Written, it is there although OpenCode has not read it yet.
    core.handlers['chains.get'] = saying({ agent: 'mine', models: ['zai/glm-4.6'] });
    await type('s', { ctrlKey: true });
    await act(async () => {});
    expect([models(page), page.querySelector('.draft')]).toEqual([['zai/glm-4.6'], null]);
    expect(buttonNamed(page, 'Delete…')).toBeDefined();
    const address = window.location.hash;
    for (const hash of [PLAN, address]) {
      await act(async () => {
        window.location.hash = hash;
        window.dispatchEvent(new Event('hashchange'));
      });
    }
    expect(models(page)).toEqual(['zai/glm-4.6']);
  });

  it('when it is made for an agent with a line in its name, then it is that one’s, and its project’s', async () => {
    const { core, page } = await showOffers();
    await press(buttonNamed(page, 'New chain'));
    const dialog = document.querySelector('dialog')!;
    const [, begin] = dialog.querySelectorAll('select');
    await fill(dialog.querySelector('input'), 'mine|build');
    await choose(begin!, '/home/ada/code/storefront-api|build');
    await press(dialog.querySelector('.btn-main'));
    await act(async () => void window.dispatchEvent(new Event('hashchange')));
    await settle();
    expect(core.asked.findLast(({ name }) => name === 'chains.preview')?.input).toMatchObject({
      directory: '/home/ada/code/storefront-api',
      agent: 'mine|build',
    });
  });

  it('when it is made for an agent whose file writes its chain in tiers, then nobody else has changed it', async () => {
    const core = new ScriptedCore(sampleSnapshot());
    core.handlers['chains.get'] = saying({ tiers: [{ name: 'dear', size: 2 }] });
    const { page } = await show(hrefOf('chains', '/home/ada/code/storefront-api|build'), core);
    await press(buttonNamed(page, 'Duplicate…'));
    await act(async () => {});
    const dialog = document.querySelector('dialog')!;
    await fill(dialog.querySelector('input'), 'plan');
    await press(dialog.querySelector('.btn-main'));
    await act(async () => void window.dispatchEvent(new Event('hashchange')));
    expect(page.querySelector('.conflict')).toBeNull();
    expect(page.querySelector('.draft')).not.toBeNull();
  });

  it('when it is the chain for every other agent, then it can be deleted as well', async () => {
    const snapshot = sampleSnapshot();
    const directory = '/home/ada/code/storefront-api';
    const rest = { directory, agent: '*', chain: [{ model: SONNET, state: 'ready' as const, code: null }] };
    const core = new ScriptedCore({ ...snapshot, chains: [...snapshot.chains, rest] });
    core.handlers['chains.get'] = saying({ agent: '*', models: [SONNET], chain: 'wildcard' });
    const { page } = await show(hrefOf('chains', `${directory}|*`), core);
    await press(buttonNamed(page, 'Delete…'));
    expect(core.asked.findLast(({ name }) => name === 'chains.preview')?.input).toMatchObject({
      ...{ directory, agent: '*', isRemoval: true },
    });
  });

  it('when it stands in a file that is not ours, then it cannot be deleted here', async () => {
    const core = new ScriptedCore(sampleSnapshot());
    core.handlers['chains.get'] = saying({ path: '/u/opencode.json' });
    const { page } = await show(PLAN, core);
    expect([textOf(page.querySelector('.cmp')).includes('/u/opencode.json'), buttonNamed(page, 'Delete…')]).toEqual([
      true,
      undefined,
    ]);
  });

  it('when a tier names a model that OpenCode does not list, then that one does not count as usable; a pattern does', async () => {
    const core = new ScriptedCore({ ...sampleSnapshot(), models: [] });
    core.handlers['chains.offers'] = () => ({ at: 1, models: LISTED });
    const names = ['zai/glm-4.6', 'zai/glm-9', 'router/*'];
    core.handlers['chains.get'] = saying({ models: names, tiers: [{ name: 'all', size: 3 }] });
    const { page } = await show(PLAN, core);
    expect(textOf(page.querySelector('.tier .push'))).toBe('2 of 3 usable');
  });

  it('when a chain is deleted, then it is said before who stands in, and what was shown is what is asked for', async () => {
    const core = new ScriptedCore(sampleSnapshot());
    const file = '/u/model-fallback.json';
    core.handlers['chains.get'] = saying({});
    const seen = 'b'.repeat(64);
    core.handlers['chains.preview'] = () => ({
      ...{ ok: true, path: file, diff: '@@ -1 +1 @@\n-old\n', seen, leads: [] },
      remaining: { by: 'rest', models: [SONNET] },
    });
    const { page } = await show(PLAN, core);
    await press(buttonNamed(page, 'Delete…'));
    await act(async () => {});
    expect([...document.querySelectorAll('.dialog-lines li')].map(textOf)).toEqual([
      'plan then uses the chain for all other agents: claude-sonnet-4-5.',
      `Apply writes ${file}; its other content does not change.`,
    ]);
    await press(document.querySelector('dialog .btn-main'));
    expect(core.asked.find(({ name }) => name === 'chains.apply')?.input).toMatchObject({
      ...{ agent: 'plan', models: [], isRemoval: true, seen },
    });
  });
});

describe('given a chain that its file writes otherwise than it is in force', () => {
  const shownAs = (models: string[], tiers: { name: string | null; size: number }[] = []) => {
    const core = new ScriptedCore(sampleSnapshot());
    const row = {
      agent: 'plan',
      models,
      tiers,
      chain: 'own' as const,
      path: '/u/model-fallback.json',
      line: null,
      policy: 'swift',
      leads: null,
    };
    core.handlers['chains.get'] = () => ({ chains: [row], isUnread: false, problems: [] });
    const shownChange = { path: row.path, diff: '+new', seen: null };
    core.handlers['chains.preview'] = () => ({ ok: true, ...shownChange, leads: [] });
    return show(PLAN, core);
  };

  it('when it names patterns, then they are what is put in order', async () => {
    const { page } = await shownAs([GPT, 'google/*', SONNET]);
    expect(models(page)).toEqual([GPT, 'google/*', SONNET]);
    expect(page.querySelector('.draft')).toBeNull();
  });

  it('when it names a model twice, then taking it out takes out the second, and it is in its place once', async () => {
    const { page } = await shownAs([OPUS, GPT, PRO, GPT]);
    await press(named(page, 'Remove gpt-5'));
    expect(models(page)).toEqual([OPUS, GPT, PRO]);
    expect(changes(page)).toEqual(['Removed gpt-5 from 4']);
    expect([...document.querySelectorAll('.toast button')].map(textOf)).not.toContain('Undo');
    await type('z', { ctrlKey: true });
    expect(models(page)).toEqual([OPUS, GPT, PRO, GPT]);
  });

  it('when a pattern is added, then it is in the draft, and the note says what it stands for', async () => {
    const { page } = await shownAs([GPT, SONNET]);
    await fill(picker(page), 'google');
    expect(offers(page)).toContain('google/*');
    await press(page.querySelector('[data-offer="google/*"]'));
    expect([models(page), textOf(rows(page)[2]?.querySelector('.crow-state'))]).toEqual([
      [GPT, SONNET, 'google/*'],
      'pattern',
    ]);
    expect(textOf(page.querySelector('.draft-notes'))).toContain('includes every matching model');
    await act(async () => {});
    expect(page.querySelector<HTMLButtonElement>('.draft .btn-main')?.disabled).toBe(false);
  });

  it('when rows are shown, then each tells how soon its model answers, its price and its context, or that it has not', async () => {
    const core = new ScriptedCore(sampleSnapshot());
    core.handlers = { ...core.handlers, 'models.latency': () => [{ model: GPT, firstWordMs: 2_100 }] };
    const { page } = await show(PLAN, core);
    const facts = rows(page).map((row) => [...row.querySelectorAll('.crow-facts > span')].map(textOf));
    expect(facts[1]?.[0]).toMatch(/: 2\.1 s$/);
    expect(facts[0]?.[0]).toMatch(/: no answer$/);
  });

  it('when it is written in tiers, then each begins with its name, or its number', async () => {
    const { page } = await shownAs(
      [GPT, OPUS, PRO, SONNET],
      [
        { name: 'premium', size: 2 },
        { name: null, size: 1 },
      ],
    );
    const lines = () =>
      [...page.querySelectorAll('.chain ol > li')].map(
        (item) =>
          item.getAttribute('data-model') ?? (item.querySelector('input') ?? { placeholder: textOf(item) }).placeholder,
      );
    expect(lines()).toEqual(['In no tier', GPT, 'premium', OPUS, PRO, 'Tier 2', SONNET]);
    await press(named(page, 'Move gemini-3-pro up'));
    expect(lines()).toEqual(['In no tier', GPT, 'premium', PRO, OPUS, 'Tier 2', SONNET]);
    await press(named(page, 'Move claude-opus-4-1 down'));
    expect([lines(), changes(page)]).toEqual([
      ['In no tier', GPT, 'premium', PRO, 'Tier 2', OPUS, SONNET],
      ['Moved claude-opus-4-1 2 → 3, into Tier 2'],
    ]);
  });

  it('when a draft of it is played, then the model that OpenCode is set to comes first in it', async () => {
    const { core, page } = await shownAs([GPT, SONNET]);
    await press(named(page, 'Move claude-sonnet-4-5 up'));
    await press(page.querySelector('.draft-what-if button'));
    expect(core.asked.at(-1)?.input).toMatchObject({ chain: [OPUS, SONNET, GPT] });
  });

  it('when it leaves out the model OpenCode is set to, then it is told that this one comes first', async () => {
    const { page } = await shownAs([GPT, SONNET]);
    expect(textOf(page.querySelectorAll('.cmp > div')[1])).toBe(
      'Configuredanthropic/claude-opus-4-1first of 3, set in OpenCode. The fallback models are in /u/model-fallback.json',
    );
  });
});
