import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build, defineConfig, normalizePath, type Plugin, type UserConfig } from 'vite';
import { OWN_ZOD, PLAIN_IOVALKEY, WITHOUT_AJV, WITHOUT_OAUTH, WITHOUT_SIDE_EFFECTS } from './vite.libraries.ts';

/** A program for Node or Bun, built into one file with its dependencies, so that it runs without `node_modules`. */
type Program = Readonly<{
  entry: string;
  folder: string;
  file: string;
  banner?: string;
  isBeside?: boolean;
  /** Whether letters beyond ASCII are escaped. */
  isAscii?: boolean;
  /** The module, loaded with `import()`, that the program makes of its own text when it first needs it. */
  later?: string;
}>;

const { version } = JSON.parse(readFileSync(resolve('package.json'), 'utf8')) as { version: string };

/** By Vite mode: `vite build --config vite.node.config.ts --mode panel`. */
const PROGRAMS: Readonly<Record<string, Program>> = {
  panel: { entry: 'src/panel/index.ts', folder: 'out/panel', file: 'index.js' },
  cli: { entry: 'src/cli/understudy.ts', folder: 'out/cli', file: 'understudy.js', banner: '#!/usr/bin/env node' },
  plugin: {
    ...{ entry: 'src/plugin/index.ts', folder: 'out/plugin', file: 'opencode-understudy.js' },
    // By this line a newer program knows an older companion, and Bun a file that it need not transpile: a tenth of a second.
    // It then takes each byte for a letter.
    banner: `// @bun opencode-understudy ${version}`,
    isAscii: true,
    // OpenCode waits for its plugins at its start, in the one thread it has.
    later: 'src/plugin/generations.ts',
  },
  // Beside the companion, and built after it.
  tui: { entry: 'src/plugin/tui/index.ts', folder: 'out/plugin', file: 'opencode-understudy-tui.js', isBeside: true },
  // The package of the engine: its library, and the engine alone.
  library: { entry: 'src/engine/library.ts', folder: 'out/npm/understudy-engine', file: 'index.js', isBeside: true },
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

/**
 * Puts a module and all it imports into one function, which is called when somebody imports it. Before that an engine looks
 * through its text at most: it makes none of the thousands of functions in it.
 */
function madeLater(module: string, program: Program): Plugin {
  const path = normalizePath(resolve(module));
  let assets: readonly Readonly<{ fileName: string; source?: string | Uint8Array }>[] | null = null;
  return {
    name: 'made-later',
    async load(id) {
      if (id !== path) return null;
      const { folder, file } = program;
      const config = nodeConfig({ entry: module, folder, file });
      const built = await build({
        ...config,
        configFile: false,
        logLevel: 'warn',
        build: { ...config.build, write: false },
      });
      const outputs = [built].flat().flatMap((result) => ('output' in result ? result.output : []));
      const [output, ...more] = outputs.filter(({ type }) => type === 'chunk');
      if (output?.type !== 'chunk' || more.length > 0) throw new TypeError(`${module} was not built into one chunk.`);
      assets = outputs.filter(({ type }) => type === 'asset');
      const [, imports = '', body = '', exported] =
        /^((?:import [^;]+;\n)*)(.*\n)export \{([^}]*)\};?\s*$/s.exec(output.code) ?? [];
      if (exported === undefined) throw new TypeError(`${module} was not built as it is read here.`);
      const names = output.exports.map((name) => `export const ${name} = (...args) => make().${name}(...args);`);
      return [
        ...[imports, 'let made;', 'const make = () => (made ??= madeHere());', ...names],
        `function madeHere() {\n${body}\nreturn { ${exported.replace(/([\w$]+) as ([\w$]+)/g, '$2: $1')} };\n}`,
      ].join('\n');
    },
    generateBundle: {
      // Vite takes the assets of such a build out again.
      order: 'post',
      handler() {
        if (assets === null) throw new TypeError(`Nobody has loaded ${module}: it would not be made later.`);
        for (const { fileName, source = '' } of assets) this.emitFile({ type: 'asset', fileName, source });
      },
    },
  };
}

/** The same program in ASCII alone: in texts, templates and patterns an escape means the letter. */
const IN_ASCII: Plugin = {
  name: 'in-ascii',
  generateBundle: {
    // What prints the program anew would write the letters again.
    order: 'post',
    handler(_, bundle) {
      for (const output of Object.values(bundle)) if (output.type === 'chunk') output.code = inAscii(output.code);
    },
  },
};

function inAscii(code: string): string {
  // There an escape would be another text.
  if (/\\[^\0-\x7f]|String\.raw/.test(code))
    throw new TypeError('An escaped letter or a raw text cannot be put into ASCII.');
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const PURE_FOLDERS = /\/src\/(?:engine|ranking|council|texts|protocol|contract|core)\//;

function nodeConfig(program: Program): UserConfig {
  const { entry, folder, file, banner, isBeside = false, isAscii = false, later } = program;
  return {
    define: { __UNDERSTUDY_VERSION__: JSON.stringify(version) },
    publicDir: false,
    plugins: [
      WITHOUT_SIDE_EFFECTS,
      WITHOUT_AJV,
      WITHOUT_OAUTH,
      PLAIN_IOVALKEY,
      OWN_ZOD,
      ...(later === undefined ? [] : [madeLater(later, program)]),
      ...(isAscii ? [IN_ASCII] : []),
    ],
    build: {
      ssr: resolve(entry),
      target: 'node20',
      outDir: folder,
      emptyOutDir: !isBeside,
      // What lies beside has nothing of others in it, and what is made later has brought it along.
      license: isBeside || later !== undefined ? false : { fileName: 'third-party.md' },
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
          comments: { jsdoc: false },
          ...(banner ? { banner } : {}),
        },
      },
    },
    // The bench bundles too, to weigh what it bundles.
    ssr: { noExternal: true, external: ['vite', 'playwright'], target: 'node' },
  };
}
