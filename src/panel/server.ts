import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PanelHost } from '../contract/contract';
import { SESSION_PATH, SessionQuestion } from '../contract/panel-session';
import { countAs, countError } from '../core/base/internal-errors';
import { failureCode } from '../node/base/failure';
import { type Bundle, findFile, readBundle } from './bundle';
import { createDoor, type Door, type Session } from './door';
import { streamEvents } from './event-stream';
import { bearerOf, foreignRequest, isSameSecret } from './guard';
import { createMetrics, type Metrics } from './metrics';
import { pageHeaders } from './page-headers';
import { answerRpc, readJson } from './rpc';
import type { StoredTab } from './stored-tabs';

/** Intervals are in ms. */
export type PanelServerOptions = Readonly<{
  host: PanelHost;
  rendererRoot: string;
  /** 0 for any free one; of several the first free one. */
  port: number | readonly number[];
  pushIntervalMs?: number;
  heartbeatMs?: number;
  requestTimeoutMs?: number;
  /** Bearer token for `/metrics`; without it there are no metrics. */
  metricsToken?: string | undefined;
  /** Without it tabs end with this panel. */
  tabs?: Readonly<{ earlier: readonly StoredTab[]; store(tabs: readonly StoredTab[], port: number): Promise<void> }>;
}>;

export type PanelServer = Readonly<{
  url: string;
  port: number;
  /** Address that works once: other users of the machine could read it from a command line. */
  onceUrl(): string;
  close(): Promise<void>;
}>;

type Site = Readonly<{
  host: PanelHost;
  bundle: Bundle;
  door: Door;
  streams: Set<() => void>;
  timing: Readonly<{ pushIntervalMs: number; heartbeatMs: number }>;
  metrics: (Metrics & Readonly<{ token: string }>) | null;
  port(): number;
  storeTabs(): Promise<void>;
}>;

const NOT_LET_IN = 'Open the address that Understudy printed in the terminal.';
/** Ten pushes a second are more than an eye can follow. */
const PUSH_INTERVAL_MS = 100;
const HEARTBEAT_MS = 15_000;
const STORE_TABS_MS = 3_600_000;
const REQUEST_TIMEOUT_MS = 10_000;
/** A browser opens one per tab; more is a loop. */
const MAX_STREAMS = 32;

/** @throws Error `EADDRINUSE` if the port is taken; Error with a message for people if the panel is not built. */
export async function startPanelServer(options: PanelServerOptions): Promise<PanelServer> {
  const { requestTimeoutMs: requestTimeout = REQUEST_TIMEOUT_MS } = options;
  // Node's default checks late requests every 30 s.
  const connectionsCheckingInterval = requestTimeout / 10;
  const server = createServer({ requestTimeout, headersTimeout: requestTimeout, connectionsCheckingInterval });
  const port = (): number => (server.address() as AddressInfo).port;
  const storeTabs = async (): Promise<void> => await options.tabs?.store(site.door.tabs(), port());
  const site: Site = {
    host: options.host,
    bundle: await readBundle(options.rendererRoot),
    door: createDoor({ tabs: options.tabs?.earlier ?? [], port }),
    streams: new Set(),
    timing: {
      pushIntervalMs: options.pushIntervalMs ?? PUSH_INTERVAL_MS,
      heartbeatMs: options.heartbeatMs ?? HEARTBEAT_MS,
    },
    metrics:
      options.metricsToken === undefined ? null : { ...createMetrics(options.host), token: options.metricsToken },
    port,
    storeTabs,
  };
  server.on('request', (request, response) => {
    respond(site, request, response).catch((error: unknown) => {
      countError('panel.respond', error);
      response.destroy();
    });
  });
  await listen(server, typeof options.port === 'number' ? [options.port] : options.port).catch((error: unknown) => {
    site.metrics?.close();
    throw error;
  });
  // Bounds the age of stored tabs after a crash.
  const storing = setInterval(() => void storeTabs(), STORE_TABS_MS).unref();
  const base = `http://127.0.0.1:${port()}/?t=`;
  return {
    url: `${base}${site.door.token}`,
    port: port(),
    onceUrl: () => `${base}${site.door.onceToken()}`,
    close: async () => {
      clearInterval(storing);
      const tabsStored = storeTabs();
      await closeServer(server, site);
      await tabsStored;
    },
  };
}

async function listen(server: Server, [port = 0, ...others]: readonly number[]): Promise<void> {
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (error) {
    if (others.length === 0 || !isPortTaken(error)) throw error;
    await listen(server, others);
  }
}

