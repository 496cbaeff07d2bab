import type { Decision } from '../../engine';
import {
  type Call,
  carrySwitch,
  evidenceOfResponse,
  evidenceOfThrow,
  type Fetch,
  finalText,
  rebuilt,
  tellFailed,
  throwIfStopped,
} from './call';
import { type GuardedRequest, headersToSend } from './guarded-request';
import { relayAnswer } from './relay';
import { repoint } from './repoint';
import { tryOnce } from './try-once';
import { finalResponse, goOn, type Wire, wireOf } from './wire';

/** Requests in a row for a model the turn has already left, after which the turn ends instead of looping. */
const LOST_MAX = 8;

/**
 * Sends a request of a turn, and turns its failure into a hold, a switch or one clear error. OpenCode never sees the
 * failure of a model that another one can stand in for.
 */
export async function guardedFetch(
  request: GuardedRequest,
  original: Fetch,
  sent: Readonly<{ input: string | URL | Request; init: RequestInit | undefined }>,
): Promise<Response> {
  const { input } = sent;
  const from = input instanceof Request ? input : undefined;
  const headers = headersToSend(input, sent.init);
  const user = sent.init?.signal ?? from?.signal ?? null;
  const wire = wireOf(String(from?.url ?? input), request.npm);
  const call: Call = { request, original, input, init: { ...sent.init, headers }, wire, user };
  if (request.isInternal) return watchInternal(call);
  return (await recoverLost(call)) ?? answerTurn(call);
}

/** An empty turn that makes OpenCode take its next step, now with the model the user message names. */
function emptyTurn(wire: Wire): Response {
  const body = goOn(wire, { isBegun: false, openBlock: null });
  return new Response(body, { status: 200, headers: { 'content-type': 'text/event-stream' } });
}

async function answerTurn(call: Call): Promise<Response> {
  const { request, wire, user } = call;
  const { brain } = request.instance.companion;
  for (let repeat = 0; ; repeat++) {
    const { id, refusal } = start(call, repeat);
    if (refusal) return (await carrySwitch(call, refusal, 0)) ? emptyTurn(wire) : endOf(call, refusal);
    const startedAt = brain.now();
    const result = await tryOnce(call);
    if (user?.aborted) {
      brain.tell({ type: 'attempt.aborted', attempt: id });
      throwIfStopped(user);
    }
    if (result.kind === 'answer') return relayAnswer(call, result, { id, startedAt });
    const durationMs = brain.now() - startedAt;
    const decision = tellFailed(call, id, { evidence: result.evidence, durationMs });
    switch (decision?.action.kind) {
      case 'hold':
        // A body that is a stream has been read: it cannot be sent twice.
        if (typeof call.init.body !== 'string') return result.passOn();
        await wait(decision.action.waitMs, user);
        continue;
      case 'switch':
        if (await carrySwitch(call, decision, 0)) return emptyTurn(wire);
        throwIfStopped(user);
        return result.passOn();
      case 'exhausted':
        return endOf(call, decision);
      default:
        return result.passOn();
    }
  }
}

function endOf(call: Call, decision: Decision): Response {
  throwIfStopped(call.user);
  return finalResponse(finalText(call, decision));
}

/** Asks the engine for admission and names the attempt. */
function start({ request }: Call, repeat: number): Readonly<{ id: string; refusal: Decision | null }> {
  const { instance, session, user, agent, model, number, isInternal, needs } = request;
  const { companion, directory, parents } = instance;
  const id = `${companion.instance}:${session}:${user.id}:${number}.${repeat}`;
  const parent = parents.get(session);
  const [refusal] = companion.brain.tell({
    type: 'attempt.started',
    attempt: id,
    turn: user.id,
    session,
    directory,
    agent,
    model,
    purpose: isInternal ? 'internal' : 'turn',
    ...(parent ? { parentSession: parent } : {}),
    ...(needs ? { needs } : {}),
  });
  return { id, refusal: refusal ?? null };
}

/**
 * A request for a model this turn has already left: the re-point was undone before the next step read it. Point again
 * without asking the provider; after a few times end the turn rather than loop.
 */
async function recoverLost(call: Call): Promise<Response | null> {
  const { turn, model, instance, user } = call.request;
  const { expected } = turn;
  if (expected === null || model === expected || !turn.left.has(model)) {
    turn.lost = 0;
    return null;
  }
  turn.lost++;
  if (turn.lost <= LOST_MAX && (await repoint(instance, user, expected))) {
    throwIfStopped(call.user);
    turn.drops.push({ model, isKept: false });
    return emptyTurn(call.wire);
  }
  throwIfStopped(call.user);
  turn.expected = null;
  return finalResponse('Understudy: OpenCode kept asking a model that this turn had left. Send the message again.');
}

/** OpenCode's own requests (title, compaction): their failures count for health, and reach OpenCode as they are. */
async function watchInternal(call: Call): Promise<Response> {
  const { brain } = call.request.instance.companion;
  const { id } = start(call, 0);
  const startedAt = brain.now();
  const lasted = (): number => brain.now() - startedAt;
  try {
    const response = await call.original(call.input, call.init);
    if (response.ok) {
      brain.tell({
        type: 'attempt.succeeded',
        attempt: id,
        durationMs: lasted(),
        firstTokenMs: lasted(),
        outputChars: 0,
      });
      return response;
    }
    const body = await response.text();
    tellFailed(call, id, { evidence: evidenceOfResponse(response, body), durationMs: lasted() });
    return rebuilt(response, body);
  } catch (cause) {
    if (call.user?.aborted) brain.tell({ type: 'attempt.aborted', attempt: id });
    else tellFailed(call, id, { evidence: evidenceOfThrow(cause), durationMs: lasted() });
    throw cause;
  }
}

/** Waits, unless the user stops the turn first. */
function wait(durationMs: number, user: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(user?.reason ?? new DOMException('Aborted', 'AbortError'));
    };
    const timer = setTimeout(() => {
      user?.removeEventListener('abort', stop);
      resolve();
    }, durationMs);
    user?.addEventListener('abort', stop, { once: true });
  });
}
