// Reads the TOML subset of models.dev and throws with file and line on anything else: a guess would become a benchmark
// value.

/** Space between statements or list items. */
const GAP = /(?:[ \t\r\n]|#[^\n]*)*/y;
const END_OF_LINE = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y;
const LIST_HEADER = /\[\[([\w.-]+)\]\]/y;
const HEADER = /\[([\w.-]+)\]/y;
const KEY = /([A-Za-z][\w-]*)[ \t]*=[ \t]*/y;
/** Strings that TOML and JSON write in the same way, except for the tab. */
const STRING = /"(?:[^"\\\p{Cc}]|\t|\\["\\bfnrt]|\\u[\dA-Fa-f]{4})*"/uy;
/** Excludes dates and times, which begin alike. */
const NUMBER = /[+-]?(?:0|[1-9]\d*(?:_\d+)*)(?:\.\d+(?:_\d+)*)?(?![\w.:+-])/y;
const TRUTH = /(?:true|false)(?![\w-])/y;

/**
 * Keys before the first table, and tables in order.
 * @param {string} text
 * @param {string} path For errors.
 * @returns {{ head: object, tables: { name: string, isList: boolean, values: object }[] }} `isList`: written
 * `[[name]]`.
 * @throws SyntaxError with file and line.
 */
export function readToml(text, path) {
  const at = { text, path, index: 0 };
  const head = {};
  const tables = [];
  let values = head;
  for (take(at, GAP); at.index < text.length; take(at, GAP)) {
    const table = takeHeader(at, tables);
    if (table === null) takePair(at, values);
    else {
      tables.push(table);
      values = table.values;
    }
    if (take(at, END_OF_LINE) === null) throw unread(at);
  }
  return { head, tables };
}

function takeHeader(at, tables) {
  const list = take(at, LIST_HEADER);
  if (list !== null) return { name: list[1], isList: true, values: {} };
  const single = take(at, HEADER);
  if (single === null) return null;
  if (tables.some(({ name }) => name === single[1])) throw unread(at, `the table ${single[1]} a second time`);
  return { name: single[1], isList: false, values: {} };
}

function takePair(at, values) {
  const key = take(at, KEY)?.[1];
  if (key === undefined) throw unread(at);
  if (Object.hasOwn(values, key)) throw unread(at, `${key} a second time`);
  values[key] = takeValue(at);
}

function takeValue(at) {
  const string = take(at, STRING);
  if (string !== null) return JSON.parse(string[0].replaceAll('\t', '\\t'));
  const number = take(at, NUMBER);
  if (number !== null) return Number(number[0].replaceAll('_', ''));
  const truth = take(at, TRUTH);
  if (truth !== null) return truth[0] === 'true';
  if (take(at, /\[/y) !== null) return takeList(at);
  if (take(at, /\{[ \t]*/y) !== null) return takeInlineTable(at);
  throw unread(at);
}

function takeList(at) {
  const items = [];
  let mayFollow = true;
  for (take(at, GAP); take(at, /\]/y) === null; take(at, GAP)) {
    if (!mayFollow) throw unread(at);
    items.push(takeValue(at));
    take(at, GAP);
    mayFollow = take(at, /,/y) !== null;
  }
  return items;
}

function takeInlineTable(at) {
  const values = {};
  if (take(at, /\}/y) !== null) return values;
  do takePair(at, values);
  while (take(at, /[ \t]*,[ \t]*/y) !== null);
  if (take(at, /[ \t]*\}/y) === null) throw unread(at);
  return values;
}

/**
 * Moves past a match. @returns {RegExpExecArray
 * null} null without one.
 */
function take(at, pattern) {
  pattern.lastIndex = at.index;
  const found = pattern.exec(at.text);
  if (found !== null) at.index = pattern.lastIndex;
  return found;
}

function unread({ text, path, index }, what = JSON.stringify(text.slice(index, index + 30).split('\n')[0])) {
  const line = text.slice(0, index).split('\n').length;
  return new SyntaxError(`${path}:${line}: ${what} is not read here; scripts/read-toml.mjs knows what is`);
}
