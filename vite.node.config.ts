import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig, type Plugin, type UserConfig } from 'vite';

/** A program for Node or Bun, built into one file with its dependencies, so that it runs without `node_modules`. */
type Program = Readonly<{ entry: string; folder: string; file: string; banner?: string; isBeside?: boolean }>;

const { version } = JSON.parse(readFileSync(resolve('package.json'), 'utf8')) as { version: string };

/** By Vite mode: `vite build --config vite.node.config.ts --mode panel`. */
const PROGRAMS: Readonly<Record<string, Program>> = {
  panel: { entry: 'src/panel/index.ts', folder: 'out/panel', file: 'index.js' },
  cli: { entry: 'src/cli/understudy.ts', folder: 'out/cli', file: 'understudy.js', banner: '#!/usr/bin/env node' },
  plugin: {
    ...{ entry: 'src/plugin/index.ts', folder: 'out/plugin', file: 'opencode-understudy.js' },
    // By this line a newer program knows an older companion, and Bun a file that it need not transpile: a tenth of a second.
    banner: `// @bun opencode-understudy ${version}`,
  },
  // Beside the companion, and built after it.
  tui: { entry: 'src/plugin/tui/index.ts', folder: 'out/plugin', file: 'opencode-understudy-tui.js', isBeside: true },
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

/**
 * proper-lockfile brings helpers that change the process they run in: `fs` itself, `process.emit` and what a signal does.
 * OpenCode's process is not ours, and a lock that is left behind grows stale anyway.
 */
const WITHOUT_SIDE_EFFECTS: Plugin = {
  name: 'without-side-effects',
  enforce: 'pre',
  resolveId: (id) =>
    id === 'graceful-fs' ? { id: 'node:fs', external: true } : id === SIGNAL_EXIT ? SIGNAL_EXIT : null,
  load: (id) => (id === SIGNAL_EXIT ? 'module.exports = () => () => undefined;' : null),
};
const SIGNAL_EXIT = 'signal-exit';

const PURE_FOLDERS = /\/src\/(?:engine|texts|protocol|contract|core)\//;

function nodeConfig({ entry, folder, file, banner, isBeside = false }: Program): UserConfig {
  return {
    define: { __UNDERSTUDY_VERSION__: JSON.stringify(version) },
    publicDir: false,
    plugins: [WITHOUT_SIDE_EFFECTS],
    build: {
      ssr: resolve(entry),
      target: 'node20',
      outDir: folder,
      emptyOutDir: !isBeside,
      // What lies beside has nothing of others in it.
      license: isBeside ? false : { fileName: 'third-party.md' },
      minify: false,
      rolldownOptions: {
        // Of what nobody uses of these nothing is kept: importing them does nothing, and schemas take time to build.
        treeshake: { moduleSideEffects: (id) => !PURE_FOLDERS.test(id) },
        // OpenCode gives these to what runs in its terminal interface.
        external: ['@opentui/solid', 'solid-js'],
        output: { format: 'es', entryFileNames: file, codeSplitting: false, ...(banner ? { banner } : {}) },
      },
    },
    // The bench bundles too, to weigh what it bundles.
    ssr: { noExternal: true, external: ['vite', 'playwright-core'], target: 'node' },
  };
}
