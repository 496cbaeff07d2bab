import { part } from './catalogue';

/** What acts would come to, what a state means, and what is to be done about it. */
export const actTexts = part('acts', {
  reset: {
    nothing: 'Nothing is to be reset.',
    one: (name: string) => `${name} counts as ready; the next request may try it.`,
    many: (names: string) => `${names} count as ready; the next requests may try them.`,
    /** The provider of `name` named a time itself; `until` is empty where it is not known. */
    ignores: (provider: string, name: string, until: string) =>
      `${provider} asked to leave ${name} alone${until && ` until ${until}`}. A reset ignores that.`,
    otherwise: (remedy: string) => `${remedy} Otherwise it fails again.`,
  },
  out: {
    nobody: (name: string) => `No live agent speaks through ${name} now.`,
    moves: (agents: string, isOne: boolean) => `${agents} ${isOne ? 'moves' : 'move'} on with the next request.`,
    stops: (agents: string, isOne: boolean) =>
      `Nothing usable is left for ${agents}: ${isOne ? 'its' : 'their'} work would stop.`,
    others: 'agents without a chain of their own',
  },
  in: {
    ready: (name: string) => `${name} is always treated as ready; a failure affects only its own turn.`,
    ignores: (provider: string, until: string) =>
      `${provider} asked to leave it alone${until && ` until ${until}`}. A hold ignores that.`,
  },
  returns: (agent: string, lead: string) => `${agent} returns to ${lead} with its next message.`,
  remedies: {
    none: 'Nothing to do.',
    auth: (provider: string) => `Give ${provider} a working API key (opencode auth login), then reset it.`,
    login: (provider: string) => `Log in to ${provider} again: opencode auth login.`,
    permission: (_provider: string, name: string) => `Ask for access to ${name} in your account, then reset it.`,
    model_not_found: (_provider: string, name: string) =>
      `Check the name and package of ${name}, or remove it from the chain.`,
    quota: (provider: string) => `Add credit to your account with ${provider}, then reset it.`,
    network_permanent: (provider: string) => `Fix the certificate or proxy on the way to ${provider}, then reset it.`,
    other: (provider: string) => `Fix what ${provider} says, then reset it.`,
  },
  /** Why a model shows what it shows; `phrase` is its cause, empty where none is known. */
  states: {
    ready: 'Answers. Nothing to do.',
    /** Nothing keeps it from being asked, and it has never answered. */
    unproven: (failed: number, phrase: string) =>
      `May be asked. ${failed === 1 ? 'Its only request has' : `All of its ${failed} requests have`} failed${phrase && `, the last one ${phrase}`}.`,
    unseen: 'Nobody has asked it yet.',
    degraded: (failures: string, threshold: number) =>
      `Usable. ${failures} of ${threshold} that would open its breaker.`,
    cooling: (phrase: string) => `No request is sent: it is ${phrase || 'limited'}.`,
    resting: (phrase: string) => `Usable, but only when nothing better is ready${phrase && `: it was ${phrase}`}.`,
    open: (phrase: string) =>
      `No request is sent: it failed too often${phrase && `, the last time ${phrase}`}. Then one probe may pass.`,
    probing: 'One request is under way; its outcome decides.',
    blocked: (phrase: string, remedy: string) => `${phrase && `It is ${phrase}. `}${remedy}`,
    isolated: 'Taken out of all chains until somebody lets it back.',
    held: 'Held.',
    flapping: 'Kept failing and coming back, so it is held out for a while.',
    heldOut: (until: string) => `Held out of use until ${until || 'you end it'}.`,
    outBeyond: 'It stays out after that.',
    heldIn: (until: string) => `Held in use until ${until || 'you end it'}, whatever its breaker says.`,
  },
  question: {
    again: (model: string, agent: string) => `Ask ${model} once more for ${agent}?`,
    other: (to: string, agent: string) => `May ${to} answer for ${agent}?`,
    spend: (agent: string) => `May ${agent} go on spending?`,
    /** `spent` is a sentence: what is spent of which budget. */
    spentLede: (spent: string, model: string) =>
      `${spent}. With a yes ${model} is asked, and nobody is asked again before the budget begins anew; without one its turn ends.`,
    /** `used` is a sentence: how much of its plan is used, and how long the rest would last. */
    drainLede: (used: string, to: string, from: string) =>
      `${used}. Without an answer within 10 s ${to} goes on; with a no another model does, or ${from} where it can.`,
    out: 'out of use',
    lede: (model: string, phrase: string, agent: string) =>
      `${model} is ${phrase}. Without a yes ${agent} is left out of this session until you bring it back.`,
  },
});
