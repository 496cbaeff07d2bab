import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PanelApi } from '../../src/contract/contract';
import type { NoticePush, NoticeRow } from '../../src/contract/notices';
import { showNotices } from '../../src/renderer/pages/inbox/browser-notices';
import { patiently } from '../support/eventually';
import { noticeRow } from '../support/sample-notices';

/** A notification of the browser that remembers what was done to it. */
class Shown {
  static permission: NotificationPermission = 'granted';
  static all: Shown[] = [];
  static mustFail = false;
  onclick: (() => void) | null = null;
  onclose: (() => void) | null = null;
  isClosed = false;
  constructor(
    readonly title: string,
    readonly options: NotificationOptions,
  ) {
    if (Shown.mustFail) throw new TypeError('Illegal constructor');
    Shown.all.push(this);
  }
  close(): void {
    this.isClosed = true;
    this.onclose?.();
  }
}

let hear: Set<(push: NoticePush) => void>;
let end: () => void;
const api = {
  on: (name: string, listener: (push: NoticePush) => void) => {
    if (name !== 'notice') throw new TypeError(`Nobody asked for ${name}.`);
    hear.add(listener);
    return () => hear.delete(listener);
  },
} as unknown as PanelApi;

beforeEach(() => {
  hear = new Set();
  Object.assign(Shown, { permission: 'granted', all: [], mustFail: false });
  vi.stubGlobal('Notification', Shown);
  vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  window.location.hash = '#/now';
  end = () => {};
});
afterEach(() => {
  end();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const begin = () => {
  end = showNotices(api);
};
const push = async (...all: NoticePush[]) => {
  for (const each of all) for (const listener of hear) listener(each);
  await new Promise((resolve) => setTimeout(resolve));
};
const show = (change: Partial<NoticeRow> = {}): NoticePush => ({
  type: 'show',
  notice: noticeRow({ at: Date.now(), ...change }),
});

describe('given a browser that may show notifications', () => {
  it('when a notice comes, then it is shown by its key, silently; a loud one with a sound, and it stays', async () => {
    begin();
    await push(show(), show({ notice: 'N3', key: 'exhausted', isLoud: true, to: null, figures: { of: 2 } }));
    expect(Shown.all.map(({ title, options }) => [title, options])).toEqual([
      [
        'build now uses gpt-5',
        { body: expect.any(String), tag: 'fell build 1', silent: true, requireInteraction: false },
      ],
      [
        'build has no model left',
        { body: expect.any(String), tag: 'exhausted', silent: false, requireInteraction: true },
      ],
    ]);
  });

  it('when it is clicked, then the page has the focus and shows its view', async () => {
    const focus = vi.spyOn(window, 'focus');
    begin();
    await push(show({ notice: 'N8' }));
    Shown.all[0]?.onclick?.();
    expect([focus.mock.calls.length, window.location.hash, Shown.all[0]?.isClosed]).toEqual([1, '#/setup', true]);
  });

  it('when it is withdrawn at once, then it does not stay', async () => {
    begin();
    await push(show(), { type: 'withdraw', key: 'fell build 1' }, show({ key: 'other' }));
    expect(Shown.all.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  });

  it.each([
    ['#/now', 'N1', 0],
    ['#/events', 'N1', 1],
    ['#/now', 'N3', 1],
  ] as const)('when the page has the focus at %s and it is %s, then %i is shown', async (hash, notice, count) => {
    vi.spyOn(document, 'hasFocus').mockReturnValue(true);
    window.location.hash = hash;
    begin();
    await push(show({ notice }));
    expect(Shown.all.length).toBe(count);
  });

  it('when it is older than five minutes, then it is not shown', async () => {
    begin();
    await push(show({ at: Date.now() - 300_500 }));
    expect(Shown.all).toEqual([]);
  });

  it('when only a service worker may show any, then nothing is thrown', async () => {
    Shown.mustFail = true;
    begin();
    await push(show());
    Shown.mustFail = false;
    await push(show({ key: 'other' }));
    expect(Shown.all.length).toBe(1);
  });
});

describe('given a browser that may not', () => {
  it('when it is not allowed, then nothing is listened to; once it is, notices are shown, and after that no more', async () => {
    Shown.permission = 'default';
    begin();
    expect(hear.size).toBe(0);
    Shown.permission = 'granted';
    document.dispatchEvent(new Event('visibilitychange'));
    await push(show());
    expect([hear.size, Shown.all.length]).toEqual([1, 1]);
    Shown.permission = 'denied';
    document.dispatchEvent(new Event('visibilitychange'));
    expect(hear.size).toBe(0);
  });

  it('when it has no notifications, then nothing happens', () => {
    vi.stubGlobal('Notification', undefined);
    begin();
    expect(hear.size).toBe(0);
  });
});

describe('given several tabs', () => {
  /** The locks of a browser as far as tabs settle by them who speaks. */
  const locksDouble = () => {
    const held: string[] = [];
    const waiting: (() => void)[] = [];
    const request = (name: string, { mode }: LockOptions, run: () => Promise<void>) =>
      new Promise<void>((resolve) => {
        const take = () => {
          held.push(name);
          void run().then(() => {
            held.splice(held.indexOf(name), 1);
            waiting.shift()?.();
            resolve();
          });
        };
        if (mode === 'exclusive' && held.includes(name)) waiting.push(take);
        else take();
      });
    return { held, request, query: async () => ({ held: held.map((name) => ({ name })) }) };
  };

  it('when two listen, then one speaks; when it ends, then the other does', async () => {
    vi.stubGlobal('navigator', { locks: locksDouble() });
    const endFirst = showNotices(api);
    begin();
    await push(show());
    expect(Shown.all.length).toBe(1);
    endFirst();
    await push();
    await push(show({ key: 'other' }));
    expect([hear.size, Shown.all.length]).toEqual([1, 2]);
  });

  it('when another one shows the agents to somebody, then that which is seen there is not shown', async () => {
    const locks = locksDouble();
    vi.stubGlobal('navigator', { locks });
    begin();
    locks.held.push('understudy.notices.on-agents');
    await push(show(), show({ notice: 'N3', key: 'exhausted', to: null, figures: { of: 2 } }));
    expect(Shown.all.map(({ title }) => title)).toEqual(['build has no model left']);
  });

  it('when this one shows them to somebody, then the others can know it for as long as it does', () => {
    const locks = locksDouble();
    vi.stubGlobal('navigator', { locks });
    const hasFocus = vi.spyOn(document, 'hasFocus').mockReturnValue(true);
    begin();
    expect(locks.held).toContain('understudy.notices.on-agents');
    hasFocus.mockReturnValue(false);
    window.dispatchEvent(new Event('blur'));
    return patiently(() => expect(locks.held).not.toContain('understudy.notices.on-agents'));
  });
});
