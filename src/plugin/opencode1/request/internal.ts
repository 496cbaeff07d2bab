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

/** A request that got no answer: why, and what OpenCode gets when that is OpenCode's business. */
type Unanswered = Readonly<{ evidence: Evidence; passOn: () => Response }>;

/**
 * Answers a request that OpenCode makes for itself (title, compaction). It cannot be moved as a turn can: OpenCode would
 * take an empty answer for the summary. So another model is asked in a session beside it, and its text goes back as the
 * answer of the model that failed.
 *
 * @param ask sends the request as it is.
 */
export async function answerInternal(call: Call, ask: () => Promise<Response | Unanswered>): Promise<Response> {
  const { instance, session, agent } = call.request;
  const aside = instance.asides.get(session);
  if (aside) return answerAside(aside, ask);
  const asked = INTERNAL_AGENTS.has(agent) ? askedText(call.init.body) : null;
  const others: StandIns | null = asked && {
    rehearse: rehearsalOf(call, asked),
    wire: call.wire,
    ask: (model) => askBeside(call, model, asked),
  };
  // Who is out is not asked.
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

/** A request that is ended before it is sent. It has come by: the error that OpenCode tells of it is no failure of its model. */
function endOf({ request }: Call, message: string): Response {
  nextRequest(request.turn, purposeOf(request));
  return finalResponse(message);
}

/** A stand-in's request: one, whose failure ends it at once, so that the next in line is asked without OpenCode's waits. */
async function answerAside(aside: Aside, ask: () => Promise<Response | Unanswered>): Promise<Response> {
  const end = (): Response => finalResponse('Understudy: this model could not stand in.');
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

/** @returns what a stand-in said, or why it did not; null where nothing was sent to it. */
async function askBeside(call: Call, model: ModelId, asked: AskedText): Promise<string | Evidence | null> {
  const aside: Aside = { system: asked.system, isAsked: false, evidence: null };
  const text = await askAside({ ...call.request, signal: call.signal }, { model, asked, aside });
  throwIfStopped(call.signal);
  return text ?? aside.evidence;
}
