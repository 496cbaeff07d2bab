import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Snapshot } from '../../src/contract/snapshot';
import { hrefOf } from '../../src/renderer/app/routes';
import { clock } from '../../src/wording/wording';
import { SAMPLE_AT, sampleSnapshot } from '../support/sample-snapshot';
import { modelUse, sampleUses } from '../support/sample-uses';
import { press, renderPanel, ScriptedCore, textOf } from './render-panel';

const OPUS = 'anthropic/claude-opus-4-1';
const TIMES = 'p50 1.9 s, p95 6.4 s';
let shown: ReturnType<typeof renderPanel> | null = null;

async function show(address: string, core = new ScriptedCore(sampleSnapshot())) {
  shown = renderPanel(core, address);
  await act(async () => {});
  return { core, page: shown.page };
}

/** Follows a link. */
const go = (hash: string): Promise<void> =>
  act(async () => {
    window.location.hash = hash;
    window.dispatchEvent(new Event('hashchange'));
  });
const button = (place: Element | null, name: string) =>
  [...(place?.querySelectorAll('button') ?? [])].find((item) => textOf(item) === name);
const dialog = () => document.querySelector('dialog');
const lines = () => [...document.querySelectorAll('.dialog-lines li')].map(textOf);
const acts = (core: ScriptedCore) => core.asked.filter(({ name }) => name === 'health.reset' || name === 'person.act');
const changed = (model: string, change: Partial<Snapshot['models'][number]>): ScriptedCore => {
  const snapshot = sampleSnapshot();
  return new ScriptedCore({
    ...snapshot,
    models: snapshot.models.map((row) => (row.model === model ? { ...row, ...change } : row)),
  });
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'] });
});
afterEach(() => {
  shown?.remove();
  shown = null;
  vi.useRealTimers();
});

