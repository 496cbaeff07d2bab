// Puts the built companion into a folder that `npm publish` could take as it is: out/npm/opencode-understudy.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const NAME = 'opencode-understudy';
const FILES = [
  `out/plugin/${NAME}.js`,
  // The companion is one file, so the licences of what went into it are shown beside it.
  'out/plugin/third-party.md',
  'resources/npm/README.md',
  'LICENSE',
];

/** @param {string} root the repository, with the companion built. */
export function makeNpmPackage(root) {
  const folder = join(root, 'out', 'npm', NAME);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of FILES) copyFileSync(join(root, file), join(folder, basename(file)));
  const { version, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifest = {
    name: NAME,
    version,
    description: 'When a model fails, the next one of its chain finishes the turn in OpenCode.',
    keywords: ['opencode', 'opencode-plugin', 'fallback', 'failover', 'rate-limit', 'llm'],
    license,
    type: 'module',
    main: `./${NAME}.js`,
    // OpenCode takes "./server" of a plugin for itself; "." is what everything else resolves.
    exports: { '.': `./${NAME}.js`, './server': `./${NAME}.js`, './package.json': './package.json' },
    files: [`${NAME}.js`, 'third-party.md'],
    engines,
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
