import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { QueryOutput } from '../../src/contract/contract';
import { followLanguage, speakPreferred } from '../../src/renderer/app/language';
import { sampleSnapshot } from '../support/sample-snapshot';
import { press, renderPanel, ScriptedCore, textOf } from './render-panel';

type Tray = QueryOutput<'shell.get'>['tray'];

let core: ScriptedCore;
let remove: () => void;
const notice = (page: Element) => page.querySelector('.banner');

beforeEach(() => {
  core = new ScriptedCore(sampleSnapshot());
  // What the preload script puts there: the panel knows by it that it is in the desktop app.
  window.understudy = core.api;
});
afterEach(() => {
  remove();
  delete window.understudy;
  localStorage.clear();
  vi.useRealTimers();
});

/** The panel of a shell that answers so about its icon, one answer after the other. */
async function show(...answers: readonly Tray[]): Promise<Element> {
  const left = [...answers];
  const tell = () => ({
    kind: 'desktop' as const,
    startsAtLogin: false,
    why: null,
    notices: null,
    tray: left.shift() ?? null,
  });
  core.handlers = { ...core.handlers, 'shell.get': tell };
  const shown = renderPanel(core);
  remove = shown.remove;
  await act(async () => undefined);
  return shown.page;
}

describe('given the icon of the desktop app', () => {
  it.each<Tray>(['seen', null])('when it is %s, then the panel says nothing', async (tray) => {
    expect(notice(await show(tray))).toBeNull();
  });

  it('when nothing shows it, then the panel says so until that is understood, once for all windows to come', async () => {
    const page = await show('absent');
    expect(textOf(notice(page))).toMatch(/^This desktop shows no tray icons.+Dismiss$/);
    await press(notice(page)?.querySelector('button'));
    expect(notice(page)).toBeNull();
    remove();
    expect(notice(await show('absent'))).toBeNull();
  });

  it('when the system has not placed it yet, then it is asked once more after it must have', async () => {
    vi.useFakeTimers();
    const page = await show('unsure', 'hidden');
    expect(notice(page)).toBeNull();
    await act(async () => vi.advanceTimersByTimeAsync(11_000));
    expect(textOf(notice(page))).toContain('Allow Understudy in System Settings');
    await act(async () => vi.advanceTimersByTimeAsync(60_000));
    expect(core.asked.filter(({ name }) => name === 'shell.get').length).toBe(2);
  });

  it('when the panel is in a browser, then nobody is asked', async () => {
    delete window.understudy;
    await show('absent');
    expect(core.asked.filter(({ name }) => name === 'shell.get')).toEqual([]);
  });

  it('when the page begins to speak a language, then the shell is told', async () => {
    await show('seen');
    const told = vi.fn();
    followLanguage(told);
    await act(speakPreferred);
    expect(told.mock.calls).toEqual([['en']]);
  });
});
