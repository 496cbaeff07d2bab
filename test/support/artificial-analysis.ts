import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export type Said = (request: IncomingMessage, response: ServerResponse) => void;

/** An Artificial Analysis on this machine. */
export type ArtificialAnalysisServer = Readonly<{
  /** The address its lists stand below, as in place of `https://artificialanalysis.ai/api/v2`. */
  base: string;
  /** Paths asked for so far, with the key each came with. */
  asked(): readonly Readonly<{ path: string; key: unknown }>[];
  close(): Promise<void>;
}>;

/** One of its recorded answers, by its file in `test/fixtures/artificial-analysis`. */
export const recorded = (name: string): Promise<string> =>
  readFile(join(import.meta.dirname, '..', 'fixtures', 'artificial-analysis', name), 'utf8');

/** Says a text, by default as a good answer. */
export const says =
  (text: string, status = 200, headers: Readonly<Record<string, string>> = {}): Said =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);

/** Answers each path, without its query, as it is told to; any other with 410, as a list that was retired does. */
export async function startArtificialAnalysis(
  lists: Readonly<Record<string, Said>>,
): Promise<ArtificialAnalysisServer> {
  const asked: { path: string; key: unknown }[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace('/api/v2/', '');
    asked.push({ path, key: request.headers['x-api-key'] });
    (lists[path.split('?')[0] ?? ''] ?? says('{"error":"gone"}', 410))(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`,
    asked: () => asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
