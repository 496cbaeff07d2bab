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

const wordsOf = (text) => text.match(/[A-Za-z’']+/g)?.length ?? 0;

/** @returns phrases that readers stumble over, per 10,000 words. */
export function oddRate(texts) {
  const text = texts.join('\n');
  const count = PHRASES.reduce((sum, phrase) => sum + (text.match(phrase)?.length ?? 0), 0);
  return (10_000 * count) / Math.max(1, wordsOf(text));
}

function filesIn(folder, pattern) {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile() && pattern.test(file.name))
    .map((file) => join(file.parentPath, file.name));
}

const proseOf = (text) =>
  text
    .replace(/```[\s\S]*?```/g, ' ')
    .replace(/`[^`\n]*`/g, 'X')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\]\([^)]*\)/g, ']');
const commentsOf = (code) =>
  [...code.matchAll(COMMENT)]
    .map(([, block, line]) => (block ?? line).replace(/^\s*\*\s?/gm, '').replace(/`[^`\n]*`/g, 'X'))
    .join('\n');
const stringsOf = (code) =>
  [...code.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '').matchAll(STRING)]
    .map(([, single, template, double]) => (single ?? template ?? double).replace(/\$\{[^}]*\}/g, 'X'))
    .filter((string) => /\s/.test(string));
const sentencesOf = (code) =>
  stringsOf(code).filter((string) => wordsOf(string) >= SENTENCE_WORDS && /^[\x20-\x7e’“”…–—·×]*$/.test(string));

/** @returns the rate of each kind of text, without German. */
export function measureLanguage(root = ROOT) {
  const read = (path) => readFileSync(path, 'utf8');
  const at = (...path) => join(root, ...path);
  const isIn = (path, ...folders) => folders.some((folder) => path.split(sep).includes(folder));
  const code = [...filesIn(at('src'), /\.tsx?$/), ...filesIn(at('packages'), /\.tsx?$/)].filter(
    (path) => !isIn(path, 'de'),
  );
  const isUi = (path) => isIn(path, 'texts', 'wording');
  const isCli = (path) => !isUi(path) && isIn(path, 'cli');
  const documents = filesIn(at('docs'), /\.md$/);
  const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md'].map((name) => at(name));
  const tests = [...filesIn(at('test'), /\.tsx?$/), ...filesIn(at('scripts'), /\.[mc]?[jt]sx?$/)];
  return {
    oddDocuments: oddRate([...documents.filter((path) => !isIn(path, 'adr')), ...pages].map(read).map(proseOf)),
    oddAdrs: oddRate(
      documents
        .filter((path) => isIn(path, 'adr'))
        .map(read)
        .map(proseOf),
    ),
    oddChangelog: oddRate([proseOf(read(at('CHANGELOG.md')))]),
    oddUi: oddRate(
      code
        .filter(isUi)
        .map(read)
        .flatMap(stringsOf)
        .map((string) => `${string}.`),
    ),
    oddCli: oddRate(
      code
        .filter(isCli)
        .map(read)
        .flatMap(stringsOf)
        .map((string) => `${string}.`),
    ),
    oddSentences: oddRate(
      code
        .filter((path) => !isUi(path) && !isCli(path))
        .map(read)
        .flatMap(sentencesOf)
        .map((sentence) => `${sentence}.`),
    ),
    oddComments: oddRate(code.map(read).map(commentsOf)),
    oddTestComments: oddRate(tests.map(read).map(commentsOf)),
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
    const code = readFileSync(path, 'utf8');
    return textsIn(kind, code).map((text) => ({ path: relative(root, path), text: text.replace(/\s+/g, ' ').trim() }));
  });
}

function textsIn(kind, code) {
  if (kind === 'comments')
    return [...code.matchAll(COMMENT)].map(([, block, line]) => (block ?? line).replace(/^\s*\*\s?/gm, ''));
  if (kind === 'names') return [...code.matchAll(NAME)].map(([, name]) => name);
  return stringsOf(code).filter((text) => wordsOf(text) >= SENTENCE_WORDS && text.length <= SENTENCE_MAX_CHARS);
}
