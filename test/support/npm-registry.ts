import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A package registry on this machine that has one package. */
export type NpmRegistry = Readonly<{
  url: string;
  /** Paths asked for so far. */
  asked(): readonly string[];
  close(): Promise<void>;
}>;

/** Serves one packed package, as `npm publish` would have left it. @param manifest its package.json. */
export async function startNpmRegistry(
  tarball: string,
  manifest: Readonly<{ name: string; version: string }>,
): Promise<NpmRegistry> {
  const packed = await readFile(tarball);
  const integrity = `sha512-${createHash('sha512').update(packed).digest('base64')}`;
  const { name, version } = manifest;
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === `/${name}`) {
      const dist = { tarball: `${urlOf()}/${name}.tgz`, integrity };
      const packument = { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(packument));
    } else if (request.url === `/${name}.tgz`) response.end(packed);
    else response.writeHead(404).end('{}');
  });
  const urlOf = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: urlOf(),
    asked: () => asked,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
