// Compares sizes with the limits of budgets.json. Raising a limit needs an ADR.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { companionParts } from './npm-package.mjs';
import { commentsOf, filesIn, measureLanguage, proseOf, read, wordsOf } from './plain-english.mjs';

const ROOT = join(import.meta.dirname, '..');
const CODE = /\.tsx?$/;
const KILO = 1_000;

const linesOf = (text) => text.split('\n').length - 1;
const sumOf = (items, measure) => [...items].reduce((sum, item) => sum + measure(item), 0);

export function measureSources(root = ROOT) {
  const code = ['src', 'packages'].flatMap((folder) => [...filesIn(join(root, folder), CODE)]).map(read);
  const documents = [...filesIn(join(root, 'docs'), /\.md$/)].filter((path) => !/[\\/]adr[\\/]/.test(path));
  const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md'].map((name) => join(root, name));
  return {
    sourceLines: sumOf(code, linesOf),
    commentWords: sumOf(code, (text) => wordsOf(commentsOf(text).join('\n'))),
    documentWords: sumOf([...documents, ...pages].map(read), (text) => wordsOf(proseOf(text))),
    readmeLines: linesOf(read(join(root, 'README.md'))),
    ...measureLanguage(root),
  };
}

export function measureBuild(root = ROOT) {
  const renderer = join(root, 'out', 'renderer');
  const scripts = [...read(join(renderer, 'index.html')).matchAll(/(?:src|href)="\.?\/?(assets\/[^"]+\.js)"/g)];
  const { eager, whole } = companionBytes(join(root, 'out', 'plugin'));
  return {
    companionEagerKb: eager / KILO,
    companionKb: whole / KILO,
    npmPackageKb:
      sumOf(filesIn(join(root, 'out', 'npm', 'opencode-understudy'), /./), (path) => readFileSync(path).length) / KILO,
    panelFirstLoadKb: sumOf(scripts, ([, path]) => gzipSync(readFileSync(join(renderer, path))).length) / KILO,
  };
}

/** @returns bytes that OpenCode loads with a chain, of the larger generation, and bytes of all files. */
function companionBytes(folder) {
  const parts = join(folder, companionParts(folder));
  const bytesOf = (path) => readFileSync(path).length;
  const entry = bytesOf(join(folder, 'opencode-understudy.js'));
  const eager = ['opencode1.js', 'opencode2.js'].map((start) => {
    const loaded = new Set([start]);
    // Iterating a set includes items added meanwhile.
    for (const name of loaded)
      for (const [, other] of read(join(parts, name)).matchAll(/^import .*"\.\/([\w-]+\.js)";$/gm)) loaded.add(other);
    return sumOf(loaded, (name) => bytesOf(join(parts, name)));
  });
  return {
    eager: entry + Math.max(...eager),
    whole: entry + sumOf(filesIn(parts, /\.js$/), bytesOf),
  };
}

export const readBudgets = (root = ROOT) => JSON.parse(read(join(root, 'budgets.json')));

/**
 * Describes measures that exceed their limit or have none.
 * @param {Readonly<Record<string, number>>} measured
 * @param {Readonly<Record<string, number>>} limits
 */
export function exceeded(measured, limits) {
  return Object.entries(measured).flatMap(([name, value]) => {
    if (limits[name] === undefined) return [`${name}: budgets.json has no limit for it`];
    return value > limits[name] ? [`${name}: ${Math.ceil(value)} exceeds ${limits[name]}`] : [];
  });
}

export function printBudgets(measured, limits = readBudgets()) {
  for (const [name, value] of Object.entries(measured)) console.log(`${name}: ${Math.round(value)} of ${limits[name]}`);
  const problems = exceeded(measured, limits);
  for (const problem of problems) console.error(problem);
  return problems.length === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = printBudgets(measureSources());
