import { type RequestOptions, sendRequest } from './client';
import { type EventStream, type OpencodeEvent, openEventStream } from './events';
import { type OpencodeServer, type StartOptions, startServing } from './server';

/** A model as OpenCode 2 names it. */
export type Opencode2Model = Readonly<{ providerID: string; id: string; variant?: string }>;

/** A session of OpenCode 2, as far as we look at it. */
export type Opencode2Session = Readonly<{
  id: string;
  parentID?: string;
  agent?: string;
  /** What was chosen for it; absent where nobody has. */
  model?: Opencode2Model;
  /** In dollars, of all its messages. */
  cost?: number;
}>;

/** One entry of a session's history. */
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

/** A running `opencode serve` of OpenCode 2, and what one can ask of it. */
export type Opencode2Server = Running &
  Readonly<{
    /** The parsed `data` of a JSON answer, or the answer itself. Rejects with `OpencodeRequestError` unless it is 2xx. */
    request: <T = unknown>(method: string, path: string, options?: Omit<RequestOptions, 'directory'>) => Promise<T>;
    /** Opens a project: OpenCode loads its plugins then, and has answered before they are all there. */
    openProject: (directory: string) => Promise<void>;
    /** Ends what OpenCode keeps running for a project; the next message opens it anew. */
    closeProject: (directory: string) => Promise<void>;
    /** Opens a session; its project is opened by the first message at the latest. */
    createSession: (
      directory: string,
      options?: Readonly<{ agent?: string; model?: Opencode2Model; title?: string }>,
    ) => Promise<Opencode2Session>;
    session: (id: string) => Promise<Opencode2Session>;
    /** Sends a message. @returns its id, as soon as OpenCode has taken it. */
    prompt: (session: string, text: string) => Promise<string>;
    /** Resolves when nothing runs in a session and nothing waits. */
    settled: (session: string, signal?: AbortSignal) => Promise<void>;
    /** A session's history, oldest first. */
    messages: (session: string) => Promise<readonly Opencode2Message[]>;
    /** The events of all projects from now on; closed with the server. */
    events: () => Promise<EventStream>;
  }>;

/** The most OpenCode hands over at once. */
const PAGE_MESSAGES = 200;

/**
 * Starts OpenCode 2 as a server of its own, and gives a client for it.
 *
 * @throws Error as `startServing` does.
 */
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

/** What the assistant has said in a history, one text for each message that has one. */
export const textsIn = (messages: readonly Opencode2Message[]): readonly string[] =>
  messages.flatMap(({ type, content = [] }) => {
    const text = content.flatMap((part) => (part.type === 'text' ? [part.text ?? ''] : [])).join('');
    return type === 'assistant' && text !== '' ? [text] : [];
  });

/** Whether an event is of a session. */
export const isOf =
  (session: string) =>
  ({ properties }: OpencodeEvent): boolean =>
    properties.sessionID === session;
