import { INTERNAL_AGENTS } from '../../core/opencode-agents';
import { remember } from '../../core/remember';
import { type DecisionAction, type EngineEvent, type Evidence, type ModelId, step } from '../../engine';
import { type AskedText, askedText } from './asked-text';
import type { Call } from './call';
import type { Aside, Instance } from './instance';
import { pairOf } from './model-ref';
import { isStopped, throwIfStopped } from './stop';
import { finalResponse } from './terminator';
import { textAnswer } from './text-answer';

/** Models asked in place of the one that failed. */
const STAND_INS_MAX = 3;
/** Waits the engine may propose before it moves on: OpenCode's own requests do not wait. */
const WAITS_MAX = 5;
/** What a request's text is divided by for its size in tokens. */
const CHARS_PER_TOKEN = 4;

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
  const rehearse = asked && rehearsal(call, asked);
  // Who is out is not asked.
  const early = rehearse && (await standIn(call, { asked, rehearse }, null));
  if (early) return early;
  const result = await ask();
  if (result instanceof Response) return result;
  return (rehearse && (await standIn(call, { asked, rehearse }, result.evidence))) ?? result.passOn();
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

type Rehearse = (model: ModelId, evidence: Evidence | null) => ModelId | null;
type Part = Readonly<{ asked: AskedText; rehearse: Rehearse }>;

async function standIn(call: Call, { asked, rehearse }: Part, failure: Evidence | null): Promise<Response | null> {
  let model = rehearse(call.request.model, failure);
  for (let count = 0; model !== null && count < STAND_INS_MAX; count++) {
    const aside: Aside = { system: asked.system, isAsked: false, evidence: null };
    const text = await askAside(call, { model, asked, aside });
    throwIfStopped(call.signal);
    const body = text === null ? null : textAnswer(call.wire, text);
    if (body !== null) return new Response(body, { status: 200, headers: { 'content-type': 'text/event-stream' } });
    // It answered, but the wire cannot carry a text, or it failed before anything was sent.
    if (text !== null || aside.evidence === null) return null;
    model = rehearse(model, aside.evidence);
  }
  return null;
}

/**
 * What the engine would do if this were a turn of the user's agent: the same rules, and nobody remembers it.
 *
 * @returns who is next after a model and its failure; without a failure, after a model that is out. Null for nobody.
 */
function rehearsal({ request }: Call, { text }: AskedText): Rehearse {
  const { instance, session, user, model: first } = request;
  const { brain } = instance.companion;
  const { directory } = instance;
  const turn = `aside:${user.id}`;
  const needs = { contextTokens: Math.ceil(text.length / CHARS_PER_TOKEN) };
  const about = { turn, session, directory, agent: user.agent, needs };
  let state = brain.state();
  let attempts = 0;
  const tell = (event: EngineEvent): DecisionAction | undefined => {
    const result = step(state, event, brain.now(), 0);
    state = result.state;
    return result.decisions[0]?.action;
  };
  const decided = { kind: 'keep', to: first, code: 'keep.lead' } as const;
  tell({ type: 'prompt.submitted', ...about, model: first, hostLead: first, isExplicit: true, decided });
  return (model, evidence) => {
    for (let waits = 0; waits < WAITS_MAX; waits++) {
      const attempt = `${turn}:${attempts++}`;
      const action =
        tell({ type: 'attempt.started', ...about, attempt, model, purpose: 'turn' }) ??
        (evidence ? tell({ type: 'attempt.failed', attempt, evidence, durationMs: 0 }) : undefined);
      if (action && 'to' in action && action.to !== model) return action.to;
      // A wait is skipped, and so is OpenCode's compaction of what is a compaction itself.
      if (action?.kind !== 'hold' && action?.kind !== 'pass') return null;
    }
    return null;
  };
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
