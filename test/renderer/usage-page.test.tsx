import { act } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { QueryOutput } from '../../src/contract';
import { speak } from '../../src/texts';
import { german } from '../../src/texts/de';
import { sampleSnapshot } from '../support/sample-snapshot';
import { sampleUsage } from '../support/sample-usage';
import { NOW } from '../support/usage-story';
import { press, renderPanel, ScriptedCore, textOf } from './render-panel';

// Five charts are a second of work where there is no real browser.
vi.setConfig({ testTimeout: 60_000 });
const sample = sampleUsage();
let remove = (): void => {};
afterEach(() => {
  remove();
  speak('en', {});
});

/** Opens the view; `over` replaces what the core answers. */
async function opened(detail: string, over: Partial<ScriptedCore['handlers']> = {}) {
  const core = new ScriptedCore(sampleSnapshot(NOW));
  core.handlers = { ...core.handlers, 'usage.get': sample.get, 'usage.export': sample.export, ...over };
  const rendered = renderPanel(core, `#/usage/${detail}`);
  remove = rendered.remove;
  // The view itself comes when it is opened.
  await act(async () => {
    await import('../../src/renderer/pages/UsagePage');
  });
  await act(async () => {});
  await settle();
  return { core, page: rendered.page };
}

/** Lets answers that are on their way arrive. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await act(async () => {});
}

const card = (page: Element, title: string): Element => {
  const found = [...page.querySelectorAll('.chart-card')].find((each) => textOf(each.querySelector('h2')) === title);
  if (!found) throw new TypeError(`There is no card "${title}".`);
  return found;
};
const button = (within: Element, name: string) =>
  [...within.querySelectorAll('button')].find((each) => (each.getAttribute('aria-label') ?? textOf(each)) === name);
const lastAsked = (core: ScriptedCore) => core.asked.findLast(({ name }) => name === 'usage.get')?.input;

async function pressKey(target: Element | null, key: string): Promise<void> {
  await act(async () => {
    target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  });
}

describe('given the view of usage on two weeks of work', () => {
  it('when it is opened, then totals, charts and the table of the split are there, and the address is what was asked', async () => {
    const { page, core } = await opened('all:model');
    expect(lastAsked(core)).toMatchObject({ range: { kind: 'all' }, splitBy: 'model' });
    expect([...page.querySelectorAll('.chart-card h2')].map(textOf)).toEqual([
      'Attempts by model',
      'Cost by model',
      'Tokens by kind',
      'Response times',
      'When you work',
      'Everything by model',
    ]);
    const { totals } = await sample.get({ range: { kind: 'all' }, splitBy: 'model', timeZone: 'UTC' });
    expect(textOf(page.querySelector('.kpis'))).toContain(`Attempts${totals.attempts}`);
    expect(page.querySelector('.usage-range [aria-current]')?.textContent).toBe('All');
  });

  it('when the address says nothing, then it is 30 days by position', async () => {
    const { core } = await opened('');
    expect(lastAsked(core)).toMatchObject({ range: { kind: 'days', days: 30 }, splitBy: 'position' });
  });

  it('when a chart becomes a table, then its rows are there, the drawing is hidden, and back again', async () => {
    const { page } = await opened('all:position');
    const attempts = card(page, 'Attempts by position');
    await press(button(attempts, 'Attempts by position as a table'));
    expect([...attempts.querySelectorAll('thead th')].map(textOf)).toEqual([
      'From',
      'Until',
      'Attempts',
      'Answered',
      'Failed',
      'Past the primary',
      'Fallback',
      'Primary',
      '2nd in chain',
    ]);
    expect(attempts.querySelectorAll('tbody tr')).toHaveLength(14);
    expect(attempts.querySelector('[role=slider]')?.closest('[hidden]')).not.toBeNull();
    await press(button(attempts, 'Attempts by position as a chart'));
    expect(attempts.querySelector('table')).toBeNull();
  });

  it('when arrows are pressed on the week, then they go by hours and by days, and stop at its ends', async () => {
    const { page } = await opened('all:position');
    const slider = card(page, 'When you work').querySelector('[role=slider]');
    await pressKey(slider, 'ArrowUp');
    expect(slider?.getAttribute('aria-valuetext')).toMatch(/^Monday 00:00: Attempts 0$/);
    await pressKey(slider, 'ArrowDown');
    await pressKey(slider, 'ArrowRight');
    expect(slider?.getAttribute('aria-valuetext')).toMatch(/^Tuesday 01:00/);
    await pressKey(slider, 'End');
    await pressKey(slider, 'ArrowRight');
    expect(slider?.getAttribute('aria-valuetext')).toMatch(/^Sunday 23:00/);
  });

  it('when an export is refused, then the reason is said beside it', async () => {
    const refuse = () => {
      throw new Error('The disk is full.');
    };
    const { page } = await opened('all:position', { 'usage.export': refuse });
    const tokens = card(page, 'Tokens by kind');
    await press(button(tokens, 'Tokens by kind as CSV'));
    await settle();
    expect(textOf(tokens.querySelector('[role=status]'))).toBe('The export failed: The disk is full.');
  });

  it('when a range ends before it begins, then that is said and the last one stays', async () => {
    const { page, core } = await opened('2026-09-10_2026-09-12:position');
    const until = page.querySelectorAll<HTMLInputElement>('input[type=date]')[1];
    await act(async () => {
      if (!until) return;
      // React hears of a value only when it is set past its own watch.
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(until, '2026-09-01');
      until.dispatchEvent(new Event('input', { bubbles: true }));
      until.dispatchEvent(new Event('change', { bubbles: true }));
    });
    expect(textOf(page.querySelector('.usage-range [role=alert]'))).toContain('ends before it begins');
    expect(lastAsked(core)).toMatchObject({ range: { kind: 'custom', from: '2026-09-10', to: '2026-09-12' } });
  });

  it('when German is spoken, then no word of the view is English', async () => {
    speak('de', german);
    const { page } = await opened('all:position');
    const words = textOf(page.querySelector('.charts'));
    expect(words).toContain('Versuche nach Position');
    expect(words).toContain('2. der Kette');
    expect(words).not.toMatch(/\b(Attempts|attempts|Table|per day|Cost|tokens)\b/);
  });
});

describe('given less than an answer', () => {
  it('when nothing is kept yet, then it says so, and how earlier answers are added', async () => {
    const { page } = await opened('30d:position', { 'usage.get': sampleUsage(0).get });
    expect(textOf(page.querySelector('.empty'))).toContain('No history yet.');
    expect(textOf(page.querySelector('.empty pre'))).toBe('understudy log import-opencode');
  });

  it('when a range has nothing, then all is offered, split as before', async () => {
    const { page } = await opened('2026-01-01_2026-01-02:agent');
    expect(textOf(page.querySelector('.empty'))).toContain('Nothing in this range.');
    expect(page.querySelector('.empty a')?.getAttribute('href')).toBe('#/usage/all%3Aagent');
  });

  it('when the question fails, then the reason is shown and it can be asked again', async () => {
    let isFailing = true;
    const get = async (question: Parameters<typeof sample.get>[0]): Promise<QueryOutput<'usage.get'>> => {
      if (isFailing) throw new Error('The history is locked.');
      return sample.get(question);
    };
    const { page } = await opened('all:position', { 'usage.get': get });
    expect(textOf(page.querySelector('[role=alert]'))).toContain('The history is locked.');
    isFailing = false;
    await press(button(page, 'Try again'));
    await settle();
    expect(page.querySelector('[role=alert]')).toBeNull();
    expect(page.querySelectorAll('.chart-card')).toHaveLength(6);
  });

  it('when contact is lost, then the last figures stay, and nothing is asked', async () => {
    const { page, core } = await opened('all:position');
    const before = core.asked.filter(({ name }) => name === 'usage.get').length;
    core.link('lost');
    await settle();
    expect(page.querySelector('main')?.className).toContain('stale');
    expect(page.querySelectorAll('.chart-card')).toHaveLength(6);
    expect(core.asked.filter(({ name }) => name === 'usage.get')).toHaveLength(before);
  });

  it('when a session is wanted and its name is not, then the one heard of last is asked', async () => {
    const { core, page } = await opened('session:model');
    const [latest] = sampleSnapshot(NOW).sessions.toSorted((a, b) => b.at - a.at);
    expect(lastAsked(core)).toMatchObject({ range: { kind: 'session', session: latest?.session } });
    expect(page.querySelector('.usage-range [aria-current]')?.textContent).toBe('Session');
  });

  it('when there is no database, then models are known, and of positions it says why they are not', async () => {
    const usage = await sample.get({ range: { kind: 'all' }, splitBy: 'position', timeZone: 'UTC' });
    const fallback = { ...usage.totals, fallback: null };
    const get = () => ({ ...usage, totals: fallback, rows: [], series: [], isSplitKept: false });
    const { page } = await opened('all:position', { 'usage.get': get });
    expect(textOf(card(page, 'Everything by position'))).toContain(
      'Agents and positions are not kept on this machine.',
    );
    expect(textOf(page.querySelector('.kpis'))).toContain('positions are not kept here');
    expect(textOf(card(page, 'Attempts by position').querySelector('.legend'))).toBe('All');
  });
});
