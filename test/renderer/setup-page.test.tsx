import { act } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Handlers } from '../../src/contract/contract';
import type { Snapshot } from '../../src/contract/snapshot';
import { emptySnapshot, sampleSnapshot } from '../support/sample-snapshot';
import { press, renderPanel, ScriptedCore, textOf } from './render-panel';

const PATH = '/home/ada/.config/opencode/opencode.jsonc';
const FOLDER = '/home/ada/.local/state/understudy/plugin';
const URL = 'file:///home/ada/understudy/opencode-understudy.js';

let shown: ReturnType<typeof renderPanel> | null = null;

afterEach(() => {
  shown?.remove();
  shown = null;
});

type Found = Readonly<{ isNamed: boolean; fails: readonly string[] }>;

/** What is found on disk, and what a click would write. */
const found = ({ isNamed, fails }: Found): Partial<Handlers> => ({
  'setup.detect': () => ({
    line: `"plugin": ["${URL}"]`,
    opencodes: ['1.18.34'],
    companion: 'current',
    installed: isNamed ? [{ way: 'understudy', version: '0.1.0', folder: FOLDER, isOlder: false }] : [],
    files: [{ path: PATH, scope: 'global', companions: isNamed ? [URL] : [], rivals: [], problem: null }],
  }),
  'setup.diff': () => ({ ok: true, files: [{ path: PATH, diff: '+  "plugin": ["it"]\n', seen: null }] }),
  'setup.propose': () => ({ listed: null, proposals: [], problems: [] }),
  'setup.receipts': () => [],
  'doctor.run': () => fails.map((check) => ({ check, verdict: 'fail', says: `${check} is missing.`, fix: 'Fix it.' })),
});

async function show(snapshot: Snapshot, handlers: Partial<Handlers>) {
  const core = new ScriptedCore(snapshot);
  Object.assign(core.handlers, handlers);
  shown = renderPanel(core, '#/setup');
  // The view itself is loaded when it is first opened.
  await act(async () => void (await import('../../src/renderer/pages/setup/SetupPage')));
  for (let round = 0; round < 5; round++) await act(async () => {});
  return { core, page: shown.page };
}

const connected = (change: Partial<Snapshot> = {}): Snapshot => ({ ...sampleSnapshot(), ...change });
const drilled = (): Snapshot => {
  const snapshot = sampleSnapshot();
  const [event] = snapshot.events;
  if (!event) throw new TypeError('the sample has no events');
  // Long ago: no longer among the last events.
  return { ...snapshot, lastDrill: { ...event, code: 'drill.passed', agent: 'build', model: 'a/one', to: 'b/two' } };
};

const CHOICE = { path: '/home/ada/model-fallback.json', diff: '+  "policy": "published"\n', seen: null };

describe('given an OpenCode that has not listed its models', () => {
  it.each([
    ['it is connected', connected(), 'OpenCode has not listed its models yet. Chains appear after that.'],
    [
      'it is not',
      emptySnapshot(),
      'OpenCode lists its models when it starts with the companion. Chains appear after that.',
    ],
  ])('when %s, then the card says what is awaited', async (_, snapshot, text) => {
    const problems = [{ code: 'models.unlisted' as const, agent: null, model: null }];
    const { page } = await show(snapshot, {
      ...found({ isNamed: true, fails: [] }),
      'setup.propose': () => ({ listed: null, proposals: [], problems }),
    });
    expect(textOf(page.querySelector('[aria-labelledby="proposals"] p'))).toBe(text);
  });
});

