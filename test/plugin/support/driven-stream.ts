import type { Wire } from '../../../src/plugin/answer/wire';
import type { Fetch } from '../../../src/plugin/opencode1/memory/fetch-wrap';
import type { GuardedRequest } from '../../../src/plugin/opencode1/memory/guarded-request';
import { guardedFetch } from '../../../src/plugin/opencode1/request/guard';
import { bodyOf, CHAT_PATH, type DoubleOptions, openDouble } from './opencode-double';

export const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
/** One piece of a chat answer. */
export const delta = (value: unknown, finish: string | null = null): string =>
  event({ choices: [{ index: 0, delta: value, finish_reason: finish }] });
export const TEXT = delta({ content: 'Hello' });
export const THINKING = delta({ reasoning_content: 'Hm' });
export const TOOL = delta({ tool_calls: [{ index: 0, function: { name: 'read', arguments: '{' } }] });
export const STOP = delta({}, 'stop');
export const PING = ': ping\n\n';

const PATHS: Partial<Record<Wire, string>> = { anthropic: '/v1/messages', responses: '/v1/responses' };

export type DriveOptions = DoubleOptions & { signal?: AbortSignal; over?: Partial<GuardedRequest> };

/** A turn whose provider's stream is driven by hand. */
export function drive(wire: Wire = 'chat', options: DriveOptions = {}) {
  const double = openDouble(options);
  double.submit();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isFreed = false;
  let requests = 0;
  const body = new ReadableStream<Uint8Array>({
    start: (own) => {
      controller = own;
    },
  });
  const original: Fetch = async (_, init) => {
    requests++;
    init?.signal?.addEventListener('abort', () => {
      isFreed = true;
      controller?.error(init.signal?.reason);
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  const response = guardedFetch(double.request(options.over), original, {
    input: `https://host${PATHS[wire] ?? CHAT_PATH}`,
    init: { method: 'POST', body: bodyOf('lead/one'), ...(options.signal ? { signal: options.signal } : {}) },
  });
  return {
    double,
    response,
    send: (...events: string[]) => controller?.enqueue(new TextEncoder().encode(events.join(''))),
    end: () => controller?.close(),
    cut: () => controller?.error(new TypeError('terminated')),
    isFreed: () => isFreed,
    requests: () => requests,
  };
}
