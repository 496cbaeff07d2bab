import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConfigSource, ForeignKind, ParsedConfig } from '../core/config';
import { parseForeign } from '../core/config';
import { isInside } from './inside';
import { MAX_CONFIG_BYTES, MAX_OPENCODE_BYTES, readText } from './read-text';

/** A file of others that may name chains, or a folder of agents written as markdown. */
export type ForeignPlace = Readonly<{
  path: string;
  scope: 'project' | 'global';
  kind: Exclude<ForeignKind['type'], 'agent'> | 'agents';
  /** The project, for its own files: no link leads out of it. */
  within?: string;
}>;

/** One file to read, and how. */
type ForeignFile = Readonly<{ path: string; kind: ForeignKind; within?: string }>;

/** More agents than that nobody has; a folder that holds more is something else. */
const MAX_AGENTS = 200;
/** Folders in a folder of agents, and in those. */
const AGENTS_DEPTH = 2;
/** What is looked at of one folder, before it is known which names come first. */
const MAX_NAMES = 2_000;
const MAX_FOLDERS = 50;

/** In order of strength: OpenCode's own configuration, its agents' front matter, then other fallback plugins' files. */
const KINDS: readonly (readonly [ForeignPlace['kind'], readonly string[]])[] = [
  // OpenCode gives the last of these the last word.
  ['opencode', ['opencode.jsonc', 'opencode.json']],
  ['agents', ['agent', 'agents']],
  ['theseus', ['oh-my-opencode-theseus.json', 'oh-my-opencode-theseus.jsonc']],
  ['rate-limit-fallback', ['rate-limit-fallback.json', 'opencode-rate-limit-fallback.json']],
];

/**
 * Where files of others may lie, the strongest first: by kind, and in each the project's before the user's own.
 *
 * @param directory the project; null for the user's own files alone.
 */
export function foreignPlaces(directory: string | null, globalFolder: string): readonly ForeignPlace[] {
  const own = directory === null ? null : join(directory, '.opencode');
  return KINDS.flatMap(([kind, names]) => {
    const within = (folder: string, scope: ForeignPlace['scope']) =>
      names.map((name) => ({
        ...{ path: join(folder, name), scope, kind },
        ...(scope === 'project' && directory !== null ? { within: directory } : {}),
      }));
    const inProject = own === null || own === globalFolder ? [] : within(own, 'project');
    const inRoot = directory === null || kind !== 'opencode' ? [] : within(directory, 'project');
    return [...inProject, ...inRoot, ...within(globalFolder, 'global')];
  });
}

/** The files of a place that there may be: the file itself, or each agent's. */
export async function foreignFiles({ path, kind, within }: ForeignPlace): Promise<readonly ForeignFile[]> {
  const bounds = within === undefined ? {} : { within };
  if (kind !== 'agents') return [{ path, kind: { type: kind }, ...bounds }];
  if (within !== undefined && !(await isInside(within, path).catch(() => false))) return [];
  const names = await namesIn(path, AGENTS_DEPTH).catch(() => []);
  return names.slice(0, MAX_AGENTS).map((name) => ({
    path: join(path, name),
    kind: { type: 'agent', agent: name.slice(0, -'.md'.length) },
    ...bounds,
  }));
}

/** The markdown files of a folder and of those in it, by their names with forward slashes; a link to a folder is none. */
async function namesIn(folder: string, depth: number): Promise<readonly string[]> {
  const names: string[] = [];
  const folders: string[] = [];
  // One after another: a folder that holds a million is not read to its end.
  for await (const entry of await opendir(folder)) {
    if (entry.isDirectory() && folders.length < MAX_FOLDERS) folders.push(entry.name);
    else if (entry.name.endsWith('.md')) names.push(entry.name);
    if (names.length > MAX_NAMES) break;
  }
  const deeper = depth === 0 ? [] : await Promise.all(folders.map((name) => below(folder, name, depth - 1)));
  return [...names, ...deeper.flat()].sort();
}

const below = async (folder: string, name: string, depth: number): Promise<readonly string[]> =>
  (await namesIn(join(folder, name), depth).catch(() => [])).map((inner) => `${name}/${inner}`);

/**
 * Reads the files of others that name chains, in the order of the places; one that cannot be read now counts as it was in
 * `previous`. Never rejects.
 */
export async function loadForeign(
  places: readonly ForeignPlace[],
  previous: readonly ConfigSource[],
): Promise<readonly ConfigSource[]> {
  const files = (await Promise.all(places.map(foreignFiles))).flat();
  const sources = await Promise.all(files.map((file) => loadOne(file, previous)));
  return sources.filter((source) => source !== null);
}

async function loadOne(
  { path, kind, within }: ForeignFile,
  previous: readonly ConfigSource[],
): Promise<ConfigSource | null> {
  const read = await readText(path, within === undefined ? MAX_OPENCODE_BYTES : MAX_CONFIG_BYTES, within);
  if (read.kind === 'missing') return null;
  const parsed = read.kind === 'text' ? await parse(read.text, path, kind) : null;
  if (parsed === null) return previous.find((source) => source.path === path) ?? null;
  if (parsed.config === null && parsed.problems.length === 0) return null;
  return { path, ...parsed, ...(within === undefined ? {} : { isProjects: true }) };
}

/** What front matter that concerns us has in it. */
const CONCERNS_US = /^---[\s\S]*?(?:fallback|models)/;

async function parse(text: string, path: string, kind: ForeignKind): Promise<ParsedConfig | null> {
  if (kind.type !== 'agent') return parseForeign(text, path, kind);
  if (!CONCERNS_US.test(text.replace('\ufeff', ''))) return { config: null, problems: [], positions: new Map() };
  // YAML takes a while to load, and most people have no chain there: OpenCode's start must not wait for it.
  const { readFrontMatter } = await import('../core/config/front-matter');
  return parseForeign(text, path, kind, readFrontMatter);
}
