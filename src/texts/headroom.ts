import { part } from './catalogue';

/** How full the limits of accounts are. */
export const headroomTexts = part('headroom', {
  /** What a window counts, and over how long: `5 h`, `a minute`. */
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
  /** "claude-sonnet-4-5: 97 % of its 5 h plan is used" */
  near: {
    share: (model: string, part: string, plan: string) => `${model} has used ${part} of its ${plan} limit`,
    reserve: (model: string, part: string, plan: string) =>
      `${model} has used ${part} of its ${plan} limit, and the rest is kept for another agent`,
    /** `inHours` is "9 h". */
    drain: (model: string, part: string, plan: string, inHours: string) =>
      `${model} has used ${part} of its ${plan} limit, and the rest would last about ${inHours}`,
    /** `here` is "claude-sonnet-4-5 has used 72 % of its week limit"; `part` "23 %", or that of another limit. */
    there: (here: string, part: string) => `${here}, there ${part}`,
    partOf: (part: string, plan: string) => `${part} of the ${plan} limit`,
    emptier: (account: string, used: string) => `${account} has more headroom: ${used}`,
    refused: (model: string, plan: string) => `the provider of ${model} refuses requests for its ${plan} limit`,
    left: (model: string, left: string, limit: string, what: string) => `${model} has ${left} of ${limit} ${what} left`,
    needs: (model: string, left: string, limit: string, what: string, needs: string) =>
      `${model} has ${left} of ${limit} ${what} left, and this request takes about ${needs}`,
  },
  estimated: (said: string) => `${said} (estimate)`,
  account: {
    labelled: (provider: string, label: string) => `${provider} (${label})`,
    apart: (name: string) => `${name}, kept apart`,
  },
  window: {
    ofPlan: (plan: string) => `${plan} limit`,
    ofModel: (what: string, model: string) => `${what}, ${model}`,
    of: (part: string, limit: string) => `${part} of ${limit}`,
    unknown: 'not known since its reset',
    back: (at: string) => `back ${at}`,
    full: (at: string) => `full about ${at}`,
    estimate: 'estimate',
    refusing: 'refused now',
    overdraws: 'goes on beyond it, for money',
    seen: (ago: string) => `heard ${ago} ago`,
    now: 'heard just now',
  },
  /** Headers of responses that no reader knows. */
  unknown: {
    title: 'Not read yet',
    note: 'These headers of responses sound like a limit. What they mean is not known: nobody is moved for them.',
  },
  none: 'No limit is known now. Limits are read from the responses of providers: use OpenCode, then look again.',
});
