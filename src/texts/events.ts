import { part } from './catalogue';

/** What an event says, as words; empty where it says nothing. */
export type EventWords = Readonly<{
  agent: string;
  model: string;
  /** The model that took over. */
  to: string;
  /** "rate limited (429)"; empty when no failure is behind it. */
  reason: string;
  /** The clock time at which it ends: a model is back, or what a person set is over. */
  until: string;
  /** "claude-sonnet has used 97 % of its 5 h limit"; empty where no limit is behind it. */
  near: string;
  /** The other account of the same model that is asked, "anthropic@work"; empty where it is none. */
  account: string;
  /** That limit is of the plan that would be used up by going there. */
  isOfPlan: boolean;
  tally: Readonly<{ count: number; of: number }> | undefined;
  detail: string | null;
  durationMs: number;
  isHeld: boolean;
}>;
export type Sentence = (said: EventWords) => string;

const because = ({ model, reason, isHeld }: EventWords): string =>
  reason === '' && !isHeld ? '' : `: ${model} is ${reason || 'held'}`;
const back = ({ until }: EventWords): string => (until === '' ? '' : `, back about ${until}`);
const end = ({ until }: EventWords): string => (until === '' ? '' : ` until ${until}`);
const tallied = ({ tally }: EventWords): string => (tally ? `${tally.count} of ${tally.of}` : '');
const leftOut: Sentence = (said) => `${said.agent} is left out for this session${because(said)}`;
const early: Sentence = ({ agent, to }) => `${agent} asks ${to} early: every model is out`;
const guessed: Sentence = ({ agent, to }) => `${agent} asks ${to} early: only our estimate says that it is out`;
/** How a question is answered inside OpenCode. */
const ANSWERS = 'Answer with /yes or /no';
const DRAINED = 'it would be used up within a day';
const SPENT = 'a budget is spent';
const afterRetry = (agent: string): string => `/retry ${agent} brings it back`;

