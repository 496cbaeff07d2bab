import type { Decision, Evidence } from '../../../engine';
import { issued, withoutForeign } from '../../answer/foreign';
import { replyTo, streamOf } from '../../answer/reply';
import { finalResponse, goOn } from '../../answer/terminator';
import { wireOf } from '../../answer/wire';
import { mostIn } from '../../stores/spend';
import { isOfBudget } from '../../user/final-message';
import type { Fetch } from '../memory/fetch-wrap';
import { type GuardedRequest, headersToSend, isSigned, purposeOf, turnIdOf } from '../memory/guarded-request';
import { noteTaken, noteUnasked, noteUnmoved } from '../memory/learn';
import { isStopped, throwIfStopped } from '../memory/stop';
import { expectModel, nextRequest, noteDrop, noteFound, noteLost } from '../memory/turn-memory';
import { repoint } from '../message/repoint';
import { replyIn } from '../user/commands';
import { outcomeOf } from './ask';
import { askedAgainText, type Call, finalText, isEnd, notePassedOn, opencodeOf, tellFailed } from './call';
import { carry, NOTHING_SHOWN } from './carry';
import { answerInternal } from './internal';
import { lendStep, lentBody, withoutLastStep } from './lent-step';
import { relayAnswer } from './relay';
import { stopOf, tryOnce } from './try-once';

const LOST_MAX = 8;

/** OpenCode never sees a failure that a fallback model can handle. */
export async function guardedFetch(
  request: GuardedRequest,
  original: Fetch,
  sent: Readonly<{ input: string | URL | Request; init: RequestInit | undefined }>,
): Promise<Response> {
  const { input } = sent;
  const from = input instanceof Request ? input : undefined;
  const headers = headersToSend(input, sent.init);
  const signal = sent.init?.signal ?? from?.signal ?? null;
  const url = String(from?.url ?? input);
  const wire = wireOf(url, request.npm);
  const lent = lentBody(request, headers, sent.init?.body);
  const body = readableBody(request, { url, headers, body: lent ?? sent.init?.body });
  const call: Call = {
    request,
    original: request.standIn ?? original,
    input,
    init: { ...sent.init, headers, ...(body === undefined ? {} : { body }) },
    wire,
    isLent: lent !== null,
    isLast: lent === null && withoutLastStep(sent.init?.body) !== null,
    signal,
  };
  if (request.reply !== undefined) return replyTo(wire, await replyIn(request, signal));
  if (!request.standIn)
    await request.instance.companion.noteAsked(request.model, { url, header: (name) => headers.get(name) });
  const response = (await recoverLost(call)) ?? (await answer(call));
  if (response.ok || !request.giveUp) return response;
  request.giveUp();
  return stopOf(signal ?? new AbortController().signal);
}

function readableBody(
  { session, model }: GuardedRequest,
  { url, headers, body }: Readonly<{ url: string; headers: Headers; body: RequestInit['body'] }>,
) {
  const isForeign = typeof body === 'string' && !isSigned(headers) ? issued.foreignTo(session, model) : null;
  const readable = isForeign ? withoutForeign(body as string, isForeign, url) : null;
  if (readable !== null) headers.delete('content-length');
  return readable ?? body;
}

/** OpenCode's next step uses the model of the user message. */
function emptyTurn(call: Call): Response {
  lendStep(call);
  return streamOf(goOn(call.wire, { isBegun: false, openBlock: null }, opencodeOf(call)));
}

type Unanswered = Readonly<{ decision: Decision | undefined; evidence: Evidence; passOn: () => Response }>;