describe('given a companion that is in place', () => {
  /** The card, with what OpenCode loads. */
  async function card(installed: Awaited<ReturnType<Handlers['setup.detect']>>['installed']) {
    const { 'setup.detect': detect, ...rest } = found({ isNamed: true, fails: [] });
    const seen = await detect?.({ directory: null });
    const { core, page } = await show(connected(), {
      ...rest,
      'setup.detect': () => ({ ...(seen as NonNullable<typeof seen>), installed }),
      'setup.apply': () => ({ ok: true, files: [{ path: PATH, receipt: 'r1' }] }),
    });
    return { core, page, card: page.querySelector('[aria-labelledby="change"]') };
  }

  it('when Understudy put it there, then the card names version and folder, and nothing is to be updated', async () => {
    const one = { way: 'understudy', version: '0.1.0', folder: FOLDER, isOlder: false } as const;
    const { card: shownCard } = await card([one]);
    expect(textOf(shownCard)).toContain(`Installed by Understudy0.1.0 ${FOLDER}`);
    expect(textOf(shownCard)).not.toContain('Update the companion');
  });

  it('when OpenCode fetched an older package, then its replacement is shown, and one press writes it', async () => {
    const {
      core,
      page,
      card: shownCard,
    } = await card([{ way: 'package', version: '0.0.9', folder: '/home/ada/.cache/opencode', isOlder: true }]);
    expect(textOf(shownCard)).toContain('Downloaded by OpenCode0.0.9 /home/ada/.cache/opencode');
    expect(textOf(shownCard?.querySelector('.diff'))).toBe('+ "plugin": ["it"]');
    await press([...page.querySelectorAll('button')].find((button) => textOf(button) === 'Update the companion'));
    expect(core.asked.find(({ name }) => name === 'setup.apply')?.input).toMatchObject({
      ...{ action: 'install', scope: 'global', seen: [null] },
    });
  });
});

describe('given the question of which behaviour is wanted', () => {
  it.each([
    ['Keep Understudy’s behaviour', false, 'Understudy’s behaviour stays. You will not be asked again.'],
    ['Use the published behaviour', true, 'Understudy now uses the published behaviour.'],
  ])(
    'when “%s” is pressed, then that is the answer, it is told, and the question is gone',
    async (label, isWanted, said) => {
      const answers: unknown[] = [];
      const { page } = await show(connected(), {
        ...found({ isNamed: true, fails: [] }),
        'setup.choice': () => (answers.length === 0 ? CHOICE : null),
        'setup.choose': (input) => {
          answers.push(input);
          return { ok: true, files: [] };
        },
      });
      const card = page.querySelector('[aria-labelledby="choice"]');
      expect([...(card?.querySelectorAll('tbody th') ?? [])].map(textOf)).toEqual([
        'Rate limit, network failure',
        'Permission refused (403)',
        'Unknown failure',
        'All models unavailable',
      ]);
      expect(textOf(card?.querySelector('.diff'))).toBe('+ "policy": "published"');
      await press([...page.querySelectorAll('button')].find((button) => textOf(button) === label));
      expect([answers, page.querySelector('[aria-labelledby="choice"]')]).toEqual([[{ isWanted, seen: null }], null]);
      expect(textOf(document.querySelector('.toast'))).toContain(said);
    },
  );

  it('when an answer is refused, then it is asked of the file as it is now, and the next answer is to that', async () => {
    const answers: unknown[] = [];
    const { page } = await show(connected(), {
      ...found({ isNamed: true, fails: [] }),
      'setup.choice': () => ({ ...CHOICE, seen: answers.length === 0 ? null : 'f'.repeat(64) }),
      'setup.choose': (input) => {
        answers.push(input);
        return { ok: false, reason: 'the file has changed.' };
      },
    });
    const keep = () => press([...page.querySelectorAll('button')].find((button) => textOf(button).startsWith('Keep')));
    await keep();
    await keep();
    expect(answers).toEqual([null, 'f'.repeat(64)].map((seen) => ({ isWanted: false, seen })));
  });

  it('when an answer is pressed twice, then it is given once', async () => {
    const answers: unknown[] = [];
    const { page } = await show(connected(), {
      ...found({ isNamed: true, fails: [] }),
      'setup.choice': () => CHOICE,
      'setup.choose': (input) => {
        answers.push(input);
        return { ok: true, files: [] };
      },
    });
    const take = [...page.querySelectorAll('button')].find((button) => textOf(button).startsWith('Use the'));
    await act(async () => {
      take?.click();
      take?.click();
    });
    expect(answers).toEqual([{ isWanted: true, seen: null }]);
  });

  it('when nothing names the companion yet, then that comes first and nothing is asked', async () => {
    const state = found({ isNamed: false, fails: ['companion.listed'] });
    const { page } = await show(emptySnapshot(), { ...state, 'setup.choice': () => CHOICE });
    expect(page.querySelector('[aria-labelledby="choice"]')).toBeNull();
  });
});

