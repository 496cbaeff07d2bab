import { kindPhrase } from '../engine/kind-phrase';
import { probeTexts } from '../texts';
import type { EventRow } from './snapshot';
import { clock, measured, STATE_LABELS, shortName } from './wording';

/** A row, or one that has no place in the history yet. */
export type Tellable = Omit<EventRow, 'id' | 'at'>;

/** The parts of a row that sentences are made of. */
type Said = Readonly<{
  event: Tellable;
  agent: string;
  model: string;
  to: string;
  /** "rate limited (429)"; empty when no failure is behind it. */
  reason: string;
  /** ", back about 14:32", and the same as the end of what a person set; both empty when no clock ends it. */
  back: string;
  until: string;
  /** "2 of 3"; empty where nothing is counted. */
  tally: string;
}>;
type Sentence = (said: Said) => string;

const because = ({ model, reason }: Said): string => (reason === '' ? '' : `: ${model} is ${reason}`);
const leftOut: Sentence = (said) => `${said.agent} is left out for this session${because(said)}`;
const early: Sentence = ({ agent, to }) => `${agent} asks ${to} early: every model is out`;
/** How a question is answered inside OpenCode. */
const ANSWERS = 'Answer with /yes or /no';
const afterRetry = (agent: string): string => `/retry ${agent} brings it back`;

/** Sentences of single codes, where the family’s own would say too little. */
const EXACT: Readonly<Record<string, Sentence>> = {
  'switch.larger': ({ agent, model, to, reason }) => `${agent} switched ${model} → ${to}, which holds more: ${reason}`,
  'switch.panic': early,
  'redirect.lead': (said) =>
    said.event.state === 'held'
      ? `${said.agent} went straight to ${said.to}: ${said.model} is held${said.until}`
      : `${said.agent} goes to ${said.to}, the first of its chain`,
  'redirect.pinned': ({ agent, to }) => `${agent} goes to ${to}, where you pinned it`,
  'redirect.panic': early,
  'keep.paused': ({ agent, to }) => `${agent} stays on ${to}: switching is paused`,
  'keep.pinned': ({ agent, to }) => `${agent} stays on ${to}, where you pinned it`,
  'keep.native': ({ agent, to }) => `${agent} stays on ${to}: OpenCode itself asks again`,
  'keep.soon': ({ agent, to }) => `${agent} stays on ${to}: a model is back in a moment`,
  'keep.blocked': ({ agent, to }) => `${agent} tries ${to} once more: only you can mend its models`,
  'keep.panic': early,
  'hold.soonest': ({ agent, to, until }) => `${agent} waits for ${to}${until}: it is the first one back`,
  'hold.local_network': ({ agent }) => `${agent} waits until this computer has a network again`,
  'exhausted.depth': (said) => `${said.agent} has switched as often as one message may${because(said)}`,
  'exhausted.degraded': ({ agent }) => `${agent} is left out for this session: ${afterRetry(agent)}`,
  'pass.paused': ({ agent, model }) => `${agent} stays on ${model}: switching is paused`,
  'pass.pinned': ({ agent, model, reason }) => `${agent} stays on ${model}, where you pinned it: ${reason}`,
  'model.flapping': ({ model, until }) => `${model} kept failing and coming back: it is held out${until}`,
  'instance.lost': () => 'OpenCode went away',
  'instance.connected': ({ event }) => `OpenCode ${event.detail ?? ''} connected`.replace('  ', ' '),
  'drill.passed': ({ event, agent, model, to }) =>
    `Drill: ${agent} moved ${model} → ${to} in ${event.durationMs ?? 0} ms. No provider was asked`,
  'drill.failed': ({ event }) => `Drill: ${event.detail ?? 'nobody took over'}`,
  'probe.passed': ({ model, event }) =>
    probeTexts().event.passed(
      model,
      measured(event.durationMs ?? 0),
      event.detail === null ? '' : probeTexts().event.price(event.detail),
    ),
  'probe.failed': ({ model, reason, event }) => probeTexts().event.failed(model, reason || (event.detail ?? '')),
  'budget.warned': ({ agent, tally }) => `${agent} has used ${tally} retries of its session`,
  'budget.spent': ({ agent, tally }) =>
    `${agent} has used ${tally} retries of its session: failures now switch at once`,
  'question.put': (said) => `${said.agent} asks you whether ${said.to || 'it'} may go on${because(said)}. ${ANSWERS}`,
  'question.nudged': ({ agent, to }) => `${agent} still waits for your answer: may ${to || 'it'} go on? ${ANSWERS}`,
  'question.skipped': ({ agent }) => `Nobody answered ${agent} in time`,
  'question.answered': ({ agent }) => `You answered ${agent}`,
  'question.accepted': ({ agent }) => `You said yes to ${agent}`,
  'question.declined': ({ agent }) => `You said no to ${agent}`,
  'failures.many': () => 'Ten requests have failed within five minutes',
  'history.notice': ({ event }) => event.detail ?? 'History is not kept',
  'turn.recovered': ({ agent, model }) => `${agent} can continue: ${model} answered`,
  'session.outage': () => 'At least half of this session’s last requests failed',
  'session.connected': () => 'This session’s requests are answered again',
  'session.paused': () => 'Every agent of this session is left out: it is paused. /retry all brings them back',
  'session.resumed': () => 'This session goes on',
  'prompt.warned': ({ agent, model }) => `${agent} asks ${model} while at least half of its session’s requests fail`,
  'speaker.degraded': (said) => `${leftOut(said)}. ${said.tally} active; ${afterRetry(said.agent)}`,
  'speaker.restored': ({ agent, tally }) => `${agent} is back: ${tally} active`,
  'network.down': () => 'This computer reaches no provider: no model is blamed',
  'network.back': ({ model }) => `This computer has a network again: ${model} was heard`,
  'breaker.shadow': ({ model }) => `${model} would be open now; its breaker only watches`,
  'phrase.unknown': ({ model }) => `${model} failed in words nobody knows yet`,
  'pin.set': ({ agent, model, until }) => `You pinned ${agent} to ${model}${until}`,
  'pin.ended': ({ agent }) => `You let ${agent} go back to its chain`,
  'switching.paused': ({ until }) => `You paused all switching${until}`,
  'switching.resumed': () => 'You let switching go on',
  'manual.isolated': ({ model }) => `You took ${model} out of all chains`,
  'manual.released': ({ model }) => `You let ${model} back into its chains`,
  'manual.open': ({ model, until }) => `You hold ${model} out of use${until}`,
  'manual.closed': ({ model, until }) => `You hold ${model} in use${until}`,
  'manual.unheld': ({ model }) => `You ended the hold of ${model}`,
  'host.resumed': () => 'This computer slept; every wait went on meanwhile',
  'lease.answered': ({ model }) => `An OpenCode asked to probe ${model}`,
  'state.damaged': () => 'What was stored cannot be read: Understudy starts anew',
  'state.newer': () => 'What was stored is of a newer version: Understudy starts anew',
};

