import { accountIn } from '../../engine';
import { valueAt, without } from './at-path';
import type { ConfigProblem, KeyPath } from './problem';
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
  if (path.split(/[\\/]/).some((part) => /^(?:\.(?:git|hg|jj|svn)|git~\d+)$/i.test(part)))
    return 'lies in a folder of the version control';
  return null;
}

/** Titles are derived from what a user writes: whether they are shown is the user's to say. */
const TITLES: KeyPath = ['sessions', 'titles'];

/** What a project may say of a council: limits, which only count where they are lower. Source: ADR 0026. */
const COUNCIL_LIMITS: readonly string[] = ['parallel', 'maxCost'];

/**
 * A project's file without what it may not say: places outside of it and those that are `linked`, that titles be shown, and who speaks in a council, with
 * which words; each is a problem where it stands.
 */
export function confined(source: ConfigSource, linked: readonly string[] = []): ConfigSource {
  const placed = Object.values(PLACES).reduce<ConfigSource>((left, at) => withoutPlace(left, at, linked), source);
  return withoutCouncil(withoutTitles(withoutBudget(withoutHeadroom(withoutAccounts(placed)))));
}

/** Plans are the user's: what is kept of them, and for whom, no project says. */
function withoutHeadroom(source: ConfigSource): ConfigSource {
  if (source.config?.headroom === undefined) return source;
  const message = 'headroom is your own file’s to say. It is ignored.';
  return withoutKey(source, ['headroom'], { code: 'headroom.not_a_projects', message });
}

/** Nor what may be spent: a stranger's amount could stop all work, and be read as the user's. */
function withoutBudget(source: ConfigSource): ConfigSource {
  if (source.config?.budget === undefined) return source;
  const message = 'budget is your own file’s to say. It is ignored.';
  return withoutKey(source, ['budget'], { code: 'budget.not_a_projects', message });
}

/** Which of a user's accounts is asked is the user's to say: a project may keep to one, and names none. */
function withoutAccounts(source: ConfigSource): ConfigSource {
  const path = ['accounts'];
  const message = `${pathText(path)} is your own file’s to say; a project may only say "one". It is ignored.`;
  const kept =
    source.config?.accounts === 'siblings'
      ? withoutKey(source, path, { code: 'accounts.not_a_projects', message })
      : source;
  return accountsNamed(kept).reduce<ConfigSource>((left, at) => {
    const text = `${pathText(at)} names one of your accounts, which is your own file’s to do. It is ignored.`;
    return withoutKey(left, at, { code: 'accounts.not_a_projects', message: text });
  }, kept);
}

/** Where a file names an account, the last first: what is taken out of a list moves what stands behind it. */
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
    const message = `${pathText(path)} is your own file’s to say; a project may only lower council.parallel and council.maxCost. It is ignored.`;
    return withoutKey(left, path, { code: 'council.not_a_projects', message });
  }, source);
}

function withoutTitles(source: ConfigSource): ConfigSource {
  if (source.config?.sessions?.titles !== true) return source;
  const message = `${pathText(TITLES)} is your own file’s to turn on; a project may only turn it off. It is ignored.`;
  return withoutKey(source, TITLES, { code: 'titles.not_a_projects', message });
}

function withoutPlace(source: ConfigSource, path: KeyPath, linked: readonly string[]): ConfigSource {
  const written = source.config === null ? undefined : valueAt(source.config, path);
  if (typeof written !== 'string') return source;
  const why = whyNotOfProject(written) ?? (linked.includes(written) ? 'leads through a link' : null);
  if (why === null) return source;
  const message = `${pathText(path)} ${why}. A project may place files inside itself only; your own file may name any place. It is ignored.`;
  return withoutKey(source, path, { code: 'place.outside', message });
}

function withoutKey(source: ConfigSource, path: KeyPath, said: Pick<ConfigProblem, 'code' | 'message'>): ConfigSource {
  const { config, positions, problems } = source;
  if (config === null) return source;
  const { line = null, column = null } = positions.get(pathKey(path)) ?? {};
  // With all that stands in it: else a value of the user's own would be told to stand here.
  const inside = `${pathKey(path).slice(0, -1)},`;
  const kept = [...positions].filter(([key]) => key !== pathKey(path) && !key.startsWith(inside));
  const left = new Map(kept.map(([key, position]) => [movedKey(key, path), position]));
  const problem: ConfigProblem = {
    severity: 'warning',
    code: said.code,
    message: safeMessage(said.message),
    path: source.path,
    line,
    column,
  };
  return { ...source, config: without(config, path), positions: left, problems: [...problems, problem] };
}

/** The key of a position once what stands at a path is gone: behind an item of a list each is one place further up. */
function movedKey(key: string, path: KeyPath): string {
  const item = path.at(-1);
  const list = pathKey(path.slice(0, -1)).slice(0, -1);
  if (typeof item !== 'number' || !key.startsWith(`${list},`)) return key;
  const moved = JSON.parse(key) as KeyPath;
  const at = moved[path.length - 1];
  return typeof at === 'number' && at > item ? pathKey(moved.with(path.length - 1, at - 1)) : key;
}

/** Whether a project says where something shall lie, and no file above it does; be it in a file that is not ours. */
export function isOfProject({ project, global, foreign = [] }: ConfigSources, path: KeyPath): boolean {
  const owner = [project, global, ...foreign].find((source) => source?.config && source.positions.has(pathKey(path)));
  return owner != null && (owner === project || owner.isProjects === true);
}
