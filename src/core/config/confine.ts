import { accountIn } from '../../engine';
import { valueAt, without } from './at-path';
import type { ConfigProblem, KeyPath } from './problem';
import { pathKey, pathText, safeMessage } from './problem';
import type { ConfigSource, ConfigSources } from './sources';

/** No endings that a shell, an editor or a tool loads. */
const ENDING = /\.(?:log|txt|json|jsonl|csv|md|html)$/i;
export const PLACES = {
  log: ['logPath'],
  triage: ['triage', 'exportPath'],
  scorecard: ['triage', 'scorecard', 'exportPath'],
} as const satisfies Record<string, KeyPath>;

/**
 * Null if the project may set the path. Its configuration is untrusted and must not reach outside it. The writer
 * checks links. Source: ADR 0024.
 */
export function whyNotOfProject(path: string): string | null {
  if (/^~/.test(path)) return 'begins with ~, which is your home';
  if (/^[\\/]/.test(path) || /^[a-z]:/i.test(path)) return 'is absolute';
  if (path.split(/[\\/]/).includes('..')) return 'leaves the project with ..';
  // On Windows a colon names a stream or a device, and blanks and dots at the end are dropped.
  if (/[:\p{Cc}\p{Cf}]/u.test(path) || path.split(/[\\/]/).some((part) => /[ .]$/.test(part) && part !== '.'))
    return 'contains characters that are not allowed';
  if (!ENDING.test(path)) return 'does not end in .log, .txt, .json, .jsonl, .csv, .md or .html';
  if (path.split(/[\\/]/).some((part) => /^(?:\.(?:git|hg|jj|svn)|git~\d+)$/i.test(part)))
    return 'is in a version control folder';
  return null;
}

/** Titles derive from the user's messages: only the user may show them. */
const TITLES: KeyPath = ['sessions', 'titles'];

/** Only count if they are lower than the user's. Source: ADR 0026. */
const COUNCIL_LIMITS: readonly string[] = ['parallel', 'maxCost'];

export function confined(source: ConfigSource, linked: readonly string[] = []): ConfigSource {
  const placed = Object.values(PLACES).reduce<ConfigSource>((left, at) => withoutPlace(left, at, linked), source);
  return withoutCouncil(withoutTitles(withoutBudget(withoutHeadroom(withoutAccounts(placed)))));
}

/** Plans belong to the user: a project cannot set their reserves. */
function withoutHeadroom(source: ConfigSource): ConfigSource {
  if (source.config?.headroom === undefined) return source;
  const message = 'headroom may only be set in your own file. It is ignored.';
  return withoutKey(source, ['headroom'], { code: 'headroom.not_a_projects', message });
}

/** A project cannot set budgets: an untrusted amount could stop all work, and look like the user's. */
function withoutBudget(source: ConfigSource): ConfigSource {
  if (source.config?.budget === undefined) return source;
  const message = 'budget may only be set in your own file. It is ignored.';
  return withoutKey(source, ['budget'], { code: 'budget.not_a_projects', message });
}

/** A project may only restrict itself to one account. */
function withoutAccounts(source: ConfigSource): ConfigSource {
  const path = ['accounts'];
  const message = `${pathText(path)} may only be set in your own file; a project may only set "one". It is ignored.`;
  const confined =
    source.config?.accounts === 'siblings'
      ? withoutKey(source, path, { code: 'accounts.not_a_projects', message })
      : source;
  return accountsNamed(confined).reduce<ConfigSource>((left, at) => {
    const text = `${pathText(at)} names one of your accounts, which only your own file may do. It is ignored.`;
    return withoutKey(left, at, { code: 'accounts.not_a_projects', message: text });
  }, confined);
}

/** The last first: dropping an item of a list moves those behind it. */
function accountsNamed({ config }: ConfigSource): readonly KeyPath[] {
  const isNamed = (model: unknown): boolean => typeof model === 'string' && accountIn(model) !== null;
  const inList = (at: KeyPath, list: readonly string[] = []): KeyPath[] =>
    list.flatMap((model, index) => (isNamed(model) ? [[...at, index]] : []));
  const inAgents = Object.entries(config?.agents ?? {}).flatMap(([agent, { fallbackModels, tiers, currentModel }]) => [
    ...inList(['agents', agent, 'fallbackModels'], fallbackModels),
    ...(tiers ?? []).flatMap(({ models }, tier) => inList(['agents', agent, 'tiers', tier, 'models'], models)),
    ...(isNamed(currentModel) ? [['agents', agent, 'currentModel']] : []),
  ]);
  const backup = isNamed(config?.defaults?.backupModel) ? [['defaults', 'backupModel']] : [];
  return [...inAgents, ...backup].reverse();
}

function withoutCouncil(source: ConfigSource): ConfigSource {
  const keys = Object.keys(source.config?.council ?? {}).filter((key) => !COUNCIL_LIMITS.includes(key));
  return keys.reduce<ConfigSource>((left, key) => {
    const path = ['council', key];
    const message = `${pathText(path)} may only be set in your own file; a project may only lower council.parallel and council.maxCost. It is ignored.`;
    return withoutKey(left, path, { code: 'council.not_a_projects', message });
  }, source);
}

function withoutTitles(source: ConfigSource): ConfigSource {
  if (source.config?.sessions?.titles !== true) return source;
  const message = `${pathText(TITLES)} may only be turned on in your own file; a project may only turn it off. It is ignored.`;
  return withoutKey(source, TITLES, { code: 'titles.not_a_projects', message });
}

function withoutPlace(source: ConfigSource, path: KeyPath, linked: readonly string[]): ConfigSource {
  const written = source.config === null ? undefined : valueAt(source.config, path);
  if (typeof written !== 'string') return source;
  const why = whyNotOfProject(written) ?? (linked.includes(written) ? 'leads through a link' : null);
  if (why === null) return source;
  const message = `${pathText(path)} ${why}. A project may place files only inside itself; your own file may use any place. It is ignored.`;
  return withoutKey(source, path, { code: 'place.outside', message });
}

function withoutKey(
  source: ConfigSource,
  path: KeyPath,
  warning: Pick<ConfigProblem, 'code' | 'message'>,
): ConfigSource {
  const { config, positions, problems } = source;
  if (config === null) return source;
  const { line = null, column = null } = positions.get(pathKey(path)) ?? {};
  // Including nested positions, or a value of the user would be reported here.
  const inside = `${pathKey(path).slice(0, -1)},`;
  const remaining = [...positions].filter(([key]) => key !== pathKey(path) && !key.startsWith(inside));
  const left = new Map(remaining.map(([key, position]) => [movedKey(key, path), position]));
  const problem: ConfigProblem = {
    severity: 'warning',
    code: warning.code,
    message: safeMessage(warning.message),
    path: source.path,
    line,
    column,
  };
  return { ...source, config: without(config, path), positions: left, problems: [...problems, problem] };
}

function movedKey(key: string, path: KeyPath): string {
  const item = path.at(-1);
  const list = pathKey(path.slice(0, -1)).slice(0, -1);
  if (typeof item !== 'number' || !key.startsWith(`${list},`)) return key;
  const moved = JSON.parse(key) as KeyPath;
  const at = moved[path.length - 1];
  return typeof at === 'number' && at > item ? pathKey(moved.with(path.length - 1, at - 1)) : key;
}

export function isOfProject({ project, global, foreign = [] }: ConfigSources, path: KeyPath): boolean {
  const owner = [project, global, ...foreign].find((source) => source?.config && source.positions.has(pathKey(path)));
  return owner != null && (owner === project || owner.isProjects === true);
}
