import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseJson } from '../contract/parse-json';
import { createRecorder, type MutableRecord, type Predicate, type Recorder } from './request-recorder';
import { answer } from './scripted-answer';
import {
  type RecordedRequest,
  type Script,
  type ScriptedStep,
  type ScriptFunction,
  scriptToFunction,
  type Wire,
} from './scripted-steps';
import { errorBody } from './wires';

export {
  type RecordedRequest,
  type Script,
  type ScriptedStep,
  type ScriptedToolCall,
  type ScriptedUsage,
  type ScriptFunction,
  toolCallThen,
  type Wire,
} from './scripted-steps';

/** A model provider on loopback whose models do what a script says, over all wires OpenCode speaks. */
export type ScriptedProvider = Readonly<{
  /** `http://127.0.0.1:<port>`; what a provider's base URL starts with, see {@link wireBasePath}. */
  url: string;
  /** Sets what a model does from its next request on. A model without a script answers 404. */
  script: (model: string, script: Script) => void;
  /** Every request so far, in order of arrival; those of one model when it is named. */
  requests: (model?: string) => readonly RecordedRequest[];
  /**
   * The first request, past or future, that fits; looked at again when it is answered or aborted.
   *
   * Rejects with what was seen instead after `limitMs` (30 s), or when the provider closes.
   */
  waitForRequest: (predicate: Predicate, limitMs?: number) => Promise<RecordedRequest>;
  /** Cuts the connections of a model that wait to be cut, now that their client has read what it shall read. */
  release: (model: string) => void;
  /** Forgets requests and scripts; connections stay as they are. */
  clear: () => void;
  /** Stops listening and destroys every open connection. */
  close: () => Promise<void>;
}>;

/** Long enough for a cold OpenCode on a busy machine. */
const DEFAULT_WAIT_LIMIT_MS = 30_000;

/** The path a provider's base URL must end with, so that its requests are told apart by wire. */
export function wireBasePath(wire: Wire): string {
  switch (wire) {
    case 'openai-compatible':
    case 'anthropic':
    case 'openai-responses':
      return '/v1';
    case 'google':
      return '/v1beta';
    case 'openrouter':
      return '/api/v1';
  }
}

/** Which wire, and on Google's also which model, a path stands for; null when it is none of ours. */
function readPath(path: string): Readonly<{ wire: Wire; model: string | null }> | null {
  const pathname = path.split('?')[0] ?? '';
  const google = /\/models\/([^/]+):(?:streamGenerateContent|generateContent)$/.exec(pathname);
  if (google?.[1] !== undefined) return { wire: 'google', model: decodeURIComponent(google[1]) };
  if (pathname.endsWith('/api/v1/chat/completions')) return { wire: 'openrouter', model: null };
  if (pathname.endsWith('/chat/completions')) return { wire: 'openai-compatible', model: null };
  if (pathname.endsWith('/messages')) return { wire: 'anthropic', model: null };
  if (pathname.endsWith('/responses')) return { wire: 'openai-responses', model: null };
  return null;
}

/** Reads a request to its end. */
async function readRecord(incoming: IncomingMessage): Promise<MutableRecord | null> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const path = incoming.url ?? '/';
  const target = readPath(path);
  if (target === null) return null;
  const body = parseJson(Buffer.concat(chunks).toString('utf8'));
  const bodyModel = (body as { model?: unknown } | null)?.model;
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]);
  return {
    at: nowMs(),
    respondedAt: null,
    model: target.model ?? (typeof bodyModel === 'string' ? bodyModel : ''),
    wire: target.wire,
    path,
    headers: Object.fromEntries(headers) as Record<string, string>,
    body,
    aborted: false,
  };
}

type ServerState = {
  readonly recorder: Recorder;
  readonly scripts: Map<string, ScriptFunction>;
  readonly releases: Map<string, EventEmitter>;
  /** Connections that end while we close were not left by their client. */
  isClosing: boolean;
};

/** What the script does with this request; a missing or throwing script is told to the client. */
function chooseStep(record: RecordedRequest, script: ScriptFunction | undefined): ScriptedStep {
  const refuse = (status: number, message: string): ScriptedStep => {
    return { kind: 'status', status, body: errorBody(record.wire, status, message) };
  };
  if (script === undefined) return refuse(404, `No script for the model ${JSON.stringify(record.model)}`);
  try {
    return script(record);
  } catch (error) {
    return refuse(400, `The script of ${record.model} failed: ${String(error)}`);
  }
}

/** Serves one request by the script of its model. */
async function serve(incoming: IncomingMessage, response: ServerResponse, state: ServerState): Promise<void> {
  const record = await readRecord(incoming);
  if (record === null) {
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: `Nothing is served at ${incoming.method} ${incoming.url}` } }));
    return;
  }
  const clientLeft = new AbortController();
  const step = chooseStep(record, state.scripts.get(record.model));
  response.on('close', () => {
    const isOurDoing = state.isClosing || ['reset', 'cut', 'cutCall'].includes(step.kind);
    record.aborted = !response.writableFinished && !isOurDoing;
    clientLeft.abort();
    state.recorder.changed(record);
  });
  state.recorder.add(record);
  const shown = await letGo(step, clientLeft.signal);
  if (shown.kind !== 'hang') record.respondedAt = nowMs();
  const { wire, model } = record;
  await answer(shown, { response, wire, model, releases: releasesOf(state, model), signal: clientLeft.signal });
}

/** What a step does once it need not be held back any more, or nobody waits for it. */
async function letGo(step: ScriptedStep, signal: AbortSignal): Promise<ScriptedStep> {
  if (step.kind !== 'held') return step;
  await Promise.race([step.until, once(signal, 'abort')]);
  return step.of;
}

function releasesOf({ releases }: ServerState, model: string): EventEmitter {
  const known = releases.get(model) ?? new EventEmitter();
  releases.set(model, known);
  return known;
}

/** Milliseconds since the epoch with fractions, so that hand-overs of a few milliseconds can be measured. */
function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

/** Listens on a free loopback port. */
async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve());
  });
  return (server.address() as AddressInfo).port;
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

/** A loopback URL where nobody listens: connections to it are refused. */
export async function refusedPort(): Promise<string> {
  const server = createServer();
  const port = await listen(server);
  await closeServer(server);
  return `http://127.0.0.1:${port}`;
}

/** Starts a provider on a free loopback port. The caller closes it. */
export async function startScriptedProvider(): Promise<ScriptedProvider> {
  const state: ServerState = {
    recorder: createRecorder(),
    scripts: new Map(),
    releases: new Map(),
    isClosing: false,
  };
  const { recorder, scripts } = state;
  const server = createServer((incoming, response) => {
    // silent: a client may leave while its request is read or its answer is paced
    serve(incoming, response, state).catch(() => response.destroy());
  });
  // A connection closed between two messages would be one more failure than the script has.
  server.keepAliveTimeout = 0;
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    script: (model, script) => {
      scripts.set(model, scriptToFunction(script));
    },
    requests: recorder.list,
    waitForRequest: (predicate, limitMs = DEFAULT_WAIT_LIMIT_MS) => recorder.wait(predicate, limitMs),
    release: (model) => {
      releasesOf(state, model).emit('released');
    },
    clear: () => {
      recorder.clear();
      scripts.clear();
    },
    close: async () => {
      state.isClosing = true;
      recorder.failWaiters(new Error('the scripted provider was closed'));
      await closeServer(server);
    },
  };
}
