import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

export type BundleFile = Readonly<{ body: Buffer; type: string }>;
/** By URL path, for example `/index.html`. */
export type Bundle = ReadonlyMap<string, BundleFile>;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};

/**
 * Reads the built panel into memory: no request path reaches the file system, and a rebuild under a running panel does
 * not mix two builds.
 * @throws Error with a message for people if the panel is not built.
 */
export async function readBundle(root: string): Promise<Bundle> {
  const bundle = new Map<string, BundleFile>();
  await addFolder(bundle, root, '/');
  if (!bundle.has('/index.html')) throw new Error('The panel has not been built yet: run "npm run build" first.');
  return bundle;
}

/** Not `recursive`: in an app's archive Electron reports only name and kind of entries. */
async function addFolder(bundle: Map<string, BundleFile>, folder: string, at: string): Promise<void> {
  // silent: without its files the panel reports that it is not built
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const [file, path] = [join(folder, entry.name), `${at}${entry.name}`];
    if (entry.isDirectory()) await addFolder(bundle, file, `${path}/`);
    else if (entry.isFile())
      bundle.set(path, { body: await readFile(file), type: TYPES[extname(file)] ?? 'application/octet-stream' });
  }
}

/** Returns null if the percent-encoded path is malformed or names no file. */
export function findFile(bundle: Bundle, pathname: string): BundleFile | null {
  try {
    return bundle.get(pathname === '/' ? '/index.html' : decodeURIComponent(pathname)) ?? null;
  } catch {
    // silent: a malformed path names no file
    return null;
  }
}
