// Builds into out/: app and panel with electron-vite, then the programs for Node and Bun.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { markBuilt } from './build-stamp.mjs';
import { makeEnginePackage, makeNpmPackage } from './npm-package.mjs';

const root = join(import.meta.dirname, '..');
const PROGRAMS = [
  { name: 'panel', entry: 'src/panel/index.ts', built: 'out/panel/index.js' },
  { name: 'cli', entry: 'src/cli/understudy.ts', built: 'out/cli/understudy.js', isExecutable: true },
  { name: 'plugin', entry: 'src/plugin/index.ts', built: 'out/plugin/opencode-understudy.js' },
  { name: 'library', entry: 'src/engine/library/index.ts', built: 'out/npm/understudy-engine/index.js' },
  { name: 'engine', entry: 'src/engine/index.ts', built: 'out/npm/understudy-engine/engine.js' },
  { name: 'tui', entry: 'src/plugin/tui/index.ts', built: 'out/plugin/opencode-understudy-tui.js' },
];

export function build() {
  const startedAt = new Date();
  rmSync(join(root, 'out', 'npm'), { recursive: true, force: true });
  if (run('electron-vite/bin/electron-vite.js', ['build', '--logLevel', 'warn']) !== 0) return 1;
  for (const program of PROGRAMS) {
    if (!existsSync(join(root, program.entry))) {
      console.log(`Skipped ${program.name}: ${program.entry} does not exist yet.`);
      continue;
    }
    const args = ['build', '--config', 'vite.node.config.ts', '--mode', program.name, '--logLevel', 'warn'];
    if (run('vite/bin/vite.js', args) !== 0) return 1;
    if (program.isExecutable) chmodSync(join(root, program.built), 0o755);
  }
  makeNpmPackage(root);
  const types = [
    ...['-p', 'tsconfig.engine.json', '--incremental', 'false', '--tsBuildInfoFile', 'null'],
    ...['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--rootDir', 'src/engine'],
  ];
  if (run('typescript/bin/tsc', [...types, '--outDir', 'out/npm/understudy-engine/types']) !== 0) return 1;
  makeEnginePackage(root);
  markBuilt(root, startedAt);
  return 0;
}

function run(script, args) {
  // NODE_ENV=test or =development would put React's development build into the panel.
  const env = { ...process.env, NODE_ENV: 'production' };
  const command = [join(root, 'node_modules', script), ...args];
  return spawnSync(process.execPath, command, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = build();
