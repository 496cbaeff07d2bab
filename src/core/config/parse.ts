import type { Node } from 'jsonc-parser';
import { findNodeAtLocation } from 'jsonc-parser';
import type * as z from 'zod';
import {
  createLocator,
  dropNode,
  keyNode,
  MAX_VALUES,
  nearestNode,
  openDocument,
  plainValue,
  positionsOf,
  properties,
} from './document';
import { isHidden } from './hidden';
import { suggestKey } from './known-keys';
import type { ConfigProblem, KeyPath, Position } from './problem';
import { MAX_PROBLEMS, pathText, safeMessage } from './problem';
import { ConfigFile, DEFAULTS } from './schema';
import type { ParsedConfig } from './sources';
import { nearest } from './suggest';
import { liftTriage } from './triage';

/** Each pass removes errors; one can hide another until the next pass. */
const MAX_PASSES = 20;
const MAX_SHOWN = 60;
const MAX_FAULTS = 200;
/** Real files have fewer, and each pass reads the whole file. */
const MAX_ALL_FAULTS = 1_000;

/**
 * A malformed file gives one error; an invalid value is a warning and counts as absent. Never throws. @param path for
 * problems.
 */
export function parseConfig(text: string, path: string): ParsedConfig {
  const source = text.startsWith('\ufeff') ? text.slice(1) : text;
  const locate = createLocator(source);
  const opened = openDocument(source, MAX_VALUES);
  if (!opened.ok) return malformed(opened.message, path, locate(opened.offset));
  const review: Review = { root: opened.root, locate, path, problems: [] };
  dropDuplicates(review, opened.root, []);
  const config = validate(review);
  const inOrder = review.problems.toSorted(
    (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
  const positions = positionsOf(opened.root, locate);
  return liftTriage({ config, problems: inOrder.slice(0, MAX_PROBLEMS), positions });
}

function malformed(reason: string, path: string, position: Position): ParsedConfig {
  const message = `The file cannot be read: ${reason}.`;
  const problem = { severity: 'error', code: 'file.malformed', message, path, ...position } as const;
  return { config: null, problems: [problem], positions: new Map() };
}

type Review = Readonly<{ root: Node; locate: (offset: number) => Position; path: string; problems: ConfigProblem[] }>;
type Issue = z.core.$ZodIssue;
type Fault = Readonly<{
  node: Node;
  at: Node;
  code: 'key.unknown' | 'value.wrong';
  message: string;
  /** For a missing value that was removed as invalid. */
  insteadOfMissing?: string;
}>;

function warn(review: Review, at: Node, about: { code: ConfigProblem['code']; message: string }): void {
  const position = review.locate(at.offset);
  const message = safeMessage(about.message);
  review.problems.push({ severity: 'warning', code: about.code, message, path: review.path, ...position });
}

function validate(review: Review): ConfigFile {
  let found = 0;
  const emptied = new Set<Node | undefined>();
  for (let pass = 0; pass < MAX_PASSES && found <= MAX_ALL_FAULTS; pass += 1) {
    const result = ConfigFile.safeParse(plainValue(review.root));
    if (result.success) return result.data;
    const faults = result.error.issues
      .slice(0, MAX_FAULTS)
      .flatMap((issue) => faultsOf(review.root, flatten(issue)))
      .slice(0, MAX_FAULTS);
    const reported = new Set<Node>();
    for (const fault of faults) {
      const { at, node, insteadOfMissing } = fault;
      const isEcho = insteadOfMissing !== undefined && emptied.has(node);
      if (fault.code !== 'value.wrong' || !reported.has(at))
        warn(review, at, isEcho ? { ...fault, message: insteadOfMissing } : fault);
      reported.add(fault.at);
    }
    for (const { node } of faults) emptied.add(holderOf(node));
    found += countOf(result.error.issues);
    for (const fault of faults) dropNode(fault.node);
  }
  review.problems.unshift(...malformed('it has too many errors to report', review.path, FIRST).problems);
  return {};
}

const holderOf = ({ parent }: Node): Node | undefined => (parent?.type === 'property' ? parent.parent : parent);

const countOf = (issues: readonly Issue[]): number =>
  issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0);

const FIRST: Position = { line: 1, column: 1 };

function dropDuplicates(review: Review, node: Node, path: KeyPath): void {
  if (node.type === 'array') {
    for (const [index, item] of (node.children ?? []).entries()) dropDuplicates(review, item, [...path, index]);
  }
  if (node.type !== 'object') return;
  const last = new Map(properties(node).map(({ key, property }) => [String(key.value), property]));
  for (const { property, key, value } of properties(node)) {
    const name = String(key.value);
    if (last.get(name) === property) dropDuplicates(review, value, [...path, name]);
    else if (review.problems.length < MAX_PROBLEMS)
      warn(review, key, {
        code: 'key.duplicate',
        message: `${pathText([...path, name])} is written twice; the last one counts.`,
      });
  }
  // All in one step: one by one, thousands take seconds.
  const remaining = new Set(last.values());
  const all = node.children ?? [];
  let left = 0;
  for (const property of all) if (remaining.has(property)) all[left++] = property;
  all.length = left;
}

/** A union's own issue is vague: use the issue of the shape that almost fits. */
function flatten(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const near = issue.errors.find((branch) => branch.length > 0 && branch.every((inner) => inner.path.length > 0));
  const [first] = near ?? [];
  return first === undefined ? issue : flatten({ ...first, path: [...issue.path, ...first.path] });
}

function faultsOf(root: Node, issue: Issue): Fault[] {
  const path = issue.path.filter((key) => typeof key !== 'symbol');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, MAX_FAULTS).flatMap((key) => unknownKey(root, path, key));
  if (issue.code === 'invalid_key') return wrongName(root, path, issue);
  const exact = findNodeAtLocation(root, [...path]);
  const node = exact ?? nearestNode(root, path);
  const missing = exact === undefined ? `${pathText(path)} is missing. ` : null;
  const message = wrongValue(path, { issue, node, missing });
  const whole = `${pathText(path.slice(0, -1))} is ignored with it.`;
  return [{ node, at: node, code: 'value.wrong', message, ...(missing === null ? {} : { insteadOfMissing: whole }) }];
}

