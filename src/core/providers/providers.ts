import type { Node } from 'jsonc-parser';
import { findNodeAtLocation } from 'jsonc-parser';
import type * as z from 'zod';
import { foldText, type MapPhrase, type ProviderMap } from '../../engine/tools';
import { createLocator, keyNode, nearestNode, openDocument, plainValue, properties } from '../config/document';
import type { ConfigProblem, KeyPath } from '../config/problem';
import { pathText, safeMessage } from '../config/problem';
import { nearest } from '../config/suggest';
import { ProviderMapFile, type ProviderMapText, uncheckedMap } from './provider-schema';

const MAX_TEXT = 262_144;
const MAX_SHOWN = 60;
const MAX_FAULTS = 50;
/** The largest built-in map has about three hundred. */
const MAX_VALUES = 1_000;

export type UserProviderMap = Pick<ProviderMap, 'provider'> & Partial<ProviderMap>;

export type ParsedProviderMap =
  | Readonly<{ map: UserProviderMap; problem: null }>
  | Readonly<{ map: null; problem: ConfigProblem }>;

/**
 * A file with any fault is ignored; the problem is its first fault. Never throws. @param path the file, for problems.
 */
export function parseProviderMap(text: string, path: string): ParsedProviderMap {
  const source = text.startsWith('\ufeff') ? text.slice(1) : text;
  const locate = createLocator(source);
  const refuse = (offset: number, code: ConfigProblem['code'], message: string): ParsedProviderMap => ({
    map: null,
    problem: {
      severity: 'error',
      code,
      message: safeMessage(`${message} The file is ignored.`),
      path,
      ...locate(offset),
    },
  });
  if (source.length > MAX_TEXT) return refuse(0, 'file.malformed', `It is larger than ${MAX_TEXT} characters.`);
  const opened = openDocument(source, MAX_VALUES);
  if (!opened.ok) return refuse(opened.offset, 'file.malformed', `It cannot be read: ${opened.message}.`);
  const read = ProviderMapFile.safeParse(plainValue(opened.root));
  const fault =
    firstDuplicate(opened.root, []) ??
    (read.success ? firstRepeat(opened.root) : firstFault(opened.root, read.error.issues));
  if (fault) return refuse(fault.offset, fault.code, fault.message);
  return { map: tidied(read.data as ProviderMapText), problem: null };
}

/** Tests have validated built-in maps, and at startup that would take longer than all other reading. */
export const shippedMapOf = (json: unknown): ProviderMap => completed(tidied(uncheckedMap(json)), null);

/**
 * A user map overrides the built-in map of its provider key by key; user phrases come first. A map for one alias
 * leaves the other ids unchanged.
 */
export function mergeMaps(builtIn: readonly ProviderMap[], user: readonly UserProviderMap[]): readonly ProviderMap[] {
  return user.reduce((maps, own) => mergeOne(maps, own), builtIn);
}

function mergeOne(maps: readonly ProviderMap[], own: UserProviderMap): readonly ProviderMap[] {
  const same = maps.find((map) => map.provider === own.provider) ?? null;
  const lender = same ?? maps.find((map) => map.aliases.includes(own.provider)) ?? null;
  const base = lender !== null && same === null ? { ...lender, aliases: [] } : lender;
  const merged = completed(own, base);
  const claimed = [own.provider, ...(own.aliases ?? [])];
  // An id has one map: the user's map takes it from all others.
  const rest = maps.map((map) => {
    if (map === same) return merged;
    const isTouched = map.aliases.some((alias) => claimed.includes(alias));
    return isTouched ? { ...map, aliases: map.aliases.filter((alias) => !claimed.includes(alias)) } : map;
  });
  return same === null ? [...rest, merged] : rest;
}

function completed(own: UserProviderMap, base: ProviderMap | null): ProviderMap {
  const timeZone = own.timeZone ?? base?.timeZone;
  return {
    version: 1,
    provider: own.provider,
    aliases: [...new Set([...(base?.aliases ?? []), ...(own.aliases ?? [])])].filter((id) => id !== own.provider),
    vendor: own.vendor ?? base?.vendor ?? 'unknown',
    statuses: { ...base?.statuses, ...own.statuses },
    codes: { ...base?.codes, ...own.codes },
    phrases: mergePhrases(base?.phrases ?? [], own.phrases ?? []),
    resetHeaders: [
      ...(base?.resetHeaders ?? []).filter(({ name: old }) => !own.resetHeaders?.some((header) => header.name === old)),
      ...(own.resetHeaders ?? []),
    ],
    ...(timeZone === undefined ? {} : { timeZone }),
  };
}

