import { part } from './catalogue';

/** Usage of account limits. */
export const headroomTexts = part('headroom', {
  /** The length of a window: `a minute`, `in 5 h`. */
  length: {
    minute: 'a minute',
    hour: 'an hour',
    day: 'a day',
    week: 'a week',
    month: 'a month',
    of: (length: string) => `in ${length}`,
  },
  plan: {
    hours: (hours: number) => `${hours} h`,
    day: 'day',
    week: 'week',
    month: 'month',
    days: (days: number) => `${days} days`,
    unknown: 'plan',
  },
  units: {
    requests: 'requests',
    tokens: 'tokens',
    input_tokens: 'input tokens',
    output_tokens: 'output tokens',
    share: 'plan',
    credits: 'credits',
  },
  /** "requests a minute" */
  counted: (unit: string, length: string) => (length === '' ? unit : `${unit} ${length}`),
  /** Reasons for a switch before a limit. */
  near: {
    share: (model: string, part: string, plan: string) => `${model} has used ${part} of its ${plan} limit`,
    reserve: (model: string, part: string, plan: string) =>
      `${model} has used ${part} of its ${plan} limit, and the rest is reserved for another agent`,
    /** `inHours` is "9 h". */
    drain: (model: string, part: string, plan: string, inHours: string) =>
      `${model} has used ${part} of its ${plan} limit, and the rest would last about ${inHours}`,
    /** `here` is "claude-sonnet-4-5 has used 72 % of its week limit"; `part` is "23 %" or "23 % of the 5 h limit". */
    there: (here: string, part: string) => `${here} here, ${part} there`,
    partOf: (part: string, plan: string) => `${part} of the ${plan} limit`,
    emptier: (account: string, used: string) => `${account} has more headroom: ${used}`,
    refused: (model: string, plan: string) => `the provider of ${model} refuses requests for its ${plan} limit`,
    left: (model: string, left: string, limit: string, what: string) => `${model} has ${left} of ${limit} ${what} left`,
    needs: (model: string, left: string, limit: string, what: string, needs: string) =>
      `${model} has ${left} of ${limit} ${what} left, and this request takes about ${needs}`,
  },
  estimated: (text: string) => `${text} (estimate)`,
  account: {
    labelled: (provider: string, label: string) => `${provider} (${label})`,
    apart: (name: string) => `${name}, separate`,
  },
  window: {
    ofPlan: (plan: string) => `${plan} limit`,
    ofModel: (what: string, model: string) => `${what}, ${model}`,
    of: (part: string, limit: string) => `${part} of ${limit}`,
    unknown: 'unknown since its reset',
    back: (at: string) => `resets ${at}`,
    full: (at: string) => `full about ${at}`,
    estimate: 'estimate',
    refusing: 'refusing requests',
    overdraws: 'usage beyond it costs extra',
    seen: (ago: string) => `updated ${ago} ago`,
    now: 'updated just now',
  },
  /** Response headers that no adapter reads. */
  unknown: {
    title: 'Unrecognised headers',
    note: 'These response headers may be limits, but their meaning is unknown. They never cause a switch.',
  },
  none: 'No limit is known now. Understudy reads limits from provider responses: use OpenCode, then look again.',
});
