import { createEventLog, type EventPredicate, type OpencodeEvent } from './event-log';

export type { OpencodeEvent } from './event-log';

export type EventStream = AsyncIterable<OpencodeEvent> &
  Readonly<{
    seen: () => readonly OpencodeEvent[];
    /** Past or future. Rejects after `limitMs` (60 s) and when the stream ends. */
    waitFor: (predicate: EventPredicate, limitMs?: number) => Promise<OpencodeEvent>;
    /** Future events only. */
    next: (predicate: EventPredicate, limitMs?: number) => Promise<OpencodeEvent>;
    close: () => void;
  }>;

const DEFAULT_WAIT_LIMIT_MS = 60_000;

/** Resolves once OpenCode confirms: no later event is lost. @throws Error if the server refuses. */
export async function openEventStream(url: string, headers: Readonly<Record<string, string>>): Promise<EventStream> {
  const ending = new AbortController();
  const response = await fetch(url, { headers: { ...headers, accept: 'text/event-stream' }, signal: ending.signal });
  if (!response.ok || response.body === null) {
    ending.abort();
    throw new Error(`OpenCode refused the event subscription: HTTP ${response.status}`);
  }
  const log = createEventLog();
  void pump(response.body, log.add).finally(log.end);
  await log.waitFor((event) => event.type === 'server.connected', DEFAULT_WAIT_LIMIT_MS);
  return {
    seen: log.seen,
    waitFor: (predicate, limitMs = DEFAULT_WAIT_LIMIT_MS) => log.waitFor(predicate, limitMs),
    next: (predicate, limitMs = DEFAULT_WAIT_LIMIT_MS) => log.next(predicate, limitMs),
    close: () => ending.abort(),
    [Symbol.asyncIterator]: log.iterate,
  };
}

async function pump(body: ReadableStream<Uint8Array>, emit: (event: OpencodeEvent) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of body) {
      const blocks = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = parseEvent(block);
        if (event !== null) emit(event);
      }
    }
  } catch {
    // silent: closed here or by the server, which both end the stream
  }
}

function parseEvent(block: string): OpencodeEvent | null {
  const lines = block.split(/\r?\n/).filter((line) => line.startsWith('data:'));
  try {
    const event = JSON.parse(lines.map((line) => line.slice('data:'.length)).join('\n')) as Partial<
      OpencodeEvent & Readonly<{ data: OpencodeEvent['properties'] }>
    >;
    // OpenCode 2 has them in `data`.
    const properties = event.properties ?? event.data ?? {};
    return typeof event.type === 'string' ? { type: event.type, properties } : null;
  } catch {
    // silent: a block without JSON is a comment or a keep-alive
    return null;
  }
}
