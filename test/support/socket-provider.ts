import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

/** A response of an OpenAI model; `after` is sent as text first. */
export type SocketStep =
  | Readonly<{ kind: 'text'; text: string; paceMs?: number; first?: Readonly<Record<string, unknown>> }>
  /** An error event as OpenAI sends it; over HTTP an error status. */
  | Readonly<{
      kind: 'error';
      status?: number;
      error: Readonly<Record<string, unknown>>;
      headers?: Readonly<Record<string, string>>;
      after?: string;
    }>
  | Readonly<{ kind: 'failed'; code: string; message: string; after?: string }>
  /** Sends nothing more and keeps the connection. */
  | Readonly<{ kind: 'stall'; after?: string }>
  /** Ends the connection: without a code, abruptly. */
  | Readonly<{ kind: 'cut'; code?: number; after?: string }>
  | Readonly<{ kind: 'empty' }>
  /** Refuses the next socket; `instead` answers the HTTP request that follows. */
  | Readonly<{ kind: 'refused'; status: number; instead: SocketStep }>;

export type SocketRequest = Readonly<{
  over: 'socket' | 'http';
  model: string;
  key: string;
  isContinued: boolean;
  body: unknown;
  headers: IncomingMessage['headers'];
}>;

/** A local provider of OpenAI's Responses API, over web sockets and HTTP. */
export type SocketProvider = Readonly<{
  url: string;
  /** Steps are used in order, and the last one repeats. */
  script(model: string, steps: readonly SocketStep[] | ((request: SocketRequest) => SocketStep)): void;
  requests(model?: string): readonly SocketRequest[];
  sockets(): number;
  close(): Promise<void>;
}>;

type Frame = Readonly<Record<string, unknown>>;
type Play = Readonly<{ send(frame: Frame): void; end(code: number | null): void }>;

