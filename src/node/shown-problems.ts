import { type ConfigProblem, type ConfigSources, type HostModels, resolveScope } from '../core/config';

/** What depends on whom OpenCode asks, and whom it knows. */
const OF_HOST: readonly ConfigProblem['code'][] = [
  'limit.kept',
  'host.wrong',
  'agents.too_many',
  'chains.too_many',
  'vendor.locked',
];
/** What cannot be said before OpenCode has listed its models: which there are, and whose. */
const UNKNOWN: readonly ConfigProblem['code'][] = ['glob.empty', 'vendor.locked'];

/**
 * What is wrong in the files of a directory, for people. Which models there are the companion alone can judge; whether a
 * project would have another model lead shows only beside what OpenCode has said last.
 *
 * @param unhosted what `resolveScope` tells of these sources without a host. @param kept null where OpenCode has said nothing yet.
 */
export function shownProblems(
  unhosted: readonly ConfigProblem[],
  sources: ConfigSources,
  kept: HostModels | null,
): readonly ConfigProblem[] {
  if (kept === null) return unhosted.filter(({ code }) => !UNKNOWN.includes(code));
  const alone = unhosted.filter(({ code }) => code !== 'glob.empty');
  const hosted = resolveScope(sources, kept).problems.filter(({ code }) => OF_HOST.includes(code));
  return [...hosted, ...alone.filter(({ code }) => !OF_HOST.includes(code))];
}
