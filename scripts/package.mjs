// `npm run package`: packages the desktop app into dist/ and inspects the result. Arguments go to electron-builder:
// `--dir` creates only the folder, which needs just an Electron. `--built` as the first argument uses out/ unchanged:
// the signing job gets the build of another job without its tools.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { isBuilt } from './build-stamp.mjs';
import { ensureDependencies } from './ensure-deps.mjs';
import { companionParts } from './npm-package.mjs';

const ROOT = join(import.meta.dirname, '..');
/** Packaging tools with their own lock: some 280 packages that only a release needs. */
const PACKAGING = join(ROOT, 'packaging');
const BUILT = '--built';
/** Allowed files of the archive; everything is bundled, so a folder of packages would be a mistake. */
const ALLOWED = [
  /^package\.json$/,
  /^out\/main\/(?:chunks\/)?[\w.-]+\.(?:js|md)$/,
  /^out\/preload\/index\.cjs$/,
  /^out\/renderer\/(?:index|safe)\.html$/,
  /^out\/renderer\/third-party\.md$/,
  /^out\/renderer\/assets\/[\w.-]+\.(?:js|css|svg|png|woff2)$/,
  /^resources\/tray\/(?:linux|mac|windows\/(?:dark|light))\/[\w@.-]+\.(?:png|ico)$/,
];
/** Files that the app needs to start. */
const NEEDED = ['package.json', 'out/main/index.js', 'out/preload/index.cjs', 'out/renderer/index.html'];
/** The character code of digit 1. */
const FUSE_ON = 49;
const BESIDE = [
  'plugin/opencode-understudy.js',
  'plugin/opencode-understudy-tui.js',
  'plugin/third-party.md',
  'LICENSE',
  'models-dev-LICENSE.txt',
];

/**
 * Installs the packaging tools if needed, without package scripts.
 * @returns the path of electron-builder. @throws Error in one line.
 */
export function ensureBuilder() {
  if (ensureDependencies(PACKAGING) !== 0) throw new Error('electron-builder could not be installed: npm ci failed.');
  return join(PACKAGING, 'node_modules', 'electron-builder', 'cli.js');
}

/** @returns the exit code. */
function runBuilder(program, args) {
  const command = [program, ...args, '--publish', 'never'];
  // A workflow passes a missing certificate as an empty text, which would be read as one.
  const env = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));
  return spawnSync(process.execPath, command, { cwd: ROOT, env, stdio: 'inherit' }).status ?? 1;
}

export function packagedApps(folder) {
  return readdirSync(folder).flatMap((name) => {
    const app = join(folder, name);
    if (name.startsWith('mac')) {
      const contents = join(app, 'Understudy.app', 'Contents');
      return [{ app, resources: join(contents, 'Resources'), program: join(contents, 'MacOS', 'Understudy') }];
    }
    if (!name.endsWith('-unpacked')) return [];
    const program = name.startsWith('win') ? 'Understudy.exe' : 'understudy-desktop';
    return [{ app, resources: join(app, 'resources'), program: join(app, program) }];
  });
}

/**
 * Inspects a packaged app.
 * @returns its archive's files and size, its fuses by name, and problems.
 */
export async function inspectApp({ resources, program }, builder) {
  // Dependencies of electron-builder.
  const require = createRequire(builder);
  const asar = require('@electron/asar');
  const archive = join(resources, 'app.asar');
  const listed = asar.listPackage(archive, { isPack: false }).map((path) => path.replaceAll('\\', '/').slice(1));
  const files = listed.filter((path) => !('files' in asar.statFile(archive, path)));
  const missing = NEEDED.filter((path) => !files.includes(path));
  const isWindows = program.endsWith('.exe');
  const beside = [...BESIDE, isWindows ? 'bin/understudy.cmd' : 'bin/understudy'];
  const problems = [
    ...files
      .filter((path) => !ALLOWED.some((allowed) => allowed.test(path)))
      .map((path) => `${path} must not be in it`),
    ...missing.map((path) => `${path} is missing`),
    ...partProblems(join(resources, 'plugin')),
    ...beside.filter((path) => !existsSync(join(resources, path))).map((path) => `${path} is missing beside it`),
    ...(existsSync(join(resources, 'app')) ? ['a folder "app" lies beside it, which would be loaded instead'] : []),
  ];
  return { files, problems, bytes: statSync(archive).size, fuses: await readFuses(require, program) };
}

/** The entry loads parts from the folder that it names. */
function partProblems(folder) {
  if (!existsSync(join(folder, 'opencode-understudy.js'))) return [];
  const parts = companionParts(folder);
  return ['runtime.js', 'opencode1.js', 'opencode2.js', 'council.js', 'fleet.js']
    .map((name) => `plugin/${parts}/${name}`)
    .filter((path) => !existsSync(join(folder, '..', path)))
    .map((path) => `${path} is missing beside it`);
}

async function readFuses(require, program) {
  const { getCurrentFuseWire, FuseV1Options } = require('@electron/fuses');
  const wire = await getCurrentFuseWire(program);
  const names = Object.keys(FuseV1Options).filter((name) => Number.isNaN(Number(name)));
  return Object.fromEntries(names.map((name) => [name, wire[FuseV1Options[name]] === FUSE_ON]));
}

async function main([first, ...rest]) {
  const args = first === BUILT || first === undefined ? rest : [first, ...rest];
  if (first !== BUILT && !isBuilt(ROOT)) {
    const code = build();
    if (code !== 0) return code;
  }
  const builder = ensureBuilder();
  const output = join(ROOT, 'dist');
  rmSync(output, { recursive: true, force: true });
  const code = runBuilder(builder, args);
  if (code !== 0) return code;
  let found = 0;
  for (const packaged of packagedApps(output)) {
    const { files, bytes, problems, fuses } = await inspectApp(packaged, builder);
    console.log(`${packaged.app}: ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB in the archive`);
    console.log(
      `  fuses that are on: ${Object.keys(fuses)
        .filter((name) => fuses[name])
        .join(', ')}`,
    );
    for (const problem of problems) console.error(`  ${problem}`);
    found += problems.length;
  }
  return found === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = await main(process.argv.slice(2));
