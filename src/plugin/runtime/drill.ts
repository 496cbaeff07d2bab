import { decisionRow, drillRow } from '../../core/history/event-rows';
import { planOf, type Step } from '../../engine';
import { nodeClock } from '../../node/base/clock';
import type { DrillOutcome } from '../../protocol';
import { eventSentence } from '../../wording/event-words';
import { type Brain, createBrain } from '../base/brain';
import { momentOf } from '../base/moment';

export const DRILL_TITLE = 'Understudy drill';
export const DRILL_ASKS = 'This is an Understudy drill. No model receives this message.';
export const DRILL_TEXT = 'This is an Understudy drill. No model was called.';
const FAILURE = { error: { type: 'rate_limit_error', code: 'rate_limit_exceeded', message: DRILL_TEXT } };
/** Longest wait of a policy. */
const LIMIT_MS = 60_000;
const NOT_IN_TIME = 'no model took over within a minute';
/** Refuses a drill: without in-flight switching it would show nothing. */
export const UNMOVED =
  'this OpenCode cannot move a running turn to another model; understudy doctor shows what happens instead';
const ACTOR = 'drill';

type Course = {
  agent: string;
  from: string | null;
  failedAt: number;
  to: string | null;
  tookMs: number;
  said: string | null;
};

export type Drill = Readonly<{
  brain: Brain;
  /** The lead's requests fail with a simulated limit; others get `answer`. */
  answer(request: Readonly<{ agent: string; model: string }>, answer: () => Response): Response;
  /** Null before a switch. */
  heir(): string | null;
  /** Resolves when no model will take over. */
  over: Promise<null>;
  /** `model` answered in the end; null for none. */
  judge(directory: string, model: string | null): DrillOutcome;
  end(): void;
}>;

/** @param agent null for OpenCode's default. */
export function beginDrill(real: Brain, session: string, agent: string | null): Drill {
  const course: Course = { agent: agent ?? '', from: null, failedAt: 0, to: null, tookMs: 0, said: null };
  const ended = new AbortController();
  const started = new Set<string>();
  const brain = throwawayBrain(real, ended.signal);
  const over = new Promise<null>((resolve) => {
    const timer = setTimeout(() => resolve(null), LIMIT_MS);
    ended.signal.addEventListener('abort', () => clearTimeout(timer));
    brain.onStep((step, event) => {
      note(course, brain, step);
      answerYes(brain, session, step);
      if (event.type === 'attempt.started') started.add(event.attempt);
      const kind = step.decisions[0]?.action.kind ?? 'pass';
      // A request that waited for an answer never began for the engine.
      const isFailure = event.type === 'attempt.failed' && started.has(event.attempt);
      const isGivenUp = isFailure && (kind === 'pass' || kind === 'exhausted');
      // OpenCode would repeat the request until the time is up.
      if (isGivenUp && course.to === null) resolve(null);
    });
  });
  return {
    brain,
    over,
    heir: () => course.to,
    answer(request, answer) {
      course.agent = request.agent;
      course.from ??= request.model;
      if (request.model === course.from) {
        course.failedAt = brain.now();
        return Response.json(FAILURE, { status: 429 });
      }
      if (course.to === null) Object.assign(course, { to: request.model, tookMs: brain.now() - course.failedAt });
      return answer();
    },
    judge: (directory, model) => judge(course, hasHeirs(brain, directory, course.agent), model),
    end: () => ended.abort(),
  };
}

export const failedDrill = (reason: string): DrillOutcome => ({ ok: false, reason: reason.slice(0, 500) });

export const drillNotice = (outcome: DrillOutcome) =>
  ({ message: eventSentence(drillRow(outcome)), variant: outcome.ok ? 'success' : 'warning' }) as const;

/** Copies the engine with all models available. */
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

/** Approves at once: no user answers in a drill. */
function answerYes(brain: Brain, session: string, { state }: Step): void {
  const open = state.questions.find((question) => question.session === session);
  if (open) queueMicrotask(() => brain.tell({ type: 'question.answered', question: open.id, yes: true, actor: ACTOR }));
}

/** A chain of one model has no fallback. */
const hasHeirs = (brain: Brain, directory: string, agent: string): boolean =>
  (planOf(brain.state(), directory, agent)?.chain.length ?? 0) > 1;

function judge(course: Course, hasChain: boolean, model: string | null): DrillOutcome {
  const { agent, from, to, tookMs, said: reported } = course;
  // A wire without text shows an error even after a switch.
  if (from !== null && to !== null && model !== null) return { ok: true, agent, from, to, tookMs };
  // The provider's package bypasses every fetch.
  if (model !== null && to === null && model !== from)
    return failedDrill(`Understudy cannot see requests to ${model}: this message reached it`);
  if (from === null) return failedDrill('OpenCode did not accept the message');
  return failedDrill(hasChain ? (reported ?? NOT_IN_TIME) : `${agent} has no chain in this project`);
}
