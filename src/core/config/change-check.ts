import { parseSteps } from '../../engine/tools';
import type { ValueChange } from './document';
import { policyHint } from './policies';
import { isShipped, policyNames } from './policy-table';
import type { KeyPath } from './problem';
import { pathText, safeMessage } from './problem';
import { ConfigFile } from './schema';

export type FieldProblem = Readonly<{ path: readonly string[]; message: string }>;

/** Chains and patterns have their own edits. */
const REACH: readonly RegExp[] = [
  /^(?:enabled|logging)$/,
  /^defaults\n\w+(?:\n\w+)?$/,
  /^policies\n[^\n]+\n(?:extends|rows\n\w+)$/,
  /^agents\n[^\n]+\npolicy$/,
];
const OWN_REACH: readonly RegExp[] = [
  /^headroom\n(?:act|moveAt|drain|spread|trustEstimates)$/,
  /^budget\n(?:day|week|session|action)$/,
];

const isWithin = (reach: readonly RegExp[], path: readonly string[]): boolean =>
  reach.some((place) => place.test(path.join('\n')));

/** Also checks that the files then contain the intended values. @param isOwn false for a project's file. */
export function objectionsTo(
  changes: readonly ValueChange[],
  merged: ConfigFile,
  isOwn: boolean,
): readonly FieldProblem[] {
  const defined = changes.flatMap(({ path, value }) =>
    path[0] === 'policies' && value !== undefined && path[1] !== undefined ? [path[1]] : [],
  );
  const policies = [...policyNames(merged), ...defined];
  return changes.flatMap(({ path, value }) => {
    const message = placeIssue(path, isOwn) ?? objectionTo(path, value, policies);
    return message === null ? [] : [{ path, message: safeMessage(message) }];
  });
}

function placeIssue(path: readonly string[], isOwn: boolean): string | null {
  if (isWithin(REACH, path)) return null;
  if (!isWithin(OWN_REACH, path)) return `${pathText(path)} cannot be changed here: edit the file.`;
  return isOwn ? null : `${pathText(path)} has no effect in a project’s file: set it in your own.`;
}

function objectionTo(path: readonly string[], value: unknown, policies: readonly string[]): string | null {
  if (value === undefined) return null;
  const wrong = schemaIssue(path, value);
  if (wrong !== null) return wrong;
  const [root, name = '', , kind] = path;
  if (root === 'policies' && isShipped(name)) return `"${name}" ships with Understudy: use another name.`;
  if (kind !== undefined) return stepIssue(value as readonly string[]);
  const isPolicyName = path.at(-1) === 'policy' || path.at(-1) === 'extends';
  if (isPolicyName && !policies.includes(value as string))
    return `There is no policy ${JSON.stringify(value)}. ${policyHint(value as string, policies)}`;
  return root === 'policies' && value === name ? `"${name}" cannot extend itself.` : null;
}

function schemaIssue(path: readonly string[], value: unknown): string | null {
  const file = path.reduceRight<unknown>((held, key) => Object.fromEntries([[key, held]]), value);
  const issue = ConfigFile.safeParse(file).error?.issues[0];
  if (issue === undefined) return null;
  if (issue.code === 'unrecognized_keys') return `${pathText(path)} is no key of this file.`;
  const at: KeyPath = issue.path.filter((key) => typeof key !== 'symbol');
  return `${pathText(at)} ${issue.message}.`;
}

function stepIssue(steps: readonly string[]): string | null {
  if (steps.length === 0) return 'A row needs a step such as "switch" or "return".';
  return parseSteps(steps).problems[0]?.message ?? null;
}
