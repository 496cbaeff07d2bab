import { CONSTANTS, isBenchmark } from '../base/benchmarks';
import { NAME_PATTERN, nameOf, nearestName, shownName } from './names';
import { type Part, resultOf, type Tree } from './tree';

/** Fits every benchmark several times. Source: the specification. */
export const MAX_FORMULA_CHARS = 2_000;
/** Far below the stack's limit. */
const MAX_BRACKETS = 64;

/** A message for the user, and its 0-based position. */
export type Fault = Readonly<{ reason: string; at: number }>;

type Token = Readonly<{ kind: 'number' | 'word' | 'other' | 'end'; text: string; at: number }>;
type Cursor = { readonly tokens: readonly Token[]; next: number; brackets: number };

type Operators = readonly [plain: string, inverse: string];
type Chain = Readonly<{
  kind: 'sum' | 'product';
  operators: Operators;
  readOperand: (cursor: Cursor) => Tree | Fault;
}>;

const SIGNS: Operators = ['+', '-'];
const PRODUCT: Chain = { kind: 'product', operators: ['*', '/'], readOperand: readSigned };
const SUM: Chain = { kind: 'sum', operators: SIGNS, readOperand: (cursor) => readChain(cursor, PRODUCT) };

const OPERAND = 'a number, a benchmark or an opening bracket';
const LETTER = String.raw`[\p{L}\p{N}_]`;
const TOKEN = new RegExp(
  [
    String.raw`(?<number>(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)`,
    String.raw`(?<word>(?:${NAME_PATTERN})(?!${LETTER})|(?!\d)${LETTER}+)`,
    String.raw`\S`,
  ].join('|'),
  'giu',
);

/** Never executes the formula. */
export function readTree(text: string): Tree | Fault {
  if (text.length > MAX_FORMULA_CHARS)
    return { reason: `A formula has at most ${MAX_FORMULA_CHARS} characters.`, at: MAX_FORMULA_CHARS };
  const cursor = { tokens: tokensOf(text), next: 0, brackets: 0 };
  const tree = readChain(cursor, SUM);
  const rest = take(cursor);
  if (isFault(tree) || rest.kind === 'end') return tree;
  return rest.text === ')' ? fault(rest, 'This bracket has no opening bracket.') : expected('an operator', rest);
}

export const isFault = (read: Tree | Fault): read is Fault => 'reason' in read;

export const respelled = (text: string): string => text.replace(TOKEN, (token) => nameOf(token) ?? token);

function tokensOf(text: string): readonly Token[] {
  const tokens = [...text.matchAll(TOKEN)].map(({ 0: found, index, groups }): Token => {
    const kind = groups?.number !== undefined ? 'number' : groups?.word !== undefined ? 'word' : 'other';
    return { kind, text: found, at: index };
  });
  return [...tokens, { kind: 'end', text: '', at: text.length }];
}

function readChain(cursor: Cursor, { kind, operators, readOperand }: Chain): Tree | Fault {
  const parts: Part[] = [];
  const [plain, inverse] = operators;
  for (let operator: string | null = plain; operator !== null; operator = takeOneOf(cursor, operators)) {
    const start = peek(cursor);
    const tree = readOperand(cursor);
    if (isFault(tree)) return tree;
    if (operator === '/' && resultOf(tree, {}) === 0) return fault(start, 'This divides by zero.');
    parts.push({ isInverse: operator === inverse, tree });
  }
  const [first] = parts;
  return first !== undefined && parts.length === 1 ? first.tree : { kind, parts };
}

function readSigned(cursor: Cursor): Tree | Fault {
  let isInverse = false;
  for (let sign = takeOneOf(cursor, SIGNS); sign !== null; sign = takeOneOf(cursor, SIGNS)) {
    if (sign === '-') isInverse = !isInverse;
  }
  const tree = readOperand(cursor);
  return isInverse && !isFault(tree) ? { kind: 'sum', parts: [{ isInverse, tree }] } : tree;
}

function readOperand(cursor: Cursor): Tree | Fault {
  const token = take(cursor);
  if (token.text === '(') return readBracket(cursor, token);
  if (token.kind === 'word') return readWord(token);
  if (token.kind !== 'number') return expected(OPERAND, token);
  const value = Number(token.text);
  return Number.isFinite(value) ? { kind: 'number', value } : fault(token, 'This number is too large.');
}

function readBracket(cursor: Cursor, opening: Token): Tree | Fault {
  if (cursor.brackets === MAX_BRACKETS) return fault(opening, `Brackets may be nested at most ${MAX_BRACKETS} deep.`);
  cursor.brackets += 1;
  const tree = readChain(cursor, SUM);
  cursor.brackets -= 1;
  if (isFault(tree)) return tree;
  const closing = take(cursor);
  return closing.text === ')' ? tree : expected('an operator or a closing bracket', closing);
}

function readWord(token: Token): Tree | Fault {
  const name = nameOf(token.text);
  if (name !== null) {
    return isBenchmark(name) ? { kind: 'benchmark', benchmark: name } : { kind: 'number', value: CONSTANTS[name] };
  }
  const nearest = nearestName(token.text);
  const hint = nearest === null ? '' : ` Did you mean "${nearest}"?`;
  return fault(token, `"${shownName(token.text)}" is not a benchmark or a constant.${hint}`);
}

const fault = ({ at }: Token, reason: string): Fault => ({ reason, at });

const expected = (what: string, token: Token): Fault =>
  fault(
    token,
    token.kind === 'end'
      ? `The formula ends where ${what} is expected.`
      : `Here ${what} is expected, not "${shownName(token.text)}".`,
  );

function takeOneOf(cursor: Cursor, operators: Operators): string | null {
  return operators.includes(peek(cursor).text) ? take(cursor).text : null;
}

function take(cursor: Cursor): Token {
  const token = peek(cursor);
  if (token.kind !== 'end') cursor.next += 1;
  return token;
}

function peek({ tokens, next }: Cursor): Token {
  const token = tokens[next];
  if (token === undefined) throw new RangeError(`no token at ${next} of ${tokens.length}`);
  return token;
}
