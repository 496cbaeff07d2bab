import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { KEYS, keyLabel } from '../../src/renderer/app/commands/keys';
import { sampleSnapshot } from '../support/sample-snapshot';
import { press, renderPanel, ScriptedCore, textOf } from './render-panel';

let shown: ReturnType<typeof renderPanel> | null = null;

async function show(address = '#/now') {
  shown = renderPanel(new ScriptedCore(sampleSnapshot()), address);
  await act(async () => {});
  return shown.page;
}

/** Between two keys, in ms. */
const KEY_MS = 50;
let typedAtMs = 0;

/** Presses keys one after another where the focus is, and lets the address take effect. */
async function type(...keys: readonly (string | KeyboardEventInit)[]) {
  for (const key of keys) {
    const init = typeof key === 'string' ? { key } : key;
    await act(async () => {
      const event = new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init });
      // By the clock of the machine two keys may lie apart for longer than the page waits for the second.
      typedAtMs += KEY_MS;
      Object.defineProperty(event, 'timeStamp', { value: typedAtMs });
      (document.activeElement ?? document.body).dispatchEvent(event);
      window.dispatchEvent(new Event('hashchange'));
    });
  }
}

const heading = (page: Element) => textOf(page.querySelector('h1'));
const sheet = () => document.querySelector('dialog.sheet');

afterEach(() => {
  shown?.remove();
  shown = null;
  localStorage.clear();
});

describe('given a page without a field in use', () => {
  it.each([
    ['n', 'now'],
    ['c', 'chains'],
    ['m', 'models'],
    ['e', 'events'],
  ])('when g and %s are pressed, then the address is that of %s', async (letter, name) => {
    await show(name === 'now' ? '#/models' : '#/now');
    await type('g', letter);
    expect(window.location.hash).toBe(`#/${name}`);
  });

  it('when the letter comes alone, after another key, or g twice, then only a letter right after g counts', async () => {
    await show('#/now');
    await type('m', 'g', 'x', 'm');
    expect(window.location.hash).toBe('#/now');
    await type('g', 'g', 'm');
    expect(window.location.hash).toBe('#/models');
  });

  it('when Ctrl+3 is pressed, then the models are shown', async () => {
    const page = await show();
    await type({ key: '3', ctrlKey: true });
    expect(heading(page)).toBe('Models');
    expect(textOf(page.querySelector('[aria-current=page]'))).toContain('Models');
  });

  it('when F6 is pressed again and again, then the focus goes through the parts of the page, and back', async () => {
    const { model } = sampleSnapshot().models[0] as { model: string };
    const page = await show(`#/models/${encodeURIComponent(model)}`);
    // Nothing is laid out here: what has a parent counts as being in sight.
    for (const pane of page.querySelectorAll('main, .detail'))
      Object.defineProperty(pane, 'offsetParent', { value: pane.parentElement });
    const parts: unknown[] = [];
    for (const shiftKey of [false, false, false, false, true]) {
      await type({ key: 'F6', shiftKey });
      parts.push(document.activeElement?.className.split(' ').at(-1));
    }
    expect(parts).toEqual(['side', 'main', 'detail', 'side', 'detail']);
  });

  it('when ? is pressed, then the sheet names every key, itself among them, and keeps the page from hearing more', async () => {
    await show();
    await type('?');
    const keys = [...(sheet()?.querySelectorAll('kbd') ?? [])].map(textOf);
    expect(keys).toEqual(KEYS.flatMap((row) => row.keys.map(keyLabel)));
    expect(keys).toEqual(expect.arrayContaining(['Ctrl K', 'Ctrl 1', 'g, then n', 'Ctrl ,', 'F6', '/', '?', 'Escape']));
    await type('g', 'm', { key: '3', ctrlKey: true });
    expect(window.location.hash).toBe('#/now');
  });

  it('when / is pressed, then the search has the focus; letters typed there stay letters', async () => {
    const page = await show('#/chains');
    await type('/');
    expect(document.activeElement).toBe(page.querySelector('input[type=search]'));
    await type('?', 'g', 'm');
    expect([window.location.hash, sheet()]).toEqual(['#/chains', null]);
  });
});

describe('given a reader whose hands or voice set off single keys', () => {
  it('when they are turned off, then ? and g do nothing, Ctrl still does, and the next visit remembers it', async () => {
    await show();
    await type('?');
    await press(sheet()?.querySelector('input[type=checkbox]'));
    await press([...(sheet()?.querySelectorAll('button') ?? [])].find((item) => textOf(item) === 'Close'));
    for (let visit = 0; visit < 2; visit++) {
      await type('g', 'm', '?');
      expect([window.location.hash, sheet()]).toEqual(['#/now', null]);
      shown?.remove();
      await show();
    }
    await type({ key: '3', ctrlKey: true });
    expect(window.location.hash).toBe('#/models');
  });
});
