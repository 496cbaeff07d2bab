import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { IN_ASCII, inParts } from './vite.companion.ts';
import {
  OWN_ZOD,
  PLAIN_IOVALKEY,
  SMALL_MARKDOWN,
  WITHOUT_AJV,
  WITHOUT_OAUTH,
  WITHOUT_SIDE_EFFECTS,
} from './vite.libraries.ts';

/** A program for Node or Bun, built into one file with its dependencies, so that it runs without `node_modules`. */
type Program = Readonly<{
  entry: string;
  folder: string;
  file: string;
  banner?: string;
  isBeside?: boolean;
  /** Whether it is an entry whose parts are loaded from a folder beside it. */
  isInParts?: boolean;
}>;

const { version } = JSON.parse(readFileSync(resolve('package.json'), 'utf8')) as { version: string };

/** By Vite mode: `vite build --config vite.node.config.ts --mode panel`. */
const PROGRAMS: Readonly<Record<string, Program>> = {
  panel: { entry: 'src/panel/index.ts', folder: 'out/panel', file: 'index.js' },
  cli: { entry: 'src/cli/understudy.ts', folder: 'out/cli', file: 'understudy.js', banner: '#!/usr/bin/env node' },
  plugin: {
    ...{ entry: 'src/plugin/index.ts', folder: 'out/plugin', file: 'opencode-understudy.js' },
    // By this line a newer program knows an older companion, and Bun a file that it need not transpile: a tenth of a second.
    banner: `// @bun opencode-understudy ${version}`,
    isInParts: true,
  },
  // Beside the companion, and built after it.
  tui: { entry: 'src/plugin/tui/index.ts', folder: 'out/plugin', file: 'opencode-understudy-tui.js', isBeside: true },
  // The package of the engine: its library, and the engine alone.
  library: {
    entry: 'src/engine/library/index.ts',
    folder: 'out/npm/understudy-engine',
    file: 'index.js',
    isBeside: true,
  },
  engine: { entry: 'src/engine/index.ts', folder: 'out/npm/understudy-engine', file: 'engine.js', isBeside: true },
  // Not shipped: what the desktop app runs over in tests where there is no Electron.
  'stand-in': { entry: 'test/support/desktop/stand-in/index.ts', folder: '.cache/stand-in', file: 'electron.js' },
  // Not shipped: the bench runs as one file as well, so that it measures no loader.
  bench: { entry: 'test/bench/index.ts', folder: '.cache/bench', file: 'bench.js' },
};

export default defineConfig(({ mode }) => {
  const program = PROGRAMS[mode];
  if (!program) throw new RangeError(`No program is called "${mode}": expected ${Object.keys(PROGRAMS).join(', ')}.`);
  return nodeConfig(program);
});

const PURE_FOLDERS = /\/src\/(?:features\/\w+\/)?(?:engine|rules|texts|protocol|contract|wording|core)\//;

function nodeConfig(program: Program): UserConfig {
  const { banner, isInParts = false } = program;
  if (!isInParts) return configOf(program);
  const configFor = (plugins: readonly Plugin[]): UserConfig => configOf(program, [...plugins, IN_ASCII]);
  return configOf(program, [inParts(banner ?? '', configFor), IN_ASCII]);
}

function configOf(program: Program, plugins: readonly Plugin[] = []): UserConfig {
  const { entry, folder, file, banner, isBeside = false, isInParts = false } = program;
  return {
    define: { __UNDERSTUDY_VERSION__: JSON.stringify(version) },
    publicDir: false,
    plugins: [WITHOUT_SIDE_EFFECTS, WITHOUT_AJV, WITHOUT_OAUTH, PLAIN_IOVALKEY, OWN_ZOD, SMALL_MARKDOWN, ...plugins],
    build: {
      ssr: resolve(entry),
      target: 'node20',
      outDir: folder,
      emptyOutDir: !isBeside,
      // A program beside another one has no libraries of others in it; parts bring theirs along.
      license: isBeside || isInParts ? false : { fileName: 'third-party.md' },
      minify: false,
      rolldownOptions: {
        // Of what nobody uses of these nothing is kept: importing them does nothing, and schemas take time to build.
        treeshake: { moduleSideEffects: (id) => !PURE_FOLDERS.test(id) },
        // OpenCode gives these to what runs in its terminal interface.
        external: ['@opentui/solid', 'solid-js'],
        output: {
          format: 'es',
          entryFileNames: file,
          codeSplitting: false,
          // No bundler reads the companion again.
          comments: { jsdoc: false, annotation: !isInParts },
          ...(banner ? { banner } : {}),
        },
      },
    },
    // The bench bundles too, to weigh what it bundles.
    ssr: { noExternal: true, external: ['vite', 'playwright'], target: 'node' },
  };
}
