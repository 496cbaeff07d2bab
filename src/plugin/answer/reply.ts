import { finalResponse } from './terminator';
import { textAnswer } from './text-answer';
import type { Wire } from './wire';

/** Answers in place of a model. On a wire that cannot carry a text it comes as an error, which is shown as well. */
export function replyTo(wire: Wire, text: string): Response {
  const body = textAnswer(wire, text);
  return body === null ? finalResponse(text) : streamOf(body);
}

/** A stream of events that is all there. */
export const streamOf = (body: string): Response =>
  new Response(body, { status: 200, headers: { 'content-type': 'text/event-stream' } });
