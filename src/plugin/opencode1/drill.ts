import { eventSentence } from '../../contract';
import { decisionRow, drillRow } from '../../core/history/event-rows';
import { planOf, type Step } from '../../engine';
import { remember } from '../../engine/tools';
import { nodeClock } from '../../node/base/clock';
import type { DrillOutcome } from '../../protocol';
import { wireOf } from '../answer/wire';
import { type Brain, createBrain } from '../brain';
import { momentOf } from '../moment';
import { quietly } from '../quietly';
import type { Fetch } from './memory/fetch-wrap';
import type { Asking, Instance } from './memory/instance';
import { refOf } from './memory/model-ref';
import type { BusEvent, HistoryMessage } from './memory/types';
import { holdFetch } from './request/fetch-hook';
import { replyTo } from './request/guard';

/** What the session of a drill is called, says and is told. */
const TITLE = 'Understudy drill';
const ASKED = 'This is a drill of Understudy. No model is asked this.';
export const DRILL_TEXT = 'This is a drill of Understudy. No model was asked.';
/** What the made-up failure says. */
const FAILURE = { error: { type: 'rate_limit_error', code: 'rate_limit_exceeded', message: DRILL_TEXT } };
/** How long a policy may wait before it moves on, in ms. */
const LIMIT_MS = 60_000;
const NOT_IN_TIME = 'no model took over within a minute';
/** Nothing would be shown where a turn is not moved in flight. */
const UNMOVED = 'this OpenCode does not let a running turn be moved; understudy doctor says what happens instead';
/** Who acts in it, for the engine. */
const ACTOR = 'drill';
/** How long a proof that is under way is waited for, in ms. */
const PROOF_WAIT_MS = 15_000;

/** What has happened in a drill. */
type Course = {
  agent: string;
  from: string | null;
  failedAt: number;
  to: string | null;
  tookMs: number;
  /** The last the engine decided, in words. */
  said: string | null;
};

/** The instance that hears of a session: the drill's own, or the real one. */
export const instanceOf = (instance: Instance, session: string | undefined): Instance =>
  instance.apart.get(session ?? '')?.instance ?? instance;

/** The session an event is about; undefined for those that no drill has to hear. */
export function sessionIn({ type, properties }: BusEvent): string | undefined {
  switch (type) {
    case 'message.updated':
      return properties.info.sessionID;
    case 'message.part.updated':
      return properties.part.type === 'step-finish' ? properties.part.sessionID : undefined;
    case 'session.deleted':
      return properties.info.id;
    case 'session.error':
    case 'session.status':
    case 'session.idle':
      return properties.sessionID;
    default:
      return undefined;
  }
}

/**
 * Has OpenCode carry a made-up rate limit of an agent's model to the next model of its chain, in a session of its own that
 * is gone afterwards. No provider is asked whose requests Understudy sees, and what is known of models stays as it is.
 *
 * @param agent null for OpenCode's default. @returns how it came out. Never rejects.
 */
export async function runDrill(instance: Instance, agent: string | null): Promise<DrillOutcome> {
  const drilling = outcomeOf(instance, agent);
  // The project may be closed meanwhile: what then still goes out of its session must not reach a provider.
  holdFetch(drilling);
  const outcome = await drilling;
  const message = eventSentence(drillRow(outcome));
  instance.voice.notify({ message, variant: outcome.ok ? 'success' : 'warning' });
  return outcome;
}

const failed = (reason: string): DrillOutcome => ({ ok: false, reason: reason.slice(0, 500) });

async function outcomeOf(instance: Instance, agent: string | null): Promise<DrillOutcome> {
  const { client, companion } = instance;
  try {
    if (!(await companion.refresh())) return failed('no chain is in force in this project');
    if ((await companion.selfCheck.settled(PROOF_WAIT_MS)) !== 'soft') return failed(UNMOVED);
    const { data } = await client.session.create({ body: { title: TITLE } });
    if (!data) return failed('OpenCode opened no session for it');
    const path = { id: data.id };
    try {
      return await practise(instance, data.id, agent);
    } finally {
      await quietly(() => client.session.abort({ path }));
      await quietly(() => client.session.delete({ path }));
    }
  } catch {
    return failed('OpenCode did not answer');
  }
}

