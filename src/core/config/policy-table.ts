import type { FailureKind, Policy } from '../../engine';
import { FAILURE_KINDS } from '../../engine';
import { definePolicies, narrowPolicy, PRESETS, parseSteps } from '../../engine/tools';
import type { ConfigFile } from './schema';

/** `from` is a policy's name, or `fallbackOn` if that narrows the row. */
export type PolicyRow = Readonly<{ kind: FailureKind; steps: Policy[FailureKind]; from: string }>;

export type PolicyTable = Readonly<{ name: string; parent: string | null; rows: readonly PolicyRow[] }>;

const SHIPPED: readonly string[] = Object.keys(PRESETS);
const ANCESTOR: keyof typeof PRESETS = 'swift';

export const isShipped = (name: string): boolean => SHIPPED.includes(name);

export const policyNames = (merged: ConfigFile): readonly string[] => [
  ...new Set([...SHIPPED, ...Object.keys(merged.policies ?? {})]),
];

export function policyTables(merged: ConfigFile): readonly PolicyTable[] {
  const book = definePolicies(merged.policies ?? {});
  const words = merged.defaults?.fallbackOn;
  return policyNames(merged).flatMap((name) => {
    const full = book.policies[name];
    if (full === undefined) return [];
    const narrowed = words === undefined ? full : narrowPolicy(full, words);
    const rows = FAILURE_KINDS.map((kind) => ({
      kind,
      steps: narrowed[kind],
      from: narrowed[kind] === full[kind] ? sourceOf(merged, name, kind) : 'fallbackOn',
    }));
    return [{ name, parent: isShipped(name) ? null : parentOf(merged, name), rows }];
  });
}

/** An undefined or circular parent becomes `swift`, as in the engine. */
function parentOf({ policies = {} }: ConfigFile, name: string): string {
  const parent = policies[name]?.extends ?? ANCESTOR;
  return isShipped(parent) || Object.hasOwn(policies, parent) ? parent : ANCESTOR;
}

function sourceOf(merged: ConfigFile, name: string, kind: FailureKind, path: readonly string[] = []): string {
  if (isShipped(name)) return name;
  if (path.includes(name)) return ANCESTOR;
  const steps = merged.policies?.[name]?.rows?.[kind] ?? [];
  if (parseSteps(steps).steps.length > 0) return name;
  return sourceOf(merged, parentOf(merged, name), kind, [...path, name]);
}
