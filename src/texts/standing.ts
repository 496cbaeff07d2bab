import { part } from './catalogue';

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const numberWord = (count: number): string => NUMBERS[count] ?? String(count);
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** How agents, chains and the whole stand, in one sentence each. */
export const standingTexts = part('standing', {
  position: {
    lead: (of: number) => `primary, 1 of ${of}`,
    understudy: (position: number, of: number) => `${position} of ${of}, understudy`,
  },
  /** Why an agent speaks through the model it speaks through; `last` is what its last model is, or empty. */
  agent: {
    onlyOut: (last: string) => `Its only model is out${last && `; ${last}`}`,
    allOut: (count: number, last: string) => `All ${count} models are out${last && `; ${last}`}`,
    leftOut: (last: string) => `Left out of this session${last && `; ${last}`}`,
    stopped: (model: string, last: string) =>
      `Its turn found no model; ${model} takes requests now${last && `; ${last}`}`,
    inPlace: (lead: string) => `Speaks in place of ${lead}`,
    oneModel: 'One model: if it fails, work stops',
    firstTurn: 'First turn under way',
    idle: 'Idle, chain armed',
    onPrimary: (turns: string) => `${turns}, all on the primary`,
    switched: (turns: string, switches: string) => `${turns}, ${switches}`,
  },
  home: {
    needsYou: (lead: string) => `${lead} needs you: mend what it says, then reset it`,
    next: 'Returns with the next message',
    ready: 'Returns when it is ready again',
  },
  caution: {
    oneModel: (agent: string) => `${agent} has one model. If it fails, work stops.`,
    sharedFate: (count: number, provider: string) =>
      `Shared fate: ${count === 2 ? 'both' : `all ${count}`} models use ${provider}.`,
  },
  models: {
    ready: (count: number) => `${count} ready`,
    toLookAt: (count: number) => `${count} to look at`,
    unseen: (count: number) => `${count} not used yet`,
    order: 'Worst first, then busiest.',
  },
  stale: {
    title: 'This view has lost contact with Understudy.',
    lede: (at: string) => `Timers stopped; what you see is as of ${at}. It comes back by itself.`,
  },
  exhausted: {
    title: (agent: string) => `${agent} has no model left.`,
    lede: (count: number) =>
      count === 1
        ? 'Its only model is out. Your session is safe; send the message again when it is back.'
        : `All ${count} models of its chain are out. Your session is safe; send the message again when one is back.`,
    stopped: (agent: string) => `${agent} has stopped.`,
    again: (model: string) =>
      `Its turn found no model, but ${model} takes requests now. Your session is safe; send the message again.`,
  },
  /** A turn that stands still after a failure; `at` is a clock time, or empty where nobody knows. */
  stuck: {
    one: (agent: string, at: string) => `${agent} is waiting${at && ` until about ${at}`}.`,
    many: (count: number) => `${capital(numberWord(count))} agents are waiting after a failure.`,
    alone: (why: string, at: string) =>
      `${why}; it has no fallback model, and OpenCode asks it again${at && ` about ${at}`}`,
    passedOn: (why: string, at: string) => `${why}; OpenCode asks it again${at && ` about ${at}`}`,
    held: (why: string, at: string) => `${why}; the turn goes on${at && ` about ${at}`}`,
  },
  unprotected: {
    one: (agent: string) => `${agent} has no fallback model.`,
    many: (count: number, of: number) => `${count} of ${of} agents have no fallback model.`,
    lede: (count: number) =>
      `Nothing is wrong now. If ${count === 1 ? 'its model' : 'the model of one'} fails, work stops.`,
  },
  asks: (agent: string) => `${agent} waits for your answer.`,
  leftOut: {
    one: (agent: string) => `${agent} is left out of its session.`,
    many: (count: number) => `${capital(numberWord(count))} agents are left out of their sessions.`,
    lede: 'Whoever is left out answers nothing there until you bring it back.',
  },
  /** A lead that waits for a person while its agent has not met it again. */
  blocked: {
    title: (model: string) => `${model} needs you.`,
    lede: (agent: string) => `Until you mend what it says and reset it, ${agent} goes on with its next model.`,
  },
  away: {
    one: (agent: string) => `${agent} is on an understudy. Nothing has stopped.`,
    many: (count: number) => `${capital(numberWord(count))} agents are on an understudy. Nothing has stopped.`,
    inProject: (agent: string, project: string) => `${agent} in ${project}`,
    speaks: (name: string, model: string) => `${name} speaks through ${model}`,
    left: (name: string, model: string, phrase: string) => `${name} left ${model}, which is ${phrase}`,
    returns: (name: string, lead: string, at: string) => `${name} returns to ${lead} about ${at}`,
  },
  /** Of the last requests of a project's session. */
  failing: {
    title: (project: string) => `Requests in ${project} are failing.`,
    lede: (project: string, failed: number, asked: number) =>
      `${failed} of the last ${asked} requests in ${project} failed.`,
  },
  calm: {
    waiting: {
      title: 'Waiting for OpenCode.',
      lede: 'Start OpenCode with the companion plugin and it appears here by itself.',
    },
    lost: { title: 'Not connected: OpenCode is not running.', lede: 'What you see is the last known state.' },
    incompatible: {
      title: 'Plugin and app versions differ.',
      lede: 'Update both to the same version; until then this view only reads.',
    },
    primary: { title: 'All agents are on their primary.', lede: 'Nothing to do.' },
    ready: { title: 'Ready.', lede: 'Chains are armed; nothing has run yet.' },
    noChain: {
      title: 'Connected, but no chain is set.',
      lede: 'Without a chain nothing is protected. Add fallback models in model-fallback.json.',
    },
  },
});
