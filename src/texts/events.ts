import { part } from './catalogue';

/** Parts of an event’s sentence; empty if it has none. */
export type EventWords = Readonly<{
  agent: string;
  model: string;
  /** The model that took over. */
  to: string;
  /** "rate limited (429)"; empty without a failure. */
  reason: string;
  /** Clock time of its end. */
  until: string;
  /** "claude-sonnet has used 97 % of its 5 h limit"; empty without a limit. */
  near: string;
  /** Another account of the same model, "anthropic@work"; empty without one. */
  account: string;
  /** The limit belongs to the plan of the target model. */
  isOfPlan: boolean;
  tally: Readonly<{ count: number; of: number }> | undefined;
  detail: string | null;
  durationMs: number;
  isHeld: boolean;
}>;
export type Sentence = (event: EventWords) => string;

const because = ({ model, reason, isHeld }: EventWords): string =>
  reason === '' && !isHeld ? '' : `: ${model} is ${reason || 'held'}`;
const back = ({ until }: EventWords): string => (until === '' ? '' : `, back about ${until}`);
const end = ({ until }: EventWords): string => (until === '' ? '' : ` until ${until}`);
const tallied = ({ tally }: EventWords): string => (tally ? `${tally.count} of ${tally.of}` : '');
const leftOut: Sentence = (event) => `${event.agent} is paused in this session${because(event)}`;
const early: Sentence = ({ agent, to }) => `${agent} retries ${to} early: all models are unavailable`;
const guessed: Sentence = ({ agent, to }) => `${agent} uses ${to} early: only our estimate says it is unavailable`;
/** Commands that answer a question inside OpenCode. */
const ANSWERS = 'Answer with /yes or /no';
const DRAINED = 'its plan would be used up within a day';
const SPENT = 'a budget is spent';
const afterRetry = (agent: string): string => `/retry ${agent} resumes it`;

