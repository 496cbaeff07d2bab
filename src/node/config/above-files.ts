import { dirname, join, resolve } from 'node:path';
import { type ConfigProblem, type ConfigSource, EVERY_PROVIDER } from '../../core/config';
import { lookAt, type Mark, MISSING } from './config-look';
import { CHAINS_DO_NOT_COUNT, loadForeign, OPENCODE_NAMES } from './foreign-files';

/** Beyond any real project. */
const MAX_FOLDERS = 40;
const MAX_FILES = 10;

/** Nearest first. */
export type FoldersAbove = Readonly<{ folders: readonly string[]; isCut: boolean }>;

/**
 * OpenCode 1 reads up to the repository's root, OpenCode 2 everything. Only untrusted files could tell that root, so
 * this goes up to the user's home.
 */
export function foldersAbove(directory: string, homedir: string): FoldersAbove {
  const folders: string[] = [];
  const home = resolve(homedir);
  for (let at = dirname(directory); at !== home; at = dirname(at)) {
    if (folders.length === MAX_FOLDERS) return { folders, isCut: true };
    folders.push(at);
    if (dirname(at) === at) break;
  }
  return { folders, isCut: false };
}

export type FilesAbove = readonly Readonly<{ path: string; within: string }>[];

/** No link may lead out of a file's folder. */
export async function lookAbove(
  { folders }: FoldersAbove,
  globalFolder: string,
): Promise<Readonly<{ stamp: Readonly<Record<string, Mark>>; files: FilesAbove }>> {
  const stamp: Record<string, Mark> = {};
  const files: FilesAbove[number][] = [];
  for (const within of folders) {
    const look = lookAt([], within);
    const inner = join(within, '.opencode');
    // The user's own configuration is read elsewhere.
    const placed = async (folder: string) =>
      await Promise.all(
        (folder === globalFolder ? [] : OPENCODE_NAMES).map(
          async (name) => [join(folder, name), await look(join(folder, name))] as const,
        ),
      );
    const [isInner, outer] = await Promise.all([look(inner), placed(within)]);
    const found = isInner === MISSING ? outer : [...(await placed(inner)), ...outer];
    for (const [path, mark] of found) {
      if (mark === MISSING) continue;
      stamp[path] = mark;
      files.push({ path, within });
    }
  }
  return { stamp, files };
}

/** Ignores chains and settings. An unreadable file may name any provider. */
export async function loadAbove(
  { isCut, folders }: FoldersAbove,
  files: FilesAbove,
  previous: readonly ConfigSource[],
): Promise<readonly ConfigSource[]> {
  const read = files.slice(0, MAX_FILES).map((file) => ({ ...file, kind: { type: 'opencode' } as const }));
  const sources = await loadForeign(read, previous);
  const defined = sources.flatMap(({ path, providers, defines, problems }): ConfigSource[] => {
    if (providers === undefined && defines === undefined) return [];
    const unreadable = problems.filter(({ code }) => code === 'file.unreadable').map(asAbove);
    return [
      {
        ...NOTHING_ELSE,
        path,
        problems: unreadable,
        ...(providers ? { providers } : {}),
        ...(defines ? { defines } : {}),
      },
    ];
  });
  const unread = files[MAX_FILES]?.path ?? (isCut ? folders.at(-1) : undefined);
  return unread === undefined ? defined : [...defined, { ...NOTHING_ELSE, path: unread, providers: [EVERY_PROVIDER] }];
}

const asAbove = (problem: ConfigProblem): ConfigProblem => ({
  ...problem,
  message: problem.message.replace(CHAINS_DO_NOT_COUNT, 'Its providers are unknown'),
});

const NOTHING_ELSE = { config: null, problems: [], positions: new Map(), isProjects: true } as const;
