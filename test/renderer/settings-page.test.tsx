import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { QueryInput, QueryOutput } from '../../src/contract/contract';
import { DEFAULT_PREFERENCES, type PreferencesInForce } from '../../src/contract/preferences';
import '../../src/renderer/pages/settings/SettingsPage';
import { patiently } from '../support/eventually';
import { sampleSnapshot } from '../support/sample-snapshot';
import { press, renderPanel, ScriptedCore, textOf } from './render-panel';

const IN_FORCE: PreferencesInForce = {
  preferences: DEFAULT_PREFERENCES,
  path: '/home/ada/.local/state/understudy/preferences.json',
  rev: 'r1',
  problem: null,
};
let shown: ReturnType<typeof renderPanel> | null = null;
let core: ScriptedCore;

beforeEach(() => {
  localStorage.clear();
  core = new ScriptedCore(sampleSnapshot());
  core.handlers = { ...core.handlers, 'settings.get': () => IN_FORCE };
});
afterEach(() => {
  shown?.remove();
  shown = null;
  vi.unstubAllGlobals();
});

async function show(section: string): Promise<HTMLElement> {
  shown = renderPanel(core, `#/settings/${section}`);
  const { page } = shown;
  // The view comes when it is opened.
  await patiently(async () => {
    await act(async () => {});
    expect(page.querySelector('.settings-nav')).not.toBeNull();
  });
  await act(async () => {});
  return page;
}
const button = (page: Element, name: string) =>
  [...page.querySelectorAll<HTMLButtonElement>('button')].find((each) => textOf(each).startsWith(name));
const tick = (page: Element, name: string) =>
  [...page.querySelectorAll('label')].find((each) => textOf(each).startsWith(name))?.querySelector('input');
async function write(field: HTMLInputElement | null | undefined, text: string): Promise<void> {
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
    field?.dispatchEvent(new Event('input', { bubbles: true }));
  });
}
const asked = (name: string) => core.asked.filter((each) => each.name === name).map(({ input }) => input);

describe('given an address of the settings', () => {
  it.each([
    ['breaker', 'Breaker and policy'],
    ['projects', 'Projects'],
    ['appearance', 'Appearance'],
    ['nowhere', 'General'],
  ])('when it names %s, then %s is open and marked', async (section, name) => {
    const page = await show(section);
    expect(textOf(page.querySelector('.settings-nav [aria-current]'))).toBe(name);
  });

  it.each(['breaker', 'projects', 'data', 'advanced'])(
    'when the core does not answer about %s, then it says so and can be asked again',
    async (section) => {
      const silent = () => Promise.reject(new Error('The disk is away.'));
      core.handlers = { ...core.handlers, 'settings.get': silent, 'data.info': silent };
      const page = await show(section);
      const failures = [...page.querySelectorAll('[role=alert]')].map(textOf);
      expect(failures.length).toBeGreaterThan(0);
      for (const said of failures) expect(said).toMatch(/^This could not be loaded: .+Try again$/);
      const before = core.asked.length;
      await press(button(page, 'Try again'));
      expect(core.asked.length).toBeGreaterThan(before);
    },
  );
});

describe('given a project that asks for more than the user allows', () => {
  it('when it names failures and another lead, then what each phrase means stands there, and who would lead', async () => {
    const open = { kind: null, provider: null, agent: null } as const;
    const phrases = [
      { phrase: 'spent', kind: 'quota', provider: 'acme', agent: 'build' },
      { phrase: 'busy', ...open },
    ] as const;
    const plain = (value: string | null) => ({ type: 'plain' as const, value });
    const asked = [
      { key: 'patterns', theirs: { type: 'phrases', phrases: [...phrases], count: 5 }, own: plain(null) },
      {
        key: 'agents.build.fallbackModels',
        theirs: { type: 'models', models: ['b/dear', 'a/one'], count: 2 },
        own: plain('a/one'),
      },
      { key: 'agents.*.currentModel', theirs: plain('b/dear'), own: plain(null) },
    ] as const;
    const project = { project: '/p', directory: '/p', state: 'open' as const, allowed: [] };
    const rows = asked.map((each, at) => ({ ...each, id: String(at).repeat(64) }));
    const answer = { projects: [{ ...project, asked: rows }] } as unknown as QueryOutput<'trust.get'>;
    core.handlers = { ...core.handlers, 'trust.get': () => answer };
    const page = await show('projects');
    await patiently(() => expect(page.querySelectorAll('tbody tr')).toHaveLength(3));
    const cells = [...page.querySelectorAll('tbody tr')].map((row) => [...row.children].slice(0, 3).map(textOf));
    expect(cells).toEqual([
      ['Error patternspatterns', '5 patternsspent means out of quota, of acme, for buildbusy and 3 more', 'none'],
      ['Primary, buildagents.build.fallbackModels', 'b/deara/one', 'a/one'],
      ['Primary, all agentsagents.*.currentModel', 'b/dear', 'the model set in OpenCode'],
    ]);
  });
});

