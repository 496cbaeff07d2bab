import type { Evidence } from '../../engine';
import { followAnswer } from '../answer/answer-stream';
import { errorIn, evidenceOfResponse } from '../answer/evidence';
import { wireOf } from '../answer/wire';
import { limited } from '../guarded';
import { quietly } from '../quietly';
import { callOf, failCall } from './calls';
import type { Instance, ModelCall } from './instance';
import { isToMove, NEVER_MS, passOn, type Watched } from './pass-on';
import { tapped } from './tap';
import type { HttpResponseEvent } from './types';

/** How long the body of an error may take, in ms; it is there already. */
const ERROR_BODY_LIMIT_MS = 5_000;

/**
 * A response came, before OpenCode has looked at it. What it says of its model is told; where it is a failure that
 * OpenCode would wait for or take for an answer, it is replaced by an error, so that OpenCode asks what to do.
 */
export async function onResponse(instance: Instance, event: HttpResponseEvent): Promise<void> {
  const call = callOf(instance, event);
  if (call?.end !== 'open' || call.isSeen) return;
  const { response } = event;
  const type = response.headers.get('content-type') ?? '';
  if (!response.ok || /json/.test(type)) return tellRefusal(instance, call, response);
  const wire = wireOf(event.request.url, '');
  // Seen by its status only: how it ends is heard from OpenCode.
  if (!/event-stream/.test(type) || !response.body || wire === 'opaque' || instance.replaced === 'refused') return;
  call.isSeen = true;
  const { source, onRead } = bodyOf(instance, response);
  const tap = tapped(source);
  const stream = followAnswer(tap.body, wire);
  const { firstTokenTimeoutMs, stallTimeoutMs } = instance.companion.limits();
  const limitMs = call.isWatched ? NEVER_MS : stallTimeoutMs;
  const watched: Watched = { instance, call, tap, stream, response, onRead, limitMs };
  const answer = call.isWatched ? passOn(watched) : await begun(watched, firstTokenTimeoutMs);
  try {
    event.response = answer;
  } catch {
    instance.replaced = 'refused';
  }
}

/**
 * The body to look into. Until OpenCode has been seen to read what is put in a response's place, a copy is read and the
 * response itself stays whole.
 */
function bodyOf(
  instance: Instance,
  response: Response,
): Readonly<{ source: ReadableStream<Uint8Array>; onRead: () => void }> {
  if (instance.replaced === 'read') return { source: response.body as ReadableStream<Uint8Array>, onRead: () => {} };
  const copy = response.clone();
  return {
    source: copy.body as ReadableStream<Uint8Array>,
    onRead() {
      instance.replaced = 'read';
      // The other half of the copy is read by nobody now.
      void response.body?.cancel().catch(() => undefined);
    },
  };
}

/** A copy is read: OpenCode gets the response as it came. */
async function tellRefusal(instance: Instance, call: ModelCall, response: Response): Promise<void> {
  const copy = response.clone();
  const read = await limited(
    quietly(() => copy.text()),
    ERROR_BODY_LIMIT_MS,
  );
  const body = read ?? '';
  if (!response.ok || errorIn(body)) failCall(instance, call, evidenceOfResponse(response, body));
}

/** The answer once its first word is there, or the error that stands for its failure. */
async function begun(watched: Watched, limitMs: number): Promise<Response> {
  const { instance, call, stream } = watched;
  const { brain } = instance.companion;
  while (!stream.hasContent()) {
    const reading = await stream.read(limitMs);
    if (reading.kind === 'events') continue;
    // A finish by length or by a filter, without a word: an answer all the same.
    if (reading.kind === 'end') break;
    failCall(instance, call, reading.evidence);
    if (!isToMove(call)) break;
    stream.cancel();
    return unavailable(reading.evidence, watched.onRead);
  }
  return passOn({ ...watched, firstTokenMs: brain.now() - call.startedAt });
}

/** Says in OpenCode's words that the model does not answer now. */
function unavailable({ message, observed }: Evidence, onRead: () => void): Response {
  const said = message ?? (observed === 'empty_response' ? 'The answer was empty.' : 'The answer broke off.');
  const text = JSON.stringify({ error: { type: 'service_unavailable', message: said } });
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        onRead();
        controller.enqueue(new TextEncoder().encode(text));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: 503, headers: { 'content-type': 'application/json' } });
}
