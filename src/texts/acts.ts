import { part } from './catalogue';

/** Consequences of acts, reasons of states, and remedies. */
export const actTexts = part('acts', {
  reset: {
    nothing: 'No model needs a reset.',
    one: (name: string) => `${name} counts as ready; the next request may try it.`,
    many: (names: string) => `${names} count as ready; the next requests may try them.`,
    /** The provider set the end of the cooldown; `until` is empty if unknown. */
    ignores: (provider: string, name: string, until: string) =>
      `${provider} set a cooldown for ${name}${until && ` until ${until}`}. A reset ignores it.`,
    otherwise: (remedy: string) => `${remedy} Otherwise it fails again.`,
  },
  out: {
    nobody: (name: string) => `No live agent uses ${name} now.`,
    moves: (agents: string, isOne: boolean) =>
      `${agents} ${isOne ? 'switches' : 'switch'} models with the next request.`,
    stops: (agents: string, isOne: boolean) =>
      `No usable model is left for ${agents}: ${isOne ? 'its' : 'their'} work would stop.`,
    others: 'agents without their own chain',
  },
  in: {
    ready: (name: string) => `${name} is always treated as ready; a failure affects only its own turn.`,
    ignores: (provider: string, until: string) =>
      `${provider} set a cooldown for it${until && ` until ${until}`}. A hold ignores it.`,
  },
  returns: (agent: string, lead: string) => `${agent} returns to ${lead} with its next message.`,
  remedies: {
    none: 'Nothing to do.',
    auth: (provider: string) => `Give ${provider} a valid API key (opencode auth login), then reset it.`,
    login: (provider: string) => `Log in to ${provider} again: opencode auth login.`,
    permission: (_provider: string, name: string) => `Ask for access to ${name} in your account, then reset it.`,
    model_not_found: (_provider: string, name: string) =>
      `Check the name and package of ${name}, or remove it from the chain.`,
    quota: (provider: string) => `Add credit to your account with ${provider}, then reset it.`,
    network_permanent: (provider: string) => `Fix the certificate or proxy on the way to ${provider}, then reset it.`,
    other: (provider: string) => `Fix the problem that ${provider} reports, then reset it.`,
  },
  /** The reason of a model’s state; `phrase` is its cause, or empty. */
  states: {
    ready: 'Available. Nothing to do.',
    /** Available, but without a successful request. */
    unproven: (failed: number, phrase: string) =>
      `Available, but ${failed === 1 ? 'its only request' : `all of its ${failed} requests`} failed${phrase && `, the last one ${phrase}`}.`,
    unseen: 'No request yet.',
    degraded: (failures: string, threshold: number) =>
      `Usable. ${failures} of ${threshold} that would open its breaker.`,
    cooling: (phrase: string) => `No request is sent: it is ${phrase || 'limited'}.`,
    resting: (phrase: string) => `Usable, but only when no better model is ready${phrase && `: it was ${phrase}`}.`,
    open: (phrase: string) =>
      `No request is sent: it failed too often${phrase && `, the last time ${phrase}`}. Then one probe tests it.`,
    probing: 'One probe is in progress; its result decides.',
    blocked: (phrase: string, remedy: string) => `${phrase && `It is ${phrase}. `}${remedy}`,
    isolated: 'Isolated from all chains until you release it.',
    held: 'Held.',
    flapping: 'It failed and recovered repeatedly, so it is held out for a while.',
    heldOut: (until: string) => `Held out of use until ${until || 'you end it'}.`,
    outBeyond: 'It stays unavailable after that.',
    heldIn: (until: string) => `Held in use until ${until || 'you end it'}, even if its breaker opens.`,
  },
  question: {
    again: (model: string, agent: string) => `Retry ${model} for ${agent}?`,
    other: (to: string, agent: string) => `May ${to} answer for ${agent}?`,
    spend: (agent: string) => `May ${agent} continue spending?`,
    /** `spent` is a sentence about the spent budget. */
    spentLede: (spent: string, model: string) =>
      `${spent}. Yes: ${model} is used, with no further question until the budget resets. No: the turn ends.`,
    /** `used` is a sentence about the usage of the plan and the time that the rest would last. */
    drainLede: (used: string, to: string, from: string) =>
      `${used}. Without an answer within 10 s, ${to} continues. If you choose no, another model does, or ${from} if it can.`,
    out: 'out of use',
    lede: (model: string, phrase: string, agent: string) =>
      `${model} is ${phrase}. Unless you choose yes, ${agent} is paused in this session until you bring it back.`,
  },
});