/** Sentences of single codes; other codes use the sentence of their family. */
const exact = {
  'switch.larger': ({ agent, model, to, reason }) =>
    `${agent} switched ${model} → ${to}, which has a larger context: ${reason}`,
  'switch.panic': early,
  'switch.refused': ({ agent, model, to }) =>
    `${agent} switched ${model} → ${to}: ${model} refused a conversation that another model started`,
  'redirect.lead': (event) =>
    event.isHeld
      ? `${event.agent} used ${event.to} because ${event.model} is held${end(event)}`
      : `${event.agent} uses ${event.to}, the first model of its chain`,
  'redirect.pinned': ({ agent, to }) => `${agent} uses ${to}, which you pinned`,
  'redirect.panic': early,
  'redirect.estimate': guessed,
  'keep.paused': ({ agent, to }) => `${agent} stays on ${to}: switching is paused`,
  'keep.pinned': ({ agent, to }) => `${agent} stays on ${to}, which you pinned`,
  'keep.native': ({ agent, to }) => `${agent} stays on ${to}: OpenCode itself retries`,
  /** Its primary has answered. */
  'home.answered': ({ agent, to }) => `${agent} is back on ${to}`,
  'keep.soon': ({ agent, to }) => `${agent} stays on ${to}: a model returns in a moment`,
  'keep.ask': ({ agent, to }) => `${agent} stays on ${to}: you decide before another model takes over`,
  'keep.blocked': ({ agent, to }) => `${agent} retries ${to}: only you can fix its models`,
  'keep.panic': early,
  'keep.estimate': guessed,
  'hold.soonest': (event) => `${event.agent} waits for ${event.to}${end(event)}: it returns first`,
  'hold.loop': ({ agent, to }) =>
    `${agent} holds this message for 15 s, then uses ${to}: several messages came right after an error`,
  'hold.headroom': (event) =>
    `${event.agent} waits for ${event.model}${end(event)}: ${event.near || 'its limit will soon have room'}`,
  'hold.local_network': ({ agent }) => `${agent} waits until this computer is online again`,
  'exhausted.depth': (event) => `${event.agent} has reached maxFallbackDepth, your limit of switches${because(event)}`,
  'exhausted.attempts': (event) => `${event.agent} stopped after too many failed requests${because(event)}`,
  'exhausted.refused': ({ agent }) => `${agent} has no available model: the others refused this conversation`,
  'exhausted.degraded': ({ agent }) => `${agent} is paused in this session: ${afterRetry(agent)}`,
  'exhausted.paused': (event) =>
    `${event.agent} sends no request: ${event.model} is held out of use${end(event)}, and switching is paused`,
  'exhausted.money': (event) => `${event.agent} sends no more requests${end(event)}: ${event.near || SPENT}`,
  'ask.drain': (event) => `${event.agent} asks you before it uses another plan: ${event.near || DRAINED}`,
  'hold.drain': ({ agent }) => `${agent} continues after the question about another plan`,
  'headroom.drains': (event) => `${event.agent} continues with another plan: ${event.near || DRAINED}`,
  'headroom.spread': ({ agent, to, near, account }) =>
    account === ''
      ? `${agent} uses ${to}, the account of its model with more headroom`
      : `${agent} uses ${account}: ${near}`,
  'ask.money': (event) => `${event.agent} asks you whether to continue spending: ${event.near || SPENT}`,
  'hold.money': (event) => `${event.agent} continues spending, as you decided: ${event.near || SPENT}`,
  'declined.money': (event) => `${event.agent} stops spending, as you decided: ${event.near || SPENT}`,
  'skipped.money': (event) => `${event.agent} stops spending because you did not answer: ${event.near || SPENT}`,
  'money.passed': (event) => `A budget is running low: ${event.near || SPENT}`,
  'money.spent': (event) => `A budget is spent: ${event.near || SPENT}`,
  'money.allowed': () => 'You allowed a budget to be exceeded until it resets',
  'pass.paused': ({ agent, model }) => `${agent} stays on ${model}: switching is paused`,
  'pass.no_chain': (event) =>
    `${event.agent} has no chain: OpenCode itself continues with ${event.model}${because(event)}`,
  'pass.budget': (event) =>
    `${event.agent} stays on ${event.model}: its session’s retry budget is used up, and no other model may answer${because(event)}`,
  'pass.pinned': ({ agent, model, reason }) => `${agent} stays on ${model}, which you pinned: ${reason}`,
  'model.flapping': (event) => `${event.model} kept failing and returning: it is held out of use${end(event)}`,
  'instance.lost': () => 'OpenCode disconnected',
  'instance.connected': ({ detail }) => `OpenCode ${detail ?? ''} connected`.replace('  ', ' '),
  'drill.passed': ({ agent, model, to, durationMs }) =>
    `Drill: ${agent} switched ${model} → ${to} in ${durationMs} ms. No provider was called`,
  'probe.passed': ({ model, durationMs, detail }) =>
    `Probe of ${model}: it answered in ${durationMs} ms${detail ? `, for ${detail}` : ''}`,
  'probe.failed': ({ model, reason, detail }) => `Probe of ${model}: ${reason || (detail ?? '')}`,
  'drill.failed': ({ detail }) => `Drill: ${detail ?? 'no model took over'}`,
  'budget.warned': (event) =>
    `${event.agent} has used ${tallied(event)} retries of its session: check your network and providers`,
  'budget.spent': (event) =>
    `${event.agent} has used ${tallied(event)} retries of its session: failing models are no longer retried, and its policy applies`,
  'question.put': (event) =>
    event.isOfPlan
      ? `${event.agent} asks you whether to continue with ${event.to}: ${event.near}. Without an answer it does in 10 s. ${ANSWERS}`
      : event.near
        ? `${event.agent} asks you whether to continue spending: ${event.near}. ${ANSWERS}`
        : `${event.agent} asks you whether ${event.to || 'it'} may continue${because(event)}. ${ANSWERS}`,
  'question.nudged': ({ agent, to }) => `${agent} still waits for your answer: may ${to || 'it'} continue? ${ANSWERS}`,
  'question.skipped': ({ agent }) => `${agent} got no answer in time`,
  'question.answered': ({ agent }) => `You answered ${agent}`,
  'question.accepted': ({ agent }) => `You answered ${agent} with yes`,
  'question.declined': ({ agent }) => `You answered ${agent} with no`,
  'failures.many': () => 'Ten requests failed within five minutes',
  'history.notice': ({ detail }) => detail ?? 'History is not stored',
  'turn.recovered': ({ agent, model }) => `${agent} is working again: ${model} answered`,
  'session.outage': () => 'Many requests of this session failed',
  'session.connected': () => 'Requests of this session succeed again',
  'session.paused': () =>
    'This session is paused because all its agents are paused. Nothing is lost. Check your network, providers and API keys; /fallback-status shows the models, /retry all resumes the agents',
  'session.resumed': () => 'Session resumed',
  'prompt.warned': ({ agent, model }) =>
    `${agent} calls ${model} although at least half of this session’s last requests failed: /fallback-status shows the models`,
  'speaker.degraded': (event) => `${leftOut(event)}. ${tallied(event)} active; ${afterRetry(event.agent)}`,
  'speaker.restored': (event) => `${event.agent} resumed: ${tallied(event)} active`,
  'network.down': () => 'This computer reaches no provider; no model is marked as failing',
  'network.back': ({ model }) => `This computer is online again: ${model} responded`,
  'breaker.shadow': ({ model }) => `Shadow mode: the breaker of ${model} would have opened`,
  'breaker.stale': ({ model }) =>
    `A request sent to ${model} before its breaker opened has ended; the breaker does not change`,
  'network.stale': ({ model }) =>
    `A request sent to ${model} before its provider became unreachable has ended; nothing changes`,
  'phrase.unknown': ({ model }) => `${model} failed with an unknown error message`,
  'pin.set': (event) => `You pinned ${event.agent} to ${event.model}${end(event)}`,
  'pin.ended': ({ agent }) => `You unpinned ${agent}`,
  'switching.paused': (event) => `You paused all switching${end(event)}`,
  'switching.resumed': () => 'You resumed switching',
  'manual.isolated': ({ model }) => `You isolated ${model} from all chains`,
  'manual.released': ({ model }) => `You released ${model} into its chains`,
  'manual.open': (event) => `You hold ${event.model} out of use${end(event)}`,
  'manual.closed': (event) => `You hold ${event.model} in use${end(event)}`,
  'manual.unheld': ({ model }) => `You ended the hold of ${model}`,
  'host.resumed': () => 'This computer was asleep; all wait times continued',
  'lease.answered': ({ model }) => `An OpenCode requested a probe of ${model}`,
  'state.damaged': () => 'The stored state cannot be read: Understudy starts fresh',
  'state.newer': () => 'The stored state is from a newer version: Understudy starts fresh',
} satisfies Readonly<Record<string, Sentence>>;

