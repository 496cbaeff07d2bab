import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Snapshot } from '../../src/contract/snapshot';
import { clock } from '../../src/wording/wording';
import { agentRow, snapshotOf } from '../support/rows';
import { emptySnapshot, SAMPLE_AT, sampleSnapshot } from '../support/sample-snapshot';
import { press, renderPanel, ScriptedCore, textOf } from './render-panel';

const offer = (page: Element, name: string) =>
  [...page.querySelectorAll('.empty button')].find((item) => textOf(item) === name);

let shown: ReturnType<typeof renderPanel> | null = null;

function show(snapshot: Snapshot) {
  const core = new ScriptedCore(snapshot);
  shown = renderPanel(core);
  return { core, page: shown.page };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'] });
});

afterEach(() => {
  shown?.remove();
  shown = null;
  vi.useRealTimers();
});

describe('given a panel that has lost its core', () => {
  it('when the link breaks, then the last snapshot stays, as of its clock time, and timers are dashes', () => {
    const { core, page } = show(sampleSnapshot());
    core.link('lost');
    expect(page.querySelector('main')?.className).toBe('main stale');
    expect(textOf(page.querySelector('.lede'))).toContain(`as of ${clock(SAMPLE_AT, true)}`);
    expect(textOf(page.querySelector('.pill'))).toBe(`No contact, as of ${clock(SAMPLE_AT, true)}`);
    expect(page.querySelector('.pill .c-ready')).toBeNull();
    const timers = [...page.querySelectorAll('[role=timer]')].map(textOf);
    expect([timers.length > 3, new Set(timers)]).toEqual([true, new Set(['—'])]);
    expect(textOf(page.querySelector('.map-row [aria-current]:not(.seat-primary)'))).toContain('gpt-5');
  });

  it('when the link returns, then the page is live again', () => {
    const { core, page } = show(sampleSnapshot());
    core.link('lost');
    core.link('open');
    expect(page.querySelector('main')?.className).toBe('main');
    expect(textOf(page.querySelector('.pill'))).toBe('Connected');
  });

  it('when an open link is quiet for 10 s and a question goes unanswered, then the page is stale', async () => {
    const { core, page } = show(sampleSnapshot());
    core.isAnswering = false;
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(core.asked.filter(({ name }) => name === 'snapshot.get')).toHaveLength(1);
    expect(page.querySelector('main')?.className).toBe('main stale');
  });

  it('when an open link is quiet for 10 s and the question is answered, then the page stays live', async () => {
    const { core, page } = show(sampleSnapshot());
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(core.asked.filter(({ name }) => name === 'snapshot.get')).toHaveLength(1);
    expect(page.querySelector('main')?.className).toBe('main');
  });
});

const DAY_MS = 86_400_000;
const isMoment = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value - SAMPLE_AT) < 30 * DAY_MS;

describe('given a countdown of 14 minutes', () => {
  const left = (page: Element) => textOf(page.querySelector('[role=timer]'));

  it('when the computer has slept for ten minutes, then the core is asked within 5 s, and 4 minutes are left', async () => {
    const { core, page } = show(sampleSnapshot());
    expect(left(page)).toBe('14 min');
    core.handlers = { ...core.handlers, 'snapshot.get': () => ({ ...sampleSnapshot(), at: SAMPLE_AT + 600_000 }) };
    vi.setSystemTime(Date.now() + 600_000);
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    const asked = core.asked.filter(({ name }) => name === 'snapshot.get').length;
    expect([asked, left(page)]).toEqual([1, '4 min']);
  });

  it('when the clock of the core is set ten minutes on, then its next word is enough', () => {
    const { core, page } = show(sampleSnapshot());
    core.push({ ...sampleSnapshot(), rev: 99, at: SAMPLE_AT + 600_000 });
    expect(left(page)).toBe('4 min');
  });

  it.each([-1, 1])(
    'when the clocks of both are set by %i day, then 14 minutes are left, before and after its word',
    async (days) => {
      const { core, page } = show(sampleSnapshot());
      vi.setSystemTime(Date.now() + days * DAY_MS);
      await act(() => vi.advanceTimersByTimeAsync(100));
      const before = left(page);
      const later = JSON.stringify({ ...sampleSnapshot(), rev: 99 });
      // Every moment of a snapshot is of the same clock.
      core.push(JSON.parse(later, (_, value) => (isMoment(value) ? value + days * DAY_MS : value)));
      expect([before, left(page)]).toEqual(['14 min', '14 min']);
    },
  );

  it('when a core that mixes both clocks says that it ended 23 hours ago, then nothing is left, not less', () => {
    const { core, page } = show(sampleSnapshot());
    core.push({ ...sampleSnapshot(), rev: 99, at: SAMPLE_AT + 23 * 3_600_000 });
    expect(left(page)).toBe('0:00');
    expect(page.textContent).not.toMatch(/[-−][\d,]+ (min|h|d)\b/);
  });

  it('when the clock of this computer alone is set back an hour, then nothing on the page moves', async () => {
    const { page } = show(sampleSnapshot());
    vi.setSystemTime(Date.now() - 3_600_000);
    await act(() => vi.advanceTimersByTimeAsync(100));
    expect(left(page)).toBe('14 min');
  });
});