describe('given the user’s choices for the app', () => {
  it('when one notice is ticked, then that one is changed with what was seen, and Undo names what was before', async () => {
    const set = vi.fn(({ patch }: QueryInput<'settings.set'>) => ({
      ok: true as const,
      ...IN_FORCE,
      rev: 'r2',
      patch,
    }));
    core.handlers = { ...core.handlers, 'settings.set': set };
    const page = await show('notifications');
    await press(tick(page, 'An agent is back on its primary'));
    expect(asked('settings.set')).toEqual([{ patch: { notices: { chosen: { N5: true } } }, rev: 'r1' }]);
    await press(button(page, 'Undo'));
    expect(asked('settings.set')[1]).toEqual({ patch: { notices: { chosen: { N5: false } } }, rev: 'r2' });
  });

  it('when an OpenCode had to forget 12 events, then its row says so', async () => {
    const { instances, ...rest } = sampleSnapshot();
    core = new ScriptedCore({ ...rest, instances: instances.map((row) => ({ ...row, dropped: 12 })) });
    core.handlers = { ...core.handlers, 'settings.get': () => IN_FORCE };
    const page = await show('general');
    expect(textOf(page.querySelector('main'))).toContain('process 4711 · 12 events were lost before they were stored');
  });

  it('when updates are ticked, then they are looked for from then on, which nobody had asked for', async () => {
    core.handlers = { ...core.handlers, 'settings.set': () => ({ ok: true, ...IN_FORCE, rev: 'r2' }) };
    const page = await show('general');
    expect(tick(page, 'Check for a new version once a day')?.checked).toBe(false);
    await press(tick(page, 'Check for a new version once a day'));
    expect(asked('settings.set')).toEqual([{ patch: { updates: { look: true } }, rev: 'r1' }]);
  });

  it('when they have changed elsewhere, then the refusal is said', async () => {
    core.handlers = { ...core.handlers, 'settings.set': () => ({ ok: false, reason: 'The settings have changed.' }) };
    const page = await show('notifications');
    await press(tick(page, 'An agent switched to a fallback model'));
    expect(textOf(page.querySelector('.toast [role=alert]'))).toBe('Not changed: The settings have changed.');
  });

  it('when their file is broken, then it says where and nothing can be changed', async () => {
    const problem = `${IN_FORCE.path}:1:2: a closing } is missing.`;
    core.handlers = { ...core.handlers, 'settings.get': () => ({ ...IN_FORCE, problem }) };
    const page = await show('notifications');
    expect(textOf(page.querySelector('[role=alert]'))).toContain(problem);
    expect(tick(page, 'An agent switched to a fallback model')?.disabled).toBe(true);
  });

  it('when days are not a number in their range, then they cannot be saved', async () => {
    const page = await show('data');
    const field = tick(page, 'Days in full detail');
    await write(field, '0');
    expect([field?.getAttribute('aria-invalid'), button(page, 'Save')?.disabled]).toEqual(['true', true]);
  });

  it('when other days are saved, then both limits are set, and Undo sets the days of before', async () => {
    core.handlers = { ...core.handlers, 'settings.set': () => ({ ok: true, ...IN_FORCE, rev: 'r2' }) };
    const page = await show('data');
    await write(tick(page, 'Days in full detail'), '7');
    await press(button(page, 'Save'));
    await press(button(page, 'Undo'));
    const sizes = { maxMebibytes: DEFAULT_PREFERENCES.history.maxMebibytes };
    expect(asked('settings.set')).toEqual([
      { patch: { history: { detailDays: 7, ...sizes } }, rev: 'r1' },
      { patch: { history: { detailDays: DEFAULT_PREFERENCES.history.detailDays, ...sizes } }, rev: 'r2' },
    ]);
  });

  it('when all data are to be deleted, then the button waits for the word', async () => {
    core.handlers = { ...core.handlers, 'data.erase': () => ({ ok: true, files: [] }) };
    const page = await show('data');
    await press(button(page, 'Delete all my data…'));
    const action = () =>
      [...document.querySelectorAll<HTMLButtonElement>('dialog button')].find((each) => textOf(each) === 'Delete');
    expect([action()?.disabled, asked('data.erase')]).toEqual([true, []]);
    await write(document.querySelector<HTMLInputElement>('dialog input'), 'delete');
    await press(action());
    expect(asked('data.erase')).toEqual([{ confirm: 'erase' }]);
  });
});

