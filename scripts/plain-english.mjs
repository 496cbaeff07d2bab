// Counts phrases that readers stumble over, per 10,000 words of each kind of text. CONTRIBUTING has the rules.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const COMMENT = /\/\*\*?([\s\S]*?)\*\/|(?:^|\s)\/\/(?!\/)\s?(.*)$/gm;
const STRING = /'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`|"((?:[^"\\\n]|\\.)*)"/g;
const SENTENCE_WORDS = 5;
/** A longer match is code between two quotes. */
const SENTENCE_MAX_CHARS = 400;

const PHRASES = [
  // A clause as a noun: "What a machine has detected is shared".
  /(?:^|[.:;,(]\s*|\b(?:and|or|of|for|by|to|in|that|with)\s)(?:what|whoever|whatever|who)\s+(?!to\b)[a-z’']+(?=[^?]*?(?:[.;:]|$))/gi,
  // The passive of telling: "is told", "was asked".
  /\b(?:is|are|was|were|be|been|being)\s+(?:not\s+|never\s+|then\s+)?(?:told|said|asked|heard|spoken|meant|taken|lent|owed|kept to|gone by|looked (?:at|up)|played)\b/g,
  // An actor without a name.
  /\b(?:nobody|somebody|anybody|whom|whose)\b/gi,
  /\b(?:of (?:yours|mine|ours|theirs|hers|(?:its|his|their|one['’]s) own)|anew|by (?:itself|themselves)|beside it|thereof)\b/gi,
  // An inversion: "Where no app runs, the file counts".
  /\b[Ww](?:here|ho) [^.,;:]{3,60}, (?:it|that|there|this|they|the)\b/g,
  /\b(?:(?:the|its|their|own|every|no) words? of|a word|go(?:es)? by|went by|says? so|said so|is so\b|not so\b|stands? in\b|comes? of|came of)\b/g,
];

export const read = (path) => readFileSync(path, 'utf8');
export const wordsOf = (text) => text.match(/[A-Za-z’']+/g)?.length ?? 0;

/** @returns phrases that readers stumble over, per 10,000 words. */
export function oddRate(texts) {
  const text = texts.join('\n');
  const count = PHRASES.reduce((sum, phrase) => sum + (text.match(phrase)?.length ?? 0), 0);
  return (10_000 * count) / Math.max(1, wordsOf(text));
}

export function filesIn(folder, pattern) {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile() && pattern.test(file.name))
    .map((file) => join(file.parentPath, file.name));
}

/** A document without its code, its markup and its addresses. @param code stands for code within a line. */
export const proseOf = (text, code = ' ') =>
  text
    .replace(/```[\s\S]*?```/g, ' ')
    .replace(/`[^`\n]*`/g, code)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\]\([^)]*\)/g, ']');
export const commentsOf = (code) => [...code.matchAll(COMMENT)].map(([, block, line]) => block ?? line);
/** Comments without the stars of their lines. */
const plainComments = (code) => commentsOf(code).map((text) => text.replace(/^\s*\*\s?/gm, ''));
const stringsOf = (code) =>
  [...code.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '').matchAll(STRING)]
    .map(([, single, template, double]) => (single ?? template ?? double).replace(/\$\{[^}]*\}/g, 'X'))
    .filter((string) => /\s/.test(string));
const sentencesOf = (code) =>
  stringsOf(code).filter((string) => wordsOf(string) >= SENTENCE_WORDS && /^[\x20-\x7e’“”…–—·×]*$/.test(string));

/** @returns the rate of each kind of text, without German. */
export function measureLanguage(root = ROOT) {
  const at = (...path) => join(root, ...path);
  const isIn = (path, ...folders) => folders.some((folder) => path.split(sep).includes(folder));
  const code = ['src', 'packages']
    .flatMap((folder) => filesIn(at(folder), /\.tsx?$/))
    .filter((path) => !isIn(path, 'de'));
  const isUi = (path) => isIn(path, 'texts', 'wording');
  const isCli = (path) => !isUi(path) && isIn(path, 'cli');
  const documents = filesIn(at('docs'), /\.md$/);
  const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md'].map((name) => at(name));
  const tests = [...filesIn(at('test'), /\.tsx?$/), ...filesIn(at('scripts'), /\.[mc]?[jt]sx?$/)];
  const ofProse = (paths) => oddRate(paths.map((path) => proseOf(read(path), 'X')));
  const ofStrings = (paths, stringsIn) =>
    oddRate(paths.flatMap((path) => stringsIn(read(path))).map((text) => `${text}.`));
  const ofComments = (paths) =>
    oddRate(
      paths.map((path) =>
        plainComments(read(path))
          .join('\n')
          .replace(/`[^`\n]*`/g, 'X'),
      ),
    );
  return {
    oddDocuments: ofProse([...documents.filter((path) => !isIn(path, 'adr')), ...pages]),
    oddAdrs: ofProse(documents.filter((path) => isIn(path, 'adr'))),
    oddChangelog: ofProse([at('CHANGELOG.md')]),
    oddUi: ofStrings(code.filter(isUi), stringsOf),
    oddCli: ofStrings(code.filter(isCli), stringsOf),
    oddSentences: ofStrings(
      code.filter((path) => !isUi(path) && !isCli(path)),
      sentencesOf,
    ),
    oddComments: ofComments(code),
    oddTestComments: ofComments(tests),
  };
}

const NAME = /\b(?:const|let|function)\s+([A-Za-z]\w*)/g;

/**
 * Texts of one kind with their files, sorted by file.
 *
 * @param {'sentences' | 'german' | 'comments' | 'names'} kind
 */
export function textsOf(kind, root = ROOT) {
  const paths = filesIn(join(root, 'src'), /\.tsx?$/).toSorted();
  const isGerman = (path) => path.split(sep).includes('de');
  const meant = paths.filter((path) => isGerman(path) === (kind === 'german'));
  return meant.flatMap((path) => {
    return textsIn(kind, read(path)).map((text) => ({
      path: relative(root, path),
      text: text.replace(/\s+/g, ' ').trim(),
    }));
  });
}

function textsIn(kind, code) {
  if (kind === 'comments') return plainComments(code);
  if (kind === 'names') return [...code.matchAll(NAME)].map(([, name]) => name);
  return stringsOf(code).filter((text) => wordsOf(text) >= SENTENCE_WORDS && text.length <= SENTENCE_MAX_CHARS);
}