async function practise(instance: Instance, session: string, agent: string | null): Promise<DrillOutcome> {
  const course: Course = { agent: agent ?? '', from: null, failedAt: 0, to: null, tookMs: 0, said: null };
  const ended = new AbortController();
  const brain = throwawayBrain(instance.companion.brain, ended.signal);
  const over = new Promise<null>((resolve) => {
    const timer = setTimeout(() => resolve(null), LIMIT_MS);
    ended.signal.addEventListener('abort', () => clearTimeout(timer));
    brain.onStep((step, event) => {
      note(course, brain, step);
      answerYes(brain, session, step);
      const kind = step.decisions[0]?.action.kind ?? 'pass';
      const isGivenUp = event.type === 'attempt.failed' && (kind === 'pass' || kind === 'exhausted');
      // What OpenCode is left to repeat would be repeated until the time is up.
      if (isGivenUp && course.to === null) resolve(null);
    });
  });
  const companion = { ...instance.companion, brain, isArmed: () => true, refresh: async () => true };
  const drill = {
    instance: { ...instance, companion },
    answerFor: (asking: Asking) => answerFor(course, brain, asking),
    system: null,
  };
  remember(instance.apart, session, drill);
  try {
    const body = { ...(agent === null ? {} : { agent }), parts: [{ type: 'text', text: ASKED }] };
    const prompting = instance.client.session.prompt({ path: { id: session }, body });
    holdFetch(prompting);
    const answer = await Promise.race([prompting, over]);
    const hasChain = planOf(brain.state(), instance.directory, course.agent) !== null;
    return judge(course, hasChain, answer?.data);
  } finally {
    ended.abort();
  }
}

/** An engine that begins where the real one is, with every model well, and ends with the drill. */
function throwawayBrain(real: Brain, ended: AbortSignal): Brain {
  const { schedule } = nodeClock();
  const untilEnded: typeof schedule = (delayMs, callback) => schedule(delayMs, () => ended.aborted || callback());
  const brain = createBrain(real.now, Math.random, null, untilEnded, real.state());
  brain.tell({ type: 'health.reset', target: { all: true }, actor: ACTOR });
  return brain;
}

function note(course: Course, brain: Brain, { decisions }: Step): void {
  for (const decision of decisions) {
    const row = decisionRow(decision, momentOf(brain));
    if (row) course.said = eventSentence(row);
  }
}

/** A policy that asks a person is not left waiting for one. */
function answerYes(brain: Brain, session: string, { state }: Step): void {
  const open = state.questions.find((question) => question.session === session);
  if (open) queueMicrotask(() => brain.tell({ type: 'question.answered', question: open.id, yes: true, actor: ACTOR }));
}

function answerFor(course: Course, { now }: Brain, { agent, model, npm }: Asking): Fetch {
  return async (input) => {
    course.agent = agent;
    course.from ??= model;
    if (model === course.from) {
      course.failedAt = now();
      return Response.json(FAILURE, { status: 429 });
    }
    if (course.to === null) Object.assign(course, { to: model, tookMs: now() - course.failedAt });
    return replyTo(wireOf(String(input instanceof Request ? input.url : input), npm), DRILL_TEXT);
  };
}

function judge(course: Course, hasChain: boolean, answer: Partial<HistoryMessage> | undefined): DrillOutcome {
  const { agent, from, to, tookMs, said } = course;
  const info = answer?.info?.role === 'assistant' ? answer.info : null;
  const model = info && refOf(info);
  // Not every wire can carry a text: there OpenCode has asked the next model and shows an error.
  if (from !== null && to !== null && model !== null) return { ok: true, agent, from, to, tookMs };
  // A provider whose package speaks past every fetch: nothing could keep the request here.
  if (model !== null && to === null && model !== from)
    return failed(`Understudy does not see what OpenCode asks of ${model}: this one message reached it`);
  if (from === null) return failed('OpenCode did not take the message');
  return failed(hasChain ? (said ?? NOT_IN_TIME) : `${agent} has no chain in this project`);
}