describe('given the test of a notification', () => {
  class Shown {
    static permission = 'granted';
    onshow: (() => void) | null = null;
    onerror: (() => void) | null = null;
    constructor() {
      queueMicrotask(() => (Shown.permission === 'granted' ? this.onshow : this.onerror)?.());
    }
  }
  const outcome = async () => {
    const page = await show('notifications');
    await press(button(page, 'Send a test'));
    return textOf(page.querySelector('[aria-labelledby=where] [role=status]'));
  };

  it('when the system shows it, then it says so', async () => {
    Shown.permission = 'granted';
    vi.stubGlobal('Notification', Shown);
    expect(await outcome()).toBe('The test notification was shown.');
  });

  it('when it is not allowed, then it says why nothing came', async () => {
    Shown.permission = 'denied';
    vi.stubGlobal('Notification', Shown);
    expect(await outcome()).toBe('The test failed: not allowed');
  });

  it('when the window has none, then it says that', async () => {
    vi.stubGlobal('Notification', undefined);
    expect(await outcome()).toBe('The test was not sent: this window does not support notifications.');
  });
});

describe('given notices on a desktop', () => {
  const told = (kind: 'shown' | 'unsupported') => ({ kind });
  const shell = (notices: QueryOutput<'shell.get'>['notices']) => {
    core.handlers = {
      ...core.handlers,
      'shell.get': () => ({ kind: 'desktop', startsAtLogin: null, why: null, tray: null, notices }),
    };
  };
  const where = async () => {
    const page = await show('notifications');
    return [page, () => [...page.querySelectorAll('[aria-labelledby=where] p')].map(textOf)] as const;
  };
  const inPanel = 'The bell in the panel always lists every notice.';

  it.each([
    [told('shown'), 'This desktop shows notifications.'],
    [told('unsupported'), 'This desktop has no service that shows notifications.'],
    [{ kind: 'failed' as const, why: 'not signed' }, 'This desktop did not show the last notification: not signed'],
  ])('when the latest was %j, then it says so, and where they are all the same', async (notices, said) => {
    shell(notices);
    const [, lines] = await where();
    expect(lines()).toEqual([said, inPanel, '']);
  });

  it.each([
    [told('shown'), 'The test notification was shown.'],
    [told('unsupported'), 'The test was not sent: this window does not support notifications.'],
    [{ kind: 'failed' as const, why: 'not signed' }, 'The test failed: not signed'],
  ])('when a test is sent and comes to %j, then the desktop is asked, not the browser', async (outcome, said) => {
    shell(told('shown'));
    core.handlers = { ...core.handlers, 'notices.test': () => outcome };
    vi.stubGlobal('Notification', undefined);
    const [page, lines] = await where();
    await press(button(page, 'Send a test'));
    expect([asked('notices.test').length, lines().at(-1)]).toEqual([1, said]);
  });
});

describe('given what belongs to this window', () => {
  it('when a theme is chosen and given back to the system, then the page follows at once and the window remembers', async () => {
    const page = await show('appearance');
    await press(tick(page, 'Dark'));
    expect([document.documentElement.dataset.theme, localStorage.getItem('understudy.theme')]).toEqual([
      'dark',
      'dark',
    ]);
    await press(tick(page, 'System'));
    expect([document.documentElement.dataset.theme, localStorage.getItem('understudy.theme')]).toEqual([undefined, '']);
  });

  it('when it is in the menu bar of macOS, then the text there can be chosen; elsewhere there is none', async () => {
    expect(tick(await show('appearance'), 'Model')).toBeUndefined();
    shown?.remove();
    const system = vi
      .spyOn(navigator, 'userAgent', 'get')
      .mockReturnValue('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)');
    window.understudy = core.api;
    const page = await show('appearance');
    await press(tick(page, 'Model'));
    delete window.understudy;
    system.mockRestore();
    expect(asked('settings.set')).toEqual([{ patch: { tray: { title: 'model' } }, rev: 'r1' }]);
  });

  it('when keys without Ctrl are turned off, then ? opens nothing any more', async () => {
    core.handlers = {
      ...core.handlers,
      'app.info': () => ({
        paths: { folder: '/u', preferences: '', config: '', log: '', history: '', writes: '', fallbackLog: '' },
        ...{ metricsToken: '', system: 'linux', neighbours: ['oh-my-opencode does fallbacks of its own.'] },
      }),
    };
    const page = await show('advanced');
    expect(textOf(page.querySelector('[aria-labelledby=neighbours]'))).toContain('oh-my-opencode');
    await press(tick(page, 'Keys without Ctrl'));
    await act(async () => window.dispatchEvent(new KeyboardEvent('keydown', { key: '?' })));
    expect(page.querySelector('dialog')).toBeNull();
    await press(tick(page, 'Keys without Ctrl'));
    await act(async () => window.dispatchEvent(new KeyboardEvent('keydown', { key: '?' })));
    expect(page.querySelector('dialog')).not.toBeNull();
  });
});