describe('given where a user is on the way', () => {
  it.each<[string, Snapshot, Found, string[], string]>([
    [
      'OpenCode is not there',
      emptySnapshot(),
      { isNamed: false, fails: ['opencode.found'] },
      ['Detectnot found'],
      'OpenCode is not installed here.',
    ],
    [
      'nothing names the companion',
      emptySnapshot(),
      { isNamed: false, fails: ['companion.listed'] },
      ['DetectOpenCode 1.18.34', 'Connectone line is missing'],
      'One line connects OpenCode.',
    ],
    [
      'it is named and not there',
      { ...emptySnapshot(), connection: { status: 'waiting', since: 0 } },
      { isNamed: true, fails: [] },
      ['Connectin opencode.jsonc', 'Restartwaiting for OpenCode'],
      'Restart OpenCode once.',
    ],
    [
      'no chain is set',
      connected({ chains: [] }),
      { isNamed: true, fails: ['chains.set'] },
      ['Restart1.18.33, since', 'Chainsno fallback model yet'],
      'Connected, but no agent is protected yet.',
    ],
    [
      'nobody has made a drill',
      connected(),
      { isNamed: true, fails: [] },
      ['Chains4 of 4 agents', 'Drillnot tried yet'],
      '4 of 4 agents are protected.',
    ],
  ])(
    'when %s, then the view is at that step, says what is missing there and what is so before it',
    async (_case, snapshot, state, facts, title) => {
      const { page } = await show(snapshot, found(state));
      const steps = [...page.querySelectorAll('.steps li')];
      const at = steps.findIndex((step) => step.hasAttribute('aria-current'));
      expect(textOf(page.querySelector('h1'))).toBe(title);
      const said = steps.map((step) => textOf(step.querySelector('.lbl')).replace(/since .*/, 'since'));
      expect(said.slice(Math.max(0, at + 1 - facts.length), at + 1)).toEqual(facts);
      // Of what comes after it nothing is said yet.
      expect(steps.slice(at + 1).map((step) => textOf(step.querySelector('.fact')))).toEqual(
        steps.slice(at + 1).map(() => ''),
      );
    },
  );

  it.each([
    ['nothing names the companion', emptySnapshot(), { isNamed: false, fails: ['companion.listed'] }, ['change']],
    ['no chain is written', connected({ chains: [] }), { isNamed: true, fails: ['chains.set'] }, ['proposals']],
    ['nobody has drilled', connected(), { isNamed: true, fails: [] }, ['drill']],
    ['nothing is left', drilled(), { isNamed: true, fails: [] }, ['drill']],
    [
      'nothing is left, and the doctor has something to fix',
      drilled(),
      { isNamed: true, fails: ['app.token'] },
      ['drill', 'doctor'],
    ],
  ])('when %s, then that one step is open and all others are folded', async (_, snapshot, state, open) => {
    const { page } = await show(snapshot, found(state));
    const cards = [...page.querySelectorAll('.setup section[aria-labelledby]')];
    const isOpen = (card: Element): boolean => card.querySelector('details')?.open ?? true;
    expect(cards.filter(isOpen).map((card) => card.getAttribute('aria-labelledby'))).toEqual(open);
  });

  it('when the step is done, then what came of it stays open, and the way out is the last thing of the view', async () => {
    const { core, page } = await show(connected({ chains: [] }), found({ isNamed: true, fails: ['chains.set'] }));
    await act(async () => core.push({ ...connected(), rev: 99 }));
    expect(page.querySelector<HTMLDetailsElement>('[aria-labelledby="proposals"] details')?.open).toBe(true);
    expect(textOf([...page.querySelectorAll('main button')].at(-1))).toBe('Uninstall…');
  });

  it('when a drill has passed, then nothing is left, and it says who moved where', async () => {
    const { page } = await show(drilled(), found({ isNamed: true, fails: [] }));
    expect([
      textOf(page.querySelector('h1')),
      textOf(page.querySelector('.lede')),
      page.querySelector('.steps [aria-current]'),
    ]).toEqual(['4 of 4 agents are protected.', 'In the last drill build switched from one to two.', null]);
  });

  it('when OpenCode is not there, then the way to it is one page of others', async () => {
    const { page } = await show(emptySnapshot(), found({ isNamed: false, fails: ['opencode.found'] }));
    const link = page.querySelector<HTMLAnchorElement>('.head-actions a');
    expect([textOf(link), link?.href, link?.rel]).toEqual(['Install guide', 'https://opencode.ai/docs/', 'noreferrer']);
  });
});

