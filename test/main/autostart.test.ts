import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AutostartParts, createAutostart } from '../../src/main/autostart';

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'us-'));
});
afterEach(() => rm(home, { recursive: true }));

const entry = () => join(home, '.config', 'autostart', 'understudy.desktop');

/** A system that keeps login items, or ignores them. */
function login(isIgnoring = false) {
  let openAtLogin = false;
  return {
    isPackaged: true,
    getAppPath: () => '/opt/Under study/app',
    getLoginItemSettings: () => ({ openAtLogin }),
    setLoginItemSettings: (wanted: { openAtLogin?: boolean }) => {
      if (!isIgnoring) openAtLogin = wanted.openAtLogin === true;
    },
  };
}

const on = (platform: NodeJS.Platform, change: Partial<AutostartParts> = {}) =>
  createAutostart({
    // The one cast: the double has what is used of the app.
    app: login() as unknown as AutostartParts['app'],
    ...{ platform, env: {}, home, program: '/opt/Understudy/understudy' },
    ...change,
  });

describe('given a Linux desktop', () => {
  it('when it is turned on and off again, then an entry comes and goes', async () => {
    const autostart = on('linux');
    expect(await autostart.isOn()).toBe(false);
    expect(await autostart.turn(true)).toEqual({ ok: true });
    expect([await autostart.isOn(), await readFile(entry(), 'utf8')]).toEqual([
      true,
      expect.stringContaining('\nExec=/opt/Understudy/understudy --hidden\n'),
    ]);
    expect([await autostart.turn(false), await autostart.isOn()]).toEqual([{ ok: true }, false]);
  });

  it('when a pipe or a device lies where the entry belongs, then it is off, and nobody waits', async () => {
    const autostart = on('linux');
    await mkdir(dirname(entry()), { recursive: true });
    await promisify(execFile)('mkfifo', [entry()]);
    expect(await autostart.isOn()).toBe(false);
    await rm(entry());
    await symlink('/dev/zero', entry());
    expect(await autostart.isOn()).toBe(false);
  });

  it.each([
    ['an AppImage', { env: { APPIMAGE: '/home/a/Under study.AppImage' } }, '"/home/a/Under study.AppImage" --hidden'],
    [
      'a name with everything in it',
      { program: '/o/a "b" $c `d` \\e %f' },
      '"/o/a \\\\"b\\\\" \\\\$c \\\\`d\\\\` \\\\\\\\e %%f" --hidden',
    ],
    [
      'an app that is not packaged',
      { app: { ...login(), isPackaged: false } as unknown as AutostartParts['app'] },
      '/opt/Understudy/understudy "/opt/Under study/app" --hidden',
    ],
  ])('when it is %s, then the command is quoted for it', async (_case, change, command) => {
    await on('linux', change).turn(true);
    expect(await readFile(entry(), 'utf8')).toContain(`\nExec=${command}\n`);
  });

  it.each(['Hidden=true', 'X-GNOME-Autostart-enabled=false'])(
    'when the desktop has turned it off by %s, then it is off',
    async (line) => {
      await mkdir(dirname(entry()), { recursive: true });
      await writeFile(entry(), `[Desktop Entry]\n${line}\n`);
      expect(await on('linux').isOn()).toBe(false);
    },
  );

  it('when its folder cannot be written, then it says which', async () => {
    await writeFile(join(home, '.config'), 'a file');
    expect(await on('linux').turn(true)).toEqual({ ok: false, reason: expect.stringContaining(entry()) });
  });

  it('when its configuration lies elsewhere, then the entry does as well', async () => {
    await on('linux', { env: { XDG_CONFIG_HOME: join(home, 'xdg') } }).turn(true);
    expect(await readFile(join(home, 'xdg', 'autostart', 'understudy.desktop'), 'utf8')).toContain('Understudy');
  });
});

describe.each(['darwin', 'win32'] as const)('given %s', (platform) => {
  it('when it is turned on, then the system keeps it', async () => {
    const autostart = on(platform);
    expect([await autostart.turn(true), await autostart.isOn()]).toEqual([{ ok: true }, true]);
  });

  it('when the system does not take it, then that is said', async () => {
    const app = login(true) as unknown as AutostartParts['app'];
    expect(await on(platform, { app }).turn(true)).toEqual({ ok: false, reason: expect.stringContaining('system') });
  });
});
