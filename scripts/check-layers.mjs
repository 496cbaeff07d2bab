// Checks the import table of the docs by folder name. Plain text scan, so that it works with any compiler.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const NODE = 'node:';
/**
 * Layers and packages that each layer may import besides itself. `src/LAYER` is shared, `src/features/NAME/LAYER`
 * belongs to a feature. `node:` allows all of Node.
 */
const ALLOWED = {
  engine: { layers: [], packages: [] },
  rules: { layers: ['engine'], packages: ['zod'] },
  texts: { layers: [], packages: [] },
  protocol: { layers: ['engine'], packages: ['zod'] },
  contract: { layers: ['engine', 'rules', 'texts'], packages: ['zod'] },
  wording: { layers: ['engine', 'rules', 'texts', 'contract'], packages: ['fast-string-width'] },
  core: {
    layers: ['engine', 'rules', 'protocol', 'contract', 'wording'],
    packages: ['zod', 'jsonc-parser', 'markdown-it', 'yaml'],
  },
  node: {
    layers: ['core', 'protocol', 'contract', 'wording', 'engine', 'rules'],
    packages: [NODE, '@modelcontextprotocol/sdk', 'chokidar', 'diff', 'iovalkey', 'proper-lockfile', 'zod'],
  },
  main: {
    layers: ['core', 'node', 'contract', 'wording', 'protocol', 'engine', 'panel', 'preload', 'texts', 'cli'],
    packages: [NODE, 'electron', 'zod'],
  },
  preload: { layers: ['contract'], packages: ['electron'] },
  renderer: {
    layers: ['contract', 'wording', 'texts', 'rules'],
    packages: [
      'react',
      'react-dom',
      'zustand',
      'zod',
      '@dnd-kit',
      'recharts',
      '@tanstack/react-virtual',
      'cmdk',
      'eventsource',
    ],
  },
  panel: { layers: ['core', 'node', 'contract', 'wording'], packages: [NODE, 'zod', 'prom-client'] },
  plugin: {
    layers: ['engine', 'rules', 'protocol', 'contract', 'wording', 'core', 'node'],
    packages: [NODE, 'zod', '@opentui/solid', 'solid-js'],
  },
  demo: {
    layers: ['core', 'node', 'contract', 'wording', 'protocol', 'panel', 'rules'],
    packages: [NODE, 'zod'],
  },
  cli: {
    layers: ['demo', 'core', 'node', 'contract', 'wording', 'protocol', 'panel', 'rules'],
    packages: [NODE, 'commander', 'zod', 'fast-string-width', 'fast-wrap-ansi'],
  },
};
/** Folders of the engine that others may import; its closed lists are open to all. */
const ENGINE_DOORS = ['', '/names', '/scorecard', '/tools'];
const NAMES = 'engine/names';
/** Folders in which pages and their parts may import each other. */
const UNORDERED = ['src/renderer', 'src/renderer/app', 'src/renderer/pages'];
const IMPORT =
  /(?:^|[\s;])(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]|(?:^\s*import|[\s;(]import\s*\()\s*['"]([^'"]+)['"]/gm;
/** Parts of a file name that an import omits. */
const ENDINGS = ['.ts', '.tsx', '/index.ts'];

/** A read of a plain object by an external name, which may be inherited, such as "constructor". */
const OUTSIDE_KEY =
  /[\w)\]](?:\?\.)?\[(?:\w+\.)*(?:agent|project|provider|session|account)\]|\{ \[(?:agent|project|provider|session|account|name)\]: \w+ = /;
const OWN_KEY = /Object\.hasOwn\(|\bownOf\(/;

/** Lines with such a read without a check for an own key. */
const inheritedKeys = (text) =>
  text.split('\n').flatMap((line, index) => (OUTSIDE_KEY.test(line) && !OWN_KEY.test(line) ? [index + 1] : []));

/** Surfaces that display agents may use only the agent record. */
const SURFACE =
  /^(?:features\/\w+\/)?(?:renderer|main|cli|panel)\/|^wording\/(?!agent-record\.ts$)|^plugin\/(?:user\/)?tui/;
/** Fields of an agent's row that the record combines: state, causes and times. */
const RAW_STATE =
  /[.{ ](?:halted|isLeftOut|silentSince|waitsFor|runningSince)\b(?!\()|\.waits\??\.(?:until|since|kind|model|by)\b|\bwhy\??\.until\b/;

/** Lines that read an agent's state without its record. Texts use such names for their own entries. */
const pastRecord = (path, text) =>
  SURFACE.test(path)
    ? text
        .split('\n')
        .flatMap((line, index) => (RAW_STATE.test(line) && !/^\s*(?:\*|\/\/)/.test(line) ? [index + 1] : []))
    : [];

/** Feature layers that all may import; composition roots load the others. */
const OPEN_LAYERS = ['contract', 'wording'];
const ROOTS = [
  'cli/program.ts',
  'demo/process.ts',
  'node/open-core.ts',
  'plugin/runtime/companion.ts',
  'plugin/opencode1/plugin.ts',
  'plugin/opencode2/session/councils.ts',
  'renderer/app/App.tsx',
];

function homeOf(path) {
  const [first, feature, layer] = path.split('/');
  return first === 'features' ? { feature, layer } : { feature: null, layer: first };
}

/** @returns every violation as `file: reason`. */
export function layerProblems(root) {
  const problems = [];
  for (const file of sources(join(root, 'src'))) {
    const path = relative(join(root, 'src'), file).split(sep).join('/');
    const home = homeOf(path);
    const rule = ALLOWED[home.layer];
    if (!rule) {
      problems.push(`src/${path}: folder "${home.layer}" is not in the layer table`);
      continue;
    }
    const text = readFileSync(file, 'utf8');
    for (const line of inheritedKeys(text))
      problems.push(`src/${path}:${line}: read a record by a name from outside with ownValue() or a Map`);
    for (const line of pastRecord(path, text))
      problems.push(`src/${path}:${line}: format the record of the agent (wording/agent-record.ts), not its row`);
    for (const match of text.matchAll(IMPORT)) {
      const isType = /^\s*(?:import|export)\s+type\s/.test(match[0]);
      const mayLoad = isType || ROOTS.includes(path);
      const problem = judge(match[1] ?? match[2], { file, home, rule, root, mayLoad });
      if (problem) problems.push(`src/${path}: ${problem}`);
    }
  }
  return problems;
}

function judge(target, { file, home, rule, root, mayLoad }) {
  const { layer } = home;
  if (!target.startsWith('.')) {
    const name = target.startsWith(NODE) ? NODE : packageName(target);
    return rule.packages.includes(name) || rule.packages.includes(name.split('/')[0])
      ? null
      : `${layer} may not import "${target}"`;
  }
  const path = relative(join(root, 'src'), join(dirname(file), target))
    .split(sep)
    .join('/');
  if (path.startsWith('..')) return path.startsWith('../resources') ? null : `import "${target}" leaves src`;
  const other = homeOf(path);
  const isForeign = other.feature !== null && other.feature !== home.feature;
  if (isForeign && !mayLoad && !OPEN_LAYERS.includes(other.layer))
    return `only a composition root may load a feature ("${target}")`;
  if (other.layer === layer) return null;
  if (path === NAMES) return null;
  if (!rule.layers.includes(other.layer)) return `${layer} may not import ${other.layer} ("${target}")`;
  return other.layer === 'engine' && !ENGINE_DOORS.includes(path.slice('engine'.length))
    ? `what is inside the engine is the engine's own: import it by one of its doors, not "${target}"`
    : null;
}

/**
 * Import cycles between files, types included: their files cannot be understood, tested or moved alone.
 * @returns the files of each cycle, along the imports.
 */
export function circles(root, arrows = importsIn(root)) {
  return around(arrows);
}

/**
 * Import cycles between the folders and files of one folder.
 * @returns the members of each cycle, along the imports.
 */
export function roomCircles(root, arrows = importsIn(root)) {
  const folders = new Map();
  for (const [file, targets] of arrows) {
    const steps = file.split('/');
    // The table decides between `src` and its folders.
    for (let depth = 2; depth < steps.length; depth++) {
      const folder = steps.slice(0, depth).join('/');
      if (UNORDERED.some((free) => folder === free)) continue;
      const inside = targets.filter((target) => target.startsWith(`${folder}/`));
      const roomOf = (path) => path.split('/', depth + 1).join('/');
      const room = roomOf(file);
      const others = inside.map(roomOf).filter((other) => other !== room);
      const rooms = folders.get(folder) ?? new Map();
      folders.set(folder, rooms.set(room, [...(rooms.get(room) ?? []), ...others]));
    }
  }
  return [...folders.values()].flatMap((rooms) => around(rooms));
}

function around(arrows) {
  const seen = new Map();
  const found = [];
  const path = [];
  const visit = (node) => {
    seen.set(node, 'open');
    path.push(node);
    for (const next of new Set(arrows.get(node))) {
      if (!arrows.has(next)) continue;
      if (seen.get(next) === 'open') found.push(path.slice(path.indexOf(next)));
      else if (!seen.has(next)) visit(next);
    }
    path.pop();
    seen.set(node, 'closed');
  };
  for (const node of arrows.keys()) if (!seen.has(node)) visit(node);
  return found;
}

/** Local imports of each file, as paths below the root. */
export const importsIn = (root, folders = ['src']) =>
  new Map(
    folders
      .flatMap((folder) => [...sources(join(root, folder))])
      .map((file) => [pathIn(root, file), importsOf(file).map((target) => pathIn(root, target))]),
  );

const pathIn = (root, file) => relative(root, file).split(sep).join('/');

function importsOf(file) {
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)].flatMap((match) => {
    const target = match[1] ?? match[2];
    if (!target.startsWith('.')) return [];
    const path = join(dirname(file), target);
    const endings = target.endsWith('.mjs') ? [''] : ENDINGS;
    return endings.map((ending) => path + ending).filter((candidate) => existsSync(candidate));
  });
}

function packageName(target) {
  const parts = target.split('/');
  return target.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0];
}

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.(ts|tsx|mts|mjs|js)$/.test(entry.name)) yield path;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = process.cwd();
  const told = (what) => (circle) => `these ${what} import each other in a circle: ${circle.join(' -> ')}`;
  const arrows = importsIn(root);
  const problems = [
    ...layerProblems(root),
    ...circles(root, arrows).map(told('files')),
    ...roomCircles(root, arrows).map(told('rooms')),
  ];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) {
    console.error(`${problems.length} broken rules of layers.`);
    process.exitCode = 1;
  } else console.log('Layers hold.');
}
