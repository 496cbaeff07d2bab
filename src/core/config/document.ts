import type { Node, ParseError } from 'jsonc-parser';
import { createScanner, findNodeAtLocation, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { KeyPath, Position } from './problem';
import { pathKey } from './problem';

export type Opened = Readonly<{ ok: true; root: Node }> | Readonly<{ ok: false; message: string; offset: number }>;

export type ValueChange = Readonly<{ path: readonly string[]; value: unknown }>;

const ERROR_WORDS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is not JSON',
  InvalidNumberFormat: 'this is not a number',
  PropertyNameExpected: 'a key in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing } is missing',
  CloseBracketExpected: 'a closing ] is missing',
  EndOfFileExpected: 'the file should end here',
  UnexpectedEndOfComment: 'the comment does not end',
  UnexpectedEndOfString: 'the text does not end',
  UnexpectedEndOfNumber: 'the number does not end',
  InvalidUnicode: 'the \\u escape is wrong',
  InvalidEscapeCharacter: 'the \\ escape is wrong',
  InvalidCharacter: 'this character must be escaped',
};

const MAX_DEPTH = 100;
/** Two hundred agents with ten models each fit; checking each value takes time. */
export const MAX_VALUES = 2_500;
/** Token kinds of jsonc-parser's scanner; its enum does not survive the build. */
export const SCANNED = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  colon: 6,
  string: 10,
  lineComment: 12,
  blockComment: 13,
  lineBreak: 14,
  blank: 15,
  end: 17,
} as const;
const OPENS = new Set<number>([SCANNED.openBrace, SCANNED.openBracket]);
const CLOSES = new Set<number>([SCANNED.closeBrace, SCANNED.closeBracket]);

/** The parser recurses: a crafted text would exhaust the stack, and V8 may end the process. */
export function excessOf(text: string, maxValues: number): string | null {
  const scanner = createScanner(text, true);
  let depth = 0;
  let values = 1;
  for (let kind: number = scanner.scan(); kind !== SCANNED.end; kind = scanner.scan()) {
    if (OPENS.has(kind)) depth++;
    else if (CLOSES.has(kind)) depth--;
    else if (kind === SCANNED.comma) values++;
    if (depth > MAX_DEPTH) return 'it is nested too deep';
    if (values > maxValues) return `it holds more than ${maxValues} values`;
  }
  return null;
}

/** Accepts comments and trailing commas. Other errors mostly follow from the first. */
export function openDocument(text: string, maxValues = Number.POSITIVE_INFINITY): Opened {
  if (text.trim() === '') return { ok: false, message: 'the file is empty', offset: 0 };
  const excess = excessOf(text, maxValues);
  if (excess !== null) return { ok: false, message: excess, offset: 0 };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined || root === undefined) {
    const word = first === undefined ? 'InvalidSymbol' : printParseErrorCode(first.error);
    return { ok: false, message: ERROR_WORDS[word] ?? 'this is not JSON', offset: first?.offset ?? 0 };
  }
  if (root.type !== 'object') return { ok: false, message: 'it must be an object in { }', offset: root.offset };
  return { ok: true, root };
}

/** Counted from 1; columns in UTF-16 units, as editors do. */
export function createLocator(text: string): (offset: number) => Position {
  const starts = [0];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

export function nearestNode(root: Node, path: KeyPath): Node {
  for (let length = path.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node !== undefined) return node;
  }
  return root;
}

export function keyNode(object: Node, key: string): Node | null {
  const property = object.children?.find((child) => child.children?.[0]?.value === key);
  return property?.children?.[0] ?? null;
}

export function dropNode(node: Node): void {
  const { parent } = node;
  if (parent === undefined) return;
  if (parent.type === 'property') {
    dropNode(parent);
    return;
  }
  const siblings = parent.children ?? [];
  const index = siblings.indexOf(node);
  if (index >= 0) siblings.splice(index, 1);
  if (parent.type === 'array' && siblings.length === 0) dropNode(parent);
}

/** Every key becomes an own property, `__proto__` too. */
export function plainValue(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(plainValue);
  if (node.type !== 'object') return node.value;
  return Object.fromEntries(properties(node).map(({ key, value }) => [String(key.value), plainValue(value)]));
}

export function properties(object: Node): { property: Node; key: Node; value: Node }[] {
  return (object.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? [];
    return key === undefined || value === undefined ? [] : [{ property, key, value }];
  });
}

export function positionsOf(root: Node, locate: (offset: number) => Position): ReadonlyMap<string, Position> {
  const positions = new Map<string, Position>();
  const walk = (node: Node, path: KeyPath): void => {
    positions.set(pathKey(path), locate(node.offset));
    if (node.type === 'array') {
      for (const [index, item] of (node.children ?? []).entries()) walk(item, [...path, index]);
    } else if (node.type === 'object') {
      for (const { key, value } of properties(node)) walk(value, [...path, String(key.value)]);
    }
  };
  walk(root, []);
  return positions;
}
