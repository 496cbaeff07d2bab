import { INTERNAL_AGENTS } from '../../core/opencode-agents';
import { remember } from '../../core/remember';
import type { Evidence, ModelId } from '../../engine';
import { type AskedText, askedText } from '../answer/asked-text';
import { finalResponse } from '../answer/terminator';
import { type Rehearse, rehearsal } from '../rehearsal';
import { type StandIns, standIn } from '../stand-in';
import type { Call } from './call';
import type { Aside, Instance } from './instance';
import { pairOf } from './model-ref';
import { isStopped, throwIfStopped } from './stop';

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
  const result = await ask();
  if (result instanceof Response) return result;
  return (others && (await standIn(call.request.model, result.evidence, others))) ?? result.passOn();
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
  const text = await askAside(call, { model, asked, aside });
  throwIfStopped(call.signal);
  return text ?? aside.evidence;
}

/** Asks a model in a session beside the one it is for. @returns its text; null when it gave none. Never throws. */
async function askAside(
  call: Call,
  { model, asked, aside }: Readonly<{ model: ModelId; asked: AskedText; aside: Aside }>,
): Promise<string | null> {
  const { instance, session, agent } = call.request;
  const { client } = instance;
  const id = await openAside(instance, session, aside);
  if (id === null) return null;
  const path = { id };
  const stop = (): void => {
    if (isStopped(call.signal)) client.session.abort({ path }).catch(() => undefined);
  };
  call.signal?.addEventListener('abort', stop, { once: true });
  try {
    const parts = [{ type: 'text', text: asked.text }];
    const body = { model: pairOf(model), agent, tools: { '*': false }, parts };
    const { data } = await client.session.prompt({ path, body });
    if (data?.info?.role !== 'assistant' || data.info.error) return null;
    return data.parts?.flatMap(({ type, text }) => (type === 'text' && text ? [text] : [])).join('') || null;
  } catch {
    return null;
  } finally {
    call.signal?.removeEventListener('abort', stop);
    await client.session.delete({ path }).catch(() => undefined);
  }
}

async function openAside(instance: Instance, parentID: string, aside: Aside): Promise<string | null> {
  try {
    const { data } = await instance.client.session.create({ body: { parentID, title: 'Understudy' } });
    if (!data) return null;
    remember(instance.asides, data.id, aside);
    return data.id;
  } catch {
    return null;
  }
}
