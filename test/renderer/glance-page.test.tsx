import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../src/contract/snapshot';
import { askingCouncil, councilRow } from '../support/rows';
import { emptySnapshot, sampleSnapshot } from '../support/sample-snapshot';
import { press, renderPanel, ScriptedCore, textOf } from './render-panel';

let shown: ReturnType<typeof renderPanel> | null = null;

/** @param isInApp Whether there is a window for the popover to lead to. */
function show(change: Partial<Snapshot> = {}, isInApp = true, snapshot = sampleSnapshot()) {
  const core = new ScriptedCore({ ...snapshot, ...change });
  if (isInApp) core.handlers = { ...core.handlers, 'shell.leaveGlance': () => ({ ok: true }) };
  shown = renderPanel(core, '#/glance');
  const left = () => core.asked.filter(({ name }) => name === 'shell.leaveGlance').map(({ input }) => input);
  return { core, page: shown.page, left };
}

const link = (page: Element, name: string) => [...page.querySelectorAll('a')].find((item) => textOf(item) === name);
const pressEscape = () =>
  act(async () => {
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  });

afterEach(() => {
  shown?.remove();
  shown = null;
});

describe('given the popover at the bar', () => {
  it('when it is shown, then it has the verdict, each live agent, the models that are out and the last event, and no navigation', () => {
    const { page } = show();
    expect(textOf(page.querySelector('h1'))).toBe('mistral needs you.');
    expect(page.querySelector('nav, .side')).toBeNull();
    const live = sampleSnapshot().sessions.filter(({ isLive }) => isLive);
    expect([...page.querySelectorAll('.glance-agent b')].map((item) => item.getAttribute('title'))).toEqual(
      expect.arrayContaining(live.flatMap(({ agents }) => agents.map(({ agent }) => agent))),
    );
    const out = sampleSnapshot().models.filter(({ state }) => state !== 'ready' && state !== 'unseen');
    expect([...page.querySelectorAll('.strip .id')].map((item) => item.getAttribute('title')).sort()).toEqual(
      out.map(({ model }) => model).sort(),
    );
    expect(page.querySelectorAll('.ev')).toHaveLength(1);
  });

  it('when a session is not live, then its agents are left out', () => {
    const [session] = sampleSnapshot().sessions;
    const { page } = show({ sessions: [{ ...session!, isLive: false }] });
    expect([page.querySelectorAll('.glance-agent').length, textOf(page)]).toEqual([
      ...[0, expect.stringContaining('No session is running.')],
    ]);
  });

  it('when a session has twenty agents, then eight are shown, and where the others are', () => {
    const [session] = sampleSnapshot().sessions;
    const agents = Array.from({ length: 20 }, (_, index) => ({ ...session!.agents[0]!, key: `k${index}` }));
    const { page } = show({ sessions: [{ ...session!, agents }] });
    expect(page.querySelectorAll('.glance-agent')).toHaveLength(8);
    expect(link(page, '12 more agents')?.getAttribute('href')).toBe(`#/sessions/${session!.session}`);
  });

  it('when nothing runs, then it says what comes next', () => {
    const { page } = show({}, true, emptySnapshot());
    expect(textOf(page.querySelector('.lede'))).not.toBe('');
  });

  it('when links are followed, then the window is asked for their view, and the popover stays what it is', async () => {
    const { page, left } = show();
    await press(link(page, 'Open Understudy'));
    await press(page.querySelector('.ev'));
    const { id } = sampleSnapshot().events[0]!;
    expect(left()).toEqual([
      { view: 'now', detail: null },
      { view: 'events', detail: String(id) },
    ]);
    expect(window.location.hash).toBe('#/glance');
  });

  it('when there is no window to lead to, then the page goes to the view itself', async () => {
    const { page } = show({}, false);
    await press(link(page, 'Open Understudy'));
    expect(window.location.hash).toBe('#/now');
  });

  it('when Escape is pressed, then it is closed, but a dialog that is open is closed first', async () => {
    const { page, left } = show();
    await press([...page.querySelectorAll('button')].find((item) => textOf(item) === 'Pause…'));
    await pressEscape();
    expect(left()).toEqual([]);
    await press([...page.querySelectorAll('dialog button')].find((item) => textOf(item) === 'Cancel'));
    await pressEscape();
    expect(left()).toEqual([{ view: null, detail: null }]);
  });

  it('when contact is lost, then it says so instead of the verdict', () => {
    const { core, page } = show();
    core.link('lost');
    expect([textOf(page.querySelector('h1')), page.querySelector('main.stale') !== null]).toEqual([
      ...['This view lost its connection to Understudy.', true],
    ]);
  });
});

describe('given runs of councils', () => {
  it('when one runs and one asks, then each is a row that leads to its page, and the question can be answered there', async () => {
    const asks = askingCouncil();
    const { core, page, left } = show({ councils: [councilRow({ run: 'r20260105-141500-b2c3' }), asks] });
    core.handlers = { ...core.handlers, 'council.say': () => ({ ok: true }) };
    const rows = [...page.querySelectorAll('.glance-agent')].filter((row) => textOf(row).startsWith('Council'));
    expect(rows.map((row) => textOf(row.querySelector('.cap')))).toEqual(['asks about Claude', 'stage 2 of 6']);
    expect(textOf(rows[1] ?? null)).toContain('4 findings, 1 critical · $0.42 of $2.00');

    const yes = [...(rows[0]?.querySelectorAll('button') ?? [])].find((button) => textOf(button) === 'Yes');
    await press(yes ?? null);
    const said = core.asked.filter(({ name }) => name === 'council.say').map(({ input }) => input);
    expect(said).toEqual([{ run: asks.run, word: { kind: 'answer', yes: true, question: 'q1' } }]);
    expect(textOf(page.querySelector('.toast'))).toContain('Council on storefront-api has an answer.');

    await press(rows[0]?.querySelector('a') ?? null);
    expect(left()).toEqual([{ view: 'council', detail: asks.run }]);
  });

  it('when the answer is refused, then why is said', async () => {
    const { core, page } = show({ councils: [askingCouncil()] });
    core.handlers = { ...core.handlers, 'council.say': () => ({ ok: false, reason: 'That is not asked any more.' }) };
    const no = [...page.querySelectorAll('button')].find((button) => textOf(button) === 'No');
    await press(no ?? null);
    expect(textOf(page.querySelector('.toast'))).toContain('That is not asked any more.');
  });
});
