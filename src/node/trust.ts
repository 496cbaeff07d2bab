import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Outcome } from './failure';
import { readPrivateFile } from './private-folder';
import { openSharedFile, type Reading } from './shared-file';

/** More projects than that nobody opens; the ones said yes to first are forgotten first. */
const MAX_PROJECTS = 500;
const MAX_BYTES = 1_048_576;

const Trusted = z.object({
  v: z.literal(1),
  /** What the user said yes to, by the project's real path: see `loosensAs`. */
  projects: z.record(z.string(), z.array(z.string().max(100_000)).max(1_000)),
});
type Trusted = z.infer<typeof Trusted>;

/** Where it is kept what a project may loosen. */
export const trustPath = (home: string): string => join(home, 'trusted-projects.json');

/** A project as it is remembered: where it really lies, whatever link leads there. */
const nameOf = (project: string): Promise<string> => realpath(project).catch(() => project);

const readingOf = (json: unknown): Reading<Trusted> => {
  const parsed = Trusted.safeParse(json);
  if (parsed.success) return { value: parsed.data };
  const version = z.object({ v: z.number() }).safeParse(json);
  return version.success && version.data.v > 1 ? 'newer' : 'damaged';
};

/** What the user said yes to in a project; nothing where the file cannot be read: then their own limits hold. Never rejects. */
export async function trustedIn(path: string, project: string): Promise<readonly string[]> {
  const file = await readPrivateFile(path, MAX_BYTES);
  if (!file.ok) return [];
  try {
    const reading = readingOf(JSON.parse(file.text));
    const projects = typeof reading === 'string' ? {} : (reading.value?.projects ?? {});
    const name = await nameOf(project);
    return Object.hasOwn(projects, name) ? (projects[name] ?? []) : [];
  } catch {
    return [];
  }
}

/**
 * Remembers what the user says yes to in a project, in place of what was remembered of it; nothing takes all of it back.
 * A file that cannot be read is moved aside, never written over.
 *
 * @param onUnreadable hears where it was moved to.
 */
export async function rememberTrust(
  path: string,
  { project, allowed }: Readonly<{ project: string; allowed: readonly string[] }>,
  onUnreadable: (message: string) => void,
): Promise<Outcome> {
  const name = await nameOf(project);
  const file = openSharedFile<Trusted>({ path, parse: readingOf, write: (value) => value, onUnreadable });
  return await file.update((old) => {
    const { [name]: _, ...others } = old?.projects ?? {};
    const kept = Object.entries(others).slice(-(MAX_PROJECTS - 1));
    const given: Trusted['projects'] = allowed.length === 0 ? {} : { [name]: [...allowed] };
    return { v: 1, projects: { ...Object.fromEntries(kept), ...given } };
  });
}
