import { providerOf } from '../../../engine';
import { evidenceOfThrow } from '../../answer/evidence';
import type { Call } from './call';

/** Bun's and Node's codes for a connection that the server had closed. */
const CLOSED_CODES: readonly (string | undefined)[] = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];
/** Servers hold an idle connection longer; 2 s is the shortest known default (gunicorn). */
const IDLE_MIN_MS = 1_500;
/** A closed connection fails at once; later the server has received the request. */
const REFUSED_WITHIN_MS = 1_000;
const SERVERS_MAX = 100;

const heardAt = new Map<string, number>();

/**
 * Repeats a request if the server had closed an idle connection (after a pause or sleep): that is no failure. Bun does
 * not repeat a POST.
 */
export async function sendOnLiveConnection(
  { original, input, init, request }: Call,
  signal: AbortSignal,
): Promise<Response> {
  const { now } = request.instance.companion.brain;
  const { origin } = new URL(input instanceof Request ? input.url : input);
  const server = `${providerOf(request.model)} ${origin}`;
  const lastHeardAt = heardAt.get(server);
  const startedAt = now();
  const send = async (more: RequestInit): Promise<Response> => {
    const response = await original(input, { ...init, ...more, signal });
    heardAt.delete(server);
    heardAt.set(server, now());
    const oldest = heardAt.keys().next().value;
    if (heardAt.size > SERVERS_MAX && oldest !== undefined) heardAt.delete(oldest);
    return response;
  };
  try {
    return await send({});
  } catch (cause) {
    const wasIdle = lastHeardAt !== undefined && startedAt - lastHeardAt >= IDLE_MIN_MS;
    const isClosed = now() - startedAt <= REFUSED_WITHIN_MS && CLOSED_CODES.includes(evidenceOfThrow(cause).code);
    const isWhole = !(input instanceof Request) && (init.body == null || typeof init.body === 'string');
    if (!(wasIdle && isClosed && isWhole) || signal.aborted) throw cause;
    return await send({ keepalive: false });
  }
}
