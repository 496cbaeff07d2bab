import type { QueryInput, QueryOutput } from '../../contract/contract';
import { parseJson } from '../../contract/parse-json';
import type { Snapshot } from '../../contract/snapshot';
import { type ProjectTrust, Wanted } from '../../contract/trust';
import {
  type ConfigSources,
  type HostModels,
  type Loosening,
  loosensAs,
  NO_HOST,
  pathText,
  resolveScope,
} from '../../core/config';
import { isObject } from '../../core/config/at-path';
import { FAILURE_KINDS } from '../../engine';
import { ownValue } from '../../engine/tools';
import type { Outcome } from '../base/failure';
import { keptModels } from '../base/kept-models';
import { statOrNull } from '../base/look';
import type { Environment } from '../base/state-home';
import { configPaths } from './config-files';
import { hashOf } from './config-journal';
import { loadConfig, openConfig } from './config-reader';
import { allowTrust, nameOf, revokeTrust, trustedProjects, trustPath } from './trust';

const MAX_OPEN = 200;
/** `count` includes all. */
const MAX_SHOWN = 200;
const MAX_SHOWN_CHARS = 300;
const BETWEEN = ' = ';

type Place = Readonly<{ env: Environment; home: string }>;
type WritePlace = Place &
  Readonly<{
    tell: (message: string) => void;
  }>;

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
    names.map((name) =>
      rowOf(name, { directory: open.get(name) ?? null, allowed: ownValue(trusted, name) ?? [], env, home }),
    ),
  );
  return {
    projects: rows.filter(
      ({ asked: requested, allowed, state }) => requested.length + allowed.length > 0 || state === 'late',
    ),
  };
}

async function rowOf(
  project: string,
  about: Readonly<{ directory: string | null; allowed: readonly string[] }> & Place,
): Promise<ProjectTrust> {
  const { directory, env } = about;
  const isThere = await isFolder(project);
  const sources =
    directory === null || !isThere ? null : (await openConfig(configPaths(directory, env))).loaded().sources;
  const host = directory === null ? null : await keptModels(about.home, directory);
  const wanted = sources === null ? [] : wantedIn(sources, host);
  const held = sources === null ? [] : resolveScope(sources, host ?? NO_HOST).kept;
  const shownState = sources?.late ? 'late' : directory === null ? 'closed' : 'open';
  return {
    project,
    directory,
    state: isThere ? shownState : 'gone',
    asked: held.map((loosening) => ({
      id: idOf(loosensAs(loosening)),
      key: pathText(loosening.path),
      theirs: asWanted(pathText(loosening.path), loosening.theirs),
      own: asWanted(pathText(loosening.path), loosening.own),
    })),
    allowed: about.allowed.map((text) => ({
      id: idOf(text),
      ...partsOf(text),
      isAsked: wanted.some((loosening) => loosensAs(loosening) === text),
    })),
  };
}

const wantedIn = (sources: ConfigSources, host: HostModels | null): readonly Loosening[] =>
  resolveScope({ ...sources, trusted: [] }, host ?? NO_HOST).kept;

const isFolder = async (path: string): Promise<boolean> => (await statOrNull(path))?.isDirectory() === true;

const idOf = (text: string): string => hashOf(Buffer.from(text));

/** A key may contain the separator. */
function partsOf(text: string): Readonly<{ key: string; theirs: Wanted }> {
  for (let at = text.indexOf(BETWEEN); at >= 0; at = text.indexOf(BETWEEN, at + 1)) {
    const json = text.slice(at + BETWEEN.length);
    const key = text.slice(0, at);
    if (parseJson(json) !== undefined) return { key, theirs: asWanted(key, json) };
  }
  return { key: text, theirs: { type: 'plain', value: null } };
}

function asWanted(key: string, json: string): Wanted {
  const value = parseJson(json);
  if (Array.isArray(value)) return key === 'patterns' ? asPhrases(value) : asModels(value);
  const rows = Object.entries(value ?? {}).map(([kind, steps]) => ({ kind, steps: steps as unknown }));
  const shape = typeof value === 'object' && value !== null ? { type: 'rows', rows } : { type: 'plain', value };
  return Wanted.safeParse(shape).data ?? { type: 'plain', value: json.slice(0, MAX_SHOWN_CHARS) };
}

const shownText = (value: unknown): string => String(value).slice(0, MAX_SHOWN_CHARS);

function asModels(list: readonly unknown[]): Wanted {
  return { type: 'models', models: list.slice(0, MAX_SHOWN).map(shownText), count: list.length };
}

/** Two providers may have the same phrase. */
function asPhrases(list: readonly unknown[]): Wanted {
  const all = list.map((each) => {
    const { phrase = each, kind, provider, agent } = (isObject(each) ? each : {}) as Record<string, unknown>;
    const named = FAILURE_KINDS.find((one) => one === kind) ?? null;
    const of = (value: unknown): string | null => (value === undefined ? null : shownText(value));
    return { phrase: shownText(phrase), kind: named, provider: of(provider), agent: of(agent) };
  });
  const once = [...new Map(all.map((each) => [JSON.stringify(each), each] as const)).values()];
  return { type: 'phrases', phrases: once.slice(0, MAX_SHOWN), count: once.length };
}

const GONE = (project: string) => ({ ok: false, reason: `${project} no longer exists. Nothing was allowed.` }) as const;
const ELSE = (project: string) =>
  ({
    ok: false,
    reason: `The requests of ${project} changed meanwhile. Nothing was allowed; review them again.`,
  }) as const;

/** The project must still request each of them. */
export async function allowShown(
  { env, home, tell }: WritePlace,
  { directory, project, ids }: QueryInput<'trust.allow'>,
): Promise<Outcome> {
  if (!(await isFolder(project))) return GONE(project);
  if ((await nameOf(directory)) !== project) return ELSE(project);
  const [{ sources }, host] = await Promise.all([loadConfig(configPaths(directory, env)), keptModels(home, directory)]);
  const texts = new Map(wantedIn(sources, host).map((loosening) => [idOf(loosensAs(loosening)), loosensAs(loosening)]));
  const meant = ids.flatMap((id) => texts.get(id) ?? []);
  if (meant.length !== ids.length) return ELSE(project);
  return await toldOf(tell, (onUnreadable) =>
    allowTrust({ path: trustPath(home), name: project, onUnreadable }, meant),
  );
}

export async function revokeShown(
  { home, tell }: WritePlace,
  { project, ids }: QueryInput<'trust.revoke'>,
): Promise<Outcome> {
  const path = trustPath(home);
  const allowed = ownValue(await trustedProjects(path), project) ?? [];
  const meant = allowed.filter((text) => ids.includes(idOf(text)));
  if (meant.length === 0) return { ok: true };
  return await toldOf(tell, (onUnreadable) => revokeTrust({ path, name: project, onUnreadable }, meant));
}

/** A file that was moved aside has lost its approvals. */
async function toldOf(
  tell: WritePlace['tell'],
  write: (onUnreadable: (message: string) => void) => Promise<Outcome>,
): Promise<Outcome> {
  const messages: string[] = [];
  const done = await write((message) => messages.push(message));
  for (const message of messages) tell(message);
  return done.ok || messages.length === 0 ? done : { ok: false, reason: [done.reason, ...messages].join(' ') };
}
