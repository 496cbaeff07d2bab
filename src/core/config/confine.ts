import { valueAt, without } from './at-path';
import type { KeyPath } from './problem';
import { pathKey, pathText, safeMessage } from './problem';
import type { ConfigSource, ConfigSources } from './sources';

/** What may be written for people and programs; nothing that a shell, an editor or a tool takes for its own. */
const ENDING = /\.(?:log|txt|json|jsonl|csv|md|html)$/i;
/** Every key that says where a file shall lie. */
export const PLACES = {
  log: ['logPath'],
  triage: ['triage', 'exportPath'],
  scorecard: ['triage', 'scorecard', 'exportPath'],
} as const satisfies Record<string, KeyPath>;

/**
 * Why a project may not have a file of ours written to this path: a project's configuration is a stranger's, and reaches
 * nothing outside it. Null when it may; links are for whoever writes to look at. Source: ADR 0024.
 */
export function whyNotOfProject(path: string): string | null {
  if (/^~/.test(path)) return 'begins with ~, which is your home';
  if (/^[\\/]/.test(path) || /^[a-z]:/i.test(path)) return 'is absolute';
  if (path.split(/[\\/]/).includes('..')) return 'leads out of it with ..';
  // On Windows a colon names a stream or a device, and blanks and dots at the end are not there.
  if (/[:\p{Cc}\p{Cf}]/u.test(path) || path.split(/[\\/]/).some((part) => /[ .]$/.test(part) && part !== '.'))
    return 'has signs in it that no file needs';
  if (!ENDING.test(path)) return 'ends in none of .log, .txt, .json, .jsonl, .csv, .md and .html';
  return null;
}

/** A project's file without the places it may not name; each is a problem where it stands. */
export function confined(source: ConfigSource): ConfigSource {
  return Object.values(PLACES).reduce<ConfigSource>(withoutPlace, source);
}

function withoutPlace(source: ConfigSource, path: KeyPath): ConfigSource {
  const { config, positions, problems } = source;
  const written = config === null ? undefined : valueAt(config, path);
  const why = typeof written === 'string' ? whyNotOfProject(written) : null;
  if (config === null || why === null) return source;
  const { line = null, column = null } = positions.get(pathKey(path)) ?? {};
  const message = `${pathText(path)} ${why}. A project may place files inside itself only; your own file may name any place. It is ignored.`;
  const problem = { severity: 'warning', code: 'place.outside', message: safeMessage(message) } as const;
  const left = new Map(positions);
  left.delete(pathKey(path));
  return {
    ...source,
    config: without(config, path),
    positions: left,
    problems: [...problems, { ...problem, path: source.path, line, column }],
  };
}

/** Whether a project says where something shall lie, and no file above it does; be it in a file that is not ours. */
export function isOfProject({ project, global, foreign = [] }: ConfigSources, path: KeyPath): boolean {
  const owner = [project, global, ...foreign].find((source) => source?.config && source.positions.has(pathKey(path)));
  return owner != null && (owner === project || owner.isProjects === true);
}
