import { chmod, chown, mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SocketHost } from '../../../src/node/base/state-home';
import { ensureStateHome, isPipe, socketAddress, stateHome } from '../../../src/node/base/state-home';
import { tempFolder } from '../temp-folder';

const TOKEN = 'A'.repeat(43);

describe('given an environment', () => {
  it.each([
    ['linux', { UNDERSTUDY_HOME: '/own', XDG_STATE_HOME: '/x' }, '/h', '/own'],
    ['linux', { XDG_STATE_HOME: '/x' }, '/h', '/x/understudy'],
    ['linux', { UNDERSTUDY_HOME: 'relative', XDG_STATE_HOME: '' }, '/h', '/h/.local/state/understudy'],
    ['darwin', { XDG_STATE_HOME: '/x' }, '/Users/u', '/Users/u/Library/Application Support/Understudy'],
    ['darwin', { UNDERSTUDY_HOME: '/own/' }, '/Users/u', '/own/'],
    ['win32', { LOCALAPPDATA: 'D:\\Local' }, 'C:\\Users\\u', 'D:\\Local\\Understudy'],
    ['win32', {}, 'C:\\Users\\u', 'C:\\Users\\u\\AppData\\Local\\Understudy'],
    ['win32', { UNDERSTUDY_HOME: 'E:\\own' }, 'C:\\Users\\u', 'E:\\own'],
  ])('when it is %s with %j, then the state home is right', (platform, env, homedir, home) => {
    expect(stateHome(env, platform, homedir)).toBe(home);
  });
});

describe('given a state home', () => {
  const host: SocketHost = { env: {}, platform: 'linux', tmpdir: '/tmp', user: '1000' };
  const long = `/home/u/${'long/'.repeat(20)}understudy`;

  it('when the path has at most 100 bytes, then the socket lies in it', () => {
    const home = `/${'x'.repeat(89)}`;
    expect(Buffer.byteLength(socketAddress(home, TOKEN, host))).toBe(100);
    expect(socketAddress(home, TOKEN, host)).toBe(`${home}/core.sock`);
  });

  it('when it has 101 bytes, then the socket lies in a folder of this user and this home', () => {
    const home = `/${'x'.repeat(90)}`;
    expect(socketAddress(home, TOKEN, host)).toMatch(/^\/tmp\/understudy-1000-[0-9a-f]{12}\/core\.sock$/);
    expect(socketAddress(home, TOKEN, host)).not.toBe(socketAddress(long, TOKEN, host));
  });

  it('when bytes and characters differ, then bytes count', () => {
    expect(socketAddress(`/${'é'.repeat(60)}`, TOKEN, host)).toMatch(/^\/tmp\//);
  });

  it('when there is a runtime folder, then it is used, unless it is too long itself', () => {
    const inRuntime = (folder: string) => socketAddress(long, TOKEN, { ...host, env: { XDG_RUNTIME_DIR: folder } });
    expect(inRuntime('/run/user/1000')).toMatch(/^\/run\/user\/1000\/understudy-1000-[0-9a-f]{12}\/core\.sock$/);
    expect(inRuntime(`/run/${'r'.repeat(90)}`)).toMatch(/^\/tmp\/understudy-1000-/);
    expect(socketAddress(long, TOKEN, { ...host, tmpdir: `/${'t'.repeat(90)}` })).toMatch(/^\/tmp\/understudy-1000-/);
  });

  it('when it is Windows, then it is a pipe of this home, whose name only the user can know', () => {
    const windows = { ...host, platform: 'win32', user: 'Ann' };
    const address = socketAddress('C:\\s', TOKEN, windows);
    expect(address).toMatch(/^\\\\\.\\pipe\\understudy-[0-9a-f]{12}-[0-9a-f]{32}$/);
    expect(address).not.toContain(TOKEN);
    expect(socketAddress('C:\\s', TOKEN, windows)).toBe(address);
    expect(socketAddress('C:\\s', 'B'.repeat(43), windows)).not.toBe(address);
    expect(socketAddress('C:\\t', TOKEN, windows)).not.toBe(address);
    expect(isPipe(address)).toBe(true);
  });

  it('when it is another system, then the token says nothing of the address', () => {
    expect(socketAddress('/s', TOKEN, host)).toBe(socketAddress('/s', 'B'.repeat(43), host));
  });
});

describe('given a folder to keep state in', () => {
  it('when it is missing, then it is made 0700, and its parents too', async () => {
    const home = join(await tempFolder(), 'a', 'understudy');
    expect(await ensureStateHome(home)).toEqual({ ok: true });
    expect((await stat(home)).mode & 0o777).toBe(0o700);
  });

  it('when others may read it, then it is closed to them', async () => {
    const home = join(await tempFolder(), 'open');
    await mkdir(home);
    await chmod(home, 0o755);
    expect(await ensureStateHome(home)).toEqual({ ok: true });
    expect((await stat(home)).mode & 0o777).toBe(0o700);
  });

  it('when it is a link of the user to a folder of the user, then it is followed', async () => {
    const folder = await tempFolder();
    await mkdir(join(folder, 'real'));
    await symlink(join(folder, 'real'), join(folder, 'link'));
    expect(await ensureStateHome(join(folder, 'link'))).toEqual({ ok: true });
    expect((await stat(join(folder, 'real'))).mode & 0o777).toBe(0o700);
  });

  it('when a file stands in its place, then that is a value', async () => {
    const home = join(await tempFolder(), 'file');
    await writeFile(home, '');
    expect((await ensureStateHome(home)).ok).toBe(false);
  });

  it.runIf(process.getuid?.() === 0)('when it belongs to another user, then it is refused', async () => {
    const home = await tempFolder();
    await chown(home, 12_345, 12_345);
    expect(await ensureStateHome(home)).toEqual({ ok: false, reason: `${home} belongs to another user` });
    await chown(home, 0, 0);
  });
});
