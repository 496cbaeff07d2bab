import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

/** One file of the built panel. */
export type BundleFile = Readonly<{ body: Buffer; type: string }>;
/** The built panel by URL path, for example `/index.html`. */
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
 * Reads the whole built panel into memory. What is not in it cannot be served, so no path of a request ever reaches
 * the file system, and a rebuild under a running panel does not mix two builds.
 *
 * @throws Error with a message for people when the panel has not been built.
 */
export async function readBundle(root: string): Promise<Bundle> {
  const bundle = new Map<string, BundleFile>();
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(root, file).split(sep).join('/')}`;
    bundle.set(path, { body: await readFile(file), type: TYPES[extname(file)] ?? 'application/octet-stream' });
  }
  if (!bundle.has('/index.html')) throw new Error('The panel has not been built yet: run "npm run build" first.');
  return bundle;
}

/** The file for a percent-encoded URL path; null when there is none, or the path is malformed. */
export function findFile(bundle: Bundle, pathname: string): BundleFile | null {
  try {
    return bundle.get(pathname === '/' ? '/index.html' : decodeURIComponent(pathname)) ?? null;
  } catch {
    return null;
  }
}
