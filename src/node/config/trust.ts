import { join } from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../contract/parse-json';
import { ownValue } from '../../engine/tools';
import type { Outcome } from '../base/failure';
import { realOrSame } from '../base/look';
import { readPrivateFile } from '../base/private-folder';
import { openSharedFile, type Reading } from '../base/shared-file';

/** The first approved are dropped first. */
const MAX_PROJECTS = 500;
/** Longer values cannot be approved. */
const MAX_ALLOWED = 1_000;
const MAX_CHARS = 100_000;
const MAX_BYTES = 1_048_576;

export const StoredTrust = z.lazy(() =>
  z.object({
    v: z.literal(1),
    /** By the project's real path. */
    projects: z.record(z.string(), z.array(z.string().max(MAX_CHARS)).max(MAX_ALLOWED)),
  }),
);
type StoredTrust = z.infer<typeof StoredTrust>;

export const trustPath = (home: string): string => join(home, 'trusted-projects.json');

export const nameOf = (project: string): Promise<string> => realOrSame(project);

const readingOf = (json: unknown): Reading<StoredTrust> => {
  const parsed = StoredTrust.safeParse(json);
  if (parsed.success) return { value: parsed.data };
  const version = z.object({ v: z.number() }).safeParse(json);
  return version.success && version.data.v > 1 ? 'newer' : 'damaged';
};

/** Never rejects. */
export async function trustedProjects(path: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const file = await readPrivateFile(path, MAX_BYTES);
  if (!file.ok) return {};
  const reading = readingOf(parseJson(file.text));
  return typeof reading === 'string' ? {} : (reading.value?.projects ?? {});
}

/** None if the file is unreadable: the user's own limits apply. Never rejects. */
export async function trustedIn(path: string, project: string): Promise<readonly string[]> {
  const [projects, name] = await Promise.all([trustedProjects(path), nameOf(project)]);
  return ownValue(projects, name) ?? [];
}

type Said = Readonly<{
  path: string;
  name: string;
  /** An unreadable file is never overwritten. */
  onUnreadable: (message: string) => void;
}>;

export function allowTrust(scope: Said, more: readonly string[]): Promise<Outcome> {
  if (more.some(({ length }) => length > MAX_CHARS))
    return Promise.resolve({ ok: false, reason: 'The value is too long to be allowed.' });
  return change(scope, (allowed) => [...new Set([...allowed, ...more])].slice(-MAX_ALLOWED));
}

/** Null revokes all. */
export const revokeTrust = (scope: Said, what: readonly string[] | null): Promise<Outcome> =>
  change(scope, (allowed) => (what === null ? [] : allowed.filter((each) => !what.includes(each))));

/** Another window may have changed the file. */
async function change(
  { path, name, onUnreadable }: Said,
  next: (allowed: readonly string[]) => readonly string[],
): Promise<Outcome> {
  const file = openSharedFile<StoredTrust>({
    path,
    parse: readingOf,
    write: (value) => value,
    onUnreadable,
    loss: 'Earlier approvals for projects no longer apply.',
  });
  return await file.update((old) => {
    const { [name]: _, ...others } = old?.projects ?? {};
    const allowed = [...next(ownValue(old?.projects, name) ?? [])];
    const recent = Object.entries(others).slice(-(MAX_PROJECTS - 1));
    return { v: 1, projects: { ...Object.fromEntries(recent), ...(allowed.length === 0 ? {} : { [name]: allowed }) } };
  });
}
