import { act } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { QueryInput, QueryOutput } from '../../src/contract/contract';
import { CHART_WIDTH_MIN } from '../../src/renderer/pages/usage/frame';
import { speak } from '../../src/texts';
import { german } from '../../src/texts/de';
import { sampleAgent } from '../support/sample-agent';
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
  const handlers = {
    'usage.get': sample.get,
    'usage.agents': (question: QueryInput<'usage.agents'>) => ({ question, agents: [sampleAgent()], sinceMs: null }),
  };
  core.handlers = { ...core.handlers, ...handlers, 'usage.export': sample.export, ...over };
  return openedOn(core, detail);
}

async function openedOn(core: ScriptedCore, detail: string) {
  const rendered = renderPanel(core, `#/usage/${detail}`);
  remove = rendered.remove;
  // The view itself comes when it is opened.
  await act(async () => {
    await import('../../src/renderer/pages/usage/UsagePage');
  });
  await act(async () => {});
  await settle();
  return { core, page: rendered.page };
}

/** Lets answers that are on their way, and what the page hears of its address, arrive. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await act(async () => {});
  await act(async () => new Promise((resolve) => setTimeout(resolve)));
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

async function pressKey(target: Element | null, key: string, shiftKey = false): Promise<void> {
  await act(async () => {
    target?.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true }));
  });
}

describe('given the view of usage on two weeks of work', () => {
  it('when it is opened, then totals, charts and the table of the split are there, and the address is what was asked', async () => {
    const { page, core } = await opened('all:model');
    expect(lastAsked(core)).toMatchObject({ range: { kind: 'all' }, splitBy: 'model' });
    expect([...page.querySelectorAll('.chart-card h2')].map(textOf)).toEqual([
      'Attempts by model',
      'Cost by model',
      'Fallback rate',
      'Tokens by kind',
      'Response times',
      'Availability per agent',
      'Reliability per model',
      'Switches by model',
      'Activity by hour',
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
      'Switches',
      'Resets',
      'Primary',
      '2nd in chain',
    ]);
    expect(attempts.querySelectorAll('tbody tr')).toHaveLength(14);
    expect(attempts.querySelector('[role=slider]')?.closest('[hidden]')).not.toBeNull();
    await press(button(attempts, 'Attempts by position as a chart'));
    expect(attempts.querySelector('table')).toBeNull();
  });

  it('when the range is another, then every model looks as it did, in charts, legends and tables', async () => {
    const looks = async (detail: string): Promise<ReadonlyMap<string, string>> => {
      const { page } = await opened(detail);
      const named = [...page.querySelectorAll('.legend li, .model-name')].flatMap((each) => {
        const look = each.querySelector('[data-look]')?.getAttribute('data-look');
        return look?.startsWith('m') ? [[textOf(each), look] as const] : [];
      });
      remove();
      for (const [name, look] of named) expect([name, look]).toEqual([name, new Map(named).get(name)]);
      return new Map(named);
    };
    const all = await looks('all:model');
    expect([all.size, new Set(all.values()).size]).toEqual([4, 4]);
    for (const detail of ['all:position', '1d:model', '2026-09-10_2026-09-12:provider', 'session-ses_3:model'])
      for (const [name, look] of await looks(detail))
        expect([detail, name, look]).toEqual([detail, name, all.get(name)]);
  });

  it('when so many days before are kept, then each figure says what it was and how it differs; else nothing does', async () => {
    const { page } = await opened('6d:position');
    const { before } = await sample.get({ range: { kind: 'days', days: 6 }, splitBy: 'position', timeZone: 'UTC' });
    const tiles = [...page.querySelectorAll('.kpis > div')].map(textOf);
    expect(tiles[1]).toContain(`before: ${before?.totals.attempts}`);
    expect(tiles[1]).toMatch(/[+−]\d+(?:\.\d)? %, before/);
    expect(tiles[2]).toMatch(/[+−]\d+(?:\.\d)? points, before: \d/);
    expect(textOf(page.querySelector('.kpis-before'))).toContain('Before: September 10, 2026 to September 15, 2026.');
    remove();
    const all = await opened('all:position');
    expect(textOf(all.page.querySelector('.kpis'))).not.toMatch(/before/i);
  });

  it('when a project is chosen, then it is asked for, and stays chosen with another range', async () => {
    const { page, core } = await opened('all:position', {
      'usage.get': async ({ project: _, ...question }) => ({
        ...(await sample.get(question)),
        projects: ['shop', 'website'],
      }),
    });
    const choice = page.querySelector<HTMLSelectElement>('.head-actions select');
    expect([...(choice?.options ?? [])].map(textOf)).toEqual(['All projects', 'shop', 'website']);
    await act(async () => {
      if (choice) choice.value = 'website';
      choice?.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await settle();
    expect(lastAsked(core)).toMatchObject({ range: { kind: 'all' }, project: 'website' });
    const week = [...page.querySelectorAll<HTMLAnchorElement>('.time-picker a')].find((each) => textOf(each) === '7 d');
    expect(week?.getAttribute('href')).toBe('#/usage/7d%3Aposition?project=website');
  });

  it('when Shift and arrows choose some days and Enter is pressed, then these alone are asked; Escape gives them up', async () => {
    const { page, core } = await opened('all:position');
    const slider = card(page, 'Attempts by position').querySelector('[role=slider]');
    await act(async () => slider?.dispatchEvent(new FocusEvent('focusin', { bubbles: true })));
    await pressKey(slider, 'ArrowRight');
    await pressKey(slider, 'ArrowRight', true);
    expect(slider?.getAttribute('aria-valuetext')).toMatch(/^Selected: Wed, Sep 9 to Thu, Sep 10\. /);
    await pressKey(slider, 'Escape');
    expect(slider?.getAttribute('aria-valuetext')).toMatch(/^Thu, Sep 10: /);
    await pressKey(slider, 'ArrowRight', true);
    await pressKey(slider, 'Enter');
    await settle();
    expect(window.location.hash).toBe('#/usage/2026-09-10_2026-09-11%3Aposition');
    expect(lastAsked(core)).toMatchObject({ range: { kind: 'custom', from: '2026-09-10', to: '2026-09-11' } });
    // The next view is of the same time.
    window.location.hash = '#/models';
    await settle();
    expect(core.asked.findLast(({ name }) => name === 'usage.models')?.input).toMatchObject({
      range: { kind: 'custom', from: '2026-09-10', to: '2026-09-11' },
    });
    window.location.hash = '#/events';
    await settle();
    const [sinceMs, untilMs] = [new Date(2026, 8, 10).getTime(), new Date(2026, 8, 12).getTime()];
    expect(core.asked.findLast(({ name }) => name === 'events.page')?.input).toMatchObject({
      filter: { sinceMs, untilMs },
    });
  });

  it('when a mouse is drawn over some days, then these alone are asked', async () => {
    const { page, core } = await opened('all:position');
    const slider = card(page, 'Attempts by position').querySelector('[role=slider]');
    // Fourteen days between the axis and the edge of a chart of the least width.
    const drawn = async (type: string, day: number): Promise<void> => {
      const clientX = 52 + ((day + 0.5) * (CHART_WIDTH_MIN - 60)) / 14;
      await act(async () => slider?.dispatchEvent(new PointerEvent(type, { clientX, clientY: 80, bubbles: true })));
    };
    Object.assign(slider ?? {}, { setPointerCapture: () => {} });
    await drawn('pointerdown', 2);
    await drawn('pointermove', 4);
    await drawn('pointermove', 5);
    expect(card(page, 'Attempts by position').querySelector('.chart-chosen')).not.toBeNull();
    await drawn('pointerup', 5);
    await settle();
    expect(lastAsked(core)).toMatchObject({ range: { kind: 'custom', from: '2026-09-10', to: '2026-09-13' } });
  });

  it('when agents are shown, then how available each was is said first, with its percentiles and why it failed', async () => {
    const { page } = await opened('all:position');
    const agents = card(page, 'Availability per agent');
    expect(textOf(agents.querySelector('.chart-finding'))).toBe(
      'Least available: oracle, in 87.5 % of 8 turns; 50 % with its primary alone.',
    );
    expect([...agents.querySelectorAll('tbody tr > *')].map(textOf)).toEqual([
      ...['oracle', '87.5 %', '50 %', '10', '50 %', '4, 75 %', '3 s', '9 s', '16', '10', '5', '66.7 %', '4.1 s'],
      'rate limited 4, not answering in time 1',
    ]);
  });

  it('when arrows are pressed on the week, then they go by hours and by days, and stop at its ends', async () => {
    const { page } = await opened('all:position');
    const slider = card(page, 'Activity by hour').querySelector('[role=slider]');
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
    expect(words).toContain('Versuche nach Platz');
    expect(words).toContain('2. der Kette');
    expect(words).not.toMatch(/\b(Attempts|attempts|Table|per day|Cost|tokens)\b/);
  });
});

describe('given less than an answer', () => {
  it('when nothing is kept yet, then it says so, and how earlier answers are added', async () => {
    const { page } = await opened('30d:position', { 'usage.get': sampleUsage(0).get });
    expect(textOf(page.querySelector('.empty'))).toContain('No history yet.');
    expect(textOf(page.querySelector('.empty pre'))).toBe('understudy data import --opencode');
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
    expect(page.querySelectorAll('.chart-card')).toHaveLength(10);
  });

  it('when contact is lost, then the last figures stay, and nothing is asked', async () => {
    const { page, core } = await opened('all:position');
    const before = core.asked.filter(({ name }) => name === 'usage.get').length;
    core.link('lost');
    await settle();
    expect(page.querySelector('main')?.className).toContain('stale');
    expect(page.querySelectorAll('.chart-card')).toHaveLength(10);
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
      'Agents and positions are not stored on this machine.',
    );
    expect(textOf(page.querySelector('.kpis'))).toContain('positions are not stored here');
    expect(textOf(card(page, 'Attempts by position').querySelector('.legend'))).toBe('AllMost switches');
    expect([...page.querySelectorAll('.chart-card h2')].map(textOf)).not.toContain('Fallback rate');
  });

  it('when OpenCode is closed, then nothing is grey: what was is no less so, and it is asked anew', async () => {
    const snapshot = sampleSnapshot(NOW);
    const closed = { ...snapshot, connection: { status: 'lost', since: NOW } } as const;
    const core = new ScriptedCore(closed);
    core.handlers = { ...core.handlers, 'usage.get': sample.get, 'usage.export': sample.export };
    const { page } = await openedOn(core, 'all:position');
    expect(page.querySelector('main')?.className).toBe('main');
    expect(page.querySelector('.pill-stale')).toBeNull();
    expect(page.querySelectorAll('.chart-card')).toHaveLength(10);
    window.location.hash = '#/now';
    await settle();
    expect(page.querySelector('main')?.className).toContain('stale');
  });
});