describe('given nothing to show yet', () => {
  it('when OpenCode has not come, then the page waits for it and names the next step', async () => {
    const { page } = show(emptySnapshot());
    await act(async () => {});
    expect(textOf(page.querySelector('h1'))).toBe('Waiting for OpenCode.');
    expect(textOf(page.querySelector('.empty'))).toContain('Open a project in OpenCode');
    expect(page.querySelector('a.btn-main')?.getAttribute('href')).toBe('#/setup');
    expect(textOf(page)).toContain('No events yet.');
    expect(page.querySelectorAll('.c-ready, .map-row, .q, .ev')).toHaveLength(0);
  });

  it.each<[string, readonly string[], readonly (readonly [string, readonly string[]])[], string, string]>([
    [
      'it is not connected',
      ['1.18.34'],
      [['/home/ada/.config/opencode/opencode.jsonc', []]],
      'OpenCode 1.18.34 found, not connected.',
      'Connecting adds one line to opencode.jsonc. You see it before it is written.',
    ],
    [
      'it has no configuration yet',
      ['2.0.15'],
      [],
      'OpenCode 2.0.15 found, not connected.',
      'Connecting adds one line to its configuration. You see it before it is written.',
    ],
    [
      'its configuration names the companion',
      ['1.18.34'],
      [['C:\\Users\\ada\\opencode.json', ['file:///companion.js']]],
      'OpenCode 1.18.34 found; the companion is installed.',
      'Start or restart OpenCode. This page then shows it.',
    ],
  ])(
    'when OpenCode is on this computer and %s, then the page says so, and what comes next',
    async (_, opencodes, files, title, text) => {
      const core = new ScriptedCore(emptySnapshot());
      core.handlers['setup.detect'] = () => ({
        ...{ line: '', companion: 'absent' as const, installed: [], opencodes: [...opencodes] },
        files: files.map(([path, companions]) => ({
          ...{ path, scope: 'global' as const, companions: [...companions], rivals: [], problem: null },
        })),
      });
      shown = renderPanel(core);
      await act(async () => {});
      const card = shown.page.querySelector('.empty');
      expect([textOf(card?.querySelector('h2') ?? null), textOf(card?.querySelector('p') ?? null)]).toEqual([
        title,
        text,
      ]);
    },
  );

  it('when the demo is offered, started and ended, then the card says how it stands, and where it can be seen', async () => {
    const url = 'http://127.0.0.1:4700/?t=key';
    const core = new ScriptedCore(emptySnapshot());
    core.handlers = { ...core.handlers, 'demo.start': () => ({ state: 'running', url }) };
    shown = renderPanel(core);
    await act(async () => {});
    const { page } = shown;
    await press(offer(page, 'Start the demo'));
    expect(page.querySelector('.actions a')?.getAttribute('href')).toBe(url);
    await press(offer(page, 'Stop the demo'));
    expect(offer(page, 'Start the demo')).toBeDefined();
  });

  it('when the demo cannot run, then the card says why and what it needs, and it can be tried again', async () => {
    const core = new ScriptedCore(emptySnapshot());
    const reason = 'OpenCode was not found: it is not on the PATH';
    core.handlers = { ...core.handlers, 'demo.start': () => ({ state: 'failed', reason }) };
    shown = renderPanel(core);
    await act(async () => {});
    await press(offer(shown.page, 'Start the demo'));
    expect(textOf(shown.page.querySelector('[role=alert]'))).toBe(
      `The demo could not start: ${reason}. It uses OpenCode from the PATH or OPENCODE_BIN. Without OpenCode it plays a recording.`,
    );
    expect(offer(shown.page, 'Try again')).toBeDefined();
  });

  it('when the panel is that of the demo, then every view says so, and no demo is offered in it', async () => {
    const { page } = show({ ...emptySnapshot(), app: { ...emptySnapshot().app, isDemo: true } });
    await act(async () => {});
    expect(textOf(page.querySelector('.demo-mark'))).toContain('Demo: simulated models, no cost');
    expect(offer(page, 'Start the demo')).toBeUndefined();
  });

  it('when the demo is a recording, then every view says that nothing runs', async () => {
    const { page } = show({ ...emptySnapshot(), app: { ...emptySnapshot().app, isDemo: true, isRecorded: true } });
    await act(async () => {});
    expect(textOf(page.querySelector('.demo-mark'))).toMatch(/^Demo, recorded: no OpenCode was found on this computer/);
  });

  it('when OpenCode is there without a chain, then the page shows the file that adds one', () => {
    const { page } = show({ ...emptySnapshot(), connection: { status: 'connected', since: SAMPLE_AT } });
    const example: unknown = JSON.parse(page.querySelector('pre')?.textContent ?? '');
    expect(example).toEqual({
      agents: { '*': { fallbackModels: ['anthropic/claude-sonnet-4-20250514', 'openai/gpt-4o'] } },
    });
  });
});

describe('given text from a provider that looks like markup', () => {
  it('when it is shown, then it is text', () => {
    const snapshot = sampleSnapshot();
    const agent = { ...snapshot.sessions[0]!.agents[0]!, agent: '<img src=x onerror=alert(1)>' };
    const { page } = show({ ...snapshot, sessions: [{ ...snapshot.sessions[0]!, agents: [agent] }] });
    expect(page.querySelector('img')).toBeNull();
    expect([...page.querySelectorAll('.map-agent')].map(textOf)).toContain('<img src=x onerror=alert(1)>');
  });
});

describe('given a request without a token', () => {
  it('when seconds go by without news, then its stopwatch counts them', async () => {
    const at = Date.now();
    const silent = agentRow({ status: 'working', runningSince: at - 6_000, silentSince: at - 6_000 });
    const { page } = show(snapshotOf([silent], { at }));
    const counted = () => textOf(page.querySelector('.queue [role=timer]'));
    const before = counted();
    await act(() => vi.advanceTimersByTimeAsync(4_000));
    expect([before, counted()]).toEqual(['0:06', '0:10']);
  });
});
