import { parseSync } from 'vite';

/** A text in a source file that should be in the catalogue. */
export type LiteralText = Readonly<{ line: number; text: string }>;

type Node = Readonly<{ type: string; start: number } & Record<string, unknown>>;

const LETTER = /\p{L}/u;
/** Two words: what names things to programs has no spaces. */
const PROSE = /\p{L}{2}[,.:;!?’]? \p{L}/u;
/** Attributes and fields that people read, or hear. */
const READ =
  /^(?:aria-(?:label|description|roledescription|valuetext)|title|label|placeholder|alt|caption|hint|lede|text|subject|action|message)$/;
/** Attributes that are for the page alone. */
const UNREAD = /^(?:className|style|d|points|viewBox|transform|href|id|htmlFor|type|role|name|key|data-.*)$/;

/** The literal texts of a TypeScript source: between tags, where names for people stand, and wherever words follow words. */
export function literalTexts(name: string, source: string): readonly LiteralText[] {
  const { program, errors } = parseSync(name, source);
  if (errors.length > 0) throw new SyntaxError(`${name}: ${errors[0]?.message}`);
  const found: LiteralText[] = [];
  const note = (node: Node, text: string) =>
    found.push({ line: source.slice(0, node.start).split('\n').length, text: text.trim() });
  visit(program as unknown as Node, false, note);
  return found;
}

type Note = (node: Node, text: string) => void;

/** Functions that are given selectors and media queries. */
const ASKING_THE_PAGE = /^(?:closest|matches|matchMedia|querySelector(?:All)?)$/;

/** Visits what people may read; `isRead` says that whatever is written here is shown. */
function visit(node: Node, isRead: boolean, note: Note): void {
  if (isForPrograms(node)) return;
  const text = textOf(node);
  if (text !== null && (isRead || node.type === 'JSXText' ? LETTER : PROSE).test(text)) note(node, text);
  for (const [child, isShown] of childrenOf(node)) visit(child, isShown ?? (isRead && isPassedOn(node, child)), note);
}

/** What a program reads: addresses of modules, types, words that are compared, and what only a developer sees. */
function isForPrograms(node: Node): boolean {
  if (
    node.type.startsWith('TS') &&
    !['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'].includes(node.type)
  )
    return true;
  if (node.type === 'JSXAttribute') return UNREAD.test(nameOf(node.name));
  if (node.type === 'CallExpression' && isNode(node.callee)) return ASKING_THE_PAGE.test(nameOf(node.callee.property));
  return (
    ['ImportDeclaration', 'ThrowStatement', 'ExportNamedDeclaration'].includes(node.type) && node.declaration == null
  );
}

function textOf(node: Node): string | null {
  if (node.type === 'JSXText') return String(node.value);
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  return node.type === 'TemplateElement' ? (node.value as { cooked: string }).cooked : null;
}

/** True if what is shown of a node is what this child says: not the sides of a comparison, nor what a function is given. */
function isPassedOn(node: Node, child: Node): boolean {
  if (node.type === 'ConditionalExpression') return child !== node.test;
  return !['BinaryExpression', 'CallExpression', 'MemberExpression', 'ArrowFunctionExpression'].includes(node.type);
}

/** The nodes inside of a node; with true or false where it is plain that they are shown, or are not. */
function childrenOf(node: Node): readonly (readonly [Node, boolean | undefined])[] {
  const children = Object.values(node).flat().filter(isNode);
  if (node.type === 'JSXAttribute') return children.map((child) => [child, READ.test(nameOf(node.name))]);
  if (node.type === 'Property' && READ.test(nameOf(node.key)))
    return children.map((child) => [child, child === node.value]);
  if (node.type === 'JSXElement' || node.type === 'JSXFragment')
    return children.map((child) => [child, child.type === 'JSXExpressionContainer']);
  return children.map((child) => [child, undefined]);
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const nameOf = (node: unknown): string => (isNode(node) ? String(node.name ?? node.value ?? '') : '');