describe('given something that cannot be had', () => {
  it('when files cannot be looked at, then that is said, and the doctor still speaks', async () => {
    const fail = () => {
      throw new Error('the folder is not yours');
    };
    const { page } = await show(emptySnapshot(), {
      ...found({ isNamed: false, fails: ['app.token'] }),
      'setup.detect': fail,
    });
    expect(textOf(page)).toContain('This could not be loaded: the folder is not yours');
    expect([...page.querySelectorAll('.check-row')].map(textOf)).toEqual([
      'Connection key: to fixapp.token is missing.Fix it.',
    ]);
  });

  it('when the line cannot be added, then why is told, and nothing is claimed', async () => {
    const { page } = await show(emptySnapshot(), {
      ...found({ isNamed: false, fails: ['companion.listed'] }),
      'setup.apply': () => ({ ok: false, reason: 'it has changed since' }),
    });
    await press([...page.querySelectorAll('button')].find((button) => textOf(button) === 'Add the line'));
    await act(async () => {});
    expect(textOf(page.querySelector('.toast'))).toContain('Not changed: it has changed since');
    expect(textOf(page.querySelector('h1'))).toBe('One line connects OpenCode.');
  });
});

describe('given a machine that is too busy to answer in time', () => {
  afterEach(() => void vi.useRealTimers());

  it('when nobody has answered what is there, then it is said, and asked again 3 s later', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const core = new ScriptedCore(emptySnapshot());
    Object.assign(core.handlers, found({ isNamed: false, fails: ['companion.listed'] }));
    core.isAnswering = false;
    shown = renderPanel(core, '#/setup');
    const { page } = shown;
    await act(async () => void (await import('../../src/renderer/pages/setup/SetupPage')));
    for (let round = 0; round < 5; round++) await act(async () => {});
    const asked = () => core.asked.filter(({ name }) => name === 'setup.detect').length;
    expect([asked(), textOf(page).includes('Understudy cannot be reached.')]).toEqual([1, true]);
    core.isAnswering = true;
    await act(() => vi.advanceTimersByTimeAsync(2_999));
    expect(asked()).toBe(1);
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect([asked(), textOf(page.querySelector('h1'))]).toEqual([2, 'One line connects OpenCode.']);
  });
});