function mergePhrases(base: readonly MapPhrase[], own: readonly MapPhrase[]): readonly MapPhrase[] {
  const taken = new Set(own.map(({ phrase }) => foldText(phrase)));
  return [...own, ...base.filter(({ phrase }) => !taken.has(foldText(phrase)))];
}

function tidied({ $schema: _, codes, ...rest }: ProviderMapText): UserProviderMap {
  const lower = Object.entries(codes ?? {}).map(([code, entry]) => [code.toLowerCase(), defined(entry)] as const);
  const map = {
    ...rest,
    phrases: rest.phrases?.map(defined),
    codes: codes === undefined ? undefined : Object.fromEntries(lower),
  };
  return defined(map);
}

function defined<T extends object>(value: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, held]) => held !== undefined)) as never;
}

type Fault = Readonly<{ offset: number; code: ConfigProblem['code']; message: string }>;

// JSON keeps the last of two equal keys; warn the user.
function firstDuplicate(node: Node, path: KeyPath): Fault | null {
  if (node.type === 'array') {
    for (const [index, item] of (node.children ?? []).entries()) {
      const fault = firstDuplicate(item, [...path, index]);
      if (fault) return fault;
    }
  }
  if (node.type !== 'object') return null;
  const seen = new Set<string>();
  for (const { key, value } of properties(node)) {
    const own = [...path, String(key.value)];
    const name = path[0] === 'codes' ? String(key.value).trim().toLowerCase() : String(key.value);
    if (seen.has(name))
      return { offset: key.offset, code: 'key.duplicate', message: `${pathText(own)} is written twice.` };
    seen.add(name);
    const fault = firstDuplicate(value, own);
    if (fault) return fault;
  }
  return null;
}

function firstRepeat(root: Node): Fault | null {
  const seen = new Set<string>();
  for (const item of findNodeAtLocation(root, ['phrases'])?.children ?? []) {
    const node = findNodeAtLocation(item, ['phrase']);
    const phrase = foldText(String(node?.value));
    if (seen.has(phrase)) {
      const message = `The phrase ${shown(node?.value)} is listed twice.`;
      return { offset: node?.offset ?? item.offset, code: 'value.wrong', message };
    }
    seen.add(phrase);
  }
  return null;
}

function firstFault(root: Node, issues: readonly z.core.$ZodIssue[]): Fault | null {
  // Each lookup starts at the root: with thousands of faults the first few suffice.
  const faults = issues.slice(0, MAX_FAULTS).map((issue) => faultOf(root, issue));
  return faults.toSorted((one, other) => one.offset - other.offset)[0] ?? null;
}

function faultOf(root: Node, issue: z.core.$ZodIssue): Fault {
  const path = issue.path.filter((key) => typeof key !== 'symbol');
  const node = nearestNode(root, path);
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const where = path.length === 0 ? '' : ` in ${pathText(path)}`;
    const allowedKeys =
      path.length === 0
        ? Object.keys(ProviderMapFile.unwrap().shape)
        : ['phrase', 'kind', 'needsUser', 'steps', 'name', 'unit'];
    const at = keyNode(node, key) ?? node;
    return {
      offset: at.offset,
      code: 'key.unknown',
      message: `Unknown key ${shown(key)}${where}.${didYouMean(key, allowedKeys)}`,
    };
  }
  if (issue.code === 'invalid_key') {
    const at = node.parent?.children?.[0] ?? node;
    const words = issue.issues[0]?.message ?? 'is not a name';
    return {
      offset: at.offset,
      code: 'value.wrong',
      message: `${pathText(path.slice(0, -1))}: ${shown(path.at(-1))} ${words}.`,
    };
  }
  const exact = findNodeAtLocation(root, [...path]);
  const isBareKind = exact === undefined && node.type === 'string';
  if (exact === undefined && !isBareKind) {
    return { offset: node.offset, code: 'value.wrong', message: `${pathText(path)} is missing. It ${issue.message}.` };
  }
  const value = plainValue(node);
  const candidates = issue.code === 'invalid_value' ? issue.values.map(String) : [];
  const hint = typeof value === 'string' ? didYouMean(value, candidates) : '';
  const where = pathText(isBareKind ? path.slice(0, -1) : path);
  const subject = where === '' ? 'It' : where;
  return {
    offset: node.offset,
    code: 'value.wrong',
    message: `${subject} ${issue.message}, not ${shown(value)}.${hint}`,
  };
}

function didYouMean(word: string, candidates: readonly string[]): string {
  const near = nearest(word, candidates);
  return near === null ? '' : ` Did you mean ${JSON.stringify(near)}?`;
}

function shown(value: unknown): string {
  const json = JSON.stringify(value) ?? 'nothing';
  return json.length > MAX_SHOWN ? `${json.slice(0, MAX_SHOWN - 1)}…` : json;
}