/** Windows reports EACCES for a reserved port. */
const isPortTaken = (error: unknown): boolean => ['EADDRINUSE', 'EACCES'].includes(failureCode(error) ?? '');

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
  // A browser may resolve `localhost` to ::1, where another program can listen.
  if (!ADDRESS.test(request.headers.host ?? '')) return sendToAddress(request, response, { port, url });
  if (url.pathname === `/${SESSION_PATH}`) return respondSession(site, request, response);
  const question = url.pathname.startsWith('/rpc/') ? url.pathname.slice('/rpc/'.length) : null;
  if (question !== null || url.pathname === '/events') {
    const session = site.door.find(bearerOf(request.headers));
    if (session === null) return sendText(response, 401, NOT_LET_IN);
    if (question !== null) return respondRpc(site, request, response, question);
    if (request.method !== 'GET') return sendNotAllowed(response, 'GET');
    return respondEvents(site, response, session);
  }
  // The page is the same for all and contains no data.
  if (request.method !== 'GET' && request.method !== 'HEAD') return sendNotAllowed(response, 'GET, HEAD');
  const file = findFile(site.bundle, url.pathname);
  if (file === null) return sendText(response, 404, 'Not found.');
  send(response, 200, file.type, request.method === 'HEAD' ? '' : file.body);
}

const ADDRESS = /^127\.0\.0\.1(?::\d+)?$/;

function sendToAddress(
  request: IncomingMessage,
  response: ServerResponse,
  { port, url: { pathname, search } }: Readonly<{ port: number; url: URL }>,
): void {
  const isPage = request.method === 'GET' && pathname !== '/events';
  if (isPage) response.setHeader('location', `http://127.0.0.1:${port}${pathname}${search}`);
  sendText(response, isPage ? 302 : 403, `Open the panel at 127.0.0.1:${port}.`);
}

function readUrl(target: string, port: number): URL | null {
  // A target such as `//other.example/` would become the host.
  if (!target.startsWith('/') || target.startsWith('//')) return null;
  return URL.canParse(target, `http://127.0.0.1:${port}`) ? new URL(target, `http://127.0.0.1:${port}`) : null;
}

async function respondSession(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') return sendNotAllowed(response, 'POST');
  const body = await readJson(request);
  if (!request.complete) response.setHeader('connection', 'close');
  if (!body.ok) return sendText(response, body.status, body.reason);
  const question = SessionQuestion.safeParse(body.value);
  if (!question.success)
    return sendText(response, 400, 'The request is not a JSON object with a "token", or with "id" and "nonce".');
  const { data } = question;
  const answer = 'token' in data ? site.door.admit(data.token) : site.door.prove(data.id, data.nonce);
  if (answer === null) return sendText(response, 401, NOT_LET_IN);
  if (answer === 'full') return sendText(response, 503, 'Too many panels are open. Close one of them.');
  // Store first: the tab can then reconnect if this panel is killed after its response.
  if (!('isKnown' in answer) || answer.isKnown) await site.storeTabs();
  send(response, 200, 'application/json', JSON.stringify(answer));
}

async function respondRpc(site: Site, request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
  if (request.method !== 'POST') return sendNotAllowed(response, 'POST');
  const reply = await answerRpc(request, name, site.host.handlers);
  // The unread rest of a body must not become the next request.
  if (!request.complete) response.setHeader('connection', 'close');
  send(response, reply.status, 'application/json', JSON.stringify(reply.body));
}

/** The token of metrics does not open the panel. */
async function respondMetrics(
  metrics: NonNullable<Site['metrics']>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'GET') return sendNotAllowed(response, 'GET');
  if (!isSameSecret(bearerOf(request.headers), metrics.token)) {
    response.setHeader('www-authenticate', 'Bearer');
    return sendText(response, 401, 'Metrics need their bearer token.');
  }
  const text = (await metrics.text().catch(countAs('panel.metrics'))) ?? null;
  if (text === null) return sendText(response, 503, 'Understudy does not answer.');
  send(response, 200, metrics.contentType, text);
}

function respondEvents(site: Site, response: ServerResponse, session: Session): void {
  if (site.streams.size >= MAX_STREAMS) {
    sendText(response, 503, 'Too many panels are open.');
    return;
  }
  response.writeHead(200, { ...pageHeaders("'self'"), 'content-type': 'text/event-stream; charset=utf-8' });
  const end = streamEvents(site.host, response, site.timing);
  site.streams.add(end);
  session.streams++;
  response.on('close', () => {
    session.streams--;
    site.streams.delete(end);
  });
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
