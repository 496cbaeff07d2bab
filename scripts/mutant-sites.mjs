// Finds mutants for `scripts/mutants.mjs`. One source contains all of them, each behind a switch.
import { createHash } from 'node:crypto';
import { parseAst } from 'vite';

const FLIPPED = {
  ...{ '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===' },
  ...{ '+': '-', '-': '+', '*': '/', '/': '*' },
};
const SWAPPED = { '&&': '||', '||': '&&', '??': 'left side only' };
const EXITS = new Set(['ReturnStatement', 'ContinueStatement', 'BreakStatement', 'ThrowStatement']);
const REMOVABLE = new Set(['CallExpression', 'AssignmentExpression', 'UpdateExpression', 'AwaitExpression']);
const EMPTY = { ArrayExpression: '[]', ObjectExpression: '{}' };
/** Syntax without a run-time value, except type assertions, which have an operand with one. */
const NO_VALUE = /^(?:TS(?!AsExpression|SatisfiesExpression|NonNullExpression)|Import|ExportAll)/;

/** ID is replaced by the number of the mutant. */
const around = ({ start, end }, before, after) => [
  { at: start, text: before, isOpening: true },
  { at: end, text: after },
];
const through = (change, node) => around(node, '__m.pick(ID, ', `, ${change})`);
const inverted = (node) => through('(x) => !x', node);

