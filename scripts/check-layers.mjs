// Holds the import table of docs: the folder name is the permission. Plain text scan, so that it works with any compiler.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import process from 'node:process';

const NODE = 'node:';
/** What a folder of src may import besides itself. Packages are listed by name; `node:` stands for all of Node. */
const ALLOWED = {
  engine: { folders: [], packages: [] },
  texts: { folders: [], packages: [] },
  protocol: { folders: ['engine'], packages: ['zod'] },
  contract: { folders: ['engine', 'texts'], packages: ['zod'] },
  core: { folders: ['engine', 'protocol', 'contract'], packages: ['zod', 'jsonc-parser', 'yaml'] },
  node: {
    folders: ['core', 'protocol', 'contract', 'engine'],
    packages: [NODE, 'chokidar', 'diff', 'proper-lockfile', 'zod'],
  },
  main: {
    folders: ['core', 'node', 'contract', 'protocol', 'engine', 'panel', 'preload', 'texts', 'cli'],
    packages: [NODE, 'electron', 'zod'],
  },
  preload: { folders: ['contract'], packages: ['electron'] },
  renderer: {
    folders: ['contract', 'texts'],
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
  panel: { folders: ['core', 'node', 'contract'], packages: [NODE, 'zod', 'prom-client'] },
  plugin: {
    folders: ['engine', 'protocol', 'contract', 'core', 'node'],
    packages: [NODE, 'zod', '@opencode-ai/sdk', '@opentui/solid', 'solid-js'],
  },
  cli: { folders: ['core', 'node', 'contract', 'protocol', 'panel'], packages: [NODE, 'commander', 'zod'] },
};
const IMPORT =
  /(?:^|[\s;])(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]|(?:^|[\s;(])import\s*\(?\s*['"]([^'"]+)['"]/g;

/** @returns every broken rule as `file: reason`. */
export function layerProblems(root) {
  const problems = [];
  for (const file of sources(join(root, 'src'))) {
    const path = relative(join(root, 'src'), file).split(sep).join('/');
    const folder = path.split('/')[0];
    const rule = ALLOWED[folder];
    if (!rule) {
      problems.push(`src/${path}: folder "${folder}" is not in the layer table`);
      continue;
    }
    for (const match of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      const problem = judge(match[1] ?? match[2], { file, folder, rule, root });
      if (problem) problems.push(`src/${path}: ${problem}`);
    }
  }
  return problems;
}

function judge(target, { file, folder, rule, root }) {
  if (!target.startsWith('.')) {
    const name = target.startsWith(NODE) ? NODE : packageName(target);
    return rule.packages.includes(name) || rule.packages.includes(name.split('/')[0])
      ? null
      : `${folder} may not import "${target}"`;
  }
  const path = relative(join(root, 'src'), join(dirname(file), target))
    .split(sep)
    .join('/');
  const other = path.split('/')[0];
  if (path.startsWith('..')) return path.startsWith('../resources') ? null : `import "${target}" leaves src`;
  return other === folder || rule.folders.includes(other) ? null : `${folder} may not import ${other} ("${target}")`;
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

if (import.meta.url === `file://${process.argv[1]}`) {
  const problems = layerProblems(process.cwd());
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) {
    console.error(`${problems.length} imports break the layer table.`);
    process.exit(1);
  }
  console.log('Layers hold.');
}
