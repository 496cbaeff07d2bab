import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULTS, parseConfig, resolveScope } from '../../src/core/config';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** What is made, fetched or another tool's, and so is no part of the repository. */
const NOT_OURS = new Set(['.git', 'node_modules', 'out', 'dist', '.cache', 'coverage', 'test-results']);
const BINARY = new Set(['.png', '.ico', '.icns', '.woff2']);

function* filesOf(folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (NOT_OURS.has(entry.name)) continue;
    if (entry.isDirectory()) yield* filesOf(path);
    else yield path;
  }
}

const files = [...filesOf('')];
const documents = files.filter((path) => path.endsWith('.md'));

/** Targets of Markdown links and pictures, and of the HTML ones. */
function linksIn(text: string): string[] {
  const prose = text.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '');
  const targets = [/\]\(([^)\s]+)\)/g, /\b(?:src|srcset|href)="([^"]+)"/g].map((link) => [...prose.matchAll(link)]);
  return targets.flat().map((match) => match[1] ?? '');
}

/** The anchor a heading gets. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

const anchorsIn = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map((match) => anchorOf(match[1] ?? ''));

/** Why a link leads nowhere; null when it does not. */
function brokenLink(document: string, link: string): string | null {
  if (/^(?:https?|mailto):/.test(link)) return null;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? document : join(dirname(document), path);
  if (!existsSync(join(root, target)) || !statSync(join(root, target)).isFile()) return `${document}: ${link}`;
  return anchor === undefined || anchorsIn(read(target)).includes(anchor) ? null : `${document}: ${link}`;
}

const fencesIn = (text: string, language: RegExp): string[] =>
  [...text.matchAll(/^```(\w*)\n(.*?)^```/gms)].filter(([, name = '']) => language.test(name)).map((m) => m[2] ?? '');

describe('given the documents of the repository', () => {
  it('when a link is followed, then it leads to a file, and to a heading where it names one', () => {
    const links = documents.flatMap((document) => linksIn(read(document)).map((link) => [document, link] as const));
    expect(links.length).toBeGreaterThan(20);
    expect(links.map(([document, link]) => brokenLink(document, link)).filter((broken) => broken !== null)).toEqual([]);
  });

  it('when a command of npm is named, then package.json has it', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = documents.flatMap((document) =>
      [...read(document).matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)].map(
        (match) => match[1] ?? match[2] ?? '',
      ),
    );
    expect(named).toContain('demo');
    expect([...new Set(named)].filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  it('when a path of the repository is named, then it exists', () => {
    const named = documents.flatMap((document) =>
      [...read(document).matchAll(/`((?:src|test|scripts|docs|resources)\/[\w./-]+)`/g)].map((match) => match[1] ?? ''),
    );
    expect(named).toContain('src/engine');
    expect([...new Set(named)].filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('when a decision is recorded, then it has context, decision and consequences, and the index names it', () => {
    const index = read('docs/adr/README.md');
    const decisions = documents.filter((path) => /^docs\/adr\/\d{4}-/.test(path));
    const facts = decisions.map((path) => {
      const headings = [...read(path).matchAll(/^## (.+)$/gm)].map((match) => match[1]);
      return [headings, index.includes(`](${relative('docs/adr', path)})`)];
    });
    expect(decisions.length).toBeGreaterThan(0);
    expect(facts).toEqual(decisions.map(() => [['Context', 'Decision', 'Consequences'], true]));
  });
});

describe('given the examples of model-fallback.json in the README', () => {
  const examples = fencesIn(read('README.md'), /^jsonc?$/).filter((text) => !text.includes('"plugin"'));
  const host = { leads: { build: null, plan: null }, defaultModel: 'anthropic/claude-sonnet-4-20250514' };

  it('when one is saved as it is, then it is in force without a problem', () => {
    const problems = examples.map((text) => {
      const source = { path: 'model-fallback.json', ...parseConfig(text, 'model-fallback.json') };
      return [source.config === null, resolveScope({ global: null, project: source }, host).problems];
    });
    expect(examples.length).toBeGreaterThanOrEqual(2);
    expect(problems).toEqual(examples.map(() => [false, []]));
  });

  it('when defaults are shown, then they are the defaults', () => {
    const shown = examples.map((text) => parseConfig(text, 'model-fallback.json').config?.defaults ?? {});
    expect(shown.filter((defaults) => Object.keys(defaults).length > 0)).not.toEqual([]);
    for (const defaults of shown) expect(DEFAULTS).toMatchObject(defaults);
  });
});

describe('given the layer table in CONTRIBUTING', () => {
  const words = (text: string): string[] => [...text.matchAll(/[\w@/:-]+/g)].map((match) => match[0]);

  it('when it is compared with the layer check, then both say the same', () => {
    const rows = [...read('CONTRIBUTING.md').matchAll(/^\| `src\/(\w+)` \|[^|]*\| ([^|]*) \| ([^|]*) \|$/gm)];
    const told = rows.map(([, folder, folders = '', packages = '']) => [
      folder,
      words(folders).filter((word) => word !== 'none'),
      words(packages).filter((word) => word !== 'none'),
    ]);
    const rule = /^ {2}(\w+): \{\s*folders: \[([^\]]*)\],\s*packages: \[([^\]]*)\]/gm;
    const held = [...read('scripts/check-layers.mjs').matchAll(rule)].map(([, folder, folders = '', packages = '']) => [
      folder,
      words(folders),
      words(packages).map((word) => (word === 'NODE' ? 'Node' : word)),
    ]);
    expect(held.length).toBeGreaterThan(5);
    expect(told).toEqual(held);
  });
});

describe('given every file of the repository', () => {
  it('when it is read, then it names no place of the machine it was made on, and no package host', () => {
    // In pieces, so that this file does not hold them.
    const forbidden = [
      ['/wor', 'k/'],
      ['/tm', 'p/h'],
      ['registry', '.npmjs'],
      ['deb', '.debian'],
    ].map((p) => p.join(''));
    const texts = files.filter((path) => !BINARY.has(extname(path)));
    const found = texts.flatMap((path) => {
      const text = read(path);
      return forbidden.filter((word) => text.includes(word)).map((word) => `${path}: ${word}`);
    });
    expect(texts.length).toBeGreaterThan(100);
    expect(found).toEqual([]);
  });
});

describe('given the pictures', () => {
  it('when they are committed, then each weighs less than 150 kB', () => {
    const pictures = files.filter((path) => path.startsWith('docs/screens/'));
    expect(pictures.length).toBeGreaterThan(0);
    expect(pictures.filter((path) => statSync(join(root, path)).size >= 150_000)).toEqual([]);
  });
});
