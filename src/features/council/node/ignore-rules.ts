/**
 * What a `.gitignore` says, looked at in a time that its size bounds. A stranger wrote it: as a regular expression, a line of a few characters
 * would hold up the process for minutes. Here no wildcard is tried again once a later one has been reached, which comes to the same.
 * Source: https://git-scm.com/docs/gitignore, and wildmatch.c of git; upper and lower case are the same, as on most disks.
 */

/** Rules of one file, and characters of one rule. Nobody writes as many by hand. */
const RULES_MAX = 5_000;
const RULE_MAX_CHARS = 1_000;

/** One line of the file. */
export type IgnoreRule = Readonly<{
  /** It takes back what a line above it says. */
  isNegative: boolean;
  isForFolders: boolean;
  /** Names from its folder on, one a folder; a single one where the rule holds for a name anywhere below. */
  segments: readonly Segment[];
  isAnywhere: boolean;
}>;

/** A name as it may be; or, for `**`, any number of folders. */
type Segment = typeof ANY_FOLDERS | string | readonly Token[];
type Token = string | typeof ANY_CHAR | typeof ANY_CHARS | CharClass;
type CharClass = Readonly<{ isNegative: boolean; size: number; has(char: string): boolean }>;

const ANY_FOLDERS = Symbol('**');
const ANY_CHAR = Symbol('?');
const ANY_CHARS = Symbol('*');

/** Counts what was compared, to bound it. */
export type Work = { steps: number };

/** The rules of a file in its order, and of how many characters they are; or why they are not looked at, as the rest of a sentence. */
export function readRules(
  text: string,
): Readonly<{ rules: readonly IgnoreRule[]; characters: number }> | Readonly<{ problem: string }> {
  const rules: IgnoreRule[] = [];
  let characters = 0;
  for (const { line, number } of linesOf(text)) {
    if (line.length > RULE_MAX_CHARS) return { problem: `line ${number} is longer than ${RULE_MAX_CHARS} characters` };
    const rule = ruleOf(line);
    if (rule === null) continue;
    if (rules.length >= RULES_MAX) return { problem: `they are more than ${RULES_MAX}` };
    rules.push(rule);
    characters += line.length;
  }
  return { rules, characters };
}

/** Its lines but for comments and empty ones, without blanks at their ends. */
function* linesOf(text: string): Generator<Readonly<{ line: string; number: number }>> {
  let number = 0;
  for (let start = text.startsWith('\uFEFF') ? 1 : 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    number++;
    const line = text.slice(start, text[end - 1] === '\r' ? end - 1 : end);
    if (line !== '' && line[0] !== '#') yield { line: withoutEnd(line), number };
    start = end + 1;
  }
}

/** Blanks at its end count where a backslash stands before them. */
function withoutEnd(line: string): string {
  let end = line.length;
  while (end > 0 && ' \t'.includes(line[end - 1] ?? '')) end--;
  if (end === line.length) return line;
  let slashes = 0;
  while (slashes < end && line[end - 1 - slashes] === '\\') slashes++;
  return line.slice(0, slashes % 2 === 1 ? end + 1 : end);
}

