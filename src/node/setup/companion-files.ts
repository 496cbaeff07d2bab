import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isNewerVersion } from '../../core/base/versions';
import { writeFileAtomic } from '../base/atomic-file';
import type { Outcome } from '../base/failure';
import { failureText } from '../base/failure';
import { discard, lstatOrNull, namesOrNone } from '../base/look';
import { ensurePrivateFolder } from '../base/private-folder';
import { MAX_COMPARED_BYTES, readBytes } from '../base/read-text';
import { isPartsFolder, USED_MARK } from './parts-folder';

export type CompanionPlace = Readonly<{
  home: string;
  source: string;
}>;

export const COMPANION_NAME = 'opencode-understudy';
export const COMPANION_FILE = `${COMPANION_NAME}.js`;
export const TUI_FILE = `${COMPANION_NAME}-tui.js`;
const FIRST_LINE_CHARS = 100;
const UNUSED_MS = 7 * 86_400_000;

/** OpenCode cannot load a companion in a packaged or moved app. */
export const companionPath = (home: string): string => join(home, 'plugin', COMPANION_FILE);

/** OpenCode 2 loads its `server.js`, OpenCode 1 the manifest's `main`. */
export const companionFolder = (home: string): string => join(home, 'plugin', COMPANION_NAME);

/** Loaded into each terminal of OpenCode 2. */
const TUI_DOOR = 'tui.js';

const FOLDER_FILES: Readonly<Record<string, string>> = {
  'server.js': `export { default } from '../${COMPANION_FILE}';\n`,
  [TUI_DOOR]: `export { default } from '../${TUI_FILE}';\n`,
  'package.json': `${JSON.stringify({ name: COMPANION_NAME, private: true, type: 'module', main: './server.js' }, null, 2)}\n`,
};

export async function lookAtCompanion(place: CompanionPlace): Promise<'absent' | 'other' | 'current'> {
  // silent: a program without its companion has no current one
  const files = await shippedFiles(place).catch(() => null);
  const held = files ? await Promise.all(files.map(([path, bytes]) => isHeld(path, bytes))) : [false];
  if (!existsSync(companionPath(place.home))) return 'absent';
  return held.every(Boolean) ? 'current' : 'other';
}

type CompanionFile = readonly [path: string, bytes: Uint8Array];

/** Each file after those that it loads. @throws the system's error. */
async function shippedFiles({ home, source }: CompanionPlace): Promise<readonly CompanionFile[]> {
  const entry = await readFile(source);
  const parts = partsOf(entry.toString('latin1'));
  const from = parts === null ? null : join(dirname(source), parts);
  const names = from === null ? [] : (await readdir(from)).filter((name) => name !== USED_MARK);
  const files = names.map(
    async (name) => [join(home, 'plugin', parts ?? '', name), await readFile(join(from ?? '', name))] as const,
  );
  // A program may lack the terminal part.
  const terminal = await bytesOf(join(dirname(source), TUI_FILE));
  const beside = terminal === null ? [] : [[join(home, 'plugin', TUI_FILE), terminal] as const];
  const folder = Object.entries(FOLDER_FILES)
    // OpenCode would report the missing file.
    .filter(([name]) => terminal !== null || name !== TUI_DOOR)
    .map(([name, text]) => [join(companionFolder(home), name), Buffer.from(text)] as const);
  return [...(await Promise.all(files)), [companionPath(home), entry], ...beside, ...folder];
}

const partsOf = (entry: string): string | null => /\/(understudy-[0-9a-f]{12})\//.exec(entry)?.[1] ?? null;

async function isHeld(path: string, bytes: Uint8Array): Promise<boolean> {
  const there = await bytesOf(path);
  return there?.equals(bytes) ?? false;
}

/** Never waits on a pipe. */
async function bytesOf(path: string): Promise<Buffer | null> {
  const read = await readBytes(path, MAX_COMPARED_BYTES);
  return read.kind === 'bytes' ? read.bytes : null;
}

export async function putCompanion(place: CompanionPlace): Promise<Outcome> {
  const { home } = place;
  try {
    const files = await shippedFiles(place);
    // An OpenCode that is starting has loaded the entry, but not yet its parts.
    const before = partsOf((await bytesOf(companionPath(home)))?.toString('latin1') ?? '');
    const folders = new Set([home, join(home, 'plugin'), ...files.map(([path]) => dirname(path))]);
    for (const folder of folders) {
      const made = await ensurePrivateFolder(folder);
      if (!made.ok) return made;
    }
    for (const [path, bytes] of files) {
      const put = (await isHeld(path, bytes)) ? { ok: true as const } : await writeFileAtomic(path, bytes);
      if (!put.ok) return put;
    }
    await removeUnused(join(home, 'plugin'), [before, ...[...folders].map((folder) => basename(folder))]);
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: `The companion cannot be copied: ${failureText(error)}.` };
  }
}

/** A running OpenCode marks its parts daily and may load more of them. */
async function removeUnused(plugin: string, current: readonly (string | null)[]): Promise<void> {
  const names = await namesOrNone(plugin);
  for (const name of names.filter((one) => isPartsFolder(one) && !current.includes(one))) {
    const folder = join(plugin, name);
    const marks = await Promise.all([folder, join(folder, USED_MARK)].map(lstatOrNull));
    const usedAt = Math.max(...marks.map((mark) => mark?.mtimeMs ?? 0));
    if (marks[0]?.isDirectory() && Date.now() - usedAt > UNUSED_MS) await discard(folder, { recursive: true });
  }
}

/** A newer companion stays. */
export async function updateCompanion(place: CompanionPlace): Promise<Outcome> {
  const [there, shipped] = await Promise.all(
    [companionPath(place.home), place.source].map(async (path) => (await bytesOf(path))?.toString('utf8') ?? null),
  );
  const version = versionOf(shipped);
  if (there == null || version === null || isNewerVersion(versionOf(there) ?? '', version)) return { ok: true };
  return await putCompanion(place);
}

export const companionVersion = async (path: string): Promise<string | null> =>
  versionOf((await bytesOf(path))?.toString('utf8'));

const versionOf = (text: string | null | undefined): string | null =>
  /^\/\/ @bun opencode-understudy (\S+)\n/.exec(text?.slice(0, FIRST_LINE_CHARS) ?? '')?.[1] ?? null;
