import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PreferencesPatch } from '../../src/contract/preferences';
import { DEFAULTS, parseConfig, parseForeign, resolveScope } from '../../src/core/config';
import { openDocument, plainValue } from '../../src/core/config/document';
import { ProviderMapFile } from '../../src/core/providers/provider-schema';
import { runnableCommands } from '../cli/all-commands';
import { usageError } from '../cli/command-tree';
import { titlesOn2 } from '../support/matrix/groups2';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** What is made, fetched or another tool's, and so is no part of the repository. */
const NOT_OURS = new Set([
  '.git',
  'node_modules',
  'out',
  'dist',
  '.cache',
  'coverage',
  'test-results',
  'difference.md',
]);
const BINARY = new Set(['.png', '.gif', '.ico', '.icns', '.woff2']);

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

  it('when a comment of the sources cites a page or an ADR, then it is in the repository, and has the section it names', () => {
    const cited = files
      .filter((path) => path.startsWith('src/') && /\.tsx?$/.test(path))
      .flatMap((path) => [
        ...[...read(path).matchAll(/\bADR (\d{4})/g)].map(([, number]) => `docs/adr/${number}`),
        ...[...read(path).matchAll(/Source: (docs\/[\w/-]+\.md)(?:, ([\w ]+))?/g)].map(([, page, part]) =>
          part === undefined || /^N\d/.test(part) ? page : `${page}#${anchorOf(part)}`,
        ),
      ]);
    const isThere = (place = ''): boolean => {
      const [page = '', anchor] = place.split('#');
      if (page.startsWith('docs/adr/')) return files.some((path) => path.startsWith(`${page}-`));
      return files.includes(page) && (anchor === undefined || anchorsIn(read(page)).includes(anchor));
    };
    expect(cited.length).toBeGreaterThan(40);
    expect([...new Set(cited)].filter((place) => !isThere(place))).toEqual([]);
    const elsewhere = /Source: (?:engine|configuration) specification|Source: .*(?:second look|soft-switch)/;
    expect(files.filter((path) => path.startsWith('src/') && elsewhere.test(read(path)))).toEqual([]);
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

/** An example of a file, and which file it is of. */
type Example = Readonly<{ document: string; text: string; of: 'chains' | 'preferences' | 'provider' | 'opencode' }>;

function kindOf(text: string): Example['of'] {
  if (text.includes('"plugin"') || text.includes('// opencode.json')) return 'opencode';
  if (text.includes('"version": 1')) return 'provider';
  return text.includes('"history"') ? 'preferences' : 'chains';
}

const EXAMPLES: readonly Example[] = documents.flatMap((document) =>
  fencesIn(read(document), /^jsonc?$/).map((text) => ({ document, text, of: kindOf(text) })),
);
const examplesOf = (kind: Example['of']): readonly Example[] => EXAMPLES.filter(({ of }) => of === kind);

/** What a text with comments holds; undefined when it cannot be read. */
function valueIn(text: string): unknown {
  const opened = openDocument(text);
  return opened.ok ? plainValue(opened.root) : undefined;
}

/** Every key a JSON Schema knows, at any depth. */
function keysIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { properties?: object };
  return [
    ...Object.keys(properties),
    ...Object.values(schema).flatMap(keysIn),
    ...Object.values(properties).flatMap(keysIn),
  ];
}

describe('given the examples of files in the documents', () => {
  const host = { leads: { build: null, plan: null }, defaultModel: 'anthropic/claude-sonnet-4-20250514' };

  it('when one of model-fallback.json is saved as it is, then it is in force without a problem', () => {
    const problems = examplesOf('chains').map(({ document, text }) => {
      const source = { path: 'model-fallback.json', ...parseConfig(text, 'model-fallback.json') };
      return [document, source.config === null, resolveScope({ global: null, project: source }, host).problems];
    });
    expect(problems.map(([document]) => document)).toEqual(
      expect.arrayContaining(['README.md', 'docs/configuration.md']),
    );
    expect(problems).toEqual(problems.map(([document]) => [document, false, []]));
  });

  it('when one is of another file of Understudy, then it is understood', () => {
    const schemas = { preferences: PreferencesPatch, provider: ProviderMapFile };
    const understood = (['preferences', 'provider'] as const).map((kind) =>
      examplesOf(kind).map(({ text }) => schemas[kind].safeParse(valueIn(text)).success),
    );
    expect(understood).toEqual([[true], [true]]);
  });

  it('when it is of OpenCode, then it can be read, and its chains are in force without a problem', () => {
    const read = examplesOf('opencode').map(({ text }) => parseForeign(text, 'opencode.json', { type: 'opencode' }));
    expect(read.map((parsed) => parsed?.problems)).toEqual(read.map(() => []));
    expect(read.flatMap((parsed) => Object.keys(parsed?.config?.agents ?? {}))).toContain('oracle');
  });

  it('when the page of the configuration shows defaults, then they are the defaults, and all of them', () => {
    const shown = examplesOf('chains')
      .filter(({ text }) => text.includes('"cooldownMs"'))
      .map(({ text }) => parseConfig(text, 'model-fallback.json').config?.defaults);
    expect(shown).toEqual([DEFAULTS]);
  });

  it('when a key may be written, then the page of the configuration names it', () => {
    const page = read('docs/configuration.md');
    const keys = keysIn(JSON.parse(read('resources/model-fallback.schema.json')));
    expect(keys.length).toBeGreaterThan(40);
    expect(keys.filter((key) => !page.includes(key))).toEqual([]);
  });
});

describe('given the commands in the documents', () => {
  const lines = documents
    .flatMap((document) => fencesIn(read(document), /^sh$/))
    .flatMap((text) =>
      [...text.matchAll(/^understudy (.+)$/gm)].map((match) => (match[1] ?? '').split(/ (?:[|>#]|&&) /)[0] ?? ''),
    );

  it('when one is shown, then the command line takes it', async () => {
    expect(lines.length).toBeGreaterThan(30);
    const problems = await Promise.all([...new Set(lines)].map(async (line) => [line, await usageError(line)]));
    expect(problems.filter(([, problem]) => problem !== null)).toEqual([]);
  });

  it('when the command line has a command, then its page names it', async () => {
    const page = read('docs/cli.md');
    const all = await runnableCommands();
    expect(all).toContain('data import');
    expect(all.filter((name) => !page.includes(`\`${name}\``) && !page.includes(`\`${name} `))).toEqual([]);
  });
});

describe('given the index of the documents', () => {
  it('when there is a page, then the index leads to it', () => {
    const index = read('docs/README.md');
    const pages = documents.filter((path) => /^docs\/[\w-]+\.md$/.test(path) && path !== 'docs/README.md');
    expect(pages.length).toBeGreaterThan(10);
    expect(pages.filter((path) => !index.includes(`](${relative('docs', path)})`))).toEqual([]);
  });
});

describe('given the layer table in CONTRIBUTING', () => {
  const words = (text: string): string[] => [...text.matchAll(/[\w@/:-]+/g)].map((match) => match[0]);

  it('when it is compared with the layer check, then both say the same', () => {
    const rows = [
      ...read('CONTRIBUTING.md').matchAll(/^\| `src\/(?:features\/\*\/)?(\w+)` \|[^|]*\| ([^|]*) \| ([^|]*) \|$/gm),
    ];
    const told = rows.map(([, folder, folders = '', packages = '']) => [
      folder,
      words(folders).filter((word) => word !== 'none'),
      words(packages).filter((word) => word !== 'none'),
    ]);
    const rule = /^ {2}(\w+): \{\s*layers: \[([^\]]*)\],\s*packages: \[([^\]]*)\]/gm;
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
  it('when they are committed, then each weighs less than 150 kB, and one that moves less than 500 kB', () => {
    const pictures = files.filter((path) => /^docs\/(?:screens|demo)\//.test(path));
    const limitOf = (path: string): number => (path.endsWith('.gif') ? 500_000 : 150_000);
    expect(pictures.length).toBeGreaterThan(0);
    expect(pictures.filter((path) => statSync(join(root, path)).size >= limitOf(path))).toEqual([]);
  });
});

describe('given the page of what was seen on OpenCode 2', () => {
  /** The faults of a lead are played on the double alone; on the real one each is a row of the matrix. */
  const promises = read('test/support/opencode2/promises.ts').replace(/^const FAULTS:.*?^\];/ms, '');
  const [, ...real] = read('test/e2e/opencode2.test.ts').split("describe.skipIf(OPENCODE2 === '')");
  const others = [
    'council2',
    'opencode2-facts',
    'opencode2-journey',
    'restart',
    'accounts',
    'plugin-folder',
    'sockets',
    'tools',
    'tui',
  ].map((name) => read(`test/e2e/${name}.test.ts`));
  const council = read('test/support/council-promises.ts');
  const played = [...titlesOn2(), promises, council, ...real, ...others].join('\n');
  const quoted = read('docs/opencode2-status.md')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => [...(line.split(' | ')[1] ?? '').matchAll(/`'([^`]+)'`/g)].map((match) => match[1] ?? ''));

  it('when it names a test, then that is one on the real OpenCode 2', () => {
    expect(quoted.length).toBeGreaterThan(25);
    expect(quoted.filter((title) => !played.includes(title))).toEqual([]);
  });

  it('when faults are looked for, then those that only the double plays are none of them', () => {
    expect(played).toContain('sends an empty body');
    expect(played).not.toContain('ends an empty stream');
  });
});

describe('given the table of both generations', () => {
  const rows = read('docs/generations.md')
    .split('\n')
    .filter((line) => /^\| (?!Promise)[^-]/.test(line))
    .map((line) => line.split(' | '));
  const named = (cell = ''): readonly (readonly [string, string])[] =>
    [...cell.matchAll(/`([\w-]+)`(?:: `'([^']+)'`)?/g)].map((match) => [match[1] ?? '', match[2] ?? ''] as const);

  it('when it names a test, then that test is there, and one that is the same is played on each', () => {
    expect(rows.length).toBeGreaterThan(20);
    const wrong = rows.flatMap(([, one = '', two = '']) => [
      ...[...named(one), ...named(two)].filter(([file, title]) => !read(`test/e2e/${file}.test.ts`).includes(title)),
      ...(two.startsWith('the same')
        ? named(one).filter(([file]) => !isPlayedOnBoth(read(`test/e2e/${file}.test.ts`)))
        : []),
    ]);
    expect(wrong).toEqual([]);
  });

  const isPlayedOnBoth = (text: string): boolean =>
    /\.each\((?:GENERATIONS|BINARIES)\b|describeGenerations\(/.test(text);
});
