import { FAILURE_KINDS, type FailureKind } from '../base/kinds';
import type { Policy } from '../base/policy';
import { parseSteps } from './policy-steps';
import { PRESETS } from './presets';
import { SWIFT } from './swift';

export type PolicyDefinition = Readonly<{
  extends?: string | undefined;
  rows?: Readonly<Partial<Record<string, readonly unknown[]>>> | undefined;
}>;

/** `kind` is the row, `at` the step in it. */
export type PolicyProblem = Readonly<{
  policy: string;
  kind: string | null;
  at: number | null;
  message: string;
}>;

export type PolicyBook = Readonly<{
  policies: Readonly<Record<string, Policy>>;
  problems: readonly PolicyProblem[];
}>;

/**
 * Adds a configuration's policies to the built-in ones. An unknown `extends`, or a cycle, is reported and replaced by
 * `swift`.
 */
export function definePolicies(definitions: Readonly<Record<string, PolicyDefinition>>): PolicyBook {
  const problems: PolicyProblem[] = [];
  const done = new Map<string, Policy>(Object.entries(PRESETS));
  for (const name of Object.keys(definitions)) {
    if (!done.has(name)) continue;
    problems.push({
      policy: name,
      kind: null,
      at: null,
      message: `"${name}" ships with Understudy: use another name.`,
    });
  }
  const resolve = (name: string, path: readonly string[]): Policy | null => {
    const finished = done.get(name);
    if (finished) return finished;
    const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    if (!definition || path.includes(name)) return null;
    const parent = definition.extends ?? 'swift';
    const base = resolve(parent, [...path, name]);
    if (!base) problems.push({ policy: name, kind: null, at: null, message: missing(name, parent, definitions) });
    const policy = { ...(base ?? SWIFT), ...rowsOf(name, definition, problems) };
    done.set(name, policy);
    return policy;
  };
  for (const name of Object.keys(definitions)) resolve(name, []);
  return { policies: Object.fromEntries(done), problems };
}

function missing(name: string, parent: string, definitions: Readonly<Record<string, PolicyDefinition>>): string {
  return Object.hasOwn(definitions, parent)
    ? `"${name}" extends itself through "${parent}"; it extends "swift" instead.`
    : `"${name}" extends "${parent}", which is not a policy; it extends "swift" instead.`;
}

function rowsOf(policy: string, definition: PolicyDefinition, problems: PolicyProblem[]): Partial<Policy> {
  const rows: Partial<Record<FailureKind, Policy[FailureKind]>> = {};
  for (const [kind, words] of Object.entries(definition.rows ?? {})) {
    const knownKind = FAILURE_KINDS.find((candidate) => candidate === kind);
    if (knownKind === undefined) {
      problems.push({ policy, kind, at: null, message: `"${kind}" is not a kind of failure.` });
      continue;
    }
    const parsed = parseSteps(words ?? []);
    for (const { at, message } of parsed.problems) problems.push({ policy, kind, at, message });
    // An empty row would silently return the failure: the extended row stays.
    if (parsed.steps.length > 0) rows[knownKind] = parsed.steps;
    else problems.push({ policy, kind, at: null, message: `The row ${kind} has no valid step and is ignored.` });
  }
  return rows;
}