/** Sentences of single codes, where the family’s own would say too little. */
const exact = {
  'switch.larger': ({ agent, model, to, reason }) => `${agent} switched ${model} → ${to}, which holds more: ${reason}`,
  'switch.panic': early,
  'switch.refused': ({ agent, model, to }) =>
    `${agent} switched ${model} → ${to}: ${model} refused a conversation that another model began`,
  'redirect.lead': (said) =>
    said.isHeld
      ? `${said.agent} went straight to ${said.to}: ${said.model} is held${end(said)}`
      : `${said.agent} goes to ${said.to}, the first of its chain`,
  'redirect.pinned': ({ agent, to }) => `${agent} goes to ${to}, where you pinned it`,
  'redirect.panic': early,
  'redirect.estimate': guessed,
  'keep.paused': ({ agent, to }) => `${agent} stays on ${to}: switching is paused`,
  'keep.pinned': ({ agent, to }) => `${agent} stays on ${to}, where you pinned it`,
  'keep.native': ({ agent, to }) => `${agent} stays on ${to}: OpenCode itself asks again`,
  /** Its primary has answered. */
  'home.answered': ({ agent, to }) => `${agent} is back on ${to}`,
  'keep.soon': ({ agent, to }) => `${agent} stays on ${to}: a model is back in a moment`,
  'keep.ask': ({ agent, to }) => `${agent} stays on ${to}: you are asked before another model takes over`,
  'keep.blocked': ({ agent, to }) => `${agent} tries ${to} once more: only you can fix its models`,
  'keep.panic': early,
  'keep.estimate': guessed,
  'hold.soonest': (said) => `${said.agent} waits for ${said.to}${end(said)}: it is the first one back`,
  'hold.loop': ({ agent, to }) =>
    `${agent} holds this message for 15 s, then asks ${to}: several in a row came right after an error`,
  'hold.headroom': (said) =>
    `${said.agent} waits for ${said.model}${end(said)}: ${said.near || 'its limit is about to have room'}`,
  'hold.local_network': ({ agent }) => `${agent} waits until this computer has a network again`,
  'exhausted.depth': (said) => `${said.agent} has reached maxFallbackDepth, your limit of switches${because(said)}`,
  'exhausted.attempts': (said) => `${said.agent} stopped after too many failed requests${because(said)}`,
  'exhausted.refused': ({ agent }) => `${agent} has no model left: the other models refused this conversation`,
  'exhausted.degraded': ({ agent }) => `${agent} is left out for this session: ${afterRetry(agent)}`,
  'exhausted.paused': (said) =>
    `${said.agent} asks nobody: ${said.model} is held out of use${end(said)}, and switching is paused`,
  'exhausted.money': (said) => `${said.agent} sends nothing more${end(said)}: ${said.near || SPENT}`,
  'ask.drain': (said) => `${said.agent} asks you before it goes on with another plan: ${said.near || DRAINED}`,
  'hold.drain': ({ agent }) => `${agent} goes on, now that it was asked about another plan`,
  'headroom.drains': (said) => `${said.agent} goes on with another plan: ${said.near || DRAINED}`,
  'headroom.spread': ({ agent, to, near, account }) =>
    account === '' ? `${agent} uses ${to}, the emptier account of its model` : `${agent} uses ${account}: ${near}`,
  'ask.money': (said) => `${said.agent} asks you whether to go on spending: ${said.near || SPENT}`,
  'hold.money': (said) => `${said.agent} goes on spending, as you said: ${said.near || SPENT}`,
  'declined.money': (said) => `${said.agent} spends no more, as you said: ${said.near || SPENT}`,
  'skipped.money': (said) => `${said.agent} spends no more, for nobody answered: ${said.near || SPENT}`,
  'money.passed': (said) => `A budget is filling up: ${said.near || SPENT}`,
  'money.spent': (said) => `A budget is used up: ${said.near || SPENT}`,
  'money.allowed': () => 'You let a budget be exceeded until it begins anew',
  'pass.paused': ({ agent, model }) => `${agent} stays on ${model}: switching is paused`,
  'pass.no_chain': (said) =>
    `${said.agent} has no chain: OpenCode goes on with ${said.model} by itself${because(said)}`,
  'pass.budget': (said) =>
    `${said.agent} stays on ${said.model}: the retries of its session are used up, and nobody else may answer${because(said)}`,
  'pass.pinned': ({ agent, model, reason }) => `${agent} stays on ${model}, where you pinned it: ${reason}`,
  'model.flapping': (said) => `${said.model} kept failing and coming back: it is held out${end(said)}`,
  'instance.lost': () => 'OpenCode went away',
  'instance.connected': ({ detail }) => `OpenCode ${detail ?? ''} connected`.replace('  ', ' '),
  'drill.passed': ({ agent, model, to, durationMs }) =>
    `Drill: ${agent} moved ${model} → ${to} in ${durationMs} ms. No provider was asked`,
  'probe.passed': ({ model, durationMs, detail }) =>
    `You probed ${model}: it answered in ${durationMs} ms${detail ? `, for ${detail}` : ''}`,
  'probe.failed': ({ model, reason, detail }) => `You probed ${model}: ${reason || (detail ?? '')}`,
  'drill.failed': ({ detail }) => `Drill: ${detail ?? 'nobody took over'}`,
  'budget.warned': (said) =>
    `${said.agent} has used ${tallied(said)} retries of its session: look at the network and the providers`,
  'budget.spent': (said) =>
    `${said.agent} has used ${tallied(said)} retries of its session: it asks no failing model again, and goes on as its policy says`,
  'question.put': (said) =>
    said.isOfPlan
      ? `${said.agent} asks you whether to go on with ${said.to}: ${said.near}. Without an answer it does in 10 s. ${ANSWERS}`
      : said.near
        ? `${said.agent} asks you whether to go on spending: ${said.near}. ${ANSWERS}`
        : `${said.agent} asks you whether ${said.to || 'it'} may go on${because(said)}. ${ANSWERS}`,
  'question.nudged': ({ agent, to }) => `${agent} still waits for your answer: may ${to || 'it'} go on? ${ANSWERS}`,
  'question.skipped': ({ agent }) => `Nobody answered ${agent} in time`,
  'question.answered': ({ agent }) => `You answered ${agent}`,
  'question.accepted': ({ agent }) => `You said yes to ${agent}`,
  'question.declined': ({ agent }) => `You said no to ${agent}`,
  'failures.many': () => 'Ten requests have failed within five minutes',
  'history.notice': ({ detail }) => detail ?? 'History is not kept',
  'turn.recovered': ({ agent, model }) => `${agent} can continue: ${model} answered`,
  'session.outage': () => 'At least half of this session’s last requests failed',
  'session.connected': () => 'This session’s requests are answered again',
  'session.paused': () =>
    'Every agent of this session is left out: it is paused, and nothing is lost. Look at the network, the providers and their keys; /fallback-status says who is well, /retry all brings the agents back',
  'session.resumed': () => 'This session goes on',
  'prompt.warned': ({ agent, model }) =>
    `${agent} asks ${model}, though at least half of this session’s last requests failed: /fallback-status says who is well`,
  'speaker.degraded': (said) => `${leftOut(said)}. ${tallied(said)} active; ${afterRetry(said.agent)}`,
  'speaker.restored': (said) => `${said.agent} is back: ${tallied(said)} active`,
  'network.down': () => 'This computer reaches no provider: no model is blamed',
  'network.back': ({ model }) => `This computer has a network again: ${model} was heard`,
  'breaker.shadow': ({ model }) => `Shadow mode: the breaker of ${model} would have opened`,
  'breaker.stale': ({ model }) =>
    `A request sent to ${model} before its breaker opened has ended; the breaker does not change`,
  'network.stale': ({ model }) =>
    `A request sent to ${model} before its provider became unreachable has ended; nothing changes`,
  'phrase.unknown': ({ model }) => `${model} failed in words nobody knows yet`,
  'pin.set': (said) => `You pinned ${said.agent} to ${said.model}${end(said)}`,
  'pin.ended': ({ agent }) => `You let ${agent} go back to its chain`,
  'switching.paused': (said) => `You paused all switching${end(said)}`,
  'switching.resumed': () => 'You let switching go on',
  'manual.isolated': ({ model }) => `You took ${model} out of all chains`,
  'manual.released': ({ model }) => `You let ${model} back into its chains`,
  'manual.open': (said) => `You hold ${said.model} out of use${end(said)}`,
  'manual.closed': (said) => `You hold ${said.model} in use${end(said)}`,
  'manual.unheld': ({ model }) => `You ended the hold of ${model}`,
  'host.resumed': () => 'This computer slept; every wait went on meanwhile',
  'lease.answered': ({ model }) => `An OpenCode asked to probe ${model}`,
  'state.damaged': () => 'What was stored cannot be read: Understudy starts anew',
  'state.newer': () => 'What was stored is of a newer version: Understudy starts anew',
} satisfies Readonly<Record<string, Sentence>>;

