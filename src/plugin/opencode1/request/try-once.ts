import { classify, type Evidence, redact, step } from '../../../engine';
import { type AnswerStream, followAnswer } from '../../answer/answer-stream';
import { calmBody } from '../../answer/calm';
import { errorBody, errorIn, evidenceOfResponse, evidenceOfThrow, rebuilt } from '../../answer/evidence';
import { noteEvents } from '../../answer/foreign';
import { openBody } from '../../answer/sse';
import { counting } from '../../base/counting';
import type { Call } from './call';
import { sendOnLiveConnection } from './kept-connection';

export type Answered = Readonly<{
  kind: 'answer';
  response: Response;
  /** Null for a complete body, or a wire whose content is not read. */
  stream: AnswerStream | null;
  opening: readonly string[];
  abort: AbortController;
}>;
export type Failed = Readonly<{
  kind: 'failed';
  evidence: Evidence;
  passOn: () => Response;
}>;

export async function tryOnce(call: Call, attempt: string): Promise<Answered | Failed> {
  const { signal: stop, request } = call;
  const limitMs = request.instance.companion.limits().firstTokenTimeoutMs;
  const abort = new AbortController();
  const signal = stop ? AbortSignal.any([stop, abort.signal]) : abort.signal;
  // OpenCode retries on this text.
  const late = (): void => abort.abort(new Error(`The response timed out: no first token within ${limitMs} ms`));
  const timer = setTimeout(late, limitMs);
  try {
    const sent = sendOnLiveConnection(call, signal);
    warmUp(call, attempt);
    const response = await Promise.race([sent, stopOf(signal)]);
    request.instance.companion.heardLimits({ attempt, model: request.model }, response.headers);
    const result = response.ok ? await opened(call, response, abort) : await refused(call, response);
    return result.kind === 'failed' && signal.aborted ? tooLate(signal) : result;
  } catch (cause) {
    if (signal.aborted) return tooLate(signal);
    return failed(evidenceOfThrow(cause), () => passOnError(cause));
  } finally {
    clearTimeout(timer);
  }
}

let isWarm = false;

/** Warms up the failure path: the first failure is then three times as fast. */
function warmUp({ request }: Call, attempt: string): void {
  if (isWarm || request.isInternal) return;
  isWarm = true;
  const { named, brain } = request.instance.companion;
  const run = async (): Promise<void> => {
    const response = new Response('{"error":{"message":"Rate limit reached"}}', { status: 429 });
    const evidence = named(request, evidenceOfResponse(response, await errorBody(response), request.model));
    step(brain.state(), { type: 'attempt.failed', attempt, evidence, durationMs: 0 }, brain.now(), 0);
  };
  setImmediate(() => void counting('switch.warm', run));
}

/** A login plugin's fetch may ignore the signal. */
export const stopOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

const passedOn = new WeakSet<object>();

export const isPassedOn = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && passedOn.has(error);

function passOnError(error: unknown): never {
  const passed = typeof error === 'object' && error !== null ? error : new Error(String(error), { cause: error });
  passedOn.add(passed);
  throw passed;
}

const failed = (evidence: Evidence, passOn: () => Response): Failed => ({ kind: 'failed', evidence, passOn });

/** Failure by our limit or OpenCode's; the caller checks for the user's stop. */
function tooLate({ reason }: AbortSignal): Failed {
  const message = reason instanceof Error ? reason.message : String(reason);
  return failed({ phase: 'watchdog', observed: 'timeout', message: redact(message) }, () => passOnError(reason));
}

async function refused({ request }: Call, response: Response): Promise<Failed> {
  const body = await errorBody(response);
  const evidence = evidenceOfResponse(response, body, request.model);
  return failed(evidence, () => {
    const kind = classify(request.instance.companion.named(request, evidence)).kind;
    // OpenCode would retry a refusal five times if its text contains "500".
    const isRefusal = kind === 'invalid_request' || kind === 'content_policy' || kind === 'unsupported_input';
    return rebuilt(response, isRefusal ? calmBody(body) : body);
  });
}

async function opened(call: Call, response: Response, abort: AbortController): Promise<Answered | Failed> {
  const type = response.headers.get('content-type') ?? '';
  if (response.body && /event-stream/.test(type)) return openedStream(call, response, abort);
  const wants = wantsStream(call);
  // Some servers label a stream as plain text, or not at all.
  const isLabelled = !wants && !/json|html|text|^$/.test(type);
  if (call.wire === 'opaque' || isLabelled) return { kind: 'answer', response, stream: null, opening: [], abort };
  const begun = wants && response.body ? await openBody(response.body) : null;
  if (begun?.isEventStream) return openedStream(call, relabelled(response, begun.body), abort);
  const body = await (begun ? new Response(begun.body) : response).text();
  const error = errorIn(body);
  if (error) return failed(evidenceOfResponse(response, body, call.request.model), () => rebuilt(response, body));
  if (wants || body.trim() === '') {
    const evidence: Evidence = {
      phase: 'body',
      observed: 'early_termination',
      message: `answered ${type || 'nothing'} instead of a stream`,
    };
    return failed(evidence, () => rebuilt(response, body));
  }
  return { kind: 'answer', response: rebuilt(response, body), stream: null, opening: [], abort };
}

function relabelled(response: Response, body: ReadableStream<Uint8Array>): Response {
  const stream = rebuilt(response, body);
  stream.headers.set('content-type', 'text/event-stream');
  return stream;
}

const wantsStream = ({ init, input }: Call): boolean =>
  /stream/i.test(String(input instanceof Request ? input.url : input)) ||
  new Headers(init.headers).get('ai-language-model-streaming') === 'true' ||
  (typeof init.body === 'string' && /"stream"\s*:\s*true/.test(init.body));

async function openedStream(call: Call, response: Response, abort: AbortController): Promise<Answered | Failed> {
  const { session, model, isInternal } = call.request;
  const onEvent = isInternal ? undefined : noteEvents(session, model);
  const stream = followAnswer(response.body as ReadableStream<Uint8Array>, call.wire, undefined, onEvent);
  const limitMs = call.request.instance.companion.limits().firstTokenTimeoutMs;
  const opening: string[] = [];
  for (;;) {
    const reading = await stream.read(limitMs);
    if (reading.kind === 'failed') {
      stream.cancel();
      const text = [...opening, ...reading.events].join('');
      return failed(reading.evidence, () => {
        if (reading.cause !== null) passOnError(reading.cause);
        return rebuilt(response, text);
      });
    }
    if (reading.kind === 'end') return { kind: 'answer', response, stream, opening, abort };
    opening.push(...reading.events);
    if (stream.hasContent()) return { kind: 'answer', response, stream, opening, abort };
  }
}