describe('given the models', () => {
  it('when shown, then each tile says state, name, failed share, calls and whose clock its time is', async () => {
    const { page } = await show('#/models');
    const tiles = [...page.querySelectorAll('.tile')];
    expect(tiles).toHaveLength(10);
    expect(textOf(tiles[2])).toBe(
      `Cooling${clock(SAMPLE_AT + 14 * 60_000)} · 14 min, provider saysanthropic/claude-opus-4-133.3 % failed12 calls${TIMES}0 of 3 failures`,
    );
    expect(textOf(tiles[9])).toBe('Not used yetxai/grok-code-fast-1no calls0 of 3 failures');
  });

  it('when a model was asked, then its bar has its outcomes in one order, and its name every count, zeros included', async () => {
    const core = new ScriptedCore(sampleSnapshot());
    const outcomes = { answered: 0, slow: 2, failed: 3, skipped: 1 };
    core.handlers = {
      ...core.handlers,
      'usage.models': (question) => ({ question, range: null, models: [modelUse(OPUS, 5, 3, { outcomes })] }),
    };
    const { page } = await show('#/models', core);
    const bars = [...page.querySelectorAll('.tile .obar')];
    expect(bars.map((bar) => bar.getAttribute('aria-label'))).toEqual(['0 answered, 2 slow, 3 failed, 1 skipped']);
    expect([...(bars[0]?.children ?? [])].map(({ className }) => className)).toEqual(['o-slow', 'o-bad', 'o-skip']);
    expect(page.querySelectorAll('.spark')).toHaveLength(0);
  });

  it('when a breaker is open, then its tile says how much of its time is over, and adds up with what is left', async () => {
    const [since, until] = [SAMPLE_AT - 37 * 60_000, SAMPLE_AT + 23 * 60_000];
    const open = { state: 'open', since, until, failures: 0 } as const;
    const { core, page } = await show('#/models', changed(OPUS, open));
    const told = (): readonly (string | undefined)[] => {
      const tile = [...page.querySelectorAll('.tile')].find((each) => each.getAttribute('data-row') === OPUS);
      return ['.cd-short', '.tile-foot:last-child'].map(
        (part) => /(\d+)(?: of 60)? min/.exec(textOf(tile?.querySelector(part)))?.[1],
      );
    };
    expect(told()).toEqual(['23', '37']);
    const { models, ...later } = sampleSnapshot();
    const rows = models.map((row) => (row.model === OPUS ? { ...row, ...open } : row));
    core.push({ ...later, models: rows, rev: 42, at: SAMPLE_AT + 10 * 60_000 });
    await act(async () => vi.advanceTimersByTime(61_000));
    expect(told()).toEqual(['12', '48']);
  });

  it('when failures are counted and a short rest is on, then both are said, the rest in seconds', async () => {
    const rest = { state: 'resting', since: SAMPLE_AT - 12_000, until: SAMPLE_AT + 18_000, failures: 2 } as const;
    const { page } = await show(hrefOf('models', OPUS), changed(OPUS, rest));
    const block = [...page.querySelectorAll('.detail .block')].find(
      (each) => textOf(each.querySelector('h3')) === 'Breaker',
    );
    expect([...(block?.querySelectorAll('.kv > div') ?? [])].map(textOf)).toEqual([
      'Failures2 of 3',
      'Unavailable for12 of 30 s',
    ]);
  });

  it('when the table is chosen, then it has every figure of every tile, and stays chosen', async () => {
    const { page } = await show('#/models');
    await press(button(page, 'Table'));
    expect([...page.querySelectorAll('.model-table thead th')].map(textOf)).toEqual([
      ...[
        'Model',
        'State',
        'Calls',
        'Answered',
        'Slow',
        'Failed',
        'Skipped',
        'p50',
        'p95',
        'Breaker',
        'Price in / out',
      ],
    ]);
    const rows = [...page.querySelectorAll('.model-table tbody tr')];
    expect(rows).toHaveLength(10);
    expect([...(rows[2]?.children ?? [])].map(textOf)).toEqual([
      ...['anthropic/claude-opus-4-1', 'Cooling', '12', '8', '0', '4', '0', '1.9 s', '6.4 s', '0 of 3 failures', '–'],
    ]);
    expect(rows[2]?.querySelector('a')?.getAttribute('href')).toBe(hrefOf('models', OPUS));
    shown?.remove();
    const again = await show('#/models');
    expect(again.page.querySelectorAll('.model-table tbody tr')).toHaveLength(10);
    await press(button(again.page, 'Tiles'));
  });

  it('when another time is chosen, then figures of it are asked, also after another view', async () => {
    const { core, page } = await show('#/models');
    const asked = () => core.asked.findLast(({ name }) => name === 'usage.models')?.input;
    expect(asked()).toMatchObject({ range: { kind: 'days', days: 7 } });
    const link = [...page.querySelectorAll<HTMLAnchorElement>('.time-picker a')].find(
      (each) => textOf(each) === '30 d',
    );
    await go(link?.hash ?? '');
    expect(asked()).toMatchObject({ range: { kind: 'days', days: 30 } });
    for (const hash of ['#/now', '#/models']) await go(hash);
    expect(asked()).toMatchObject({ range: { kind: 'days', days: 30 } });
    expect(textOf(page.querySelector('.time-picker [aria-current]'))).toBe('30 d');
  });

  it('when the arrow keys are pressed in the list, then the focus moves from tile to tile', async () => {
    const { page } = await show('#/models');
    const tiles = [...page.querySelectorAll<HTMLElement>('.tile')];
    const send = (key: string) =>
      act(() => document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })));
    tiles[0]?.focus();
    send('ArrowDown');
    send('j');
    expect(document.activeElement).toBe(tiles[2]);
    send('k');
    expect(document.activeElement).toBe(tiles[1]);
  });

  it('when nobody answers about the time that is chosen, then figures of another one are not shown as its own', async () => {
    const core = new ScriptedCore(sampleSnapshot());
    const { 'usage.models': answer } = core.handlers;
    core.handlers = {
      ...core.handlers,
      'usage.models': (question) => {
        if (question.range.kind === 'all') throw new Error('The history is locked.');
        return answer(question);
      },
    };
    const { page } = await show('#/models', core);
    expect(page.querySelectorAll('.tile .obar').length).toBeGreaterThan(5);
    await go('#/models?time=all');
    expect(textOf(page.querySelector('.models-scope .cap'))).toBe('Calls since recording began');
    expect(page.querySelectorAll('.tile .obar')).toHaveLength(0);
  });

  it('when a newer snapshot comes, then tiles of models that did not change are the same elements with the same row', async () => {
    const { core, page } = await show('#/models');
    const before = shown?.panel.store.getState().snapshot?.models;
    const next = sampleSnapshot();
    const [first, ...rest] = next.models;
    const newer = { ...next, rev: 42, models: [{ ...first!, calls: 8 }, ...rest] };
    core.handlers = {
      ...core.handlers,
      'usage.models': (question) => ({ question, range: null, models: sampleUses(newer) }),
    };
    core.push(newer);
    const after = shown?.panel.store.getState().snapshot?.models;
    expect(after?.map((row, index) => row === before?.[index])).toEqual([false, ...rest.map(() => true)]);
    await act(async () => vi.advanceTimersByTimeAsync(5_000));
    expect(textOf(page.querySelector('.tile'))).toContain('8 calls');
  });
});

