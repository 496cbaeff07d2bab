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

export type ScriptedProvider = Readonly<{
  /** `http://127.0.0.1:<port>`; for a base URL append {@link wireBasePath}. */
  url: string;
  /** Applies from the next request. A model without a script returns 404. */
  script: (model: string, script: Script) => void;
  requests: (model?: string) => readonly RecordedRequest[];
  /**
   * First matching request, past or future; checked again after its answer or abort. Rejects after `limitMs` (30 s)
   * with all seen requests, or when the provider closes.
   */
  waitForRequest: (predicate: Predicate, limitMs?: number) => Promise<RecordedRequest>;
  release: (model: string) => void;
  clear: () => void;
  close: () => Promise<void>;
}>;

/** Enough for a cold OpenCode on a busy machine. */
const DEFAULT_WAIT_LIMIT_MS = 30_000;

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
  /** Connections that end during the close are not aborts by the client. */
  isClosing: boolean;
};

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

async function letGo(step: ScriptedStep, signal: AbortSignal): Promise<ScriptedStep> {
  if (step.kind !== 'held') return step;
  await Promise.race([step.until, once(signal, 'abort')]);
  return step.of;
}

function releasesOf({ releases }: ServerState, model: string): EventEmitter {
  const release = releases.get(model) ?? new EventEmitter();
  releases.set(model, release);
  return release;
}

/** Unix ms with fractions, to measure switches of a few ms. */
function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

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

/** A loopback URL that refuses connections. */
export async function refusedPort(): Promise<string> {
  const server = createServer();
  const port = await listen(server);
  await closeServer(server);
  return `http://127.0.0.1:${port}`;
}

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
  // A connection closed between messages would be an unscripted failure.
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
