import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const source = join(import.meta.dirname, '..', '..', 'src');
const FILES = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(source, path), 'utf8') }));

const where = (pattern: RegExp) => FILES.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

describe('given all sources', () => {
  it.each([
    ['registers a handler for windows', /ipcMain\.handle\(/, ['main/ipc.ts']],
    ['opens a page outside', /\.openExternal\(/, ['main/shell-handlers.ts']],
    ['makes a window', /new (?:electron\.)?BrowserWindow\(/, ['main/page-window.ts']],
    ['exposes something to the page', /exposeInMainWorld\(/, ['preload/index.ts']],
    ['forks a process, which needs a fuse that is off', /\bfork\b[^;\n]*['"]node:child_process|\.fork\(/, []],
    ['ends or starts the app anew for an update', /quitAndInstall|\.relaunch\(/, []],
    // One reads what is drawn, for a file.
    [
      'writes HTML into the page',
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write/,
      ['renderer/pages/sessions/page-file.ts'],
    ],
    ['sets what it reads of HTML', /(?:inner|outer)HTML\s*=(?!=)/, []],
    ['listens on anything but this machine', /\.listen\([^)]*['"](?:0\.0\.0\.0|::)['"]/, []],
  ])('when one looks who %s, then it is where it is checked', (_what, pattern, expected) => {
    expect(where(pattern)).toEqual(expected);
  });
});

describe('given all that people read', () => {
  const root = join(source, '..');
  const pages = ['docs', 'resources', '.github']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
    )
    .concat('README.md', 'CHANGELOG.md', 'CONTRIBUTING.md')
    .filter((path) => /\.(?:md|ya?ml)$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

  it('when a package is named for npx or npm, then it is never the one that belongs to another project', () => {
    const foreign = /\b(?:npx|npm (?:i|install|exec|x)|bunx|pnpm dlx|yarn dlx)(?: -\S+)* understudy\b/;
    expect([...pages, ...FILES].filter(({ text }) => foreign.test(text)).map(({ path }) => path)).toEqual([]);
    expect(pages.length).toBeGreaterThan(50);
  });
});
