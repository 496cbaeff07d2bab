import { type ConfigProblem, type ConfigSources, type HostModels, NO_HOST, resolveScope } from '../../core/config';
import { MAX_PROBLEMS, safeMessage } from '../../core/config/problem';
import type { AllKept } from '../base/kept-models';

export type Judge = HostModels &
  Readonly<{
    tellsAccounts: boolean;
  }>;

type Codes = readonly ConfigProblem['code'][];

const OF_HOST: Codes = ['limit.kept', 'host.wrong', 'agents.too_many', 'chains.too_many', 'vendor.locked'];
const OF_ACCOUNTS: Codes = ['account.withheld', 'setting.unavailable'];
/** A running OpenCode may list these models later, and reports that. */
const OF_CHAINS: Codes = ['model.unknown', 'variant.unknown', 'glob.empty', 'account.unknown'];
/** Need OpenCode's list of models and vendors. */
const UNLISTED: Codes = ['glob.empty', 'vendor.locked'];
const OF_PROJECT: Codes = ['account.withheld'];

const NAMED_MAX = 2;

/**
 * @param unhosted problems without a host.
 * @param judge null if OpenCode has listed nothing.
 * @param seen `running`: the list is current; `gone`: it may be outdated; `last`: the caller checks chains with its
 * own list.
 */
export function shownProblems(
  unhosted: readonly ConfigProblem[],
  sources: ConfigSources,
  judge: Judge | null,
  seen: 'running' | 'last' | 'gone' = 'last',
): readonly ConfigProblem[] {
  const alone = unhosted.filter(({ code }) => !UNLISTED.includes(code));
  if (judge === null) return alone;
  const codes = codesFor(judge, seen);
  const hosted = resolveScope(sources, judge).problems.filter(({ code }) => codes.includes(code));
  // A chain for all agents repeats its problem for each.
  const once = [...new Map(hosted.map((problem) => [JSON.stringify(problem), problem])).values()];
  return [...once, ...alone.filter(({ code }) => !codes.includes(code))];
}

function codesFor({ models, tellsAccounts }: Judge, seen: 'running' | 'last' | 'gone'): Codes {
  if (seen === 'gone' || models === undefined) return OF_HOST;
  const codes = seen === 'running' ? [...OF_HOST, ...OF_CHAINS] : OF_HOST;
  return tellsAccounts ? [...codes, ...OF_ACCOUNTS] : codes.filter((code) => code !== 'account.unknown');
}

/** The user's own files are judged by the models' vendors, equal in every project, not by primaries. */
export function judgedBy(stored: AllKept, directory: string | null): Judge | null {
  const list = directory === null ? stored.latest() : stored.in(directory);
  if (list === null) return null;
  const { leads, defaultModel, models, catalogue, accounts, tellsAccounts } = list;
  if (directory === null) return { ...NO_HOST, catalogue, tellsAccounts };
  return { leads, defaultModel, models, catalogue, ...(accounts === undefined ? {} : { accounts }), tellsAccounts };
}

/**
 * Problems of single projects name them. @param alone problems without a project. @param projects by directory, with
 * OpenCode's list.
 */
export function ofUsers(
  alone: readonly ConfigProblem[],
  projects: ReadonlyMap<string, readonly ConfigProblem[]>,
): readonly ConfigProblem[] {
  if (projects.size === 0) return alone;
  const codes = [...OF_HOST, ...OF_CHAINS, ...OF_ACCOUNTS];
  const found = new Map<string, Met>();
  for (const [directory, problems] of projects)
    for (const problem of problems.filter(({ code }) => codes.includes(code))) {
      const key = JSON.stringify(problem);
      const entry = found.get(key) ?? { problem, directories: [] };
      if (!entry.directories.includes(directory)) entry.directories.push(directory);
      found.set(key, entry);
    }
  const all = [...found.values()];
  const isEverywhere = ({ problem, directories }: Met): boolean =>
    directories.length === projects.size && !OF_PROJECT.includes(problem.code);
  const everywhere = all.filter(isEverywhere).map(({ problem }) => problem);
  const hosted = [...everywhere, ...all.filter((met) => !isEverywhere(met)).map(placed)];
  const mine = alone.filter(({ code }) => !OF_HOST.includes(code));
  const isNew = ({ path, message }: ConfigProblem): boolean =>
    !mine.some((other) => other.path === path && other.message === message);
  return [...hosted.filter(isNew).slice(0, Math.max(0, MAX_PROBLEMS - mine.length)), ...mine];
}

type Met = Readonly<{ problem: ConfigProblem; directories: string[] }>;

function placed({ problem, directories }: Met): ConfigProblem {
  const rest = directories.length - NAMED_MAX;
  const names = directories.slice(0, NAMED_MAX).join(', ');
  return { ...problem, message: safeMessage(`In ${names}${rest > 0 ? ` and ${rest} more` : ''}: ${problem.message}`) };
}
