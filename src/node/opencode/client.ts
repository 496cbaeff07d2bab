import { type EventStream, type OpencodeEvent, openEventStream } from './events';

export type OpencodeSession = Readonly<{ id: string; directory: string; parentID?: string; title: string }>;

export type OpencodeMessage = Readonly<{
  info: Readonly<{
    id: string;
    sessionID: string;
    role: 'user' | 'assistant';
    providerID?: string;
    modelID?: string;
    model?: Readonly<{ providerID: string; modelID: string }>;
    agent?: string;
    finish?: string;
    error?: Readonly<{ name: string; data?: Readonly<Record<string, unknown>> }>;
    [key: string]: unknown;
  }>;
  parts: readonly Readonly<{ id: string; type: string; text?: string; tool?: string; [key: string]: unknown }>[];
}>;

export type Prompt = Readonly<{
  text: string;
  agent?: string;
  /** Without it, OpenCode uses the session's last, the agent's, or the default. */
  model?: string;
  variant?: string;
  /** Must start with `msg`; an existing id rewrites that message. */
  messageID?: string;
  noReply?: boolean;
}>;

export type RequestOptions = Readonly<{
  directory?: string;
  body?: unknown;
  signal?: AbortSignal;
  /** Repeats the request if OpenCode closes the connection; default for GET and DELETE. */
  isRepeatable?: boolean;
}>;

export type OpencodeClient = Readonly<{
  /** Rejects with {@link OpencodeRequestError} unless the response is 2xx. */
  request: <T = unknown>(method: string, path: string, options?: RequestOptions) => Promise<T>;
  createSession: (directory: string, body?: Readonly<Record<string, unknown>>) => Promise<OpencodeSession>;
  /** Waits for the end of the turn. */
  prompt: (session: OpencodeSession, prompt: Prompt, signal?: AbortSignal) => Promise<OpencodeMessage>;
  promptAsync: (session: OpencodeSession, prompt: Prompt) => Promise<void>;
  messages: (session: OpencodeSession) => Promise<readonly OpencodeMessage[]>;
  abort: (session: OpencodeSession) => Promise<void>;
  /** Resolves when active; the caller closes it. */
  events: (directory: string) => Promise<EventStream>;
  /** Call it before the cause of the event. */
  waitForEvent: (
    directory: string,
    predicate: (event: OpencodeEvent) => boolean,
    limitMs?: number,
  ) => Promise<OpencodeEvent>;
  /** The next request starts the project again. */
  dispose: (directory: string) => Promise<void>;
  closeStreams: () => void;
}>;

export class OpencodeRequestError extends Error {
  override readonly name = 'OpencodeRequestError';

  constructor(
    readonly method: string,
    readonly path: string,
    readonly status: number,
    readonly responseText: string,
  ) {
    super(`OpenCode answered ${status} to ${method} ${path}: ${responseText.slice(0, 400)}`);
  }
}

export function createOpencodeClient(url: string, headers: Readonly<Record<string, string>>): OpencodeClient {
  const streams = new Set<EventStream>();
  const request = <T>(method: string, path: string, options: RequestOptions = {}) =>
    sendRequest<T>({ url, headers, method, path, ...options });
  const events = async (directory: string) => {
    const stream = await openEventStream(`${url}/event`, { ...headers, ...directoryHeader(directory) });
    streams.add(stream);
    return stream;
  };
  const about = ({ id, directory }: OpencodeSession, action: string) =>
    [`/session/${id}/${action}`, directory] as const;
  return {
    request,
    events,
    createSession: (directory, body = {}) => request('POST', '/session', { directory, body }),
    prompt: (session, prompt, signal) => {
      const [path, directory] = about(session, 'message');
      return request('POST', path, { directory, body: promptBody(prompt), ...(signal ? { signal } : {}) });
    },
    promptAsync: async (session, prompt) => {
      const [path, directory] = about(session, 'prompt_async');
      await request('POST', path, { directory, body: promptBody(prompt) });
    },
    messages: (session) => {
      const [path, directory] = about(session, 'message');
      return request('GET', path, { directory });
    },
    abort: async (session) => {
      const [path, directory] = about(session, 'abort');
      await request('POST', path, { directory });
    },
    waitForEvent: async (directory, predicate, limitMs) => {
      const stream = await events(directory);
      try {
        return await stream.waitFor(predicate, limitMs);
      } finally {
        stream.close();
        streams.delete(stream);
      }
    },
    dispose: async (directory) => {
      await request('POST', '/instance/dispose', { directory });
    },
    closeStreams: () => {
      for (const stream of streams) stream.close();
      streams.clear();
    },
  };
}

export function textOf(message: OpencodeMessage): string {
  return message.parts.flatMap((part) => (part.type === 'text' ? [part.text ?? ''] : [])).join('');
}

/** OpenCode decodes it: paths beyond ASCII are preserved. */
function directoryHeader(directory: string): Record<string, string> {
  return { 'x-opencode-directory': encodeURIComponent(directory) };
}

function promptBody({ text, model, ...rest }: Prompt): Record<string, unknown> {
  return { ...rest, ...(model === undefined ? {} : { model: splitModel(model) }), parts: [{ type: 'text', text }] };
}

/** Model ids may contain slashes. */
export function splitModel(model: string): { providerID: string; modelID: string } {
  const slash = model.indexOf('/');
  if (slash < 1) throw new RangeError(`a model is written provider/model, got ${JSON.stringify(model)}`);
  return { providerID: model.slice(0, slash), modelID: model.slice(slash + 1) };
}

export type SentRequest = RequestOptions &
  Readonly<{ url: string; headers: Readonly<Record<string, string>>; method: string; path: string }>;

const REPEATABLE_METHODS: readonly string[] = ['GET', 'DELETE'];
const REPEATS_MOST = 5;
const CLOSED_CODES: readonly unknown[] = ['UND_ERR_SOCKET', 'ECONNRESET'];

/** OpenCode's server closes a connection after 10 s without data, even during longer work. */
async function fetchPatiently(url: string, init: RequestInit, repeats: number): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: unknown };
    if (repeats === 0 || !CLOSED_CODES.includes(code)) throw error;
    return fetchPatiently(url, init, repeats - 1);
  }
}

export async function sendRequest<T>(request: SentRequest): Promise<T> {
  const { url, headers, method, path, directory, body, signal } = request;
  const isRepeatable = request.isRepeatable ?? REPEATABLE_METHODS.includes(method);
  const init = {
    method,
    headers: {
      ...headers,
      ...(directory === undefined ? {} : directoryHeader(directory)),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  };
  const response = await fetchPatiently(`${url}${path}`, init, isRepeatable ? REPEATS_MOST : 0);
  const text = await response.text();
  if (!response.ok) throw new OpencodeRequestError(method, path, response.status, text);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}
