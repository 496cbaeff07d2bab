import { finalResponse } from './terminator';
import { textAnswer } from './text-answer';
import type { Wire } from './wire';

export function replyTo(wire: Wire, text: string): Response {
  const body = textAnswer(wire, text);
  return body === null ? finalResponse(text) : streamOf(body);
}

export const streamOf = (body: string): Response =>
  new Response(body, { status: 200, headers: { 'content-type': 'text/event-stream' } });
