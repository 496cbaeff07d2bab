import { join } from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../contract/parse-json';
import { ownValue } from '../../engine/tools';
import type { Outcome } from '../base/failure';
import { realOrSame } from '../base/look';
import { readPrivateFile } from '../base/private-folder';
import { openSharedFile, type Reading } from '../base/shared-file';

/** More projects than that nobody opens; the ones said yes to first are forgotten first. */
const MAX_PROJECTS = 500;
/** What was said yes to in one project; the first are forgotten first. A value that is longer is not allowed. */
const MAX_ALLOWED = 1_000;
const MAX_CHARS = 100_000;
const MAX_BYTES = 1_048_576;

export const StoredTrust = z.lazy(() =>
  z.object({
    v: z.literal(1),
    /** What the user said yes to, by the project's real path: see `loosensAs`. */
    projects: z.record(z.string(), z.array(z.string().max(MAX_CHARS)).max(MAX_ALLOWED)),
  }),
);
type StoredTrust = z.infer<typeof StoredTrust>;

/** Where it is kept what a project may loosen. */
export const trustPath = (home: string): string => join(home, 'trusted-projects.json');

/** A project as it is remembered: where it really lies, whatever link leads there. */
export const nameOf = (project: string): Promise<string> => realOrSame(project);

const readingOf = (json: unknown): Reading<StoredTrust> => {
  const parsed = StoredTrust.safeParse(json);
  if (parsed.success) return { value: parsed.data };
  const version = z.object({ v: z.number() }).safeParse(json);
  return version.success && version.data.v > 1 ? 'newer' : 'damaged';
};

/** What the user said yes to, by each project's real path; nothing where the file cannot be read. Never rejects. */
export async function trustedProjects(path: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const file = await readPrivateFile(path, MAX_BYTES);
  if (!file.ok) return {};
  const reading = readingOf(parseJson(file.text));
  return typeof reading === 'string' ? {} : (reading.value?.projects ?? {});
}

/** The same of one project: nothing where the file cannot be read, and then their own limits hold. Never rejects. */
export async function trustedIn(path: string, project: string): Promise<readonly string[]> {
  const [projects, name] = await Promise.all([trustedProjects(path), nameOf(project)]);
  return ownValue(projects, name) ?? [];
}

/** What is said of one project, named by its real path ({@link nameOf}), and where the file is that keeps it. */
type Said = Readonly<{
  path: string;
  name: string;
  /** Hears where a file was moved to that could not be read: it is never written over. */
  onUnreadable: (message: string) => void;
}>;

/** Remembers a yes to more of what a project asks for. */
export function allowTrust(said: Said, more: readonly string[]): Promise<Outcome> {
  if (more.some(({ length }) => length > MAX_CHARS))
    return Promise.resolve({ ok: false, reason: 'The value is too long to be allowed.' });
  return change(said, (allowed) => [...new Set([...allowed, ...more])].slice(-MAX_ALLOWED));
}

/** Takes a yes back: to these, or with null to all that a project was allowed. */
export const revokeTrust = (said: Said, what: readonly string[] | null): Promise<Outcome> =>
  change(said, (allowed) => (what === null ? [] : allowed.filter((each) => !what.includes(each))));

/** Changes what is there by then: another window, or a terminal, may have been faster. */
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
