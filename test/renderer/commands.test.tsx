import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { favouriteCommands, turnFavourite } from '../../src/renderer/app/commands/favourites';
import { commandOf, KEYS, keyLabel } from '../../src/renderer/app/commands/keys';
import { createRegistry } from '../../src/renderer/app/commands/registry';
import { sampleSnapshot } from '../support/sample-snapshot';
import { press, renderPanel, ScriptedCore, textOf } from './render-panel';

let shown: ReturnType<typeof renderPanel> | null = null;
afterEach(() => {
  shown?.remove();
  shown = null;
  localStorage.clear();
});

async function openPalette(core = new ScriptedCore(sampleSnapshot())) {
  shown = renderPanel(core);
  await press(shown.page.querySelector('[aria-label="All commands"]'));
  await act(async () => void (await import('../../src/renderer/app/commands/Palette')));
  await act(async () => {});
  return core;
}

const palette = () => document.querySelector<HTMLDialogElement>('dialog.palette');
const titles = () =>
  [...(palette()?.querySelectorAll('[cmdk-item]') ?? [])].map((item) =>
    textOf(item.querySelector('.palette-what > span')),
  );
const lines = () => [...(palette()?.querySelectorAll('[cmdk-item]') ?? [])].map(textOf);

async function seek(text: string) {
  const input = palette()?.querySelector('input');
  if (!input) throw new TypeError('There is no palette.');
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
}
const pick = async (title: string) =>
  press([...(palette()?.querySelectorAll('[cmdk-item]') ?? [])].find((item) => textOf(item).startsWith(title)));

describe('given the table of keys', () => {
  it('when it is read, then no key of the page stands for two things, and each names itself as on a keyboard', () => {
    const keys = KEYS.flatMap((row) => (row.isPageWide ? row.keys : []));
    expect(new Set(keys).size).toBe(keys.length);
    expect([commandOf('Mod+k'), commandOf('g e'), commandOf('F6'), commandOf('r'), commandOf('constructor')]).toEqual([
      'palette',
      'events',
      'panes',
      undefined,
      undefined,
    ]);
    expect(['Mod+k', 'g n', 'Shift+F6', 'Alt+↑', '?', 'PageUp'].map(keyLabel)).toEqual([
      'Ctrl K',
      'g, then n',
      'Shift F6',
      'Alt ↑',
      '?',
      'Page Up',
    ]);
  });
});

describe('given commands of two sources', () => {
  it('when one of them goes away, then only the other’s are left and can be run', () => {
    const registry = createRegistry();
    const run: string[] = [];
    const command = (id: string) => ({ id, group: 'here', title: id, run: () => void run.push(id) }) as const;
    const leave = registry.add(() => [command('a')]);
    registry.add(() => [command('b')]);
    expect([registry.all().length, registry.run('a'), registry.run('c')]).toEqual([2, true, false]);
    leave();
    expect([registry.run('a'), registry.run('b'), run]).toEqual([false, true, ['a', 'b']]);
  });
});

