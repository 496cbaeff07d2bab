// Creates the folders for `npm publish`: companion, command line and panel in out/npm/opencode-understudy, the engine
// in out/npm/understudy-engine.
import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const NAME = 'opencode-understudy';
/** Same layout as in `out`, in which programs find each other. */
const BUILT = [
  `plugin/${NAME}.js`,
  `plugin/${NAME}-tui.js`,
  'plugin/third-party.md',
  'cli/understudy.js',
  'cli/third-party.md',
  'renderer',
];

/** @param {string} root the repository, with all programs built. */
export function makeNpmPackage(root) {
  const out = join(root, 'out');
  const folder = join(out, 'npm', NAME);
  for (const path of [...BUILT, `plugin/${companionParts(join(out, 'plugin'))}`])
    cpSync(join(out, path), join(folder, path), { recursive: true });
  for (const file of ['resources/npm/README.md', 'LICENSE'])
    copyFileSync(join(root, file), join(folder, basename(file)));
  writeManifest(folder, {
    name: NAME,
    ...about(root),
    description: 'When a model fails, the next one of its chain finishes the turn in OpenCode.',
    keywords: ['opencode', 'opencode-plugin', 'fallback', 'failover', 'rate-limit', 'llm'],
    type: 'module',
    bin: { understudy: 'cli/understudy.js' },
    main: `./plugin/${NAME}.js`,
    // OpenCode loads "./server" of a plugin itself and "./tui" in its terminals; everything else resolves ".".
    exports: {
      '.': `./plugin/${NAME}.js`,
      './server': `./plugin/${NAME}.js`,
      './tui': `./plugin/${NAME}-tui.js`,
      './package.json': './package.json',
    },
    files: ['plugin', 'cli', 'renderer'],
  });
}

/** @returns the name of the parts folder that the built companion loads. */
export function companionParts(folder) {
  const [name] = /understudy-[0-9a-f]{12}/.exec(readFileSync(join(folder, `${NAME}.js`), 'utf8')) ?? [];
  if (name === undefined) throw new Error(`${NAME}.js names no folder of parts.`);
  return name;
}

const ENGINE = 'understudy-engine';

/** @param {string} root the repository, with the engine and its types built into that folder. */
export function makeEnginePackage(root) {
  const folder = join(root, 'out', 'npm', ENGINE);
  for (const file of ['resources/npm/engine/README.md', 'LICENSE'])
    copyFileSync(join(root, file), join(folder, basename(file)));
  nameEndings(join(folder, 'types'));
  const door = (name, types) => ({ types: `./types/${types}.d.ts`, default: `./${name}.js` });
  writeManifest(folder, {
    name: ENGINE,
    ...about(root),
    description:
      'Who is asked next when a model fails: fallback chains, circuit breakers and cooldowns around any asynchronous call.',
    keywords: ['llm', 'fallback', 'failover', 'circuit-breaker', 'rate-limit', 'retry', 'resilience'],
    type: 'module',
    sideEffects: false,
    exports: {
      '.': door('index', 'library/index'),
      './engine': door('engine', 'index'),
      './package.json': './package.json',
    },
    files: ['index.js', 'engine.js', 'types'],
  });
}

/** Only bundlers resolve imports without an ending; Node needs it. */
function nameEndings(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const path = join(folder, name);
    const text = readFileSync(path, 'utf8').replace(
      /(from '|import\(['"])(\.[^'"]*)(['"])/g,
      (_, head, target, tail) => {
        const isFile = existsSync(join(dirname(path), `${target}.d.ts`));
        return `${head}${target}${isFile ? '.js' : '/index.js'}${tail}`;
      },
    );
    writeFileSync(path, text);
  }
}

function about(root) {
  const { version, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return { version, license, engines };
}

function writeManifest(folder, manifest) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
