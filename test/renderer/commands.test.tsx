import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { commandOf, KEYS, keyLabel } from '../../src/renderer/commands/keys';
import { createRegistry } from '../../src/renderer/commands/registry';
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
  await press(shown.page.querySelector('[aria-label="Everything that can be done"]'));
  await act(async () => void (await import('../../src/renderer/commands/Palette')));
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
    await press(shown?.page.querySelector('[aria-label="Everything that can be done"]'));
    expect([textOf(palette()?.querySelector('[cmdk-group-heading]')), titles()[0]]).toEqual([
      'Used last',
      'Go to Usage',
    ]);
  });
});