describe('given proposed chains for three agents, one of which has one already', () => {
  const abilities = { context: null, vision: null, tools: null, priceIn: null, priceOut: null };
  const models = ['a/one', 'b/two'].map((model, at) => ({
    ...{ model, code: at === 0 ? ('present' as const) : ('other_vendor' as const), abilities },
  }));
  const propose = () => ({
    listed: { at: 0, directory: '/home/ada/code/storefront-api' },
    problems: [],
    proposals: [
      { agent: 'build', lead: 'a/one', models, existing: null },
      { agent: 'plan', lead: 'a/one', models, existing: ['a/one', 'b/two'] },
      { agent: 'docs', lead: 'a/one', models, existing: null },
    ],
  });
  const seen = 'a'.repeat(64);
  const change = (agents: readonly string[]) => {
    const [agent = '', ...others] = agents;
    const chain = ['a/one', 'b/two'];
    return {
      ...{ directory: null, agent, models: chain, scope: null, create: true },
      others: others.map((name) => ({ agent: name, models: chain })),
    };
  };
  const answers = {
    ...found({ isNamed: true, fails: [] }),
    'setup.propose': propose,
    'chains.preview': () => ({ ok: true as const, path: '/m.json', diff: '+chains', seen, leads: [] }),
    'chains.apply': () => ({ ok: true as const, path: '/m.json', receipt: 'r1' }),
    'drill.run': ({ agent }: { agent: string | null }) =>
      agent === 'docs'
        ? { ok: false as const, reason: 'no model took over within a minute' }
        : { ok: true as const, agent: 'build', from: 'a/one', to: 'b/two', tookMs: 44 },
  };
  const asked = (core: ScriptedCore, name: string) =>
    core.asked.filter((one) => one.name === name).map(({ input }) => input);
  const protect = (page: Element) => [...page.querySelectorAll('.protect button')][0] ?? null;

  it('when all are protected, then one change has both without a chain, and each is drilled, with what came of it', async () => {
    const { core, page } = await show(connected(), answers);
    expect(
      [...page.querySelectorAll<HTMLInputElement>('.proposal input')].map((box) => [box.checked, box.disabled]),
    ).toEqual([
      [true, false],
      [false, true],
      [true, false],
    ]);
    await press(protect(page));
    expect(asked(core, 'chains.apply')).toEqual([{ ...change(['build', 'docs']), seen }]);
    expect(asked(core, 'drill.run').map((input) => (input as { agent: string }).agent)).toEqual(['build', 'docs']);
    expect([...page.querySelectorAll('.drills li')].map(textOf)).toEqual([
      'buildone failed in the simulation; two took over in 44 ms.',
      'docsNo model took over: no model took over within a minute',
    ]);
  });

  it('when one is left out, then the difference and the change are of the other alone, and the button names it', async () => {
    const { core, page } = await show(connected(), answers);
    await press(page.querySelectorAll('.proposal input')[2] ?? null);
    expect([asked(core, 'chains.preview').at(-1), textOf(protect(page))]).toEqual([change(['build']), 'Protect build']);
  });

  it('when the chain for all others stays in, then it says that it holds for those left out as well', async () => {
    const rest = { agent: '*', lead: 'a/one', models, existing: null };
    const withRest = () => ({ ...propose(), proposals: [...propose().proposals, rest] });
    const { core, page } = await show(connected(), { ...answers, 'setup.propose': withRest });
    const before = textOf(page.querySelector('.protect'));
    await press(page.querySelectorAll('.proposal input')[2] ?? null);
    expect([before, textOf(page.querySelector('.protect'))]).toEqual([
      expect.not.stringContaining('left out'),
      expect.stringContaining('Agents that you leave out use the chain for all other agents'),
    ]);
    await press(protect(page));
    expect([asked(core, 'chains.apply'), textOf(document.querySelector('.toast'))]).toEqual([
      [{ ...change(['build', '*']), seen }],
      expect.stringContaining('One agent and all others protected.'),
    ]);
  });

  it('when it is taken back, then what the drills had shown is gone', async () => {
    const undone = { 'setup.undo': () => ({ ok: true as const, path: '/m.json' }) };
    const { page } = await show(connected(), { ...answers, ...undone } as unknown as typeof answers);
    await press(protect(page));
    const before = page.querySelectorAll('.drills li').length;
    await press([...document.querySelectorAll('.toast button')].find((button) => textOf(button) === 'Undo') ?? null);
    expect([before, page.querySelectorAll('.drills li').length]).toEqual([2, 0]);
  });

  it('when it is pressed twice, then it is written once', async () => {
    const held = { ...answers, 'drill.run': () => new Promise<never>(() => {}) } as unknown as typeof answers;
    const { core, page } = await show(connected(), held);
    await press(protect(page));
    await press(protect(page));
    expect(asked(core, 'chains.apply')).toHaveLength(1);
  });

  it('when the file has changed since, then nothing is drilled, and the reason is told', async () => {
    const refused = () => ({ ok: false as const, reason: 'The file has changed meanwhile.' });
    const { core, page } = await show(connected(), { ...answers, 'chains.apply': refused });
    await press(protect(page));
    expect([asked(core, 'drill.run'), textOf(document.querySelector('.toast'))]).toEqual([
      ...[[], expect.stringContaining('The file has changed meanwhile.')],
    ]);
  });
});

describe('given a companion that is taken out', () => {
  it('when a file has to stay as it is, then that is said with the reason beside what goes, and the rest can go', async () => {
    const why = '/home/ada/.config/opencode/tui.json:1:13: plugin must be a list. It stays as it is.';
    const state = found({ isNamed: true, fails: [] });
    const { page } = await show(connected(), {
      ...state,
      'setup.diff': () => ({
        ok: true,
        files: [{ path: PATH, diff: '-  "plugin": ["it"]\n', seen: null }],
        left: [why],
      }),
    });
    await press([...page.querySelectorAll('button')].find((button) => textOf(button) === 'Uninstall…'));
    const dialog = page.querySelector('dialog');
    expect([...(dialog?.querySelectorAll('.dialog-lines li') ?? [])].map(textOf)).toEqual([
      'This removes only its entry. After a restart of OpenCode, turns are not protected.',
      why,
    ]);
    expect(dialog?.querySelector<HTMLButtonElement>('[type="submit"]')?.disabled).toBe(false);
  });
});
