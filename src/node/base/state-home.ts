import { createHash } from 'node:crypto';
import { homedir as systemHome, tmpdir, userInfo } from 'node:os';
import { dirname, posix, win32 } from 'node:path';
import type { Outcome } from './failure';
import { ensurePrivateFolder, ownUserId } from './private-folder';

/** Remedy if a foreign file occupies the socket's path: only a person may remove it. */
export const CLEAR = 'Move it away, then start Understudy again.';

export type Environment = Readonly<Record<string, string | undefined>>;

export type Machine = Readonly<{ env: Environment; homedir: string; platform: string }>;

export const machineIn = (env: Environment): Machine => ({ env, homedir: homeIn(env), platform: process.platform });

/** Returns the variables that are set, as the environment of a new process. */
export const variablesOf = (env: Environment): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

/** `sun_path` holds 104 bytes on macOS and 108 on Linux, with its terminating zero. */
const MAX_SOCKET_PATH_BYTES = 100;
const SOCKET_NAME = 'core.sock';
const HASH_CHARS = 12;
const PIPE_SECRET_CHARS = 32;

/** Returns the user's home from an environment's variable, or from the system if it has none. */
export function homeIn(env: Environment, platform: string = process.platform): string {
  const named = platform === 'win32' ? env.USERPROFILE : env.HOME;
  return named !== undefined && (platform === 'win32' ? win32 : posix).isAbsolute(named) ? named : systemHome();
}

/** Returns the folder from an XDG variable with an absolute path, else the default below the user's home. */
export function xdgFolder(
  variable: `XDG_${'CACHE' | 'CONFIG' | 'DATA' | 'STATE'}_HOME`,
  usual: readonly string[],
  { env, homedir, platform }: Machine,
): string {
  const { isAbsolute, join } = platform === 'win32' ? win32 : posix;
  const named = env[variable];
  return named !== undefined && isAbsolute(named) ? named : join(homedir, ...usual);
}

/**
 * Returns Understudy's state folder: `UNDERSTUDY_HOME`, else the system's folder for state. Ignores a relative path: it
 * would be a different folder in every process.
 */
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

/** Creates the state home, or closes an existing one to other users; refuses if it is not this user's. */
export async function ensureStateHome(home: string): Promise<Outcome> {
  return await ensurePrivateFolder(home);
}

/** Inputs of the socket's address, besides the state home. */
export type SocketHost = Readonly<{ env: Environment; platform: string; tmpdir: string; user: string }>;

/** Returns the inputs of this process. */
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
 * Returns the address on which the core of this state home listens: a socket in it, or in a private runtime folder if
 * that path is too long for the system; a named pipe on Windows. Equal for every process of one user.
 * @param token from `ensureToken` or `readToken`. Pipes have no folder that could be closed to others: their name comes
 * from this secret, so that other users cannot take it first.
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

/** Returns whether the address is a Windows pipe, which is no file and in no folder. */
export function isPipe(address: string): boolean {
  return address.startsWith('\\\\.\\pipe\\');
}

/** Creates the socket's folder: private, this user's, and reached through no link of another user. */
export async function ensureSocketFolder(address: string): Promise<Outcome> {
  if (isPipe(address)) return { ok: true };
  return await ensurePrivateFolder(dirname(address));
}

function fits(path: string): boolean {
  return Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES;
}

/** Returns 128 bits that reveal nothing of the token. */
function pipeSecret(token: string): string {
  return createHash('sha256').update(`pipe ${token}`).digest('hex').slice(0, PIPE_SECRET_CHARS);
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_CHARS);
}