/** Sentences by what a code begins with. */
const FAMILIES: Readonly<Record<string, Sentence>> = {
  switch: ({ agent, model, to, reason, back }) => `${agent} switched ${model} → ${to}: ${reason}${back}`,
  redirect: ({ agent, model, to, reason, back }) =>
    `${agent} went straight to ${to}: ${model} is ${reason || 'not ready'}${back}`,
  home: ({ agent, to }) => `${agent} is back on ${to}`,
  keep: ({ agent, to }) => `${agent} stays on ${to}`,
  hold: ({ agent, model, to, reason, back }) =>
    to === '' || to === model
      ? `${agent} waits for ${model}: ${reason}${back}`
      : `${agent} waits, then asks ${to}: ${model} is ${reason}`,
  continue: ({ agent, model }) => `${agent} tells ${model} to go on where it stopped`,
  compact: (said) => `${said.agent} shortens the conversation${because(said)}`,
  ask: (said) => `${said.agent} asks you whether to go on with another model${because(said)}`,
  defer: (said) => `${said.agent} lets the others go first${because(said)}`,
  degraded: leftOut,
  declined: ({ agent }) => `${agent} is left out for this session, as you said`,
  skipped: ({ agent }) => `${agent} is left out for this session: nobody answered`,
  exhausted: (said) =>
    `${said.agent} has no model left${because(said)}${said.event.until === null ? '' : `; first back about ${clock(said.event.until)}`}`,
  pass: ({ agent, model, reason }) => `${agent} stays on ${model}: ${reason}`,
  turn: ({ agent, model }) => `${agent} was answered by ${model}`,
  model: modelSentence,
  carry: ({ agent, model, event }) =>
    `${agent} could not leave ${model}: ${event.detail ?? 'OpenCode did not take the new model'}`,
  config: ({ event }) => `Chains of ${event.detail ?? 'a project'} are armed`,
  reset: ({ event, model }) => `${event.model ? model : (event.detail ?? 'Every model')} was reset by you`,
};

/** One event as one sentence, which begins with its subject where it has one. */
export function eventSentence(event: Tellable): string {
  const sentence = sentenceFor(event.code);
  if (sentence) return sentence(saidOf(event));
  return [event.code, event.model && shortName(event.model), event.detail].filter(Boolean).join(' · ');
}

/** Switches that happened together as one text: each sentence, or from the third on who switched and why. */
export function gatheredSentence(rows: readonly Tellable[]): string {
  if (rows.length < 3) return rows.map(eventSentence).join('\n');
  const [first] = rows;
  const agents = [...new Set(rows.map(({ agent }) => agent))].join(', ');
  const isShared = rows.every(({ model, kind }) => model === first?.model && kind === first?.kind);
  const why = isShared && first?.model && first.kind ? `. ${shortName(first.model)} is ${reasonOf(first)}` : '';
  return `${rows.length} agents switched models: ${agents}${why}`;
}

const reasonOf = ({ kind, status }: Tellable): string => (kind ? kindPhrase(kind, status) : '');

/** Whether a code has a sentence of its own. */
export const hasSentence = (code: string): boolean => sentenceFor(code) !== null;

function sentenceFor(code: string): Sentence | null {
  const family = code.slice(0, code.indexOf('.'));
  if (Object.hasOwn(EXACT, code)) return EXACT[code] ?? null;
  return Object.hasOwn(FAMILIES, family) ? (FAMILIES[family] ?? null) : null;
}

function saidOf(event: Tellable): Said {
  const { until, tally } = event;
  return {
    event,
    agent: event.agent ?? 'A session',
    model: event.model ? shortName(event.model) : '',
    to: event.to ? shortName(event.to) : '',
    reason: reasonOf(event),
    back: until === null ? '' : `, back about ${clock(until)}`,
    until: until === null ? '' : ` until ${clock(until)}`,
    tally: tally ? `${tally.count} of ${tally.of}` : '',
  };
}

function modelSentence({ event, model, reason, back }: Said): string {
  if (event.state === 'ready') return `${model} is ready again`;
  if (event.state === 'probing') return `Probe sent to ${model}; one request may pass`;
  const label = event.state === 'info' ? '' : STATE_LABELS[event.state].toLowerCase();
  return `${model} is now ${label}${reason === '' ? '' : `: ${reason}`}${back}`;
}
