import { describe, expect, it } from 'vitest';
import { answer } from '../../src/contract/contract';
import { LINKS } from '../../src/contract/shell';
import { desktopShell } from '../../src/main/shell-handlers';
import { electronDouble } from '../support/electron-double';
import { fakeHost } from '../support/panel-host';
import { snapshotOf } from '../support/rows';

function open(change: { isOn?: () => Promise<boolean>; turn?: () => Promise<{ ok: false; reason: string }> } = {}) {
  const { app, electron } = electronDouble();
  const spoken: string[] = [];
  const speech = { say: <T>(make: () => T) => make(), choose: async (language: string) => void spoken.push(language) };
  let isOn = false;
  const opened: (string | null)[] = [];
  const leaveGlance = (hash: string | null) => void opened.push(hash);
  const autostart = {
    isOn: async () => isOn,
    turn: async (wanted: boolean) => {
      isOn = wanted;
      return { ok: true as const };
    },
    ...change,
  };
  const notices = {
    test: async () => ({ kind: 'shown' as const }),
    latest: async () => ({ kind: 'failed' as const, why: 'not signed' }),
  };
  const handlers = {
    ...fakeHost(snapshotOf([])).handlers,
    ...desktopShell({ electron, autostart, speech, notices, leaveGlance, tray: () => 'hidden' }),
  };
  const ask = (name: string, input: unknown) => answer(handlers, name, input);
  return { ask, opened, spoken, calls: app.calls, electron };
}

describe('given what the desktop does for its window', () => {
  it('when a page of others is wanted, then it is one of the list, by name', async () => {
    const { ask, calls } = open();
    expect(await ask('shell.openLink', { link: 'opencode' })).toEqual({ ok: true, value: { ok: true } });
    for (const link of ['https://evil.example', LINKS.opencode, 'constructor', '__proto__'])
      expect(await ask('shell.openLink', { link })).toMatchObject({ ok: false, code: 'invalid' });
    expect(calls).toEqual([`openExternal ${LINKS.opencode}`]);
    for (const address of Object.values(LINKS)) expect(new URL(address).protocol).toBe('https:');
  });

  it('when the popover is left, then a view of ours is opened, or nothing', async () => {
    const { ask, opened } = open();
    const leave = (view: unknown, detail: unknown = null) => ask('shell.leaveGlance', { view, detail });
    await leave(null);
    await leave('now');
    await leave('models', 'openai/gpt-5');
    expect(opened).toEqual([null, '#/now', '#/models/openai%2Fgpt-5']);
    for (const view of ['https://evil.example', 'glance', '../safe.html', undefined])
      expect(await leave(view)).toMatchObject({ ok: false, code: 'invalid' });
    expect(await leave('models', 'x'.repeat(301))).toMatchObject({ ok: false, code: 'invalid' });
    expect(opened).toHaveLength(3);
  });

  it('when it shall start at login, then that is told and kept', async () => {
    const { ask } = open();
    expect(await ask('shell.get', {})).toMatchObject({
      value: { kind: 'desktop', startsAtLogin: false, why: null, tray: 'hidden' },
    });
    await ask('shell.startAtLogin', { isOn: true });
    expect(await ask('shell.get', {})).toMatchObject({ value: { startsAtLogin: true } });
  });

  it('when it is asked of notices, then a test shows one, and what became of the latest is told', async () => {
    const { ask } = open();
    expect(await ask('notices.test', {})).toEqual({ ok: true, value: { kind: 'shown' } });
    expect(await ask('shell.get', {})).toMatchObject({ value: { notices: { kind: 'failed', why: 'not signed' } } });
  });

  it('when the system does not say, then why is told, and nothing is claimed', async () => {
    const { ask } = open({ isOn: () => Promise.reject(new Error('no such folder')) });
    expect(await ask('shell.get', {})).toMatchObject({ value: { startsAtLogin: null, why: 'no such folder' } });
  });

  it('when a theme is chosen, then frames follow it, and then the system again', async () => {
    const { ask, electron } = open();
    await ask('shell.theme', { theme: 'dark' });
    expect(electron.nativeTheme.themeSource).toBe('dark');
    await ask('shell.theme', { theme: null });
    expect(electron.nativeTheme.themeSource).toBe('system');
  });
});
