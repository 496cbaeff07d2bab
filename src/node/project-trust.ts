import { stat } from 'node:fs/promises';
import { type ProjectTrust, type QueryInput, type QueryOutput, type Snapshot, Wanted } from '../contract';
import { type ConfigSources, type Loosening, loosensAs, NO_HOST, pathText, resolveScope } from '../core/config';
import { configPaths } from './config-files';
import { hashOf } from './config-journal';
import { loadConfig, openConfig } from './config-reader';
import type { Outcome } from './failure';
import type { Environment } from './state-home';
import { allowTrust, nameOf, revokeTrust, trustedProjects, trustPath } from './trust';

/** Nobody has more open. */
const MAX_OPEN = 200;
/** What is shown of phrases; their count is of all that differ. */
const MAX_PHRASES = 20;
const MAX_PHRASE_CHARS = 200;
const BETWEEN = ' = ';

type Place = Readonly<{ env: Environment; home: string }>;
type WritePlace = Place &
  Readonly<{
    /** Hears what every panel is to be told, and not whoever asked alone. */
    tell: (message: string) => void;
  }>;

/** What each project asks for that OpenCode has open, and what each was allowed that anybody said yes to. */
export async function projectTrust(
  { env, home }: Place,
  { instances }: Pick<Snapshot, 'instances'>,
): Promise<QueryOutput<'trust.get'>> {
  const trusted = await trustedProjects(trustPath(home));
  const directories = [...new Set(instances.flatMap((instance) => instance.directories))].slice(0, MAX_OPEN);
  const named = await Promise.all(directories.map(async (directory) => [await nameOf(directory), directory] as const));
  const open = new Map(named);
  const names = [...new Set([...open.keys(), ...Object.keys(trusted)])].toSorted();
  const rows = await Promise.all(
    names.map((name) => rowOf(name, { directory: open.get(name) ?? null, allowed: trusted[name] ?? [], env })),
  );
  return {
    projects: rows.filter(({ asked, allowed, state }) => asked.length + allowed.length > 0 || state === 'late'),
  };
}

async function rowOf(
  project: string,
  about: Readonly<{ directory: string | null; allowed: readonly string[]; env: Environment }>,
): Promise<ProjectTrust> {
  const { directory, env } = about;
  const isThere = await isFolder(project);
  // Only what OpenCode has opened is looked into.
  const sources =
    directory === null || !isThere ? null : (await openConfig(configPaths(directory, env))).loaded().sources;
  const wanted = sources === null ? [] : wantedIn(sources);
  const given = new Set(about.allowed);
  const shownState = sources?.late ? 'late' : directory === null ? 'closed' : 'open';
  return {
    ...{ project, directory, state: isThere ? shownState : 'gone' },
    asked: wanted
      .filter((loosening) => !given.has(loosensAs(loosening)))
      .map((loosening) => ({
        id: idOf(loosensAs(loosening)),
        key: pathText(loosening.path),
        theirs: asWanted(loosening.theirs),
        own: asWanted(loosening.own),
      })),
    allowed: about.allowed.map((text) => ({
      ...{ id: idOf(text), ...partsOf(text) },
      isAsked: wanted.some((loosening) => loosensAs(loosening) === text),
    })),
  };
}

/** All that a project would loosen, whether or not it was allowed. */
const wantedIn = (sources: ConfigSources): readonly Loosening[] =>
  resolveScope({ ...sources, trusted: [] }, NO_HOST).kept;

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (info) => info.isDirectory(),
    () => false,
  );

const idOf = (text: string): string => hashOf(Buffer.from(text));

/** What was said yes to, taken apart again; a key may hold the sign that stands between the two. */
function partsOf(text: string): Readonly<{ key: string; theirs: Wanted }> {
  for (let at = text.indexOf(BETWEEN); at >= 0; at = text.indexOf(BETWEEN, at + 1)) {
    const json = text.slice(at + BETWEEN.length);
    if (parsed(json) !== undefined) return { key: text.slice(0, at), theirs: asWanted(json) };
  }
  return { key: text, theirs: { type: 'plain', value: null } };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}

/** A value as it can be shown in words; one of no known shape as it is written. */
function asWanted(json: string): Wanted {
  const value = parsed(json);
  if (Array.isArray(value)) {
    const all = value.map((each: unknown) => {
      const phrase = typeof each === 'object' && each !== null && 'phrase' in each ? each.phrase : each;
      return String(phrase).slice(0, MAX_PHRASE_CHARS);
    });
    // The same words may stand there twice, for two providers.
    const phrases = [...new Set(all)];
    return { type: 'phrases', phrases: phrases.slice(0, MAX_PHRASES), count: phrases.length };
  }
  const rows = Object.entries(value ?? {}).map(([kind, steps]) => ({ kind, steps: steps as unknown }));
  const shape = typeof value === 'object' && value !== null ? { type: 'rows', rows } : { type: 'plain', value };
  return Wanted.safeParse(shape).data ?? { type: 'plain', value: json.slice(0, MAX_PHRASE_CHARS) };
}

const GONE = (project: string) => ({ ok: false, reason: `${project} is gone. Nothing was allowed.` }) as const;
const ELSE = (project: string) =>
  ({ ok: false, reason: `${project} asks for something else by now. Nothing was allowed; look again.` }) as const;

/** A yes to exactly what was shown: the project lies where it lay, and asks for each of it still. */
export async function allowShown(
  { env, home, tell }: WritePlace,
  { directory, project, ids }: QueryInput<'trust.allow'>,
): Promise<Outcome> {
  if (!(await isFolder(project))) return GONE(project);
  if ((await nameOf(directory)) !== project) return ELSE(project);
  const { sources } = await loadConfig(configPaths(directory, env));
  const texts = new Map(wantedIn(sources).map((loosening) => [idOf(loosensAs(loosening)), loosensAs(loosening)]));
  const meant = ids.flatMap((id) => texts.get(id) ?? []);
  if (meant.length !== ids.length) return ELSE(project);
  return await toldOf(tell, (onUnreadable) =>
    allowTrust({ path: trustPath(home), name: project, onUnreadable }, meant),
  );
}

/** Takes a yes back; what nobody has said yes to any more stays as it is. */
export async function revokeShown(
  { home, tell }: WritePlace,
  { project, ids }: QueryInput<'trust.revoke'>,
): Promise<Outcome> {
  const path = trustPath(home);
  const { [project]: allowed = [] } = await trustedProjects(path);
  const meant = allowed.filter((text) => ids.includes(idOf(text)));
  if (meant.length === 0) return { ok: true };
  return await toldOf(tell, (onUnreadable) => revokeTrust({ path, name: project, onUnreadable }, meant));
}

/** A file that had to be moved aside has lost what it allowed: that is told, and whoever was refused hears it as the reason. */
async function toldOf(
  tell: WritePlace['tell'],
  write: (onUnreadable: (message: string) => void) => Promise<Outcome>,
): Promise<Outcome> {
  const said: string[] = [];
  const done = await write((message) => said.push(message));
  for (const message of said) tell(message);
  return done.ok || said.length === 0 ? done : { ok: false, reason: [done.reason, ...said].join(' ') };
}
