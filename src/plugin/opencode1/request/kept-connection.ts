import { providerOf } from '../../../engine';
import { evidenceOfThrow } from '../../answer/evidence';
import type { Call } from './call';

/** What a request says that went out on a connection the server had closed, in the words of Bun and of Node. */
const CLOSED_CODES: readonly (string | undefined)[] = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];
/** Servers keep a connection at least this long after an answer, in ms; 2 s is the shortest known default (gunicorn). */
const IDLE_MIN_MS = 1_500;
/** A connection that was closed long ago says so at once; a server that thinks first has taken the request. In ms. */
const REFUSED_WITHIN_MS = 1_000;
/** Servers remembered; more than anybody talks to. */
const SERVERS_MAX = 100;

/** When each provider's server last answered: a connection to it may have been kept since. Engine ms. */
const heardAt = new Map<string, number>();

/**
 * Sends the request. One that was written to a connection which the server had closed while nobody used it (after a
 * pause, or while the computer slept) is sent once more on a new one: that is nobody's failure. Bun does not
 * repeat a POST by itself.
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