async function answer(call: Call): Promise<Response> {
  const { model, isInternal, instance } = call.request;
  // The engine refuses none of these; `answerInternal` checks for disabled models.
  if (isInternal) return answerInternal(call, async () => attempt(call, start(call).id));
  for (;;) {
    await instance.companion.brain.leaseFor(instance.directory, model);
    const { id, refusal } = start(call);
    const result = refusal ? { decision: refusal, passOn: () => endOf(call, refusal) } : await attempt(call, id);
    if (result instanceof Response) return result;
    const decision = result.decision && (await outcomeOf(call, result.decision));
    const { passOn } = result;
    const carried = decision ? await carry(call, decision, NOTHING_SHOWN) : null;
    if (carried === 'step') return emptyTurn(call);
    if (carried === 'again') continue;
    if (carried === 'end') return finalResponse(askedAgainText(call));
    // Without switching a refused request goes out, unless a budget or the user forbids it.
    const isSpent = decision != null && isOfBudget(decision);
    if (refusal && !isSpent && instance.companion.selfCheck.actuator() === 'watch')
      return answer({ ...call, request: { ...call.request, isInternal: true } });
    return decision && isEnd(call, decision) ? endOf(call, decision) : passOn();
  }
}

/** @throws the user's reason for a stop. */
async function attempt(call: Call, id: string): Promise<Response | Unanswered> {
  const { request, signal } = call;
  const { brain } = request.instance.companion;
  const startedAt = brain.now();
  const result = await tryOnce(call, id);
  if (isStopped(signal)) brain.tell({ type: 'attempt.aborted', attempt: id });
  throwIfStopped(signal);
  if (result.kind === 'answer') return relayAnswer(call, result, { id, startedAt });
  // The chain may have been edited during the request.
  await request.instance.companion.refresh(true);
  const { evidence } = result;
  const decision = tellFailed(call, id, { evidence, durationMs: brain.now() - startedAt });
  const passOn = (): Response => {
    notePassedOn(call, decision);
    return result.passOn();
  };
  return { decision, evidence, passOn };
}

const endOf = (call: Call, decision: Decision): Response => finalResponse(finalText(call, decision), call.request.npm);

function start({ request, init }: Call): Readonly<{ id: string; refusal: Decision | null }> {
  const { instance, session, user, agent, model, number, isInternal, needs, turn: memory } = request;
  const { companion, directory, parents } = instance;
  const turn = turnIdOf(request);
  const { number: nth, isRetry } = nextRequest(memory, purposeOf(request));
  const id = `${companion.instance}:${session}:${user.id}:${number}.${nth}`;
  const parent = parents.get(session);
  const spend = companion.spendOf({ session, model, needs, most: mostIn(init.body) });
  if (isRetry) companion.brain.tell({ type: 'host.retrying', turn });
  const refusal = companion.brain.decide({
    type: 'attempt.started',
    attempt: id,
    turn,
    session,
    directory,
    agent,
    model,
    purpose: isInternal ? 'internal' : 'turn',
    tellsFlaws: true,
    ...(parent ? { parentSession: parent } : {}),
    ...(needs ? { needs } : {}),
    ...(spend ? { spend } : {}),
  });
  return { id, refusal: refusal ?? null };
}

/** The re-point was undone before the next step: repeat it, and end the turn after several times. */
async function recoverLost(call: Call): Promise<Response | null> {
  const { turn, model, instance, user, isInternal } = call.request;
  const { expected } = turn;
  if (isInternal) return null;
  if (expected === null || model === expected || !turn.left.has(model)) {
    noteFound(turn);
    if (model === expected) noteTaken(instance, turn);
    return null;
  }
  if (instance.companion.selfCheck.actuator() !== 'soft') {
    // OpenCode has not taken the other model for the repeated message: stop trying.
    expectModel(turn, null);
    noteUnasked(instance);
    return null;
  }
  if (noteLost(turn) <= LOST_MAX && (await repoint(instance, user, expected))) {
    throwIfStopped(call.signal);
    noteDrop(turn, { model, isKept: false });
    return emptyTurn(call);
  }
  throwIfStopped(call.signal);
  expectModel(turn, null);
  noteUnmoved(instance);
  return finalResponse(
    'Understudy: OpenCode kept calling a model that this turn no longer uses. Send the message again.',
  );
}