/** Sentences by what a code begins with. */
const families = {
  switch: (said) => `${said.agent} switched ${said.model} → ${said.to}: ${said.reason}${back(said)}`,
  redirect: (said) =>
    `${said.agent} went straight to ${said.to}: ${said.model} is ${said.reason || 'not ready'}${back(said)}`,
  headroom: (said) =>
    `${said.agent} goes to ${said.to} before a limit: ${said.near || `${said.model} is near one`}${back(said)}`,
  money: (said) => `${said.agent} goes to ${said.to} for a budget: ${said.near || SPENT}${back(said)}`,
  home: ({ agent, to }) => `${agent} goes back to ${to}`,
  keep: ({ agent, to }) => `${agent} stays on ${to}`,
  hold: (said) =>
    said.to === '' || said.to === said.model
      ? `${said.agent} waits for ${said.model}${said.reason === '' ? '' : `: ${said.reason}`}${back(said)}`
      : `${said.agent} waits, then asks ${said.to}: ${said.model} is ${said.reason}`,
  continue: ({ agent, model }) => `${agent} tells ${model} to go on where it stopped`,
  compact: (said) => `${said.agent} shortens the conversation${because(said)}`,
  ask: (said) => `${said.agent} asks you whether to go on with another model${because(said)}`,
  defer: (said) => `${said.agent} lets the others go first${because(said)}`,
  degraded: leftOut,
  declined: ({ agent }) => `${agent} is left out for this session, as you said`,
  skipped: ({ agent }) => `${agent} is left out for this session: nobody answered`,
  exhausted: (said) =>
    said.to === ''
      ? `${said.agent} has no model left${because(said)}${said.until === '' ? '' : `; first back about ${said.until}`}`
      : `${said.agent} has stopped${because(said)}; ${said.to} takes the next message`,
  pass: ({ agent, model, reason }) => `${agent} stays on ${model}: ${reason}`,
  turn: ({ agent, model }) => `${agent} was answered by ${model}`,
  carry: ({ agent, model, detail }) =>
    `${agent} could not leave ${model}: ${detail ?? 'OpenCode did not take the new model'}`,
  config: ({ detail }) => `Chains of ${detail ?? 'a project'} are armed`,
  reset: ({ model, detail }) => `${model || (detail ?? 'Every model')} was reset by you`,
} satisfies Readonly<Record<string, Sentence>>;

export const eventTexts = part('events', {
  someone: 'A session',
  repeated: 'its provider failed in the same way before',
  exact,
  families,
  /** A change of a model's state; `state` is its word within a sentence, empty where the event names none. */
  model: {
    ready: ({ model }: EventWords) => `${model} may be asked again`,
    /** Its configuration was loaded anew; whether it answers nobody knows yet. */
    retry: ({ model }: EventWords) => `${model} may be asked again: OpenCode started, or its configuration changed`,
    probing: ({ model }: EventWords) => `Probe sent to ${model}; one request may pass`,
    other: (said: EventWords, state: string) =>
      `${said.model} is now ${state}${said.reason === '' ? '' : `: ${said.reason}`}${back(said)}`,
  },
  /** Switches that happened together; `why` is what the one model they left is, or empty. */
  gathered: (count: number, agents: string, why: string) =>
    `${count} agents switched models: ${agents}${why === '' ? '' : `. ${why}`}`,
});
