import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConfigProblem, ConfigSource, ForeignKind, ParsedConfig } from '../../core/config';
import { confined, EVERY_PROVIDER, hidesKeys, parseForeign } from '../../core/config';
import { isInside } from '../base/inside';
import { MAX_CONFIG_BYTES, MAX_OPENCODE_BYTES, readText } from '../base/read-text';

export type ForeignPlace = Readonly<{
  path: string;
  scope: 'project' | 'global';
  kind: Exclude<ForeignKind['type'], 'agent'> | 'agents';
  within?: string;
}>;

export type ForeignFile = Readonly<{ path: string; kind: ForeignKind; within?: string }>;

/** Beyond any real number of agents. */
const MAX_AGENTS = 200;
const AGENTS_DEPTH = 2;
/** Per place, before sorting: the check precedes each request. */
const MAX_NAMES = 2_000;
const MAX_FOLDERS = 50;
/** YAML takes some ms per thousand characters. */
const MAX_MATTER = 65_536;

export const OPENCODE_NAMES = ['opencode.jsonc', 'opencode.json'] as const;

/** Strongest first. */
const KINDS: readonly (readonly [ForeignPlace['kind'], readonly string[]])[] = [
  // In OpenCode the last one takes precedence.
  ['opencode', OPENCODE_NAMES],
  ['agents', ['agent', 'agents']],
  ['theseus', ['oh-my-opencode-theseus.json', 'oh-my-opencode-theseus.jsonc']],
  ['rate-limit-fallback', ['rate-limit-fallback.json', 'opencode-rate-limit-fallback.json']],
];

/** By kind, the project's first in each. @param directory null for the user's own files. */
export function foreignPlaces(directory: string | null, globalFolder: string): readonly ForeignPlace[] {
  const own = directory === null ? null : join(directory, '.opencode');
  return KINDS.flatMap(([kind, names]) => {
    const within = (folder: string, scope: ForeignPlace['scope']) =>
      names.map((name) => ({
        path: join(folder, name),
        scope,
        kind,
        ...(scope === 'project' && directory !== null ? { within: directory } : {}),
      }));
    const inProject = own === null || own === globalFolder ? [] : within(own, 'project');
    const inRoot = directory === null || kind !== 'opencode' ? [] : within(directory, 'project');
    return [...inProject, ...inRoot, ...within(globalFolder, 'global')];
  });
}

export async function foreignFiles({ path, kind, within }: ForeignPlace): Promise<readonly ForeignFile[]> {
  const bounds = within === undefined ? {} : { within };
  if (kind !== 'agents') return [{ path, kind: { type: kind }, ...bounds }];
  // silent: a folder that cannot be checked counts as one outside and is not read
  if (within !== undefined && !(await isInside(within, path).catch(() => false))) return [];
  return (await agentsIn(path)).slice(0, MAX_AGENTS).map((name) => ({
    path: join(path, name),
    kind: { type: 'agent', agent: name.slice(0, -'.md'.length) },
    ...bounds,
  }));
}

/** Stops at the limit in folders of a million files. Ignores linked folders. */
async function agentsIn(root: string): Promise<readonly string[]> {
  const names: string[] = [];
  const folders = [{ name: '', depth: 0 }];
  let seen = 0;
  for (const { name: inner, depth } of folders) {
    for (const { name, isFolder } of await entriesOf(join(root, inner), MAX_NAMES - seen)) {
      seen++;
      const whole = inner === '' ? name : `${inner}/${name}`;
      if (!isFolder && name.endsWith('.md')) names.push(whole);
      else if (isFolder && depth < AGENTS_DEPTH && folders.length <= MAX_FOLDERS)
        folders.push({ name: whole, depth: depth + 1 });
    }
  }
  return names.sort();
}

async function entriesOf(
  folder: string,
  max: number,
): Promise<readonly Readonly<{ name: string; isFolder: boolean }>[]> {
  const entries: { name: string; isFolder: boolean }[] = [];
  if (max <= 0) return entries;
  try {
    for await (const entry of await opendir(folder)) {
      entries.push({ name: entry.name, isFolder: entry.isDirectory() });
      if (entries.length >= max) break;
    }
  } catch {
    // silent: most users have none of these folders
  }
  return entries;
}

/** An unreadable file counts as in `previous`. Never rejects. */
export async function loadForeign(
  files: readonly ForeignFile[],
  previous: readonly ConfigSource[],
): Promise<readonly ConfigSource[]> {
  const sources: ConfigSource[] = [];
  const budget = { left: MAX_MATTER };
  for (const file of files) {
    const source = await loadOne(file, previous, budget);
    if (source !== null) sources.push(source);
  }
  return sources;
}

async function loadOne(
  { path, kind, within }: ForeignFile,
  previous: readonly ConfigSource[],
  budget: { left: number },
): Promise<ConfigSource | null> {
  const read = await readText(path, within === undefined ? MAX_OPENCODE_BYTES : MAX_CONFIG_BYTES, within);
  if (read.kind === 'missing') return null;
  const bounds = within === undefined ? {} : { isProjects: true };
  const before = previous.find((source) => source.path === path);
  // OpenCode may be able to read the file.
  const unknown = within !== undefined && kind.type === 'opencode' ? { ...bounds, providers: [EVERY_PROVIDER] } : null;
  const without = (reason: string): ConfigSource => ({
    ...(before ?? EMPTY),
    ...unknown,
    ...bounds,
    path,
    problems: [unreadable(path, reason)],
  });
  if (read.kind === 'unreadable') return without(read.reason);
  const matter = kind.type === 'agent' ? matterOf(read.text) : '';
  if (kind.type === 'agent' && !/fallback|models/.test(matter)) return null;
  budget.left -= within === undefined ? 0 : matter.length;
  if (budget.left < 0) return without('this project’s agents have too many settings');
  const parsed = await parse(read.text, path, kind);
  // Its own tool reports syntax errors; with placeholders replaced, OpenCode may accept it.
  if (parsed === null && before && !hidesKeys(read.text)) return before;
  if (parsed === null) return before ? { ...before, ...unknown } : unknown && { ...EMPTY, ...unknown, path };
  if (parsed.config === null && parsed.problems.length === 0 && parsed.providers === undefined) return null;
  return within === undefined ? { path, ...parsed } : confined({ path, ...parsed, isProjects: true });
}

const EMPTY: ParsedConfig = { config: null, problems: [], positions: new Map() };

export const CHAINS_DO_NOT_COUNT = 'Chains in this file do not count';

/** The owning tool would not report that its chains are ignored here. */
const unreadable = (path: string, reason: string): ConfigProblem => ({
  severity: 'warning',
  code: 'file.unreadable',
  message: `${CHAINS_DO_NOT_COUNT}: ${reason}.`,
  path,
  line: null,
  column: null,
});

const NO_YAML = 'Understudy’s YAML parser is missing; run understudy install';

const matterOf = (text: string): string => /^\ufeff?---[\s\S]*?\n---/.exec(text)?.[0] ?? '';

async function parse(text: string, path: string, kind: ForeignKind): Promise<ParsedConfig | null> {
  if (kind.type !== 'agent') return parseForeign(text, path, kind);
  // Loading YAML would delay OpenCode's start.
  // silent: a missing part is a problem of each file that needs it, and fails no start
  const yaml = await import('../../core/config/front-matter').catch(() => null);
  if (yaml === null) return { ...EMPTY, problems: [unreadable(path, NO_YAML)] };
  return parseForeign(text, path, kind, yaml.readFrontMatter);
}
