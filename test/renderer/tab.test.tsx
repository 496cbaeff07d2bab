import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { PAGES, VIEW_NAMES, VIEWS, viewOf } from '../../src/contract/shell';
import { emptySnapshot, sampleSnapshot } from '../support/sample-snapshot';
import { renderPanel, ScriptedCore, textOf } from './render-panel';

let shown: ReturnType<typeof renderPanel> | null = null;

async function show(address: string, core: ScriptedCore): Promise<HTMLElement> {
  shown = renderPanel(core, address);
  await act(async () => {});
  return shown.page;
}

afterEach(() => {
  shown?.remove();
  shown = null;
  window.location.hash = '';
});

describe('given the navigation', () => {
  it('when it is drawn, then it has seven views of at most three tabs, and every page is a tab of one', () => {
    expect(VIEW_NAMES).toHaveLength(7);
    expect(Math.max(...Object.values(VIEWS).map((pages) => pages.length))).toBeLessThanOrEqual(3);
    expect(new Set(PAGES).size).toBe(12);
  });

  it.each(PAGES)('when the page %s is open, then its view and its tab are the current ones', async (page) => {
    const panel = await show(`#/${page}`, new ScriptedCore(sampleSnapshot()));
    const current = (list: string) =>
      [...panel.querySelectorAll(`${list} a[aria-current=page]`)].map((link) => link.getAttribute('href'));
    const tabs = VIEWS[viewOf(page)];
    expect(current('.nav')).toEqual([`#/${viewOf(page)}`]);
    expect(current('.tabs')).toEqual(tabs.length > 1 ? [`#/${page}`] : []);
    expect([...panel.querySelectorAll('.tabs a')]).toHaveLength(tabs.length > 1 ? tabs.length : 0);
  });
});

describe('given the tab of the browser', () => {
  it('when nothing needs the user, then its title is the page', async () => {
    await show('#/headroom', new ScriptedCore(emptySnapshot()));
    expect(document.title).toBe('Limits · Understudy');
  });

  it('when something needs the user, then its title is the headline, and without contact it says so', async () => {
    const core = new ScriptedCore(sampleSnapshot());
    const page = await show('#/now', core);
    expect(document.title).toBe(`${textOf(page.querySelector('h1'))} · Understudy`);
    core.link('lost');
    expect(document.title).toBe('No contact · Understudy');
  });
});

describe('given a home that has sent nothing yet', () => {
  const core = (companions: string[]): ScriptedCore => {
    const snapshot = emptySnapshot();
    const fake = new ScriptedCore({ ...snapshot, connection: { ...snapshot.connection, status: 'waiting' } });
    fake.handlers = {
      ...fake.handlers,
      'setup.detect': () => ({
        line: '"plugin": []',
        opencodes: ['1.18.34'],
        companion: 'current',
        files: [{ path: '/home/ada/opencode.json', scope: 'global', companions, rivals: [], problem: null }],
        installed: [],
      }),
    };
    return fake;
  };

  it.each([
    ['no configuration names the companion', [], '', '#/setup'],
    ['one does', ['file:///opencode-understudy.js'], '', ''],
    ['the address names a view', [], '#/models', '#/models'],
  ])('when %s, then the panel opens where it should', async (_, companions, address, expected) => {
    await show(address, core(companions));
    await act(async () => {});
    expect(window.location.hash).toBe(expected);
  });
});
