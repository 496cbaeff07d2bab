import { part, plural } from './catalogue';

/** Entries of the attention queue, with title and detail. `at` is a clock time, or empty if unknown. */
export const attentionTexts = part('attention', {
  name: 'Needs attention',
  inProject: (agent: string, project: string) => `${agent} in ${project}`,
  apart: {
    lost: {
      title: 'Not connected to OpenCode.',
      detail: 'OpenCode was closed, or runs without the companion. You see the last known state.',
    },
    incompatible: {
      title: 'Companion and app versions differ.',
      detail: 'Update both to the same version. Until then this view is read-only.',
    },
  },
  question: {
    one: (agent: string) => `${agent} waits for your answer.`,
    many: (agents: string) => `${agents} wait for your answer.`,
  },
  waiting: {
    permission: (agent: string) => `${agent} waits for permission.`,
    permissions: (agents: string) => `${agents} wait for permission.`,
    detail: (since: string) => `Answer the prompt in OpenCode, open since ${since}.`,
  },
  silent: {
    one: (agent: string, model: string) => `${agent} is waiting for the first token of ${model}.`,
    many: (agents: string) => `${agents} are waiting for their first token.`,
    detail: (since: string) => `Request sent at ${since}.`,
  },
  stuck: {
    alone: (agent: string, at: string) => `${agent} is stuck${at && ` until about ${at}`}: it has no fallback model.`,
    held: (agent: string, at: string) => (at === '' ? `${agent} is stuck.` : `${agent} is waiting until about ${at}.`),
    waiting: (agents: string) => `${agents} are waiting.`,
    detail: (why: string, hasEnd: boolean) =>
      hasEnd ? `${why}; the request is then sent again.` : `${why}; OpenCode keeps retrying it.`,
  },
  exhausted: {
    one: (agent: string) => `${agent} has no model left.`,
    many: (agents: string) => `${agents} have no model left.`,
    stopped: (agent: string) => `${agent} has stopped.`,
    /** `hasFailed`: a message has failed and can be sent again. */
    out: (count: number, at: string, hasFailed: boolean, isYours = false): string => {
      const who = count === 1 ? 'Its only model is' : count === 2 ? 'Both models are' : `All ${count} models are`;
      const back = at && `, ${count === 1 ? '' : 'the first is '}back about ${at}`;
      const one = count === 1 ? 'it' : 'one';
      const when = at ? 'then' : isYours ? `once you have fixed ${one}` : `when ${one} is back`;
      return `${who} unavailable${back}.${hasFailed ? ` Your session is safe; send the message again ${when}.` : ''}`;
    },
    budget: (agents: string) => `The budget for ${agents} is spent.`,
    /** `spent` is the spent part of a budget; `anew` is its reset, or empty. */
    halted: (spent: string, anew: string) =>
      `${spent}, so nothing is sent.${anew && ` It resets ${anew}.`} Your session is safe.`,
    again: (model: string) =>
      `Its turn ended without an answer, but ${model} accepts requests now. Your session is safe; send the message again.`,
  },
  leftOut: {
    one: (agent: string) => `${agent} is paused in its session.`,
    many: (agents: string) => `${agents} are paused in their sessions.`,
    detail: (isOne: boolean): string => (isOne ? 'Bring it back to get answers.' : 'Bring them back to get answers.'),
  },
  failing: {
    title: (project: string) => `Requests in ${project} are failing.`,
    detail: (failed: number, requests: number) => `${failed} of the last ${requests} failed.`,
  },
  unmoved: {
    title: (version: string) => `OpenCode ${version} cannot continue a failing turn with another model.`,
    again:
      'When a model fails, the turn ends, and the next model answers the same message. Understudy checks this again after a day.',
    watch:
      'When a model fails, the turn ends with its error. Your next message goes to an available model. Understudy checks this again after a day.',
  },
  spent: {
    title: (budgets: string) => `Budget spent: ${budgets}.`,
    does: {
      warn: 'Work continues.',
      degrade: 'Cheaper models answer.',
      ask: 'Another model answers, or Understudy asks you before a request that counts towards it.',
      stop: 'Understudy sends no request that counts towards it.',
    },
    /** `amount` is "$5.02 of $5.00", `does` one of the above; `anew` is the reset of the budget, or empty. */
    detail: (amount: string, does: string, anew: string) => `${amount}. ${does}${anew && ` It resets ${anew}.`}`,
  },
  paused: {
    title: (at: string) => `Automatic fallback is paused${at && ` until ${at}`}.`,
    detail: 'The next message of each agent goes to its primary, available or not. When a model fails, work stops.',
  },
  /** `at` is the return of the first unavailable model; empty if unknown. */
  unable: {
    title: (agents: string, isOne: boolean) => `${agents} ${isOne ? 'has' : 'have'} no model now.`,
    detail: (at: string) => `No model takes the next message${at && `; the first is back about ${at}`}.`,
  },
  lastLeft: {
    title: (agents: string, isOne: boolean) => `${agents} ${isOne ? 'has' : 'have'} one model left now.`,
    detail: (at: string) => `When it fails, work stops${at && `; the next is back about ${at}`}.`,
  },
  unprotected: {
    one: (agent: string) => `${agent} has no fallback model.`,
    offFor: (agent: string) => `Fallback is off for ${agent}.`,
    several: (agents: string) => `${agents} have no fallback model.`,
    /** The number of protected agents. */
    many: (count: number, of: number) =>
      `${count === 0 ? 'None' : count} of ${of} ${of === 1 ? 'agent' : 'agents'} ${count < 2 ? 'is' : 'are'} protected.`,
    covered: (count: number, of: number) =>
      `${count === 0 ? 'None' : count} of ${of} ${of === 1 ? 'agent' : 'agents'} ${count < 2 ? 'has' : 'have'} a fallback model in the chain.`,
    detail: (agents: string, isOne: boolean) =>
      isOne ? 'When its model fails, work stops.' : `Without a fallback model: ${agents}.`,
    off: 'Fallback is switched off. When a model fails, work stops.',
  },
  needsYou: {
    one: (provider: string) => `${provider} needs you.`,
    many: (providers: string) => `${providers} need you.`,
    detail: (remedy: string, others: number) =>
      `${remedy}${others > 0 ? ` ${more(others)} of this provider ${others === 1 ? 'is' : 'are'} affected.` : ''}`,
  },
  pinned: {
    title: (agent: string, model: string) => `${agent} is pinned to ${model}.`,
    detail: (at: string) => `When it fails, no other model answers${at && `, until ${at}`}.`,
  },
  away: {
    one: (agent: string, model: string, position: number, of: number) =>
      `${agent} uses ${model}, ${position} of ${of}.`,
    many: (agents: string) => `${agents} use a fallback model.`,
    pinned: (model: string, at: string) => `You pinned it to ${model}${at && ` until ${at}`}.`,
    back: (at: string) => `primary back about ${at}`,
  },
  calm: {
    waiting: {
      title: 'Waiting for OpenCode.',
      lede: 'Start OpenCode with the companion plugin. It then appears here.',
    },
    /** `isHome`: the next message of each goes to its primary. */
    one: (agent: string, isHome: boolean) => `${agent} is protected${isHome ? ' and on its primary' : ''}.`,
    many: (count: number, isHome: boolean) =>
      `All ${count} agents are protected${isHome ? ' and on their primary' : ''}.`,
    nothing: 'Nothing needs your attention.',
    elsewhere: (agents: string) => `The next message of ${agents} goes to a fallback model.`,
    ready: { title: 'Ready.', lede: 'Chains are active.' },
    noChain: {
      title: 'Connected, but no chain is set.',
      lede: 'Without a chain, no agent is protected.',
    },
  },
  agents: plural('agent', 'agents'),
  /** Labels of buttons; `doesOf` builds their accessible names. */
  does: {
    bringBack: 'Bring back',
    resume: 'Resume',
    letGo: 'Unpin',
    add: 'Add one…',
    protect: 'Protect all…',
    switchOn: 'Settings…',
    fix: 'Fix…',
    look: 'View…',
    connect: 'Connect…',
    open: 'Open…',
  },
  doesOf: (does: string, about: string) => `${does} ${about}`,
  done: {
    bringBack: (agent: string) => `${agent} is back.`,
    resume: () => 'Switching resumed.',
    letGo: (agent: string) => `${agent} follows its chain again.`,
  },
  nextMessage: 'with your next message',
});

const more = (count: number): string => `${count} more ${count === 1 ? 'model' : 'models'}`;
