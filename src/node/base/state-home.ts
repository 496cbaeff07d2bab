import { createHash } from 'node:crypto';
import { homedir as systemHome, tmpdir, userInfo } from 'node:os';
import { dirname, posix, win32 } from 'node:path';
import type { Outcome } from './failure';
import { ensurePrivateFolder, ownUserId } from './private-folder';

/** Only a person may remove a foreign file. */
export const CLEAR = 'Move it away, then start Understudy again.';

export type Environment = Readonly<Record<string, string | undefined>>;

export type Machine = Readonly<{ env: Environment; homedir: string; platform: string }>;

export const machineIn = (env: Environment): Machine => ({ env, homedir: homeIn(env), platform: process.platform });

export const variablesOf = (env: Environment): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

/** `sun_path` holds 104 bytes on macOS and 108 on Linux, with its terminating zero. */
const MAX_SOCKET_PATH_BYTES = 100;
const SOCKET_NAME = 'core.sock';
const HASH_CHARS = 12;
const PIPE_SECRET_CHARS = 32;

export function homeIn(env: Environment, platform: string = process.platform): string {
  const named = platform === 'win32' ? env.USERPROFILE : env.HOME;
  return named !== undefined && (platform === 'win32' ? win32 : posix).isAbsolute(named) ? named : systemHome();
}

export function xdgFolder(
  variable: `XDG_${'CACHE' | 'CONFIG' | 'DATA' | 'STATE'}_HOME`,
  usual: readonly string[],
  { env, homedir, platform }: Machine,
): string {
  const { isAbsolute, join } = platform === 'win32' ? win32 : posix;
  const named = env[variable];
  return named !== undefined && isAbsolute(named) ? named : join(homedir, ...usual);
}

/** Ignores a relative `UNDERSTUDY_HOME`: it would differ in every process. */
export function stateHome(
  env: Environment = process.env,
  platform: string = process.platform,
  homedir: string = homeIn(env, platform),
): string {
  const path = platform === 'win32' ? win32 : posix;
  const absolute = (name: string) => {
    const value = env[name];
    return value !== undefined && path.isAbsolute(value) ? path.normalize(value) : null;
  };
  const own = absolute('UNDERSTUDY_HOME');
  if (own !== null) return own;
  if (platform === 'win32')
    return path.join(absolute('LOCALAPPDATA') ?? path.join(homedir, 'AppData', 'Local'), 'Understudy');
  if (platform === 'darwin') return path.join(homedir, 'Library', 'Application Support', 'Understudy');
  return path.join(xdgFolder('XDG_STATE_HOME', ['.local', 'state'], { env, homedir, platform }), 'understudy');
}

export async function ensureStateHome(home: string): Promise<Outcome> {
  return await ensurePrivateFolder(home);
}

export type SocketHost = Readonly<{ env: Environment; platform: string; tmpdir: string; user: string }>;

export function socketHost(): SocketHost {
  const user = ownUserId();
  return {
    env: process.env,
    platform: process.platform,
    tmpdir: tmpdir(),
    user: user === null ? userInfo().username : String(user),
  };
}

/**
 * Equal for every process of one user. Falls back to a private runtime folder if the path is too long.
 * @param token names a Windows pipe, which has no private folder, so that others cannot take its name.
 */
export function socketAddress(home: string, token: string, host: SocketHost = socketHost()): string {
  const homeHash = shortHash(home);
  if (host.platform === 'win32') return `\\\\.\\pipe\\understudy-${homeHash}-${pipeSecret(token)}`;
  const direct = posix.join(home, SOCKET_NAME);
  if (fits(direct)) return direct;
  const runtime = host.env.XDG_RUNTIME_DIR;
  const folder = `understudy-${host.user}-${homeHash}`;
  const bases = runtime !== undefined && posix.isAbsolute(runtime) ? [runtime, host.tmpdir] : [host.tmpdir];
  const paths = bases.map((base) => posix.join(base, folder, SOCKET_NAME));
  return paths.find(fits) ?? posix.join('/tmp', folder, SOCKET_NAME);
}

export function isPipe(address: string): boolean {
  return address.startsWith('\\\\.\\pipe\\');
}

export async function ensureSocketFolder(address: string): Promise<Outcome> {
  if (isPipe(address)) return { ok: true };
  return await ensurePrivateFolder(dirname(address));
}

function fits(path: string): boolean {
  return Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES;
}

function pipeSecret(token: string): string {
  return createHash('sha256').update(`pipe ${token}`).digest('hex').slice(0, PIPE_SECRET_CHARS);
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_CHARS);
}
