import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { hasInbox, hrefOf, parseRoute, queryOf, withInbox } from '../../src/renderer/app/routes';
import { emptySnapshot, sampleSnapshot } from '../support/sample-snapshot';
import { press, renderPanel, ScriptedCore, textOf } from './render-panel';

let shown: ReturnType<typeof renderPanel> | null = null;

function show(address: string, core = new ScriptedCore(sampleSnapshot())) {
  shown = renderPanel(core, address);
  return shown.page;
}

afterEach(() => {
  shown?.remove();
  shown = null;
  delete document.documentElement.dataset.theme;
  localStorage.clear();
});

describe('given an address', () => {
  it('when it names a view and a thing in it, then both are read', () => {
    expect(parseRoute('#/events/15')).toEqual({ name: 'events', detail: '15' });
    expect(parseRoute(hrefOf('models', 'openrouter/a/b:free'))).toEqual({
      name: 'models',
      detail: 'openrouter/a/b:free',
    });
  });

  it.each([
    ['', '#/now?notices', '#/now', ''],
    ['#/chains/a%7Cb', '#/chains/a%7Cb?notices', '#/chains/a%7Cb', ''],
    ['#/events/12?code=switch', '#/events/12?code=switch&notices', '#/events/12?code=switch', 'code=switch'],
    ['#/events?notices&text=notices', '#/events?text=notices&notices', '#/events?text=notices', 'text=notices'],
  ])('when it is %s and the notices open and close, then the rest of it stays', (hash, opened, closed, query) => {
    expect([withInbox(hash, true), withInbox(opened, false), queryOf(opened)]).toEqual([opened, closed, query]);
    expect([hasInbox(opened), hasInbox(closed), parseRoute(opened)]).toEqual([true, false, parseRoute(closed)]);
  });

  it('when it names nothing known, then it is the first view', () => {
    expect(parseRoute('#/constructor')).toEqual({ name: 'now', detail: null });
    expect(parseRoute('#/models/%E0%A4%A')).toEqual({ name: 'models', detail: null });
  });
});

describe('given the chains', () => {
  it('when a file is broken, then place, consequence and way out are told', () => {
    const problem = { severity: 'error', message: 'expected ]', line: 14, column: 7 } as const;
    const config = [{ path: 'model-fallback.json', directory: null, problems: [problem] }];
    const page = show('#/chains', new ScriptedCore({ ...sampleSnapshot(), config }));
    expect(textOf(page.querySelector('.problems'))).toBe(
      'model-fallback.json has an errorLine 14, column 7: expected ]The last valid configuration still applies. Fix and save the file; it is read again automatically.',
    );
  });

  it('when there is none, then the page says how to add one', () => {
    const page = show('#/chains', new ScriptedCore(emptySnapshot()));
    expect(textOf(page.querySelector('h1'))).toBe('No chain is configured.');
    expect(textOf(page.querySelector('.example'))).toContain('.opencode/model-fallback.json');
  });
});

describe('given the events', () => {
  it('when the address names a switch, then it explains every model considered', async () => {
    const core = new ScriptedCore(sampleSnapshot());
    const event = sampleSnapshot().events.find(({ id }) => id === 15)!;
    core.handlers = {
      ...core.handlers,
      'decision.explain': () => ({ event, rule: null, asked: [], isFromHistory: false }),
    };
    const page = show('#/events/15', core);
    await act(async () => {});
    const lines = [...page.querySelectorAll('.log-detail tbody tr')];
    expect(lines.map((row) => [...row.children].map(textOf).join(' | '))).toEqual([
      '1 | anthropic/claude-opus-4-1 | Failed | Cooling | rate limited limit.rate_limit',
      '2 | openai/gpt-5 | Chosen | Ready | the first available model chain.first',
      '3 | google/gemini-3-pro | Skipped | Degraded | available, but an earlier model was chosen chain.later',
      '4 | anthropic/claude-sonnet-4-5 | Skipped | Ready | available, but an earlier model was chosen chain.later',
    ]);
  });
});

describe('given a reader who prefers another theme', () => {
  it('when the button is pressed, then the choice is on the page and remembered', async () => {
    const page = show('#/now');
    await press(page.querySelector('[aria-label="Switch theme"]'));
    const chosen = document.documentElement.dataset.theme;
    expect(['light', 'dark']).toContain(chosen);
    expect(localStorage.getItem('understudy.theme')).toBe(chosen);
    await press(page.querySelector('[aria-label="Switch theme"]'));
    expect(document.documentElement.dataset.theme).not.toBe(chosen);
  });
});
