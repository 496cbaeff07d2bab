// Each error that a catch swallows must be used, counted or explained by `// silent: reason`. Plain text scan, as the
// layer check.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const FIX = 'use the error, count it with countError(), or give the reason as "// silent: …"';
const REASON = /\/\/ silent: \S/;
const CATCH = /\bcatch\s*(?:\(\s*([\w$]+)[^)]*\)\s*)?\{/g;
const LISTENER = /\.(?:on|once)\s*\(\s*'error'\s*,/g;
const HANDLER = /\.(catch|then)\s*\(/g;
/**
 * Arguments that drop the error: a noop, or a function without a parameter or with one that starts with an underscore.
 */
const IGNORES =
  /^(?:async\s*)?(?:\(\s*(?:_\w*[^)]*)?\)|_\w*)\s*=>|^(?:async\s+)?function\s*\w*\s*\(\s*\)|^(?:noop|ignore|doNothing)\b/;
const PARAMETER = /^(?:async\s*)?\(?\s*([A-Za-z$][\w$]*)\s*(?::[^)=]*)?\)?\s*=>/;

/** @returns every swallowed error below `src` as `file:line: sentence`. */
export function silentProblems(root) {
  return [...sources(join(root, 'src'))].flatMap((file) => {
    const path = relative(root, file).split(sep).join('/');
    return silentIn(readFileSync(file, 'utf8')).map(({ line, what }) => `${path}:${line}: ${what}: ${FIX}`);
  });
}

/** @returns unexplained swallowed errors of a text with their lines. */
export function silentIn(text) {
  const code = blanked(text);
  const lines = text.split('\n');
  const found = [...blocks(code), ...handlers(code), ...listeners(text, code)];
  return found
    .map(({ from, to, what }) => ({ line: lineOf(code, from), lastLine: lineOf(code, to), what }))
    .filter(({ line, lastLine }) => !isExplained(lines, line, lastLine))
    .sort((a, b) => a.line - b.line);
}

/** The reason is on a line of the catch or the line above it. */
const isExplained = (lines, first, last) => lines.slice(Math.max(0, first - 2), last).some((line) => REASON.test(line));

function* blocks(code) {
  for (const match of code.matchAll(CATCH)) {
    if (code[match.index - 1] === '.') continue;
    const open = match.index + match[0].length - 1;
    const to = endOf(code, open);
    const body = code.slice(open + 1, to);
    const [, name] = match;
    const isUsed = name === undefined ? /\bthrow\b/.test(body) : uses(body, name);
    if (!isUsed) yield { from: match.index, to, what: 'this catch ignores its error' };
  }
}

function* handlers(code) {
  for (const match of code.matchAll(HANDLER)) {
    const open = match.index + match[0].length - 1;
    const to = endOf(code, open);
    const given = partsOf(code.slice(open + 1, to));
    const handler = match[1] === 'catch' ? given[0] : given[1];
    if (handler !== undefined && isIgnoredBy(handler))
      yield { from: match.index, to, what: `this .${match[1]}() ignores its error` };
  }
}

function* listeners(text, code) {
  for (const match of text.matchAll(LISTENER)) {
    const open = match.index + match[0].indexOf('(');
    const to = endOf(code, open);
    if (code[open] === '(' && isIgnoredBy(code.slice(match.index + match[0].length, to).trim()))
      yield { from: match.index, to, what: 'this listener ignores its error' };
  }
}

function isIgnoredBy(handler) {
  if (/\bthrow\b/.test(handler)) return false;
  const name = PARAMETER.exec(handler)?.[1];
  return IGNORES.test(handler) || (name !== undefined && !uses(handler.slice(handler.indexOf('=>')), name));
}

const uses = (code, name) => new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(code);

function partsOf(code) {
  const parts = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= code.length; at++) {
    if ('([{'.includes(code[at] ?? ' ')) depth++;
    else if (')]}'.includes(code[at] ?? ' ')) depth--;
    else if (at === code.length || (code[at] === ',' && depth === 0)) {
      if (code.slice(from, at).trim() !== '') parts.push(code.slice(from, at).trim());
      from = at + 1;
    }
  }
  return parts;
}

function endOf(code, open) {
  let depth = 0;
  for (let at = open; at < code.length; at++) {
    if ('([{'.includes(code[at])) depth++;
    else if (')]}'.includes(code[at]) && --depth === 0) return at;
  }
  return code.length;
}

const lineOf = (code, at) => code.slice(0, at).split('\n').length;

const PLAIN = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/y;
const REGEX = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//y;
const TEMPLATE = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y;
/** A slash after these begins a regular expression. */
const BEFORE_REGEX = /(?:^|[=(,:[!&|?;{}+>\n]|\breturn)\s*$/;

/** Replaces comments and texts by spaces and keeps the lines. */
function blanked(text) {
  const out = [];
  /** Depth of braces in each open `${`. */
  const open = [];
  let at = 0;
  const matchAt = (pattern) => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  const skip = (token) => {
    out.push(token.replace(/[^\n]/g, ' '));
    at += token.length;
  };
  const template = () => {
    const token = matchAt(TEMPLATE) ?? text.slice(at);
    skip(token);
    if (token.endsWith('${')) open.push(0);
  };
  while (at < text.length) {
    const plain = matchAt(PLAIN);
    const char = text[at];
    if (plain !== undefined) skip(plain);
    else if (char === '/' && BEFORE_REGEX.test(text.slice(Math.max(0, at - 20), at)) && matchAt(REGEX))
      skip(matchAt(REGEX));
    else if (char === '`') {
      skip(char);
      template();
    } else if (char === '}' && open.at(-1) === 0) {
      open.pop();
      skip(char);
      template();
    } else {
      if (char === '{' && open.length > 0) open[open.length - 1]++;
      if (char === '}' && open.length > 0) open[open.length - 1]--;
      out.push(char);
      at++;
    }
  }
  return out.join('');
}

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.tsx?$/.test(entry.name)) yield path;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const problems = silentProblems(process.cwd());
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) {
    console.error(`${problems.length} errors are swallowed silently.`);
    process.exitCode = 1;
  } else console.log('No error is swallowed silently.');
}
