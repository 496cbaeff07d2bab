import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EventFilter } from '../../src/contract/events';
import type { EventRow } from '../../src/contract/snapshot';
import { createEventDesk } from '../../src/core/history/event-desk';
import { queryOf } from '../../src/renderer/app/routes';
import { eventsHref, filterOf } from '../../src/renderer/pages/events/address';
import { allEvents } from '../../src/renderer/pages/events/all-events';
import { createEventList } from '../../src/renderer/pages/events/event-list';
import { eventOf } from '../support/many-events';
import { SAMPLE_AT, sampleSnapshot } from '../support/sample-snapshot';
import { press, renderPanel, ScriptedCore, textOf } from './render-panel';

let shown: ReturnType<typeof renderPanel> | null = null;
let events: EventRow[] = [];

/** A core with so many events, a second apart. */
function coreOf(count: number): ScriptedCore {
  events = Array.from({ length: count }, (_, at) => eventOf(at + 1, SAMPLE_AT - (count - at) * 1_000));
  const core = new ScriptedCore({ ...sampleSnapshot(), events: events.slice(-50).reverse() });
  const desk = createEventDesk(() => events, null);
  core.handlers = {
    ...core.handlers,
    'events.page': (asked) => ({ ...desk.page(asked), kept: { sinceMs: events[0]?.at ?? null, isDurable: true } }),
    'events.counts': ({ filter }) => desk.counts(filter),
    'decision.explain': (asked) => {
      const event = 'event' in asked ? events.find(({ id }) => id === asked.event) : undefined;
      return event ? { event, rule: null, asked: [], isFromHistory: true } : null;
    },
  };
  return core;
}

async function show(core: ScriptedCore, address = '#/events') {
  shown = renderPanel(core, address);
  await settle();
  return shown.page;
}
const settle = async () => {
  for (let turn = 0; turn < 5; turn++) await act(async () => {});
};
const rows = (page: Element) => [...page.querySelectorAll<HTMLElement>('[role=row]')];
const key = async (name: string) => {
  await act(async () => {
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
  });
  await act(async () => new Promise((resolve) => requestAnimationFrame(() => resolve(undefined))));
  await settle();
};

beforeEach(() => {
  // Nothing has a size without a layout: a list of 400 px with rows of 36.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(36);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
});
afterEach(() => {
  shown?.remove();
  shown = null;
  vi.restoreAllMocks();
});

describe('given the address of some events', () => {
  it.each<EventFilter>([
    {},
    { codes: ['switch', 'reset.model'], kinds: ['rate_limit'], agent: 'a&b', text: 'ä = 1' },
    { model: 'openai/gpt-5', provider: 'openai', session: 'ses_1', actor: 'rules', sinceMs: 1, untilMs: 2 },
  ])('when %j is written and read, then it is the same', (filter) => {
    expect(filterOf(queryOf(eventsHref(filter, 12)))).toEqual(filter);
  });

  it('when it names what is none, then only that is left out', () => {
    expect(filterOf('kind=nonsense&from=soon&to=1e20&agent=plan&toString=1')).toEqual({ agent: 'plan' });
  });
});

describe('given 1000 events', () => {
  it('when they are shown, then the rows in sight are drawn, with the place and the number of all', async () => {
    const page = await show(coreOf(1_000));
    expect(page.querySelector('[role=grid]')?.getAttribute('aria-rowcount')).toBe('1000');
    expect(rows(page).length).toBeLessThan(40);
    expect([rows(page)[0]?.getAttribute('aria-rowindex'), textOf(rows(page)[0])]).toEqual([
      '1',
      expect.stringContaining('You reset claude-opus-4-1'),
    ]);
    expect(textOf(page.querySelector('.lede'))).toMatch(/^1,000 events, newest first, stored since Jan 15, 2026/);
  });

  it('when keys are pressed, then the focus moves; Enter opens an event, Escape closes it and gives the focus back', async () => {
    const page = await show(coreOf(1_000));
    rows(page)[0]?.focus();
    await key('j');
    await key('ArrowDown');
    await key('k');
    expect(document.activeElement?.getAttribute('aria-rowindex')).toBe('2');
    await key('Enter');
    expect(window.location.hash).toBe('#/events/999');
    await act(async () => void window.dispatchEvent(new Event('hashchange')));
    await settle();
    const detail = page.querySelector('.log-detail');
    expect([document.activeElement === detail, textOf(detail?.querySelector('h2'))]).toEqual([
      true,
      'gemini-3-pro can be used again',
    ]);
    await key('Escape');
    expect([window.location.hash, document.activeElement?.getAttribute('aria-rowindex')]).toEqual(['#/events', '2']);
  });

  it('when one is not kept, then its page says so', async () => {
    const page = await show(coreOf(10), '#/events/77');
    expect(textOf(page.querySelector('.log-detail'))).toContain('Event 77 is no longer stored.');
  });

  it('when an old decision is opened, then what is not known of it is said', async () => {
    const page = await show(coreOf(10), '#/events/5');
    expect(textOf(page.querySelector('.log-detail'))).toContain(
      'Not storedThe rule of that time is not stored.The requests of its turn are not stored.',
    );
  });
});

describe('given a core that does not answer', () => {
  it('when the events are asked for, then the page says so, and a button asks once more', async () => {
    const core = coreOf(10);
    const { handlers } = core;
    core.handlers = {
      ...handlers,
      'events.page': () => {
        throw new Error('the disk is gone');
      },
    };
    const page = await show(core);
    expect(textOf(page.querySelector('[role=alert]'))).toBe('This could not be read.the disk is goneTry again');
    core.handlers = handlers;
    await press(page.querySelector('[role=alert] button'));
    await settle();
    expect([page.querySelector('[role=alert]'), rows(page).length]).toEqual([null, 10]);
  });
});

describe('given a list that is looked at', () => {
  it('when more happens, then places stay, the new ones are counted, and a new beginning has them', async () => {
    const core = coreOf(350);
    const list = createEventList(core.api, {});
    await list.begin();
    list.need(300, 340);
    await settle();
    expect([list.at(0)?.id, list.at(300)?.id]).toEqual([350, 50]);
    events.push(eventOf(351, SAMPLE_AT), eventOf(352, SAMPLE_AT));
    await list.look();
    list.need(100, 110);
    await settle();
    expect([list.store.getState().newer, list.store.getState().total, list.at(100)?.id]).toEqual([2, 350, 250]);
    await list.begin();
    expect([list.store.getState().newer, list.at(0)?.id]).toEqual([0, 352]);
  });

  it('when all of them are taken along, then each is there once, whole', async () => {
    const core = coreOf(1_200);
    const taken: EventRow[] = [];
    for await (const page of allEvents(core.api, { codes: ['switch'] })) taken.push(...page);
    expect(taken).toEqual(events.filter(({ code }) => code.startsWith('switch')).toReversed());
  });
});
