import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runLater } from '../../src/renderer/app/visible';

describe('given something that a page does 5 s later', () => {
  const run = vi.fn();
  let prevent: () => void;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    run.mockReset();
    prevent = runLater(run, 5_000);
  });
  afterEach(() => {
    prevent();
    Reflect.deleteProperty(document, 'hidden');
    vi.useRealTimers();
  });
  const hide = (isHidden: boolean) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: isHidden });
    document.dispatchEvent(new Event('visibilitychange'));
  };

  it('when the page is hidden after 2 s and seen after 9 s, then nothing waits meanwhile, and it is done then, once', () => {
    vi.advanceTimersByTime(2_000);
    hide(true);
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(7_000);
    expect(run).not.toHaveBeenCalled();
    hide(false);
    vi.advanceTimersByTime(0);
    expect(run).toHaveBeenCalledOnce();
    hide(true);
    hide(false);
    vi.advanceTimersByTime(60_000);
    expect(run).toHaveBeenCalledOnce();
  });

  it('when the page is hidden from 1 s to 2 s, then it is done after 5 s', () => {
    vi.advanceTimersByTime(1_000);
    hide(true);
    vi.advanceTimersByTime(1_000);
    hide(false);
    vi.advanceTimersByTime(2_999);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledOnce();
  });

  it('when it is prevented, then it is never done', () => {
    prevent();
    hide(true);
    hide(false);
    vi.advanceTimersByTime(60_000);
    expect(run).not.toHaveBeenCalled();
  });
});
