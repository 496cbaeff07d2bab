import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { failureText } from '../failure';

/** The OpenCode release every measured fact and every end-to-end test stands on. */
export const PINNED_OPENCODE_VERSION = '1.18.33';

/** An OpenCode executable that answered `--version`. */
export type OpencodeBinary = Readonly<{ path: string; version: string }>;

/** Where to find OpenCode, or why there is none that works; `reason` is fit to be shown. */
export type OpencodeSearch =
  | Readonly<{ ok: true; binary: OpencodeBinary }>
  | Readonly<{
      ok: false;
      reason: string;
      /** Nothing was found that could be wrong. */
      isAbsent?: true;
    }>;

/** A first start unpacks and may be scanned by a virus guard; seconds, not minutes. */
const VERSION_LIMIT_MS = 20_000;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Finds OpenCode: `OPENCODE_BIN` when it is set, else `opencode` on the PATH of `env`, else where installers put it: an app
 * that was not started from a terminal has a PATH without it.
 *
 * A set `OPENCODE_BIN` that does not work is an answer, not a reason to look further: the user meant that file.
 */
export async function findOpencode(env: Environment): Promise<OpencodeSearch> {
  const named = env.OPENCODE_BIN;
  if (named !== undefined && named !== '')
    return readBinary(isAbsolute(named) ? named : resolve(named), 'OPENCODE_BIN');
  const onPath = await findIn((env.PATH ?? env.Path ?? '').split(delimiter));
  if (onPath !== null) return readBinary(onPath, 'PATH');
  const found = await findIn(usualFolders(env));
  if (found === null)
    return {
      ...{ ok: false, isAbsent: true },
      reason: 'OpenCode was not found: OPENCODE_BIN is not set and opencode is not on the PATH',
    };
  return readBinary(found, 'where installers put it');
}

function usualFolders({ HOME, USERPROFILE }: Environment): readonly string[] {
  const home = HOME ?? USERPROFILE;
  const own = home === undefined ? [] : [join(home, '.opencode', 'bin')];
  return process.platform === 'darwin' ? [...own, '/opt/homebrew/bin', '/usr/local/bin'] : own;
}

/** Asks the file for its version, which also proves that it runs on this machine. */
async function readBinary(path: string, source: string): Promise<OpencodeSearch> {
  if (!(await isExecutableFile(path)))
    return { ok: false, reason: `${path} (from ${source}) is not an executable file` };
  const output = await readVersionOutput(path);
  const version = /\d+\.\d+\.\d+\S*/.exec(output.text)?.[0];
  if (output.ok && version !== undefined) return { ok: true, binary: { path, version } };
  return { ok: false, reason: `${path} (from ${source}) did not tell its version: ${output.text || 'no output'}` };
}

async function findIn(folders: readonly string[]): Promise<string | null> {
  const isWindows = process.platform === 'win32';
  // npm's opencode.cmd is a shell script that cannot be spawned without a shell; only real executables count.
  const name = isWindows ? 'opencode.exe' : 'opencode';
  for (const folder of folders) {
    const candidate = join(folder, name);
    if (folder !== '' && (await isExecutableFile(candidate))) return candidate;
  }
  return null;
}

async function isExecutableFile(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

function readVersionOutput(path: string): Promise<{ ok: boolean; text: string }> {
  return new Promise<{ ok: boolean; text: string }>((done) => {
    // What the system refuses to run at all, it refuses at once, and not in the callback.
    execFile(path, ['--version'], { timeout: VERSION_LIMIT_MS, windowsHide: true }, (error, stdout, stderr) => {
      const text = `${stdout}${stderr}`.trim();
      done({ ok: error === null, text: text === '' && error !== null ? error.message : text });
    });
  }).catch((error: unknown) => ({ ok: false, text: failureText(error) }));
}
