import type { Policy } from '../../engine';
import { definePolicies, narrowPolicy, type PolicyProblem, PRESETS } from '../../engine/tools';
import { ownAgent } from './merge';
import type { KeyPath } from './problem';
import { type ConfigFile, DEFAULTS } from './schema';
import type { Complain } from './sources';
import { nearest } from './suggest';

export type NamedPolicy = Readonly<{ name: string; rows: Policy; at: KeyPath }>;

export type PolicyFinder = (agent: string, hasOwnChain: boolean) => NamedPolicy;

/** `swift` replaces an undefined policy. */
export function createPolicies(merged: ConfigFile, complain: Complain): PolicyFinder {
  const book = definePolicies(merged.policies ?? {});
  for (const problem of book.problems) complain('policy.wrong', keyPathOf(problem), problem.message);
  const words = merged.defaults?.fallbackOn;
  const narrow = (rows: Policy): Policy => (words === undefined ? rows : narrowPolicy(rows, words));
  const reported = new Set<string>();
  const find = (name: string, path: KeyPath): NamedPolicy => {
    const policy = Object.hasOwn(book.policies, name) ? book.policies[name] : undefined;
    if (policy !== undefined) return { name, rows: narrow(policy), at: path };
    const place = path.join('\n');
    if (!reported.has(place)) complain('policy.unknown', path, unknownPolicy(name, Object.keys(book.policies)));
    reported.add(place);
    return { name: 'swift', rows: narrow(PRESETS.swift), at: path };
  };
  return (agent, hasOwnChain) => {
    const own = ownAgent(merged, agent)?.policy;
    if (own !== undefined) return find(own, ['agents', agent, 'policy']);
    const shared = hasOwnChain ? undefined : ownAgent(merged, '*')?.policy;
    if (shared !== undefined) return find(shared, ['agents', '*', 'policy']);
    return find(merged.defaults?.policy ?? DEFAULTS.policy, ['defaults', 'policy']);
  };
}

function keyPathOf({ policy, kind, at }: PolicyProblem): KeyPath {
  return ['policies', policy, ...(kind === null ? [] : ['rows', kind]), ...(at === null ? [] : [at])];
}

const unknownPolicy = (name: string, names: readonly string[]): string =>
  `There is no policy ${JSON.stringify(name)}; "swift" is used. ${policyHint(name, names)}`;

export function policyHint(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  return near === null ? `Policies are ${names.join(', ')}.` : `Did you mean ${JSON.stringify(near)}?`;
}
