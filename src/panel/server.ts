import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PanelHost } from '../contract';
import { type Bundle, findFile, readBundle } from './bundle';
import { streamEvents } from './event-stream';
import { cookieValue, foreignRequest, isSameSecret } from './guard';
import { createMetrics, type Metrics } from './metrics';
import { pageHeaders } from './page-headers';
import { answerRpc } from './rpc';

/** What a panel server needs. `port` 0 takes any free one; intervals in milliseconds. */
export type PanelServerOptions = Readonly<{
  host: PanelHost;
  rendererRoot: string;
  port: number;
  pushIntervalMs?: number;
  heartbeatMs?: number;
  /** Serves metrics at `/metrics` to whoever shows this bearer token; without it there are none. */
  metricsToken?: string | undefined;
}>;

/** A panel that is being served on loopback. */
export type PanelServer = Readonly<{
  /** Address for a person, with the token that lets a browser in. */
  url: string;
  /** A second address that works once: for a command line, which other users of the machine could read. */
  onceUrl(): string;
  close(): Promise<void>;
}>;

type Site = Readonly<{
  host: PanelHost;
  bundle: Bundle;
  token: string;
  onceTokens: Set<string>;
  streams: Set<() => void>;
  timing: Readonly<{ pushIntervalMs: number; heartbeatMs: number }>;
  metrics: (Metrics & Readonly<{ token: string }>) | null;
  port(): number;
}>;

/** Ten pushes a second are more than an eye can follow. */
const PUSH_INTERVAL_MS = 100;
const HEARTBEAT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 10_000;
/** A browser opens one per tab; more than this is a loop. */
const MAX_STREAMS = 32;

/**
 * Serves the built panel and the contract on 127.0.0.1, to whoever holds the token.
 *
 * @throws Error `EADDRINUSE` when the port is taken; Error with a message for people when the panel is not built.
 */
export async function startPanelServer(options: PanelServerOptions): Promise<PanelServer> {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS });
  const site: Site = {
    host: options.host,
    bundle: await readBundle(options.rendererRoot),
    token: newToken(),
    onceTokens: new Set(),
    streams: new Set(),
    timing: {
      pushIntervalMs: options.pushIntervalMs ?? PUSH_INTERVAL_MS,
      heartbeatMs: options.heartbeatMs ?? HEARTBEAT_MS,
    },
    metrics:
      options.metricsToken === undefined ? null : { ...createMetrics(options.host), token: options.metricsToken },
    port: () => (server.address() as AddressInfo).port,
  };
  server.on('request', (request, response) => {
    respond(site, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const base = `http://127.0.0.1:${site.port()}/?t=`;
  return {
    url: `${base}${site.token}`,
    onceUrl() {
      const once = newToken();
      site.onceTokens.add(once);
      return `${base}${once}`;
    },
    close: () => closeServer(server, site),
  };
}

/** 256 bits that nobody can guess. */
const newToken = (): string => randomBytes(32).toString('base64url');

function closeServer(server: Server, site: Site): Promise<void> {
  site.metrics?.close();
  for (const end of [...site.streams]) end();
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function respond(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const port = site.port();
  const refused = foreignRequest(request.headers, port);
  if (refused) return sendText(response, 403, refused);
  const url = readUrl(request.url ?? '/', port);
  if (url === null) return sendText(response, 404, 'Not found.');
  if (site.metrics && url.pathname === '/metrics') return respondMetrics(site.metrics, request, response);
  const cookie = `understudy-${port}`;
  if (request.method === 'GET' && url.pathname === '/' && acceptToken(site, url.searchParams.get('t'))) {
    const flags = 'HttpOnly; SameSite=Strict; Path=/';
    const headers = { ...pageHeaders("'self'"), location: '/', 'set-cookie': `${cookie}=${site.token}; ${flags}` };
    response.writeHead(303, headers).end();
    return;
  }
  if (!isSameSecret(cookieValue(request.headers, cookie), site.token)) {
    return sendText(response, 401, 'Open the address that Understudy printed in the terminal.');
  }
  if (url.pathname.startsWith('/rpc/')) return respondRpc(site, request, response, url.pathname.slice('/rpc/'.length));
  if (request.method !== 'GET' && request.method !== 'HEAD') return sendNotAllowed(response, 'GET, HEAD');
  if (url.pathname === '/events' && request.method === 'GET') return respondEvents(site, response);
  const file = findFile(site.bundle, url.pathname);
  if (file === null) return sendText(response, 404, 'Not found.');
  send(response, 200, file.type, request.method === 'HEAD' ? '' : file.body);
}

function readUrl(target: string, port: number): URL | null {
  // A target such as `//other.example/` would become the host.
  if (!target.startsWith('/') || target.startsWith('//')) return null;
  return URL.canParse(target, `http://127.0.0.1:${port}`) ? new URL(target, `http://127.0.0.1:${port}`) : null;
}

function acceptToken(site: Site, offered: string | null): boolean {
  if (offered === null) return false;
  for (const once of site.onceTokens) {
    if (isSameSecret(offered, once)) return site.onceTokens.delete(once);
  }
  return isSameSecret(offered, site.token);
}

async function respondRpc(site: Site, request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
  if (request.method !== 'POST') return sendNotAllowed(response, 'POST');
  const reply = await answerRpc(request, name, site.host.handlers);
  // The rest of a body that was not read must not be taken for the next request.
  if (!request.complete) response.setHeader('connection', 'close');
  send(response, reply.status, 'application/json', JSON.stringify(reply.body));
}

/** For programs that scrape: they have a token of their own and never get into the panel with it. */
async function respondMetrics(
  metrics: NonNullable<Site['metrics']>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'GET') return sendNotAllowed(response, 'GET');
  const [, offered = ''] = /^Bearer ([\w-]+)$/.exec(request.headers.authorization ?? '') ?? [];
  if (!isSameSecret(offered, metrics.token)) {
    response.setHeader('www-authenticate', 'Bearer');
    return sendText(response, 401, 'Metrics need their bearer token.');
  }
  const text = await metrics.text().catch(() => null);
  if (text === null) return sendText(response, 503, 'Understudy does not answer.');
  send(response, 200, metrics.contentType, text);
}

function respondEvents(site: Site, response: ServerResponse): void {
  if (site.streams.size >= MAX_STREAMS) {
    sendText(response, 503, 'Too many panels are open.');
    return;
  }
  response.writeHead(200, { ...pageHeaders("'self'"), 'content-type': 'text/event-stream; charset=utf-8' });
  const end = streamEvents(site.host, response, site.timing);
  site.streams.add(end);
  response.on('close', () => site.streams.delete(end));
}

function sendNotAllowed(response: ServerResponse, allow: string): void {
  response.setHeader('allow', allow);
  sendText(response, 405, 'Method not allowed.');
}

function sendText(response: ServerResponse, status: number, text: string): void {
  send(response, status, 'text/plain; charset=utf-8', `${text}\n`);
}

function send(response: ServerResponse, status: number, type: string, body: Buffer | string): void {
  response.writeHead(status, { ...pageHeaders("'self'"), 'content-type': type }).end(body);
}