describe('given the page of a cooling model', () => {
  const address = hrefOf('models', OPUS);

  it('when shown, then it says why, until when by whom, its failures and who depends on it', async () => {
    const core = new ScriptedCore(sampleSnapshot());
    const failure = { kind: 'rate_limit', status: 429, message: 'per-minute limit', at: SAMPLE_AT } as const;
    core.handlers = {
      ...core.handlers,
      'model.history': () => ({
        failures: [failure],
        states: [{ state: 'cooling', at: SAMPLE_AT - 3_600_000 }],
        firstWordMs: 1_440,
      }),
    };
    const { page } = await show(address, core);
    const detail = page.querySelector('.detail');
    expect(textOf(detail?.querySelector('.detail-head .muted'))).toContain('in 14 min');
    expect(textOf(detail)).toContain('No request is sent: it is rate limited (429).');
    expect(textOf(detail)).toContain('First token, p50 of 24 hours1.4 s');
    expect(textOf(detail?.querySelector('.failures'))).toBe(
      `rate limited (429) per-minute limit${clock(SAMPLE_AT, true)}`,
    );
    expect(detail?.querySelector('.timeline')?.getAttribute('aria-label')).toBe(
      'In the last 24 hours: cooling 60 min.',
    );
    expect([...(detail?.querySelectorAll('.block:last-child .kv > div') ?? [])].map(textOf)).toEqual([
      'plan1 of 4, now uses gpt-5',
      'build2 of 2, now uses claude-sonnet-4-5',
    ]);
  });

  it('when it takes the place of the list, then its heading has the focus; closed, its tile has it', async () => {
    const { page } = await show('#/models');
    const list = page.querySelector('.tiles');
    Object.defineProperty(list, 'offsetParent', { value: null });
    await go(address);
    const heading = page.querySelector('.detail h2');
    expect(document.activeElement).toBe(heading);
    await act(async () => {
      heading?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
      window.dispatchEvent(new Event('hashchange'));
    });
    expect(document.activeElement?.getAttribute('data-row')).toBe(OPUS);
  });

  it('when it is to be reset, then the consequences are told first, and the core is asked with the revision seen then', async () => {
    const { core, page } = await show(address);
    await press(button(page, 'Reset…')!);
    await press(button(dialog(), 'Cancel'));
    await press(page.querySelector('.actions [aria-keyshortcuts=r]'));
    expect(textOf(dialog()?.querySelector('h2'))).toBe('Reset claude-opus-4-1?');
    expect(lines()).toEqual([
      'claude-opus-4-1 counts as ready; the next request may try it.',
      `anthropic set a cooldown for claude-opus-4-1 until ${clock(SAMPLE_AT + 14 * 60_000)}. A reset ignores it.`,
      'plan returns to claude-opus-4-1 with its next message.',
    ]);
    core.push({ ...sampleSnapshot(), rev: 77 });
    expect(acts(core)).toEqual([]);
    await press(button(dialog(), 'Reset'));
    expect(acts(core)).toEqual([{ name: 'health.reset', input: { target: { model: OPUS }, rev: 41 } }]);
    expect(dialog()).toBeNull();
    expect(textOf(document.querySelector('.toast'))).toBe('claude-opus-4-1 is reset. The next request may try it.');
  });

  it('when the core refuses, then its reason stays until it is dismissed', async () => {
    const core = new ScriptedCore(sampleSnapshot());
    core.handlers = { ...core.handlers, 'health.reset': () => ({ accepted: false, reason: 'It has changed.' }) };
    const { page } = await show(address, core);
    await press(page.querySelector('.actions [aria-keyshortcuts=r]'));
    await press(button(dialog(), 'Reset'));
    act(() => vi.advanceTimersByTime(60_000));
    expect(textOf(document.querySelector('.toast [role=alert]'))).toBe('Not changed: It has changed.');
    await press(document.querySelector('.toast [aria-label=Dismiss]'));
    expect(document.querySelector('.toast')).toBeNull();
  });

  it('when the disk does not take the act, then that stays until it is dismissed', async () => {
    const core = new ScriptedCore(sampleSnapshot());
    core.handlers = {
      ...core.handlers,
      'health.reset': () => ({ accepted: true, rev: 42, unwritten: 'no space left on device' }),
    };
    const { page } = await show(address, core);
    await press(page.querySelector('.actions [aria-keyshortcuts=r]'));
    await press(button(dialog(), 'Reset'));
    act(() => vi.advanceTimersByTime(60_000));
    expect(textOf(document.querySelector('.toast [role=alert]'))).toBe(
      'claude-opus-4-1 is reset. The next request may try it. This applies, but is not saved yet: no space left on device. It is lost if Understudy is killed before that.',
    );
  });

  it('when h is pressed and it is held in use for 2 hours, then the toast offers to undo with the new revision', async () => {
    const { core, page } = await show(address);
    act(() => page.querySelector('.detail')?.dispatchEvent(new KeyboardEvent('keydown', { key: 'h', bubbles: true })));
    await press(dialog()?.querySelectorAll('input')[1]);
    const select = dialog()!.querySelector('select')!;
    act(() => {
      select.value = '1';
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
    expect(lines()[1]).toContain('A hold ignores it.');
    await press(button(dialog(), 'Hold'));
    await press(button(document.querySelector('.toast'), 'Undo'));
    const held = { type: 'health.held', model: OPUS };
    expect(acts(core).map(({ input }) => input)).toEqual([
      { act: { ...held, state: 'closed', forMs: 7_200_000 }, rev: 41 },
      { act: { ...held, state: null, forMs: null }, rev: 42 },
    ]);
  });

  it('when it is to be isolated, then who moves on is told, and it is taken out', async () => {
    const { core, page } = await show(hrefOf('models', 'openai/gpt-5'));
    await press(button(page, 'Isolate…'));
    expect(lines()).toEqual(['plan switches models with the next request.', 'It stays out until you release it.']);
    await press(button(dialog(), 'Isolate'));
    expect(acts(core)).toEqual([
      { name: 'person.act', input: { act: { type: 'health.isolated', model: 'openai/gpt-5' }, rev: 41 } },
    ]);
  });

  it('when nothing happens for 10 s, then the toast goes; while it has the focus it stays', async () => {
    const { page } = await show(address);
    await press(page.querySelector('.actions [aria-keyshortcuts=r]'));
    await press(button(dialog(), 'Reset'));
    const dismiss = document.querySelector<HTMLElement>('.toast [aria-label=Dismiss]');
    act(() => dismiss?.focus());
    await act(async () => vi.advanceTimersByTime(60_000));
    expect(document.querySelector('.toast')).not.toBeNull();
    act(() => dismiss?.blur());
    await act(async () => vi.advanceTimersByTime(10_000));
    expect(document.querySelector('.toast')).toBeNull();
  });
});

describe('given a cooling model that is to be asked for real', () => {
  const address = hrefOf('models', OPUS);
  const probed = (page: Element) => textOf(page.querySelector('.probed'));
  const ask = async (core: ScriptedCore) => {
    const { page } = await show(address, core);
    await press(button(page, 'Probe…'));
    await press(button(dialog(), 'Send probe'));
    return page;
  };

  it('when it is asked, then price and consequences come first, and the page says what it answered', async () => {
    const priced = { context: null, vision: null, tools: null, priceIn: 15, priceOut: 75 };
    const core = changed(OPUS, { abilities: priced });
    const result = { ok: true, tookMs: 812, cost: 0.0012 } as const;
    core.handlers = { ...core.handlers, 'model.probe': () => ({ accepted: true, rev: 42, result, isBack: true }) };
    const { page } = await show(address, core);
    await press(button(page, 'Probe…'));
    expect(lines()).toEqual([
      'A real request with your login: about $0.12, mostly for OpenCode’s own prompt.',
      'If it answers, it is ready.',
      'If it fails, nothing changes.',
      'No chain changes.',
    ]);
    await press(button(dialog(), 'Send probe'));
    expect(core.asked.at(-1)).toEqual({ name: 'model.probe', input: { model: OPUS, rev: 41 } });
    const said = 'claude-opus-4-1 answered in 812 ms, for $0.0012. It is in use again.';
    expect([probed(page), textOf(document.querySelector('.toast span'))]).toEqual([said, said]);
  });

  it('when it fails, then the kind of the failure is told', async () => {
    const core = new ScriptedCore(sampleSnapshot());
    const result = { ok: false, tookMs: 300, kind: 'auth', status: 401, reason: 'no such key' } as const;
    core.handlers = { ...core.handlers, 'model.probe': () => ({ accepted: true, rev: 42, result, isBack: false }) };
    expect(probed(await ask(core))).toBe(
      'claude-opus-4-1 did not answer: refusing the API key (401): no such key, after 300 ms.',
    );
  });

  it('when it has changed meanwhile, or nobody answers, then that is told', async () => {
    expect(probed(await ask(new ScriptedCore(sampleSnapshot())))).toBe(
      'claude-opus-4-1 was not probed: no OpenCode runs',
    );
    shown?.remove();
    const core = new ScriptedCore(sampleSnapshot());
    core.handlers = {
      ...core.handlers,
      'model.probe': () => Promise.reject(new Error('Understudy cannot be reached.')),
    };
    expect(probed(await ask(core))).toBe('claude-opus-4-1 was not probed: Understudy cannot be reached.');
  });

  it('when the next real turn shall ask it, then it is reset as the person saw it, and not asked now', async () => {
    const { core, page } = await show(address);
    await press(button(page, 'Probe…'));
    await press(dialog()?.querySelectorAll('input')[1]);
    expect(lines()[0]).toBe('claude-opus-4-1 counts as ready; the next request may try it.');
    await press(button(dialog(), 'Allow'));
    expect(acts(core)).toEqual([{ name: 'health.reset', input: { target: { model: OPUS }, rev: 41 } }]);
    expect(core.asked.some(({ name }) => name === 'model.probe')).toBe(false);
  });
});

describe('given models that people hold, isolate or have to mend', () => {
  it('when one is held, then its page ends the hold and offers no second one', async () => {
    const hold = { state: 'open', until: null, since: SAMPLE_AT, by: 'panel' } as const;
    const { core, page } = await show(hrefOf('models', OPUS), changed(OPUS, { state: 'held', hold }));
    expect([...page.querySelectorAll('.actions button')].map(textOf)).toEqual(['Probe…', 'End hold']);
    await press(button(page, 'End hold'));
    expect(acts(core)[0]?.input).toEqual({
      act: { type: 'health.held', model: OPUS, state: null, forMs: null },
      rev: 41,
    });
  });

  it('when one is isolated, then it can be let back', async () => {
    const core = changed(OPUS, { state: 'held', isolatedBy: ['panel'] });
    const { page } = await show(hrefOf('models', OPUS), core);
    await press(button(page, 'Release'));
    expect(acts(core)[0]?.input).toEqual({ act: { type: 'health.released', model: OPUS }, rev: 41 });
  });

  it('when one waits for a person, then its page says what to do', async () => {
    const core = changed('mistral/devstral-medium', { code: 'blocked.auth' });
    const { page } = await show(hrefOf('models', 'mistral/devstral-medium'), core);
    expect(textOf(page.querySelector('.detail-head'))).toContain(
      'Give mistral a valid API key (opencode auth login), then reset it.',
    );
  });

  it('when many are to be reset, then one provider can be chosen', async () => {
    const { core, page } = await show('#/models');
    await press(button(page, 'Reset…'));
    const labels = [...dialog()!.querySelectorAll('label')];
    expect(labels.map(textOf)).toEqual([
      'All that need a reset',
      'Those of mistral',
      'Those of deepseek',
      'Those of anthropic',
      'Those of google',
      'Those of moonshot',
      'Those of openrouter',
    ]);
    await press(labels[2]?.querySelector('input'));
    expect(lines()).toEqual(['deepseek-chat-v3.1 counts as ready; the next request may try it.']);
    await press(button(dialog(), 'Reset'));
    expect(acts(core)[0]?.input).toEqual({ target: { provider: 'deepseek' }, rev: 41 });
  });
});