function ruleOf(line: string): IgnoreRule | null {
  const isNegative = line.startsWith('!');
  const said = isNegative ? line.slice(1) : line;
  const isForFolders = said.endsWith('/');
  const pattern = isForFolders ? said.slice(0, -1) : said;
  if (pattern === '') return null;
  const isAnywhere = !pattern.includes('/');
  const names = pattern.replace(/^\//, '').split('/');
  const segments = names.flatMap((name, at) => {
    const isAny = ANY.test(name) && !isAnywhere;
    // Any number of folders twice is any number of them.
    if (isAny && ANY.test(names[at - 1] ?? '')) return [];
    return [isAny ? ANY_FOLDERS : segmentOf(name)];
  });
  // A backslash with nothing after it fits nothing.
  return segments.some((segment) => segment === null)
    ? null
    : { isNegative, isForFolders, segments: segments as readonly Segment[], isAnywhere };
}

/** More stars than two are as good as two. */
const ANY = /^\*{2,}$/;

/** A name as it may be; null where no name fits. */
function segmentOf(name: string): Segment | null {
  const tokens: Token[] = [];
  for (let at = 0; at < name.length; at++) {
    const char = name[at] ?? '';
    if (char === '*') {
      if (tokens.at(-1) !== ANY_CHARS) tokens.push(ANY_CHARS);
    } else if (char === '?') {
      tokens.push(ANY_CHAR);
    } else if (char === '[') {
      const read = classAt(name, at + 1);
      if (read === null) return null;
      tokens.push(read.charClass);
      at = read.end;
    } else if (char === '\\') {
      at++;
      if (at >= name.length) return null;
      tokens.push(plain(name[at] ?? ''));
    } else tokens.push(plain(char));
  }
  return tokens.every((token) => typeof token === 'string') ? tokens.join('') : tokens;
}

/** Upper and lower case as one. A few letters become two, which are compared with names only. */
const plain = (text: string): string => text.toLowerCase();

/** What stands in brackets from a place on, and where they end; null where they do not. */
function classAt(name: string, start: number): Readonly<{ charClass: CharClass; end: number }> | null {
  const isNegative = name[start] === '!' || name[start] === '^';
  const ranges: (readonly [string, string])[] = [];
  const named: RegExp[] = [];
  const first = isNegative ? start + 1 : start;
  for (let at = first; at < name.length; at++) {
    if (name[at] === ']' && at > first) return { charClass: charClass(isNegative, ranges, named), end: at };
    const posix = name[at] === '[' && name[at + 1] === ':' ? /^\[:([a-z]{1,8}):\]/.exec(name.slice(at, at + 12)) : null;
    if (posix !== null) {
      const chars = POSIX[posix[1] ?? ''];
      if (chars === undefined) return null;
      named.push(chars);
      at += posix[0].length - 1;
      continue;
    }
    if (name[at] === '\\') at++;
    const from = name[at] ?? '';
    const isRange = name[at + 1] === '-' && name[at + 2] !== undefined && name[at + 2] !== ']';
    if (isRange) at += name[at + 2] === '\\' ? 3 : 2;
    ranges.push([from, isRange ? (name[at] ?? '') : from]);
  }
  return null;
}

function charClass(
  isNegative: boolean,
  ranges: readonly (readonly [string, string])[],
  named: readonly RegExp[],
): CharClass {
  const isIn = (char: string): boolean =>
    ranges.some(([from, to]) => from <= char && char <= to) || named.some((chars) => chars.test(char));
  return { isNegative, size: ranges.length + named.length, has: (char) => isIn(char) || isIn(char.toUpperCase()) };
}

/** Sets of characters by name. */
const POSIX: Readonly<Record<string, RegExp>> = {
  alnum: /^[a-z0-9]$/i,
  alpha: /^[a-z]$/i,
  blank: /^[ \t]$/,
  cntrl: /^\p{Cc}$/u,
  digit: /^\d$/,
  graph: /^[!-~]$/,
  lower: /^[a-z]$/i,
  print: /^[ -~]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  space: /^[ \t-\r]$/,
  upper: /^[a-z]$/i,
  xdigit: /^[\da-f]$/i,
};

/**
 * Whether a rule speaks of what lies at a path: of that alone, not of what lies in a folder it speaks of.
 *
 * @param names of the folders from the one of the file on, and of what it is asked of, in lower case.
 */
export function speaksOf(rule: IgnoreRule, names: readonly string[], isFolder: boolean, work: Work): boolean {
  work.steps++;
  if (rule.isForFolders && !isFolder) return false;
  const seen = rule.isAnywhere ? names.slice(-1) : names;
  return fits(rule.segments, seen, {
    isAny: (segment) => segment === ANY_FOLDERS,
    isOne: (segment, name) => isNameAs(segment, name, work),
    // A folder is not in itself.
    needsMore: rule.segments.at(-1) === ANY_FOLDERS,
  });
}

function isNameAs(segment: Segment, name: string, work: Work): boolean {
  work.steps++;
  if (segment === ANY_FOLDERS) return false;
  if (typeof segment === 'string') return segment === name;
  return fits(segment, name, {
    isAny: (token) => token === ANY_CHARS,
    isOne: (token, char) => {
      work.steps += typeof token === 'object' ? token.size : 1;
      return isCharAs(token, char);
    },
    needsMore: false,
  });
}

function isCharAs(token: Token, char: string): boolean {
  if (typeof token === 'string') return token === char;
  if (typeof token === 'symbol') return token === ANY_CHAR;
  return token.has(char) !== token.isNegative;
}

/** How parts of a pattern are compared with those of what is there. */
type Comparing<P> = Readonly<{
  isAny(part: P): boolean;
  isOne(part: P, seen: string): boolean;
  /** The last one stands for at least one part. */
  needsMore: boolean;
}>;

/**
 * Whether a pattern fits as a whole. What stands between two that mean any number is taken where it is found first; so only the last of them is
 * ever tried again, and the time is at most the product of both lengths.
 */
function fits<P>(pattern: ArrayLike<P>, seen: ArrayLike<string>, { isAny, isOne, needsMore }: Comparing<P>): boolean {
  let [at, seenAt, anyAt, anySeenAt] = [0, 0, -1, 0];
  const least = (part: number): number => (needsMore && part === pattern.length - 1 ? 1 : 0);
  while (seenAt < seen.length) {
    const part = pattern[at];
    if (part !== undefined && isAny(part)) {
      anyAt = at;
      anySeenAt = seenAt;
      if (least(at) > 0) return true;
      at++;
    } else if (part !== undefined && isOne(part, seen[seenAt] ?? '')) {
      at++;
      seenAt++;
    } else if (anyAt >= 0) {
      anySeenAt++;
      seenAt = anySeenAt;
      at = anyAt + 1;
    } else return false;
  }
  while (at < pattern.length && isAny(pattern[at] as P) && least(at) === 0) at++;
  return at === pattern.length;
}