/** Edits that replace an operator by the comma between two arguments; none if a comment could hide it. */
function asCall(node, code, before, comma, after) {
  const { left, right, operator } = node;
  const gap = code.slice(left.end, right.start);
  const token = { at: left.end + gap.indexOf(operator), cut: operator.length, text: comma };
  return /\/[/*]/.test(gap) ? null : [...around(node, before, after), token];
}

const returned = (value) =>
  value && value.name !== 'undefined' ? [['undefined returned', through('() => undefined', value)]] : [];

/** Possible changes by node type, as pairs of operator and edits. */
const CHANGES = {
  BinaryExpression(node, code) {
    const [from, to] = [node.operator, FLIPPED[node.operator]];
    const before = `__m.binary(ID, (a, b) => a ${from} b, (a, b) => a ${to} b, `;
    return to ? [[`${from} to ${to}`, asCall(node, code, before, ',', ')')]] : [];
  },
  LogicalExpression(node, code) {
    const { operator, right } = node;
    // The right side becomes a function, which can neither await nor yield.
    if (/\b(?:await|yield)\b/.test(code.slice(right.start, right.end))) return [];
    const edits = asCall(node, code, `__m.logical(ID, '${operator}', `, ', () => (', '))');
    return [[`${operator} to ${SWAPPED[operator]}`, edits]];
  },
  Literal(node) {
    if (typeof node.value === 'number') return [['number plus one', through('(n) => n + 1', node)]];
    if (typeof node.value === 'boolean') return [['boolean inverted', inverted(node)]];
    return typeof node.value === 'string' && node.value ? [['string emptied', through("() => ''", node)]] : [];
  },
  TemplateLiteral: (node, _, { type }) =>
    type === 'TaggedTemplateExpression' ? [] : [['string emptied', through("() => ''", node)]],
  UnaryExpression: (node, _, { test }) =>
    node.operator === '!' && test !== node ? [['! dropped', inverted(node)]] : [],
  ConditionalExpression: ({ test }) => [['condition negated', inverted(test)]],
  IfStatement({ test, consequent, alternate }) {
    const last = consequent.type === 'BlockStatement' ? consequent.body.at(-1) : consequent;
    const exit = ['early exit removed', through('(x) => x && false', test)];
    return [['condition negated', inverted(test)], ...(!alternate && EXITS.has(last?.type) ? [exit] : [])];
  },
  ReturnStatement: ({ argument }) => returned(argument),
  ArrowFunctionExpression: ({ expression, body }) => (expression ? returned(body) : []),
  ExpressionStatement(node) {
    const { type, callee } = node.expression;
    if (!REMOVABLE.has(type) || callee?.type === 'Super') return [];
    return [['statement removed', around(node, '{ if (!__m.pick(ID, false, () => true)) { ', ' } }')]];
  },
  SpreadElement({ argument }, _, { type }) {
    const change = `(x) => (x?.length ?? x?.size ?? Object.keys(x ?? {}).length) ? ${EMPTY[type]} : x`;
    return EMPTY[type] ? [['spread dropped', through(change, argument)]] : [];
  },
};

function* visit(code, node, parent) {
  if (NO_VALUE.test(node.type) || node.directive) return;
  for (const [operator, edits] of CHANGES[node.type]?.(node, code, parent) ?? [])
    if (edits) yield { operator, edits, at: node.start };
  for (const [name, value] of Object.entries(node)) {
    if ((name === 'key' && !node.computed) || name === 'source') continue;
    for (const child of [value].flat()) if (typeof child?.type === 'string') yield* visit(code, child, node);
  }
}

/**
 * Finds mutants in source order. A hash depends on seed, file, operator and line text, so that edits elsewhere do not
 * change which mutants a seed draws.
 */
export function mutantsOf(code, file, seed) {
  const counts = new Map();
  return [...visit(code, parseAst(code, { lang: 'ts' }, file), {})].map(({ operator, edits, at }) => {
    const before = code.slice(0, at).split('\n');
    const line = before.length;
    const identity = `${seed} ${file} ${operator} ${code.split('\n')[line - 1].trim()}`;
    counts.set(identity, (counts.get(identity) ?? 0) + 1);
    const hash = createHash('sha256')
      .update(`${identity} ${counts.get(identity)}`)
      .digest('hex')
      .slice(0, 16);
    return { hash, file, line, column: before.at(-1).length + 1, operator, edits };
  });
}

/** Adds all mutants, which have an `id` by now, to a source. */
export function withSwitches(code, mutants) {
  const edits = mutants.flatMap(({ id, edits }, order) => edits.map((edit) => ({ ...edit, id, order })));
  const rank = ({ isOpening, order }) => (isOpening ? 1 + order : -order);
  let end = 0;
  let written = '';
  for (const { at, text, cut = 0, id } of edits.sort((a, b) => a.at - b.at || rank(a) - rank(b))) {
    written += code.slice(end, at) + text.replace('ID', id);
    end = at + cut;
  }
  return written + code.slice(end);
}

/**
 * Setup file of each test file, with the functions of the switches. Without an active mutant it reports which mutants
 * the file reaches, and which change a value in its tests or already while modules load.
 */
export const SWITCHES = `
import { afterAll, beforeAll, expect, inject } from 'vitest';
const active = inject('mutants')[expect.getState().testPath] ?? null;
const report = { reached: new Set(), changed: new Set(), loaded: new Set() };
let found = report.loaded;
const pick = (id, value, change) => {
  if (active !== null) return id === active ? change(value) : value;
  report.reached.add(id);
  if (!found.has(id) && !Object.is(change(value), value)) found.add(id);
  return value;
};
const binary = (id, original, change, a, b) => pick(id, original(a, b), () => change(a, b));
const needsRight = { '&&': (left) => left, '||': (left) => !left, '??': (left) => left === null || left === undefined };
const logical = (id, operator, left, right) => {
  const isRight = needsRight[operator](left);
  if (id === active) return isRight || operator === '??' ? left : right();
  // Where the left side decides, the right one is not evaluated, and counts as another value.
  return pick(id, isRight ? right() : left, () => (isRight || operator === '??' ? left : {}));
};
globalThis.__m = { pick, binary, logical };
beforeAll(() => { found = report.changed; });
afterAll(({}, file) => { for (const [name, ids] of Object.entries(report)) file.meta[name] = [...ids]; });
`;
