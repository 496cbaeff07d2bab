import { DEFAULT_AGENT } from '../../../contract/opencode-agents';
import { accountIn, type Evidence, type ModelId, planOf } from '../../../engine';
import { type AskedText, askedText } from '../../answer/asked-text';
import { wireOf } from '../../answer/wire';
import { limited } from '../../base/guarded';
import { quietly } from '../../base/quietly';
import { type Rehearse, rehearsal } from '../../runtime/rehearsal';
import { type StandIns, standIn } from '../../runtime/stand-in';
import { outByHandMessage } from '../../user/final-message';
import { generatedIn } from '../session/border';
import { type Instance, type ModelCall, sessionOf, turnOf } from '../session/instance';
import { refOf } from '../session/model-ref';
import { failCall, leaveCall } from './calls';

/** Limit for a complete text, in ms. */
const STAND_IN_LIMIT_MS = 180_000;

type Asking = Readonly<{
  request: Request;
  ask: () => Promise<Response | Evidence>;
}>;

/**
 * Answers OpenCode's own request (title, compaction). OpenCode retries it with the same model even if the session
 * moved, so another model is called separately.
 */
export async function answerOwn(instance: Instance, call: ModelCall, { request, ask }: Asking): Promise<Response> {
  const prompt = askedText(await request.clone().text());
  const rehearse = prompt && rehearsalOf(instance, call, prompt);
  const others: StandIns | null = rehearse && {
    rehearse,
    wire: wireOf(request.url, ''),
    ask: async (model) => (await textOf(instance, { model, asked: prompt, limitMs: STAND_IN_LIMIT_MS })) ?? SILENT,
  };
  const instead = async (failure: Evidence | null): Promise<Response | null> => {
    const answer = others && (await standIn(call.model, failure, others));
    if (answer) leaveCall(instance, call);
    return answer;
  };
  const early = await instead(null);
  if (early) return early;
  const taken = outByHandMessage(instance.companion, instance.directory, call.model);
  if (taken !== null) {
    leaveCall(instance, call);
    // The next retry hook is about this call, and must not retry it.
    call.failedAt = instance.companion.brain.now();
    call.isHopeless = true;
    return Response.json({ error: { type: 'invalid_request_error', message: taken } }, { status: 400 });
  }
  const result = await ask();
  const evidence = result instanceof Response ? call.failure : result;
  if (evidence === null) return result as Response;
  failCall(instance, call, evidence);
  const late = await instead(evidence);
  if (late) return late;
  // OpenCode would retry the same model ten times.
  call.isHopeless = planOf(instance.companion.brain.state(), instance.directory, agentOf(instance, call)) !== null;
  return result instanceof Response ? result : Response.json({ error: { message: evidence.message } }, { status: 503 });
}

const agentOf = (instance: Instance, { session }: ModelCall): string =>
  sessionOf(instance, session).agent ?? DEFAULT_AGENT;

function rehearsalOf(instance: Instance, call: ModelCall, { text }: AskedText): Rehearse {
  const { companion, directory } = instance;
  const session = sessionOf(instance, call.session);
  const id = `${turnOf(session).id}:${call.kind}`;
  const own = { id, session: session.id, directory, agent: agentOf(instance, call), model: call.model };
  const next = rehearsal(companion.brain, { ...own, chars: text.length });
  // `generate` runs no hook, so it cannot use another account.
  const plainly: Rehearse = (model, evidence) => {
    const found = next(model, evidence);
    return found !== null && accountIn(found) !== null ? plainly(found, SILENT) : found;
  };
  return plainly;
}

/** OpenCode gives no reason for a missing text. */
const SILENT: Evidence = { phase: 'body', observed: 'empty_response' };

/** Generates a text outside any session; null if there is none. Never throws. */
export async function textOf(
  { context }: Instance,
  { model, asked: { system, text }, limitMs }: Readonly<{ model: ModelId; asked: AskedText; limitMs: number }>,
): Promise<string | null> {
  const { generate } = context;
  const prompt = system === '' ? text : `${system}\n\n${text}`;
  const asking = quietly(async () => generate?.text?.({ prompt, model: refOf(model) }));
  return generatedIn(await limited(asking, limitMs)) || null;
}
