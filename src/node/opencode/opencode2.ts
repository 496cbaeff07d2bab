import { type RequestOptions, sendRequest } from './client';
import { type EventStream, type OpencodeEvent, openEventStream } from './events';
import { type OpencodeServer, type StartOptions, startServing } from './server';

export type Opencode2Model = Readonly<{ providerID: string; id: string; variant?: string }>;

export type Opencode2Session = Readonly<{
  id: string;
  parentID?: string;
  agent?: string;
  model?: Opencode2Model;
  /** US dollars. */
  cost?: number;
}>;

export type Opencode2Message = Readonly<{
  id: string;
  /** `user`, `assistant`, `synthetic`, `model-switched`, `compaction`, `idle`, … */
  type: string;
  text?: string;
  model?: Opencode2Model;
  agent?: string;
  finish?: string;
  error?: Readonly<{ type: string; message: string }>;
  content?: readonly Readonly<{ type: string; text?: string; [key: string]: unknown }>[];
  [key: string]: unknown;
}>;

type Running = Pick<OpencodeServer, 'url' | 'pid' | 'stdout' | 'stderr' | 'exited' | 'stop'>;

export type Opencode2Server = Running &
  Readonly<{
    /** Returns `data`, else the response. Rejects with `OpencodeRequestError` unless it is 2xx. */
    request: <T = unknown>(method: string, path: string, options?: Omit<RequestOptions, 'directory'>) => Promise<T>;
    /** Responds before all plugins are loaded. */
    openProject: (directory: string) => Promise<void>;
    closeProject: (directory: string) => Promise<void>;
    createSession: (
      directory: string,
      options?: Readonly<{ agent?: string; model?: Opencode2Model; title?: string }>,
    ) => Promise<Opencode2Session>;
    session: (id: string) => Promise<Opencode2Session>;
    /** @returns the message's id. */
    prompt: (session: string, text: string) => Promise<string>;
    /** Resolves without queued work. */
    settled: (session: string, signal?: AbortSignal) => Promise<void>;
    messages: (session: string) => Promise<readonly Opencode2Message[]>;
    events: () => Promise<EventStream>;
  }>;

/** OpenCode's limit. */
const PAGE_MESSAGES = 200;

export async function startOpencode2(options: StartOptions): Promise<Opencode2Server> {
  const { child, url, headers } = await startServing(options);
  const { pid, stdout, stderr, exited } = child;
  const streams = new Set<EventStream>();
  const request: Opencode2Server['request'] = async <T>(
    method: string,
    path: string,
    more: Omit<RequestOptions, 'directory'> = {},
  ) => unwrapped<T>(await sendRequest<unknown>({ url, headers, method, path: `/api${path}`, ...more }));
  return {
    url,
    pid,
    stdout,
    stderr,
    exited,
    request,
    async openProject(directory) {
      await request('GET', `/location?${at(directory)}`);
    },
    async closeProject(directory) {
      await request('DELETE', `/debug/location?${at(directory)}`);
    },
    createSession: (directory, more = {}) =>
      request('POST', '/session', { body: { ...more, location: { directory } } }),
    session: (id) => request('GET', `/session/${id}`),
    prompt: async (session, text) =>
      (await request<{ id: string }>('POST', `/session/${session}/prompt`, { body: { text } })).id,
    settled: (session, signal) =>
      request('POST', `/experimental/session/${session}/wait`, { isRepeatable: true, ...(signal ? { signal } : {}) }),
    async messages(session) {
      const all: Opencode2Message[] = [];
      for (let from: string | null = 'order=asc'; from !== null; ) {
        const path: string = `/api/session/${session}/message?limit=${PAGE_MESSAGES}&${from}`;
        const { data, cursor }: MessagePage = await sendRequest({ url, headers, method: 'GET', path });
        all.push(...data);
        from = cursor.next && data.length === PAGE_MESSAGES ? `cursor=${encodeURIComponent(cursor.next)}` : null;
      }
      return all;
    },
    async events() {
      const stream = await openEventStream(`${url}/api/event`, headers);
      streams.add(stream);
      return stream;
    },
    stop(graceMs) {
      for (const stream of streams) stream.close();
      return child.stop(graceMs);
    },
  };
}

const at = (directory: string): URLSearchParams => new URLSearchParams({ 'location[directory]': directory });

type MessagePage = Readonly<{ data: readonly Opencode2Message[]; cursor: Readonly<{ next?: string | null }> }>;

const unwrapped = <T>(answer: unknown): T =>
  (typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : answer) as T;

export const textsIn = (messages: readonly Opencode2Message[]): readonly string[] =>
  messages.flatMap(({ type, content = [] }) => {
    const text = content.flatMap((part) => (part.type === 'text' ? [part.text ?? ''] : [])).join('');
    return type === 'assistant' && text !== '' ? [text] : [];
  });

export const isOf =
  (session: string) =>
  ({ properties }: OpencodeEvent): boolean =>
    properties.sessionID === session;