function unknownKey(root: Node, path: KeyPath, key: string): Fault[] {
  const object = findNodeAtLocation(root, [...path]);
  const at = object === undefined ? null : keyNode(object, key);
  if (at === null || at.parent === undefined) return [];
  const suggestion = suggestKey(path, key);
  const where = path.length === 0 ? '' : ` in ${pathText(path)}`;
  const hint = suggestion === null ? 'It is ignored.' : `Did you mean ${JSON.stringify(suggestion)}?`;
  return [{ node: at.parent, at, code: 'key.unknown', message: `Unknown key ${shown(key)}${where}. ${hint}` }];
}

function wrongName(root: Node, path: KeyPath, issue: Extract<Issue, { code: 'invalid_key' }>): Fault[] {
  const node = findNodeAtLocation(root, [...path]);
  const at = node?.parent?.children?.[0];
  if (node === undefined || at === undefined) return [];
  const message = `${pathText(path.slice(0, -1))}: ${shown(path.at(-1))} ${issue.issues[0]?.message ?? 'is not a name'}. It is ignored.`;
  return [{ node, at, code: 'value.wrong', message }];
}

function wrongValue(path: KeyPath, about: { issue: Issue; node: Node; missing: string | null }): string {
  const words = about.issue.message;
  if (about.missing !== null) return `${about.missing}It ${words}. ${pathText(path.slice(0, -1))} is ignored.`;
  if (isHidden(path)) return `${pathText(path)} ${words}. It is ignored.`;
  const value = plainValue(about.node);
  const near =
    about.issue.code === 'invalid_value' && typeof value === 'string'
      ? nearest(value, about.issue.values.map(String))
      : null;
  const hint = near === null ? '' : ` Did you mean ${JSON.stringify(near)}?`;
  const standard = defaultAt(path);
  const effect = standard === undefined ? ignored(path, words) : `The default ${JSON.stringify(standard)} applies.`;
  return `${pathText(path)} ${words}, not ${shown(value)}.${hint} ${effect}`;
}

/** An entered limit still counts without its start day. */
const ignored = (path: KeyPath, words: string): string =>
  path.at(-1) === 'resets' && /^must be a (?:week)?day/.test(words)
    ? 'It is ignored: a week begins on Monday, a month on the first.'
    : 'It is ignored.';

function defaultAt(path: KeyPath): unknown {
  if (path[0] !== 'defaults') return undefined;
  let value: unknown = DEFAULTS;
  for (const key of path.slice(1)) {
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    value = isThere ? (value as Readonly<Record<string | number, unknown>>)[key] : undefined;
  }
  return typeof value === 'object' && value !== null ? undefined : value;
}

function shown(value: unknown): string {
  const json = JSON.stringify(value) ?? 'nothing';
  return json.length > MAX_SHOWN ? `${json.slice(0, MAX_SHOWN - 1)}…` : json;
}