/** Models without a script answer OK. */
export async function openSocketProvider(): Promise<SocketProvider> {
  const scripts = new Map<string, (request: SocketRequest) => SocketStep>();
  const requests: SocketRequest[] = [];
  let sockets = 0;
  let ids = 0;
  const stepOf = (request: SocketRequest): SocketStep => {
    requests.push(request);
    return scripts.get(request.model)?.(request) ?? { kind: 'text', text: 'OK' };
  };
  /** Status for the next socket. Its model is unknown before its first request. */
  let refusal: number | null = null;
  const server = createServer((incoming, response) => void serve(incoming, response));
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const told = stepOf({ over: 'http', ...readBody(body), ...senderOf(incoming) });
    const step = told.kind === 'refused' ? told.instead : told;
    if (step.kind === 'error' && !step.after) {
      response.writeHead(step.status ?? 500, { 'content-type': 'application/json', ...step.headers });
      response.end(JSON.stringify({ error: step.error }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    play(step, `resp_${++ids}`, {
      send: (frame) => void response.write(`event: ${String(frame.type)}\ndata: ${JSON.stringify(frame)}\n\n`),
      end: (code) => (code === null ? response.destroy() : response.end()),
    });
  };
  const upgrade = new WebSocketServer({ noServer: true });
  server.on('upgrade', (incoming, socket, head) => {
    socket.on('error', () => undefined);
    const refused = refusal;
    refusal = null;
    if (refused !== null) {
      socket.end(`HTTP/1.1 ${refused} No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
      return;
    }
    sockets++;
    upgrade.handleUpgrade(incoming, socket, head, (open) => {
      open.on('error', () => undefined);
      open.on('message', (data) => {
        const body: unknown = JSON.parse(String(data));
        const step = stepOf({ over: 'socket', ...readBody(body), ...senderOf(incoming) });
        play(step, `resp_${++ids}`, {
          send: (frame) => open.readyState === WebSocket.OPEN && open.send(JSON.stringify(frame)),
          end(code) {
            if (code === null) open.terminate();
            // A complete response ends with its last frame.
            else if (code !== 0) open.close(code, 'bye');
          },
        });
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    script(model, steps) {
      scripts.set(model, typeof steps === 'function' ? steps : inOrder(steps));
      const first = typeof steps === 'function' ? undefined : steps[0];
      if (first?.kind === 'refused') refusal = first.status;
    },
    requests: (model) => requests.filter((request) => model === undefined || request.model === model),
    sockets: () => sockets,
    async close() {
      for (const open of upgrade.clients) open.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function inOrder(steps: readonly SocketStep[]): (request: SocketRequest) => SocketStep {
  let count = 0;
  const at = (index: number): SocketStep | undefined => steps[Math.min(index, steps.length - 1)];
  return () => at(count++) ?? { kind: 'text', text: 'OK' };
}

const senderOf = ({ headers }: IncomingMessage): Pick<SocketRequest, 'key' | 'headers'> => ({
  key: (headers.authorization ?? '').replace(/^Bearer /, ''),
  headers,
});

function readBody(body: unknown): Pick<SocketRequest, 'model' | 'isContinued' | 'body'> {
  const { model, previous_response_id: previous } = body as Readonly<Record<string, unknown>>;
  return { model: String(model), isContinued: typeof previous === 'string', body };
}

/** Time in ms to read the text before an end, because a cut drops pending data. */
const READ_MS = 30;

function play(step: SocketStep, id: string, { send, end }: Play): void {
  const said = 'after' in step && step.after !== undefined ? wordsOf(id, step.after) : [];
  const begun = { type: 'response.created', response: { ...responseOf(id, []), status: 'in_progress' } };
  const first = step.kind === 'text' && step.first ? [step.first] : [];
  const frames = [...first, begun, ...said, ...restOf(step, id)];
  if (step.kind === 'text' && step.paceMs !== undefined) {
    playSlowly(frames, step.paceMs, { send, end });
    return;
  }
  for (const frame of frames) send(frame);
  if (step.kind === 'cut') setTimeout(() => end(step.code ?? null), READ_MS);
  else if (step.kind !== 'stall') end(0);
}

function playSlowly(frames: readonly Frame[], paceMs: number, { send, end }: Play): void {
  const [first, ...rest] = frames;
  if (first === undefined) {
    end(0);
    return;
  }
  send(first);
  setTimeout(() => playSlowly(rest, paceMs, { send, end }), paceMs);
}

function restOf(step: SocketStep, id: string): readonly Frame[] {
  switch (step.kind) {
    case 'text':
      return [...wordsOf(id, step.text), ...endOf(id, step.text)];
    case 'empty':
      return [{ type: 'response.completed', response: responseOf(id, []) }];
    case 'error': {
      const { status, error, headers } = step;
      return [{ type: 'error', ...(status === undefined ? {} : { status }), error, ...(headers ? { headers } : {}) }];
    }
    case 'failed': {
      const error = { code: step.code, message: step.message };
      return [{ type: 'response.failed', response: { ...responseOf(id, []), status: 'failed', error } }];
    }
    default:
      return [];
  }
}

const responseOf = (id: string, output: readonly unknown[]): Frame => ({
  ...{ id, object: 'response', created_at: 1, model: 'scripted', status: 'completed', output },
  usage: {
    ...{ input_tokens: 5, output_tokens: 5, total_tokens: 10 },
    ...{ input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
  },
});

const itemOf = (id: string, status: string, text: string): Frame => ({
  ...{ type: 'message', id: `msg_${id}`, role: 'assistant', status },
  content: text === '' ? [] : [{ type: 'output_text', text, annotations: [] }],
});

const PLACE = { output_index: 0, content_index: 0 } as const;

const wordsOf = (id: string, text: string): readonly Frame[] => [
  { type: 'response.output_item.added', output_index: 0, item: itemOf(id, 'in_progress', '') },
  {
    type: 'response.content_part.added',
    ...PLACE,
    item_id: `msg_${id}`,
    part: { type: 'output_text', text: '', annotations: [] },
  },
  ...text
    .split(' ')
    .map((word) => ({ type: 'response.output_text.delta', ...PLACE, item_id: `msg_${id}`, delta: `${word} ` })),
];

const endOf = (id: string, text: string): readonly Frame[] => [
  { type: 'response.output_text.done', ...PLACE, item_id: `msg_${id}`, text },
  { type: 'response.output_item.done', output_index: 0, item: itemOf(id, 'completed', text) },
  { type: 'response.completed', response: responseOf(id, [itemOf(id, 'completed', text)]) },
];
