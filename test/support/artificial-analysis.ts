import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export type Said = (request: IncomingMessage, response: ServerResponse) => void;

export type ArtificialAnalysisServer = Readonly<{
  /** Replaces `https://artificialanalysis.ai/api/v2`. */
  base: string;
  asked(): readonly Readonly<{ path: string; key: unknown }>[];
  close(): Promise<void>;
}>;

/** Reads a recorded response from `test/fixtures/artificial-analysis`. */
export const recorded = (name: string): Promise<string> =>
  readFile(join(import.meta.dirname, '..', 'fixtures', 'artificial-analysis', name), 'utf8');

export const says =
  (text: string, status = 200, headers: Readonly<Record<string, string>> = {}): Said =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);

/** Answers each path, without its query, as configured; other paths get 410, as a retired list does. */
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
