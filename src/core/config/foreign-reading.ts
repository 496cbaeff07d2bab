import type * as z from 'zod';
import { writtenModel } from '../../contract/written-model';
import { AGENTS_MAX, isAgentName } from '../../protocol';
import { isObject, leavesOf, valueAt, without } from './at-path';
import type { ConfigProblem, KeyPath, Position } from './problem';
import { MAX_PROBLEMS, pathKey, pathText, safeMessage } from './problem';
import { type AgentEntry, ModelName } from './schema';

export type Tree = Readonly<{ value: unknown; positionOf(path: KeyPath): Position | null }>;

export type Reading = Readonly<{
  tree: Tree;
  path: string;
  config: Map<string, unknown>;
  agents: Map<string, AgentEntry>;
  problems: ConfigProblem[];
  positions: Map<string, Position>;
}>;

/** Each pass removes errors; one can hide another until the next pass. */
const MAX_PASSES = 10;

export const readAt = ({ tree }: Pick<Reading, 'tree'>, path: KeyPath): unknown => valueAt(tree.value, path);

export function setAgent({ agents }: Reading, name: string, entry: AgentEntry): void {
  agents.set(name, { ...agents.get(name), ...entry });
}

export function locate({ tree, positions }: Reading, target: KeyPath, at: KeyPath): void {
  const position = tree.positionOf(at);
  if (position !== null) positions.set(pathKey(target), position);
}

export function complain(
  { tree, path, problems }: Pick<Reading, 'tree' | 'path' | 'problems'>,
  at: KeyPath,
  { code, message }: Pick<ConfigProblem, 'code' | 'message'>,
): void {
  if (problems.length >= MAX_PROBLEMS) return;
  const position = tree.positionOf(at) ?? { line: null, column: null };
  problems.push({ severity: 'warning', code, message: safeMessage(message), path, ...position });
}

export function takeAs<T>(reading: Reading, at: KeyPath, schema: z.ZodType<T>): T | undefined {
  let value = readAt(reading, at);
  for (let pass = 0; value !== undefined && pass < MAX_PASSES; pass += 1) {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) value = withoutFault(reading, at, { value, issue });
  }
  return undefined;
}

function withoutFault(
  reading: Reading,
  at: KeyPath,
  { value, issue }: Readonly<{ value: unknown; issue: z.core.$ZodIssue }>,
): unknown {
  const path = issue.path.filter((key) => typeof key !== 'symbol');
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key]) : [];
  for (const inner of unknown)
    complain(reading, [...at, ...inner], {
      code: 'key.unknown',
      message: `${pathText([...at, ...inner])} is not read.`,
    });
  if (unknown.length === 0)
    complain(reading, [...at, ...path], {
      code: 'value.wrong',
      message: `${pathText([...at, ...path])} ${issue.message}. It is ignored.`,
    });
  const faults = unknown.length > 0 ? unknown : [path];
  return faults.reduce<unknown>(
    (left, fault) => (isObject(left) && fault.length > 0 ? without(left, fault) : undefined),
    value,
  );
}

export function takeValue(
  reading: Reading,
  [first = '', ...rest]: readonly string[],
  { at, schema }: Readonly<{ at: KeyPath; schema: z.ZodType }>,
): void {
  const value = takeAs(reading, at, schema);
  if (value === undefined) return;
  reading.config.set(
    first,
    rest.reduceRight<unknown>((held, key) => ({ [key]: held }), value),
  );
  for (const [leaf] of leavesOf(value, [])) locate(reading, [first, ...rest, ...leaf], [...at, ...leaf]);
}

/** Some plugins write a model in two parts; null for no model. */
export function modelOf(value: unknown): string | null {
  const text = isObject(value) ? `${value.providerID}/${value.modelID ?? value.id}` : value;
  return ModelName.safeParse(variantless(text)).data ?? null;
}

export const variantless = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/#[^/#]*$/, '') : value;

export function variantIn(value: unknown): string | null {
  if (!isObject(value)) return typeof value === 'string' ? writtenModel(value).variant : null;
  const { variant } = value;
  return typeof variant === 'string' ? writtenModel(`a/b#${variant}`).variant : null;
}

export const isName = (agent: string): boolean => agent !== '' && isAgentName(agent);
export const NAME_WORDS = 'name is empty or longer than 100 characters';

export function agentsIn(reading: Reading, at: KeyPath): readonly string[] {
  const value = readAt(reading, at);
  const names = isObject(value) ? Object.keys(value) : [];
  if (names.length > AGENTS_MAX)
    complain(reading, at, {
      code: 'agents.too_many',
      message: `${pathText(at)} has ${names.length} agents; the first ${AGENTS_MAX} are read.`,
    });
  const nameless = names.filter((name) => !isName(name));
  if (nameless.length > 0)
    complain(reading, at, {
      code: 'value.wrong',
      message: `${pathText(at)} has ${nameless.length} agents that are ignored because their ${NAME_WORDS}.`,
    });
  return names.filter(isName).slice(0, AGENTS_MAX);
}
