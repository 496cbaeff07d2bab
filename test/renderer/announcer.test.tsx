import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EventRow } from '../../src/contract/snapshot';
import { sampleSnapshot } from '../support/sample-snapshot';
import { renderPanel, ScriptedCore, textOf } from './render-panel';

let core: ScriptedCore;
let shown: ReturnType<typeof renderPanel>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'] });
  core = new ScriptedCore(sampleSnapshot());
  shown = renderPanel(core);
});

afterEach(() => {
  shown.remove();
  Reflect.deleteProperty(document, 'hidden');
  vi.useRealTimers();
});

const said = () => textOf(shown.page.querySelector('p[aria-live=polite]'));

function happens(id: number, part: Partial<EventRow>) {
  const snapshot = sampleSnapshot();
  const event = { ...snapshot.events[0]!, id, ...part };
  core.push({ ...snapshot, rev: snapshot.rev + id, events: [event, ...snapshot.events] });
}

function hide(isHidden: boolean) {
  Object.defineProperty(document, 'hidden', { configurable: true, value: isHidden });
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
}

const advance = (ms: number) => act(() => vi.advanceTimersByTime(ms));

describe('given a screen reader', () => {
  it('when the page opens, then what happened before is not told', () => {
    advance(10_000);
    expect(said()).toBe('');
  });

  it('when two models change within 5 s, then the second is told after the pause', () => {
    happens(18, { code: 'model.ready', state: 'ready', model: 'openai/gpt-5' });
    advance(0);
    expect(said()).toBe('gpt-5 can be used again');
    advance(1_000);
    happens(19, { code: 'model.ready', state: 'ready', model: 'google/gemini-3-pro' });
    advance(3_999);
    expect(said()).toBe('gpt-5 can be used again');
    advance(1);
    expect(said()).toBe('gemini-3-pro can be used again');
  });

  it('when the page is hidden during the pause, then no timer is left, and the second is told when it is seen again', () => {
    happens(18, { code: 'model.ready', state: 'ready', model: 'openai/gpt-5' });
    advance(0);
    happens(19, { code: 'model.ready', state: 'ready', model: 'google/gemini-3-pro' });
    hide(true);
    expect(vi.getTimerCount()).toBe(0);
    advance(10_000);
    expect(said()).toBe('gpt-5 can be used again');
    hide(false);
    advance(0);
    expect(said()).toBe('gemini-3-pro can be used again');
  });

  it('when a turn ends, then nothing is told', () => {
    happens(18, { code: 'turn.finished', state: 'ready', agent: 'plan', model: 'openai/gpt-5' });
    advance(5_000);
    expect(said()).toBe('');
  });
});
