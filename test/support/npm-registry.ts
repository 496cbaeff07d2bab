import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Manifest = Readonly<{ name: string; version: string }>;

/** A local registry that has only published packages. */
export type NpmRegistry = Readonly<{
  url: string;
  publish(tarball: string, manifest: Manifest): Promise<void>;
  asked(): readonly string[];
  close(): Promise<void>;
}>;

export async function startNpmRegistry(): Promise<NpmRegistry> {
  const packages = new Map<string, Map<string, object>>();
  const tarballs = new Map<string, Buffer>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const name = path.slice(1);
    const versions = packages.get(name);
    const tarball = tarballs.get(path);
    if (versions) {
      const latest = [...versions.keys()].at(-1);
      const packument = { name, 'dist-tags': { latest }, versions: Object.fromEntries(versions) };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(packument));
    } else if (tarball) response.end(tarball);
    else response.writeHead(404).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    async publish(file, manifest) {
      const packed = await readFile(file);
      const { name, version } = manifest;
      const path = `/${name}/-/${name}-${version}.tgz`;
      const integrity = `sha512-${createHash('sha512').update(packed).digest('base64')}`;
      const versions = packages.get(name) ?? new Map<string, object>();
      packages.set(name, versions.set(version, { ...manifest, dist: { tarball: url + path, integrity } }));
      tarballs.set(path, packed);
    },
    asked: () => asked,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
