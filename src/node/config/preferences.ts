import { dirname } from 'node:path';
import type { PreferencesInForce } from '../../contract/preferences';
import { DEFAULT_PREFERENCES, Preferences, PreferencesPatch } from '../../contract/preferences';
import { leavesOf, pathKey, pathText } from '../../core/config';
import { createLocator, openDocument, plainValue, positionsOf } from '../../core/config/document';
import { setValues, withValue } from '../../core/edits';
import type { PreferencesPort } from '../../core/ports/preferences';
import { writeFileAtomic } from '../base/atomic-file';
import { mkdir } from '../base/disk';
import { failureText } from '../base/failure';
import { takeLock } from '../base/file-lock';
import { realOrSame } from '../base/look';
import { MAX_CONFIG_BYTES, readText } from '../base/read-text';
import { LOCK } from '../base/shared-file';
import { type Keeping, keepingOf } from '../store/keep';
import { hashOf } from './config-journal';
import { preferencesPath } from './preferences-path';

/** Invalid preferences may request more, and deleted history does not come back. */
const EVERYTHING: Preferences['history'] = { detailDays: 3_650, maxMebibytes: 65_536 };
const NO_FILE = 'none';
const NEW_FILE = '{}\n';

type Reading = PreferencesInForce & Readonly<{ text: string }>;

/** Invalid ones have a `problem` and defaults. Never rejects. */
export async function readPreferences(home: string): Promise<PreferencesInForce> {
  const { text: _, ...inForce } = await read(home);
  return inForce;
}

/** Never rejects. */
export async function readKeeping(home: string): Promise<Readonly<{ keeping: Keeping; notice: string | null }>> {
  const inForce = await readPreferences(home);
  const notice =
    inForce.problem === null
      ? null
      : `The preferences are invalid, so the whole history is kept until you fix them: ${inForce.problem}`;
  return { keeping: keepingIn(inForce), notice };
}

export const keepingIn = ({ preferences, problem }: PreferencesInForce): Keeping =>
  keepingOf(problem === null ? preferences.history : EVERYTHING);

async function read(home: string): Promise<Reading> {
  const path = preferencesPath(home);
  const file = await readText(path, MAX_CONFIG_BYTES);
  const readingOf = (rev: string, text: string, found: Found): Reading => ({
    path,
    rev,
    text,
    preferences: found.ok ? withDefaults(found.patch) : DEFAULT_PREFERENCES,
    problem: found.ok ? null : `${path}${found.problem}`,
  });
  if (file.kind === 'missing') return readingOf(NO_FILE, NEW_FILE, { ok: true, patch: {} });
  if (file.kind === 'unreadable') return readingOf('', '', { ok: false, problem: ` cannot be read: ${file.reason}.` });
  return readingOf(hashOf(Buffer.from(file.text)), file.text, parse(file.text));
}

/** `problem` follows the file's name in a sentence. */
type Found = Readonly<{ ok: true; patch: PreferencesPatch }> | Readonly<{ ok: false; problem: string }>;

function parse(text: string): Found {
  const locate = createLocator(text);
  const opened = openDocument(text);
  if (!opened.ok) {
    const { line, column } = locate(opened.offset);
    return { ok: false, problem: `:${line}:${column}: ${opened.message}.` };
  }
  const { data, error } = PreferencesPatch.safeParse(plainValue(opened.root));
  if (error === undefined) return { ok: true, patch: data };
  const issue = error.issues[0];
  const keys = (issue?.path ?? []).filter((key) => typeof key !== 'symbol');
  const at = positionsOf(opened.root, locate).get(pathKey(keys));
  return { ok: false, problem: `${at ? `:${at.line}:${at.column}` : ''}: ${pathText(keys)}: ${issue?.message}.` };
}

const withDefaults = (patch: PreferencesPatch): Preferences =>
  Preferences.parse(
    leavesOf(patch, []).reduce<unknown>((held, [path, value]) => withValue(held, path, value), DEFAULT_PREFERENCES),
  );

/**
 * Leaves comments and keys of newer versions. Never writes a file that it cannot parse.
 * @param onChange also called after a person's edit.
 */
export function openPreferences(
  home: string,
  onChange: (now: PreferencesInForce) => void = () => undefined,
): PreferencesPort {
  let lastRev: string | null = null;
  const noteRevision = (now: PreferencesInForce): PreferencesInForce => {
    if (now.rev !== lastRev) onChange(now);
    lastRev = now.rev;
    return now;
  };
  return {
    read: async () => noteRevision(await readPreferences(home)),
    async change(patch, rev) {
      try {
        await mkdir(home, { recursive: true, mode: 0o700 });
        const release = await takeLock(preferencesPath(home), LOCK);
        try {
          const changed = await change(home, patch, rev);
          if (changed.ok) noteRevision(changed.now);
          return changed;
        } finally {
          await release();
        }
      } catch (error) {
        return { ok: false, reason: `The settings could not be written: ${failureText(error)}` };
      }
    },
  };
}

async function change(home: string, patch: PreferencesPatch, rev: string): ReturnType<PreferencesPort['change']> {
  const refuse = (reason: string) => ({ ok: false, reason }) as const;
  const before = await read(home);
  if (before.problem !== null) return refuse(`${before.problem} Fix the file first; nothing was changed.`);
  if (before.rev !== rev) return refuse('The settings changed meanwhile, so nothing was written; review them again.');
  const changes = leavesOf(patch, []).map(([path, value]) => ({ path: path.map(String), value }));
  if (changes.length === 0) return refuse('There is no such setting.');
  const edited = setValues(before.text, changes);
  if (!edited.ok) return refuse(`${before.path}: ${edited.message}. Nothing was changed.`);
  // Keeps the user's own link.
  const target = await realOrSame(before.path);
  await mkdir(dirname(target), { recursive: true });
  const written = await writeFileAtomic(target, edited.text);
  return written.ok ? { ok: true, now: await readPreferences(home) } : refuse(written.reason);
}
