import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { Environment } from '../../../../node/base/state-home';
import { processTransport, serverEnvironment } from './process';
import type { KnowledgeSource } from './source';

export type Connection = Readonly<{
  /** Null if the server reports an error. @throws Error without an answer. */
  ask(query: string, signal: AbortSignal): Promise<string | null>;
  ended: Promise<void>;
  close(): Promise<void>;
}>;

export type ServerPlace = Readonly<{ cwd: string; env: Environment }>;

const MAX_BODY_BYTES = 1_048_576;
const NO_ANSWER: ReadonlySet<number> = new Set([ErrorCode.ConnectionClosed, ErrorCode.RequestTimeout]);
/** Only the text is used, so nothing is validated. */
const NO_VALIDATOR = {
  getValidator: () => (input: unknown) => ({ valid: true as const, data: input as never, errorMessage: undefined }),
};

export function openConnection(source: KnowledgeSource, place: ServerPlace): Connection {
  const transport = transportTo(source, place);
  const client = new Client({ name: 'understudy', version: '1' }, { jsonSchemaValidator: NO_VALIDATOR });
  client.onerror = () => undefined;
  const ended = new Promise<void>((resolve) => {
    client.onclose = resolve;
  });
  const ready = client.connect(transport);
  // silent: each question rejects with it
  ready.catch(() => transport.close());
  return {
    ended,
    async ask(query, signal) {
      await ready;
      try {
        const { content, isError } = await client.callTool(
          { name: source.tool, arguments: { [source.argument]: query } },
          undefined,
          { signal, timeout: source.timeoutMs * 2 },
        );
        return isError ? null : textIn(content);
      } catch (error) {
        if (error instanceof McpError && !NO_ANSWER.has(error.code)) return null;
        // The server may have dropped our session; the next request reconnects.
        if (error instanceof StreamableHTTPError) void transport.close();
        throw error;
      }
    },
    close: () => transport.close(),
  };
}

function transportTo(source: KnowledgeSource, { cwd, env }: ServerPlace): Transport {
  if ('command' in source) {
    const { command, environment } = source;
    return processTransport({ command, cwd, env: serverEnvironment(env, environment, cwd) });
  }
  // The only cast: the library's class allows undefined for an optional property.
  return new StreamableHTTPClientTransport(new URL(source.url), {
    requestInit: { headers: { ...source.headers } },
    fetch: async (url, init) => limited(await fetch(url, init)),
  }) as Transport;
}

function limited(response: Response): Response {
  let left = MAX_BODY_BYTES;
  const counted = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        left -= chunk.byteLength;
        if (left < 0) controller.error(new Error('The answer is too long.'));
        else controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return counted ? new Response(counted, { status, statusText, headers }) : response;
}

const textIn = (content: unknown): string =>
  (Array.isArray(content) ? (content as readonly Readonly<{ type?: unknown; text?: unknown }>[]) : [])
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('\n\n');
