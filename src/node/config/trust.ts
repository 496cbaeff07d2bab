import { join } from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../contract/parse-json';
import { ownValue } from '../../engine/tools';
import type { Outcome } from '../base/failure';
import { realOrSame } from '../base/look';
import { readPrivateFile } from '../base/private-folder';
import { openSharedFile, type Reading } from '../base/shared-file';

/** Limit beyond any real number of projects; those approved first are dropped first. */
const MAX_PROJECTS = 500;
/** Limit of approvals in one project; the first are dropped first. Longer values cannot be approved. */
const MAX_ALLOWED = 1_000;
const MAX_CHARS = 100_000;
const MAX_BYTES = 1_048_576;

export const StoredTrust = z.lazy(() =>
  z.object({
    v: z.literal(1),
    /** The user's approvals, by the project's real path: see `loosensAs`. */
    projects: z.record(z.string(), z.array(z.string().max(MAX_CHARS)).max(MAX_ALLOWED)),
  }),
);
type StoredTrust = z.infer<typeof StoredTrust>;

/** Returns the path of the approvals for projects. */
export const trustPath = (home: string): string => join(home, 'trusted-projects.json');

/** Returns the stored name of a project: its real path, with links followed. */
export const nameOf = (project: string): Promise<string> => realOrSame(project);

const readingOf = (json: unknown): Reading<StoredTrust> => {
  const parsed = StoredTrust.safeParse(json);
  if (parsed.success) return { value: parsed.data };
  const version = z.object({ v: z.number() }).safeParse(json);
  return version.success && version.data.v > 1 ? 'newer' : 'damaged';
};

/** Reads the user's approvals, by each project's real path; none if the file is unreadable. Never rejects. */
export async function trustedProjects(path: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const file = await readPrivateFile(path, MAX_BYTES);
  if (!file.ok) return {};
  const reading = readingOf(parseJson(file.text));
  return typeof reading === 'string' ? {} : (reading.value?.projects ?? {});
}

/**
 * Reads the approvals of one project; none if the file is unreadable, so that the user's own limits apply. Never
 * rejects.
 */
export async function trustedIn(path: string, project: string): Promise<readonly string[]> {
  const [projects, name] = await Promise.all([trustedProjects(path), nameOf(project)]);
  return ownValue(projects, name) ?? [];
}

/** One project, named by its real path ({@link nameOf}), and the path of the approvals. */
type Said = Readonly<{
  path: string;
  name: string;
  /** Called with the new path of an unreadable file, which is never overwritten. */
  onUnreadable: (message: string) => void;
}>;

/** Stores an approval of more of a project's requests. */
export function allowTrust(said: Said, more: readonly string[]): Promise<Outcome> {
  if (more.some(({ length }) => length > MAX_CHARS))
    return Promise.resolve({ ok: false, reason: 'The value is too long to be allowed.' });
  return change(said, (allowed) => [...new Set([...allowed, ...more])].slice(-MAX_ALLOWED));
}

/** Revokes the approval of these requests; null revokes all of a project. */
export const revokeTrust = (said: Said, what: readonly string[] | null): Promise<Outcome> =>
  change(said, (allowed) => (what === null ? [] : allowed.filter((each) => !what.includes(each))));

/** Changes the current content: another window or a terminal may have been faster. */
async function change(
  { path, name, onUnreadable }: Said,
  next: (allowed: readonly string[]) => readonly string[],
): Promise<Outcome> {
  const file = openSharedFile<StoredTrust>({
    path,
    parse: readingOf,
    write: (value) => value,
    onUnreadable,
    loss: 'What you had allowed projects before does not count any more.',
  });
  return await file.update((old) => {
    const { [name]: _, ...others } = old?.projects ?? {};
    const allowed = [...next(ownValue(old?.projects, name) ?? [])];
    const kept = Object.entries(others).slice(-(MAX_PROJECTS - 1));
    return { v: 1, projects: { ...Object.fromEntries(kept), ...(allowed.length === 0 ? {} : { [name]: allowed }) } };
  });
}
