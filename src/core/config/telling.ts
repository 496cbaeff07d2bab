import type { ConfigProblem, KeyPath, Position } from './problem';
import { MAX_PROBLEMS, pathKey, pathText, safeMessage } from './problem';
import type { Complain, ConfigSource, ConfigSources } from './sources';
import { isOfLead, type Loosening } from './tighten';

export type Telling = Readonly<{
  complain: Complain;
  /** First a project's effects on the user, then other files' problems, then the project's own. */
  told(first: readonly ConfigProblem[]): readonly ConfigProblem[];
}>;

const OF_ALL: readonly ConfigProblem['code'][] = ['agents.too_many', 'chains.too_many'];

export function createTelling(found: readonly ConfigSource[], isTheirs: (source: ConfigSource) => boolean): Telling {
  const theirs = new Set(found.filter(isTheirs).map(({ path }) => path));
  const inForce = found.filter(({ config }) => config !== null);
  const lists: Record<'own' | 'theirs', ConfigProblem[]> = { own: [], theirs: [] };
  const listOf = (path: string | null) => (path !== null && theirs.has(path) ? lists.theirs : lists.own);
  // A chain of a thousand dropped models has a thousand problems at one path.
  let last: Readonly<{ path: KeyPath; list: ConfigProblem[] }> | null = null;
  const listAt = (path: KeyPath): ConfigProblem[] => {
    if (last?.path !== path) last = { path, list: listOf(ownerOf(inForce, path)?.path ?? null) };
    return last.list;
  };
  const complain: Complain = (code, path, message) => {
    const list = listAt(path);
    const isOfAll = OF_ALL.includes(code);
    if (list.length >= MAX_PROBLEMS && !isOfAll) return;
    const problem = problemAt(inForce, { code, path, message });
    // Comes before the problems of single items.
    if (isOfAll) list.unshift(problem);
    else list.push(problem);
  };
  for (const source of found) {
    const list = listOf(source.path);
    list.push(...source.problems.slice(0, MAX_PROBLEMS - list.length));
  }
  return { complain, told: (first) => [...first, ...lists.own, ...lists.theirs].slice(0, MAX_PROBLEMS) };
}

export function lateProblem({ project, isFirst }: NonNullable<ConfigSources['late']>): ConfigProblem {
  const stands = isFirst ? 'only your own configuration applies' : 'their last content applies';
  const message = `The files of this project are slow to read. Until they are read, ${stands}.`;
  return { severity: 'warning', code: 'project.late', message, path: project, line: null, column: null };
}

export function offProblem(theirs: readonly ConfigSource[]): ConfigProblem {
  const message = 'This project switches Understudy off here: no turn is moved, and nothing is protected.';
  return problemAt(
    theirs.filter(({ config }) => config?.enabled === false),
    { code: 'project.off', path: ['enabled'], message },
  );
}

export function keptProblem(files: readonly ConfigSource[], loosening: Loosening): ConfigProblem {
  const about = { code: 'limit.kept', path: loosening.path, message: keptText(loosening) } as const;
  const problem = problemAt(files, about);
  return { ...problem, path: problem.path ?? files[0]?.path ?? null };
}

function keptText(loosening: Loosening): string {
  const { path, theirs, own, isDefault } = loosening;
  const ask = `This project asks for ${shortened(theirs)}`;
  const wish = isOfLead(loosening)
    ? `${ask}, which would make a model other than ${own === 'null' ? 'OpenCode’s' : shortened(own)} the primary. Your limits depend on the primary, so yours stays.`
    : `${ask}, which is looser than ${isDefault ? `the default ${own}. That` : `${shortened(own)} of your own file. Yours`} stands.`;
  return `${pathText(path)}: ${wish} \`understudy config trust\` and the panel's settings list such requests and let you approve them.`;
}

const shortened = (text: string): string => (text.length <= 120 ? text : `${text.slice(0, 119)}…`);

export function problemAt(
  inForce: readonly ConfigSource[],
  about: { code: ConfigProblem['code']; path: KeyPath; message: string },
): ConfigProblem {
  const owner = ownerOf(inForce, about.path);
  const position: Position | undefined = owner?.positions.get(pathKey(about.path));
  return {
    severity: 'warning',
    code: about.code,
    message: safeMessage(about.message),
    path: owner?.path ?? null,
    line: position?.line ?? null,
    column: position?.column ?? null,
  };
}

function ownerOf(inForce: readonly ConfigSource[], path: KeyPath): ConfigSource | undefined {
  const key = pathKey(path);
  return inForce.find(({ positions }) => positions.has(key));
}
