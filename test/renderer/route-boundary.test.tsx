import { act, lazy, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { persistently } from '../../src/renderer/app/lazy-view';
import { RouteBoundary } from '../../src/renderer/components/RouteBoundary';
import { press, textOf } from './render-panel';

const page = document.createElement('div');
let root = createRoot(page);
const show = (view: React.ReactNode) =>
  act(async () => root.render(<RouteBoundary view="Usage">{view}</RouteBoundary>));
afterEach(() => {
  act(() => root.unmount());
  root = createRoot(page);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

let isBroken = false;
function View() {
  if (isBroken) throw new Error('no figures');
  return <h1>Usage</h1>;
}

describe('given a view that throws while it is drawn', () => {
  it('when it does, then place, consequence and ways out are told; tried again, it is there', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    isBroken = true;
    await show(<View />);
    const alert = page.querySelector('[role=alert]');
    expect(textOf(alert)).toBe(
      'Usage stopped working.Only this view stopped. Fallback and the other views still work.no figuresTry againGo to NowCopy the details',
    );
    expect(alert?.querySelector('a')?.getAttribute('href')).toBe('#/now');
    isBroken = false;
    await press(alert?.querySelector('button'));
    expect(textOf(page)).toBe('Usage');
  });
});

describe('given a view that has to be loaded', () => {
  it('when it comes at the third time, then it is shown', async () => {
    vi.useFakeTimers();
    const load = vi.fn(async () => {
      if (load.mock.calls.length < 3) throw new TypeError('Failed to fetch');
      return { default: View };
    });
    const Lazy = lazy(() => persistently(load));
    isBroken = false;
    await show(
      <Suspense fallback="loading">
        <Lazy />
      </Suspense>,
    );
    expect(textOf(page)).toBe('loading');
    await act(() => vi.advanceTimersByTimeAsync(1_800));
    expect([textOf(page), load.mock.calls.length]).toEqual(['Usage', 3]);
  });

  it('when it never comes, then it is said, and the way out is to load the panel again', async () => {
    vi.useFakeTimers();
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const Lazy = lazy(() => persistently(async () => Promise.reject(new TypeError('Failed to fetch'))));
    await show(
      <Suspense fallback="loading">
        <Lazy />
      </Suspense>,
    );
    await act(() => vi.advanceTimersByTimeAsync(1_800));
    expect(textOf(page.querySelector('h1'))).toBe('Usage could not be loaded.');
    expect([...page.querySelectorAll('button, a')].map(textOf)).toEqual([
      'Reload the panel',
      'Go to Now',
      'Copy the details',
    ]);
  });
});
