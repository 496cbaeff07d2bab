import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, request as plain, type ServerResponse } from 'node:http';
import { request as secure } from 'node:https';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { PAUSE_MS } from '../rules/sources/lm-eval';

/** A door on this machine to one endpoint, for one program, as long as it runs. */
export type Pacer = Readonly<{
  /** Where the program sends its requests; nobody else can know it. */
  address: string;
  /** What the endpoint answered last; null where it has not, and 0 where it could not be reached. */
  lastStatus(): number | null;
  close(): Promise<void>;
}>;

export type PacerOptions = Readonly<{
  /** Of chat completions, such as `https://api.openai.com/v1/chat/completions`. */
  endpoint: URL;
  /** Sent to the endpoint alone; null where it asks for none. */
  key: string | null;
  /** Waits, in ms. */
  pause(delayMs: number): Promise<void>;
  /** Hears of each good answer, when all of it has been handed over. */
  onAnswer(): void;
}>;

/** What goes on to the endpoint, and what comes back: no key of the program's, and no address to follow. */
const ASKED_HEADERS = ['accept', 'accept-encoding', 'content-type', 'content-length'] as const;
const ANSWERED_HEADERS = ['content-type', 'content-length', 'content-encoding', 'retry-after'] as const;
const UNREACHABLE_STATUS = 502;

/**
 * Opens a door on 127.0.0.1 that lets one request at a time through to the endpoint, a second after the last answer, and adds
 * the user's key. It reads and keeps nothing of what passes. Whoever does not know its address, which is drawn by chance, is
 * let nowhere.
 */
export async function openPacer(options: PacerOptions): Promise<Pacer> {
  const path = `/${randomBytes(32).toString('base64url')}/chat/completions`;
  let last: number | null = null;
  let queue: Promise<unknown> = Promise.resolve();
  const server = createServer((asked, answer) => {
    if (asked.method !== 'POST' || asked.url !== path) return void answer.writeHead(404).end();
    const inTurn = async (): Promise<void> => {
      if (answer.destroyed) return;
      last = (await forward(asked, answer, options)) ?? last;
      await options.pause(PAUSE_MS);
    };
    queue = queue.then(inTurn, inTurn);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    lastStatus: () => last,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Hands a request over, and its answer back. Never rejects.
 *
 * @returns the endpoint's status, 0 where it could not be reached, null where whoever asked has left.
 */
async function forward(asked: IncomingMessage, answer: ServerResponse, options: PacerOptions): Promise<number | null> {
  const { endpoint, key, onAnswer } = options;
  const leaving = new AbortController();
  // Whoever asked may be gone before there is an answer, which then nobody pays for longer.
  answer.once('close', () => leaving.abort());
  try {
    const outgoing = (endpoint.protocol === 'https:' ? secure : plain)(endpoint, {
      method: 'POST',
      headers: { ...pick(asked, ASKED_HEADERS), ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
      signal: leaving.signal,
    });
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve).once('error', reject);
    });
    // silent: an endpoint may refuse before it has read the whole body, and then its answer counts
    void pipeline(asked, outgoing).catch(() => undefined);
    const incoming = await answered;
    const { statusCode = UNREACHABLE_STATUS } = incoming;
    answer.writeHead(statusCode, pick(incoming, ANSWERED_HEADERS));
    await pipeline(incoming, answer);
    if (statusCode >= 200 && statusCode < 300) onAnswer();
    return statusCode;
  } catch {
    // silent: the status tells that the endpoint was not reached
    if (leaving.signal.aborted) return null;
    if (answer.headersSent) answer.destroy();
    else answer.writeHead(UNREACHABLE_STATUS).end();
    return 0;
  }
}

const pick = ({ headers }: IncomingMessage, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    }),
  );
