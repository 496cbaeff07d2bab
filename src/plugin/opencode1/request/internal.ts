import { INTERNAL_AGENTS } from '../../../contract/opencode-agents';
import type { Evidence, ModelId } from '../../../engine';
import { type AskedText, askedText } from '../../answer/asked-text';
import { finalResponse } from '../../answer/terminator';
import { type Rehearse, rehearsal } from '../../runtime/rehearsal';
import { type StandIns, standIn } from '../../runtime/stand-in';
import { outByHandMessage, overBudgetMessage } from '../../user/final-message';
import { askAside } from '../memory/aside';
import { purposeOf } from '../memory/guarded-request';
import type { Aside } from '../memory/instance';
import { throwIfStopped } from '../memory/stop';
import { nextRequest } from '../memory/turn-memory';
import type { Call } from './call';

type Unanswered = Readonly<{ evidence: Evidence; passOn: () => Response }>;

/**
 * Answers OpenCode's own request with another model, in a separate session: OpenCode would use an empty turn as its
 * title or summary.
 */
export async function answerInternal(call: Call, ask: () => Promise<Response | Unanswered>): Promise<Response> {
  const { instance, session, agent } = call.request;
  const aside = instance.asides.get(session);
  if (aside) return answerAside(aside, ask);
  const prompt = INTERNAL_AGENTS.has(agent) ? askedText(call.init.body) : null;
  const others: StandIns | null = prompt && {
    rehearse: rehearsalOf(call, prompt),
    wire: call.wire,
    ask: (model) => askBeside(call, model, prompt),
  };
  // Unavailable models get no request.
  const early = others && (await standIn(call.request.model, null, others));
  if (early) return early;
  const taken = outByHandMessage(instance.companion, instance.directory, call.request.model);
  if (taken !== null) return endOf(call, taken);
  const { directory, companion } = instance;
  const spent = INTERNAL_AGENTS.has(agent)
    ? null
    : overBudgetMessage(companion, { directory, session, agent, lead: call.request.model }, call.request.model);
  if (spent !== null) return endOf(call, spent);
  const result = await ask();
  if (result instanceof Response) return result;
  return (others && (await standIn(call.request.model, result.evidence, others))) ?? result.passOn();
}

/** Counts as a request: OpenCode's error for it is no failure of the model. */
function endOf({ request }: Call, message: string): Response {
  nextRequest(request.turn, purposeOf(request));
  return finalResponse(message);
}

/** A failure ends it at once, without OpenCode's waits. */
async function answerAside(aside: Aside, ask: () => Promise<Response | Unanswered>): Promise<Response> {
  const end = (): Response => finalResponse('Understudy: this model could not replace the failed one.');
  if (aside.isAsked) return end();
  aside.isAsked = true;
  const result = await ask();
  if (result instanceof Response) return result;
  aside.evidence = result.evidence;
  return end();
}

function rehearsalOf({ request }: Call, { text }: AskedText): Rehearse {
  const { instance, session, user, model } = request;
  const { directory } = instance;
  const own = { id: user.id, session, directory, agent: user.agent, model, chars: text.length };
  return rehearsal(instance.companion.brain, own);
}

async function askBeside(call: Call, model: ModelId, prompt: AskedText): Promise<string | Evidence | null> {
  const aside: Aside = { system: prompt.system, isAsked: false, evidence: null };
  const text = await askAside({ ...call.request, signal: call.signal }, { model, asked: prompt, aside });
  throwIfStopped(call.signal);
  return text ?? aside.evidence;
}