/** Sentences by the first part of a code. */
const families = {
  switch: (event) => `${event.agent} switched ${event.model} → ${event.to}: ${event.reason}${back(event)}`,
  redirect: (event) =>
    `${event.agent} used ${event.to} because ${event.model} is ${event.reason || 'not ready'}${back(event)}`,
  headroom: (event) =>
    `${event.agent} switches to ${event.to} before a limit: ${event.near || `${event.model} is near one`}${back(event)}`,
  money: (event) => `${event.agent} switches to ${event.to} because of a budget: ${event.near || SPENT}${back(event)}`,
  home: ({ agent, to }) => `${agent} returns to ${to}`,
  keep: ({ agent, to }) => `${agent} stays on ${to}`,
  hold: (event) =>
    event.to === '' || event.to === event.model
      ? `${event.agent} waits for ${event.model}${event.reason === '' ? '' : `: ${event.reason}`}${back(event)}`
      : `${event.agent} waits, then uses ${event.to}: ${event.model} is ${event.reason}`,
  continue: ({ agent, model }) => `${agent} lets ${model} continue where it stopped`,
  compact: (event) => `${event.agent} shortens the conversation${because(event)}`,
  ask: (event) => `${event.agent} asks you whether to continue with another model${because(event)}`,
  defer: (event) => `${event.agent} lets the other agents go first${because(event)}`,
  degraded: leftOut,
  declined: ({ agent }) => `${agent} is paused in this session, as you decided`,
  skipped: ({ agent }) => `${agent} is paused in this session: you did not answer`,
  exhausted: (event) =>
    event.to === ''
      ? `${event.agent} has no available model${because(event)}${event.until === '' ? '' : `; first back about ${event.until}`}`
      : `${event.agent} stopped${because(event)}; ${event.to} takes the next message`,
  pass: ({ agent, model, reason }) => `${agent} stays on ${model}: ${reason}`,
  turn: ({ agent, model }) => `${agent} was answered by ${model}`,
  carry: ({ agent, model, detail }) =>
    `${agent} could not switch from ${model}: ${detail ?? 'OpenCode did not accept the new model'}`,
  config: ({ detail }) => `Chains loaded for ${detail ?? 'a project'}`,
  reset: ({ model, detail }) => `You reset ${model || (detail ?? 'every model')}`,
} satisfies Readonly<Record<string, Sentence>>;

export const eventTexts = part('events', {
  someone: 'A session',
  repeated: 'its provider failed in the same way before',
  exact,
  families,
  /** A change of a model’s state; `state` is empty if the event has none. */
  model: {
    ready: ({ model }: EventWords) => `${model} can be used again`,
    /** Its configuration was reloaded; it has not answered yet. */
    retry: ({ model }: EventWords) => `${model} can be used again: OpenCode started, or its configuration changed`,
    probing: ({ model }: EventWords) => `Probe sent to ${model}; one request may pass`,
    other: (event: EventWords, state: string) =>
      `${event.model} is now ${state}${event.reason === '' ? '' : `: ${event.reason}`}${back(event)}`,
  },
  /** Simultaneous switches; `why` is the cause if all left the same model, else empty. */
  gathered: (count: number, agents: string, why: string) =>
    `${count} agents switched models: ${agents}${why === '' ? '' : `. ${why}`}`,
});
