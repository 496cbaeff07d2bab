import { randomBytes } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { codesOf, type TabSecret } from './tab-codes';

export type Reply = Readonly<{ status: number; headers: IncomingMessage['headers']; body: string }>;

/** A raw request: unlike `fetch`, it normalises and forbids nothing. */
export function send(
  port: number,
  path: string,
  options: Readonly<{ method?: string; headers?: Record<string, string>; body?: string }> = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = options;
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const postSession = async (port: number, body: unknown): Promise<Reply> =>
  await send(port, '/session', {
    method: 'POST',
    headers: { host: `127.0.0.1:${port}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

export async function tabBy(address: string): Promise<TabSecret> {
  const url = new URL(address);
  const reply = await postSession(Number(url.port), { token: url.searchParams.get('t') });
  if (reply.status !== 200) throw new Error(`not let in: ${reply.status} ${reply.body}`);
  return JSON.parse(reply.body) as TabSecret;
}

/** Requests a panel's proof; null if the panel does not recognise the tab. @throws if the proof is wrong. */
export async function ticketOf(tab: TabSecret, port: number): Promise<string | null> {
  const tabNonce = randomBytes(32).toString('base64url');
  const reply = await postSession(port, { id: tab.id, nonce: tabNonce });
  const answer = JSON.parse(reply.body) as { isKnown: boolean; nonce: string; proof: string };
  if (!answer.isKnown) return null;
  const codes = await codesOf(tab, port);
  if (answer.proof !== (await codes.proof(tabNonce, answer.nonce))) throw new Error('the proof is wrong');
  return codes.ticket(answer.nonce);
}

/** Opens an address as a tab does. @returns the headers of its requests. */
export async function admittedBy(address: string): Promise<Record<string, string>> {
  const { host, port } = new URL(address);
  const ticket = await ticketOf(await tabBy(address), Number(port));
  return { host, authorization: `Bearer ${ticket}` };
}

export type StreamEvent = Readonly<{ event: string; data: unknown }>;
export type EventReader = Readonly<{
  status: number;
  headers: IncomingMessage['headers'];
  /** Everything so far, comments included. */
  raw(): string;
  next(): Promise<StreamEvent>;
  ended: Promise<void>;
  close(): void;
}>;

export function openEvents(port: number, headers: Record<string, string>): Promise<EventReader> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path: '/events', headers, agent: false }, (response) => {
      resolve(readEvents(response, () => outgoing.destroy()));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

function readEvents(response: IncomingMessage, close: () => void): EventReader {
  let raw = '';
  let rest = '';
  const events: StreamEvent[] = [];
  const waiting: ((event: StreamEvent) => void)[] = [];
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    raw += chunk;
    const blocks = `${rest}${chunk}`.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const parsed = /^event: (.*)\ndata: (.*)$/.exec(block);
      if (!parsed) continue;
      const event = { event: parsed[1] ?? '', data: JSON.parse(parsed[2] ?? 'null') as unknown };
      const taker = waiting.shift();
      if (taker) taker(event);
      else events.push(event);
    }
  });
  response.on('error', () => {});
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    raw: () => raw,
    next: () => {
      const event = events.shift();
      return event ? Promise.resolve(event) : new Promise((resolve) => waiting.push(resolve));
    },
    ended: new Promise((resolve) => response.on('close', () => resolve())),
    close,
  };
}
