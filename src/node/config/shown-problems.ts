import { type ConfigProblem, type ConfigSources, type HostModels, NO_HOST, resolveScope } from '../../core/config';
import type { AllKept } from '../base/kept-models';

/** What depends on whom OpenCode asks, and whom it knows. */
const OF_HOST: readonly ConfigProblem['code'][] = [
  'limit.kept',
  'host.wrong',
  'agents.too_many',
  'chains.too_many',
  'vendor.locked',
];
/** What cannot be said without OpenCode's list of its models: which there are, and whose. */
const UNLISTED: readonly ConfigProblem['code'][] = ['glob.empty', 'vendor.locked'];

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
  const alone = unhosted.filter(({ code }) => !UNLISTED.includes(code));
  if (kept === null) return alone;
  const hosted = resolveScope(sources, kept).problems.filter(({ code }) => OF_HOST.includes(code));
  return [...hosted, ...alone.filter(({ code }) => !OF_HOST.includes(code))];
}

/**
 * By what of OpenCode's word the files of a directory are judged; null where it has said nothing yet. The user's own, of no
 * directory, by whose models are, which is the same in every project; who leads is not.
 */
export function judgedBy(kept: AllKept, directory: string | null): HostModels | null {
  const list = directory === null ? kept.latest() : kept.in(directory);
  if (list === null) return null;
  const { leads, defaultModel, models, catalogue } = list;
  return directory === null ? { ...NO_HOST, catalogue } : { leads, defaultModel, models, catalogue };
}
