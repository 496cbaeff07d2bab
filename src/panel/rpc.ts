import type { IncomingMessage } from 'node:http';
import { answer, type Handlers } from '../contract/contract';
import { parseJson } from '../contract/parse-json';

export const MAX_QUESTION_BYTES = 64 * 1024;

export type RpcReply = Readonly<{ status: number; body: Awaited<ReturnType<typeof answer>> }>;

/** Answers `POST rpc/<name>` with a body `{"input": …}`. Never throws; failures become a reason. */
export async function answerRpc(request: IncomingMessage, name: string, handlers: Handlers): Promise<RpcReply> {
  const body = await readJson(request);
  if (!body.ok) return refusal(body.status, body.reason);
  const question = questionIn(body.value);
  if (question === null) return refusal(400, 'The request is not a JSON object with an "input".');
  return { status: 200, body: await answer(handlers, name, question.input) };
}

/** Accepts only `application/json`, which a page of another origin cannot send without permission. */
export async function readJson(
  request: IncomingMessage,
): Promise<Readonly<{ ok: true; value: unknown } | { ok: false; status: number; reason: string }>> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    return { ok: false, status: 415, reason: 'The request must be sent as application/json.' };
  const body = await readBody(request);
  if (body === null)
    return { ok: false, status: 413, reason: `The request is larger than ${MAX_QUESTION_BYTES / 1024} kB.` };
  const value = parseJson(body);
  return value === undefined ? { ok: false, status: 400, reason: 'The request is not JSON.' } : { ok: true, value };
}

function refusal(status: number, reason: string): RpcReply {
  return { status, body: { ok: false, code: 'invalid', reason } };
}

function questionIn(value: unknown): { input: unknown } | null {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'input')) return null;
  return { input: (value as { input: unknown }).input };
}

/** @returns null as soon as the body is too large. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_QUESTION_BYTES) return null;
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  // Destroying the request here would lose the response.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_QUESTION_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