describe('given the palette', () => {
  it('when nothing is sought, then at most 50 lines are drawn; a model, an act or a code is found by some of its letters', async () => {
    await openPalette();
    expect(titles().length).toBeLessThanOrEqual(50);
    await seek('rst opus');
    expect(titles()[0]).toBe('Reset claude-opus-4-1…');
    expect(lines()[0]).toContain('claude-opus-4-1 counts as ready; the next request may try it.');
    await seek('switch.rate');
    expect(titles()).toContain('Events switch.rate_limit');
    await seek('qqqqqq');
    expect(titles()).toEqual(['Find events with “qqqqqq”']);
    expect(textOf(palette()?.querySelector('[role=status]'))).toBe('1 command');
  });

  it('when an act is picked, then its dialog asks before anything is done', async () => {
    const core = await openPalette();
    await seek('hold gpt-5');
    await pick('Hold gpt-5…');
    expect(palette()).toBeNull();
    expect(textOf(document.querySelector('dialog h2'))).toBe('Hold gpt-5');
    expect(core.asked.filter(({ name }) => name === 'person.act')).toEqual([]);
  });

  it('when it is opened again, then what was used last comes first', async () => {
    await openPalette();
    await seek('usage');
    await pick('Go to Usage');
    expect(window.location.hash).toBe('#/usage');
    await press(shown?.page.querySelector('[aria-label="All commands"]'));
    expect([textOf(palette()?.querySelector('[cmdk-group-heading]')), titles()[0]]).toEqual([
      'Recently used',
      'Go to Usage',
    ]);
  });

  const key = (key: string, init: KeyboardEventInit = {}) =>
    act(async () => {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init });
      palette()?.querySelector('input')?.dispatchEvent(event);
    });
  const headings = () => [...(palette()?.querySelectorAll('[cmdk-group-heading]') ?? [])].map(textOf);
  const acts = ({ asked }: ScriptedCore) =>
    asked.flatMap(({ name, input }) => (name === 'person.act' ? [(input as { act: unknown }).act] : []));

  it('when a hold is sought with its time, then that line does it at once, with an undo, and says what comes of it', async () => {
    const core = await openPalette();
    await seek('hold gpt-5 45m');
    expect(titles()[0]).toBe('Hold gpt-5: out of use, 45 min');
    expect(lines()[0]).toContain('plan switches models with the next request.');
    await seek('hold gpt-5 2 hours');
    expect(titles()[0]).toBe('Hold gpt-5: out of use, 2 hours');
    await pick('Hold gpt-5: out of use, 2 hours');
    expect(acts(core)).toEqual([{ type: 'health.held', model: 'openai/gpt-5', state: 'open', forMs: 7_200_000 }]);
    expect(document.querySelector('dialog')).toBeNull();
    expect(textOf(document.querySelector('.toast'))).toContain('gpt-5 is held out of use for 2 hours.');
    await press([...document.querySelectorAll('.toast button')].find((button) => textOf(button) === 'Undo'));
    expect(acts(core)[1]).toEqual({ type: 'health.held', model: 'openai/gpt-5', state: null, forMs: null });
  });

  it('when Tab is pressed on a command that can be told more, then its choices are listed, and Escape goes back', async () => {
    const core = await openPalette();
    await seek('pause all');
    await key('Tab');
    expect([headings(), titles()]).toEqual([
      ['Pause all switching…'],
      ['For 15 minutes', 'For 1 hour', 'Until I resume it'],
    ]);
    await seek('90m');
    expect(titles()).toEqual(['90 min']);
    await seek('never');
    expect(titles()).toEqual([]);
    await key('Escape');
    expect([palette()?.open, titles().length > 3, palette()?.querySelector('input')?.value]).toEqual([true, true, '']);
    await seek('pause all');
    await key('Tab');
    await key('Backspace');
    expect(headings().length).toBeGreaterThan(1);
    await seek('pause all');
    await key('Tab');
    await pick('For 1 hour');
    expect(acts(core)).toEqual([{ type: 'switching.paused', forMs: 3_600_000 }]);
  });

  it('when an agent shall be pinned, then the models of its chain are asked for, and one is what is done', async () => {
    const core = await openPalette();
    await seek('pin plan');
    await pick('Pin plan to a model…');
    expect(palette()).not.toBeNull();
    expect(titles()[0]).toBe('claude-opus-4-1');
    await pick('gpt-5');
    const pin = { type: 'agent.pinned', directory: '/home/ada/code/storefront-api', agent: 'plan' };
    expect(acts(core)).toEqual([{ ...pin, model: 'openai/gpt-5', forMs: 1_800_000 }]);
  });

  it('when a command is made a favourite, then it comes first from then on, until that is taken back', async () => {
    await openPalette();
    await seek('go to usage');
    await key('d', { ctrlKey: true });
    expect(textOf(palette()?.querySelector('[role=status]'))).toBe('Go to Usage is a favourite.');
    await seek('');
    expect([headings()[0], titles()[0]]).toEqual(['Favourites', 'Go to Usage']);
    expect(textOf(palette()?.querySelector('[cmdk-item] .sr'))).toBe('Favourite');
    await press(
      [...(palette()?.querySelectorAll('footer button') ?? [])].find((button) => /Remove/.test(textOf(button))),
    );
    expect([headings().includes('Favourites'), localStorage.getItem('understudy.favourite-commands')]).toEqual([
      false,
      '[]',
    ]);
  });

  it('when more favourites are kept than it shows, or what is kept is none, then it opens all the same', async () => {
    localStorage.setItem('understudy.favourite-commands', '{"not": "a list"}');
    await openPalette();
    expect(headings()).not.toContain('Favourites');
    for (let n = 0; n < 13; n++) turnFavourite(`c${n}`);
    expect(favouriteCommands()).toEqual(Array.from({ length: 12 }, (_, n) => `c${n + 1}`));
  });

  it('when lines are drawn, then each has a picture that is not read out, a model that of its state', async () => {
    await openPalette();
    const pictures = [...(palette()?.querySelectorAll('.palette-icon svg') ?? [])];
    expect(pictures.length).toBe(titles().length);
    expect(pictures.every((picture) => picture.getAttribute('aria-hidden') === 'true')).toBe(true);
  });

  it.each([
    ['hold gpt-5 150m', 'Hold gpt-5: out of use, 150 min', 9_000_000],
    ['hold gpt-5 90 s', 'Hold gpt-5: out of use, 90 s', 90_000],
    ['hold gpt-5 3 hours', 'Hold gpt-5: out of use, 3 h', 10_800_000],
    ['hold gpt-5 2 Stunden', 'Hold gpt-5: out of use, 2 hours', 7_200_000],
    ['hold gpt 5 45 min', 'Hold gpt-5: out of use, 45 min', 2_700_000],
    ['hold gpt 5 45m', 'Hold gpt-5: out of use, 45 min', 2_700_000],
    ['hold gpt-5 3 tage', 'Hold gpt-5: out of use, 3 d', 259_200_000],
  ])('when "%s" is typed, then that time is said, and set, to the second', async (text, title, forMs) => {
    const core = await openPalette();
    await seek(text);
    expect(titles()[0]).toBe(title);
    await pick(title);
    expect(acts(core)).toEqual([{ type: 'health.held', model: 'openai/gpt-5', state: 'open', forMs }]);
  });

  it.each(['hold gpt-5 0m', 'hold gpt-5 9999d', 'hold gpt-5 2h30'])(
    'when "%s" is typed, which is no time, then nothing is done with one',
    async (text) => {
      await openPalette();
      await seek(text);
      expect(titles().filter((title) => title.startsWith('Hold gpt-5:'))).toEqual([]);
    },
  );

  it('when two models of a chain have one name, then each is a line of its own, and its provider finds it', async () => {
    const { chains, ...rest } = sampleSnapshot();
    const [plan] = chains.filter(({ agent }) => agent === 'plan');
    const twin = { model: 'azure/gpt-5', state: 'ready' as const, code: null };
    const core = await openPalette(
      new ScriptedCore({ ...rest, chains: [{ ...plan!, chain: [...plan!.chain, twin] }] }),
    );
    await seek('pin plan azure');
    expect(titles()[0]).toBe('Pin plan to a model: gpt-5');
    await seek('pin plan');
    await key('Tab');
    expect(titles().filter((title) => title === 'gpt-5').length).toBe(2);
    await seek('azure');
    expect(palette()?.querySelectorAll('[cmdk-item][aria-selected=true]').length).toBe(1);
    await key('Enter');
    expect(acts(core)).toEqual([expect.objectContaining({ type: 'agent.pinned', model: 'azure/gpt-5' })]);
  });

  it('when Enter is pressed on what the palette offers below its list, then that is done and not the chosen line', async () => {
    await openPalette();
    await seek('go to usage');
    const button = palette()?.querySelector<HTMLElement>('.palette-foot button');
    expect(button?.closest('[cmdk-root]')).toBeNull();
    await press(button);
    expect([palette()?.open, favouriteCommands()]).toEqual([true, ['usage']]);
  });

  it('when a model has the name of the beginning of another one, then its own line comes first', async () => {
    const { models, ...rest } = sampleSnapshot();
    const [row] = models;
    const long = { ...row!, model: 'openai/gpt-5.6-terra-pro', name: 'gpt-5.6-terra-pro', calls: 99 };
    await openPalette(new ScriptedCore({ ...rest, models: [long, ...models] }));
    await seek('hold gpt-5 45m');
    expect(titles()[0]).toBe('Hold gpt-5: out of use, 45 min');
  });

  it('when an agent has the name of half a model, then its own line comes before a guess', async () => {
    const { chains, ...rest } = sampleSnapshot();
    const [plan] = chains.filter(({ agent }) => agent === 'plan');
    const deep = { model: 'deepseek/deepseek-chat', state: 'ready' as const, code: null };
    const told = { ...plan!, chain: [...plan!.chain, deep] };
    await openPalette(new ScriptedCore({ ...rest, chains: [told, { ...plan!, agent: 'deep' }] }));
    await seek('pin deep');
    expect(titles()[0]).toBe('Pin deep to a model…');
  });

  it('when things have changed since it was opened, then what it does names what was seen', async () => {
    const core = await openPalette();
    const { rev, ...rest } = sampleSnapshot();
    core.push({ ...rest, rev: rev + 5 });
    await seek('pause 1 hour');
    await pick('Pause all switching: For 1 hour');
    expect(core.asked.findLast(({ name }) => name === 'person.act')?.input).toMatchObject({ rev });
  });

  it('when one of the remembered names is far too long, then it alone is left out', () => {
    turnFavourite('usage');
    turnFavourite('x'.repeat(601));
    expect(favouriteCommands()).toEqual(['usage']);
    localStorage.setItem('understudy.favourite-commands', JSON.stringify(['events', 'y'.repeat(700), 7]));
    expect(favouriteCommands()).toEqual(['events']);
  });

  it('when a line that was told something is made a favourite, then its command is, and that is said', async () => {
    await openPalette();
    await seek('hold gpt-5 45m');
    await key('d', { ctrlKey: true });
    expect(textOf(palette()?.querySelector('[role=status]'))).toBe('Hold gpt-5… is a favourite.');
    expect(palette()?.querySelector('[cmdk-item] .palette-star')).toBeNull();
  });
});
