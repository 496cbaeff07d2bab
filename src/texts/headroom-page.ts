import { part } from './catalogue';

const back = (at: string): string => (at === '' ? '' : `; it resets ${at}`);

/** The view of limits, and its card in other views. */
export const headroomPageTexts = part('headroomPage', {
  /** A limit within a sentence: `the anthropic week limit for opus`. */
  limit: {
    ofPlan: (account: string, plan: string) => `the ${account} ${plan} limit`,
    counted: (account: string, what: string) => `the ${account} limit of ${what}`,
    ofModel: (limit: string, model: string) => `${limit} for ${model}`,
  },
  title: {
    refused: (limit: string, until: string) => `Requests are refused for ${limit}${back(until)}.`,
    all: (limit: string, until: string) => `All of ${limit} is used${back(until)}.`,
    nearly: (limit: string, used: string, until: string) => `${used} of ${limit} is used${back(until)}.`,
    ahead: (limit: string, at: string, before: string) =>
      `At this pace ${limit} is full about ${at}${before === '' ? '' : `, ${before} before its reset`}.`,
    fullest: (limit: string, used: string) => `The fullest plan is ${limit}: ${used}.`,
    calm: 'No plan is near its limit.',
    calmOfKnown: 'No known plan is near its limit.',
    unknown: 'The usage of the plans is unknown.',
    short: 'Only limits that refill within minutes are known.',
    none: 'No limit is known yet.',
  },
  lede: {
    band: (from: string, to: string) => `Between ${from} and ${to}, depending on the pace.`,
    from: (from: string) => `At ${from} at the earliest, depending on the pace.`,
    overdraws: 'Its provider charges for usage beyond it.',
    more: (count: number) =>
      count === 1
        ? 'One more is full, or will be before its reset.'
        : `${count} more are full, or will be before their reset.`,
    unknown: (count: number) =>
      count === 1
        ? 'One plan has no data since its reset; the next response brings it.'
        : `${count} plans have no data since their reset; the next response brings it.`,
    fullestShort: (limit: string, used: string) => `The fullest is ${limit}: ${used}.`,
  },
  accounts: {
    title: 'Accounts',
    legend: '│ expected by now; hatched = ahead of schedule',
    table: 'Table',
    bars: 'Bars',
    asTable: 'Accounts as a table',
    asBars: 'Accounts as bars',
    columns: {
      account: 'Account',
      limit: 'Limit',
      used: 'Used',
      passed: 'Time passed',
      pace: 'Pace',
      full: 'Full about',
      back: 'Resets',
      heard: 'Age',
    },
    perHour: (part: string) => `${part} an hour`,
  },
  bar: {
    used: (part: string) => `${part} used`,
    passed: (part: string) => `${part} of its time has passed`,
    isAhead: 'ahead of schedule',
  },
  course: {
    title: 'Over time',
    pick: 'Plan',
    earlier: '‹ Earlier',
    later: 'Later ›',
    chart: 'Chart',
    table: 'Table',
    asChart: 'The plan over time as a chart',
    asTable: 'The plan over time as a table',
    time: 'Time',
    used: 'Used',
    legend: { used: 'used', ahead: 'at this pace', even: 'even pace' },
    full: (at: string) => `At this pace it is full about ${at}.`,
    lasts: (used: string) => `At this pace ${used} will be used at its reset.`,
    moved: (all: string, ours: string, others: string) =>
      all === ours
        ? `Usage rose by ${all} during requests here.`
        : `Usage rose by ${all} of the plan: ${ours} during requests here, ${others} without any.`,
    byAgent: 'By agent',
    bySession: 'By session',
    estimate: 'estimated share of the limit',
    others: 'others',
    elsewhere: 'not through Understudy',
    looking: 'Loading…',
    none: 'No data for this plan yet.',
  },
  moved: {
    title: 'Switched before a limit',
    caption: 'or waited for one',
    none: 'None of the last events is a switch before a limit.',
    all: 'All events',
  },
  how: {
    title: 'How switching works',
    plan: 'By default no turn starts on a nearly used-up plan: the next model of the chain answers. The primary returns with the first message after the reset.',
    short: 'A request that exceeds a per-minute limit waits a few seconds or goes to the next model of the chain.',
    unknown: 'Unknown limits never cause a switch.',
  },
  set: {
    titles: { headroom: 'Settings', budget: 'Set budgets' },
    caption: 'for all projects, in your own file',
    applied: 'Limit settings changed.',
    unread: 'Your configuration file has errors. Fix them before you change it here.',
    none: 'none',
    more: {
      headroom:
        'Write a reserve for one agent (`reserve`) and limits that a provider does not report (`limits`) in the file.',
      budget: 'Write budgets for one provider, agent or project in the file.',
    },
    byKind: 'by kind of failure, in the file',
    fields: {
      'headroom.act': 'Near a limit',
      'headroom.moveAt': 'A plan counts as used up at',
      'headroom.drain': 'If this work would use up another plan within a day',
      'headroom.spread': 'Two accounts of one model',
      'headroom.trustEstimates': 'Also switch on estimates',
      'budget.day': 'Daily budget',
      'budget.week': 'Weekly budget',
      'budget.session': 'Budget per session',
      'budget.action': 'When it is spent',
    },
    choices: {
      'headroom.act': { move: 'use the next model', warn: 'notify me', off: 'do nothing' },
      'headroom.drain': { auto: 'use other models first', ask: 'ask me', never: 'never use it' },
      'headroom.spread': { false: 'keep the chain order', true: 'use the emptier one first' },
      'budget.action': { warn: 'notify me', degrade: 'use cheaper models', ask: 'ask me', stop: 'send no requests' },
      yesNo: { false: 'no', true: 'yes' },
    },
  },
  begin: {
    title: 'Source of the numbers',
    read: 'Most providers report the state of their limits with each response: the five hours or the week of a plan, and requests and tokens per minute. Understudy reads these reports. It needs no setup and sends no extra requests.',
    silent:
      'Providers that report nothing are not shown and never cause a switch. Enter their limits under `headroom.limits` in your own `model-fallback.json`: Understudy then estimates them from your use.',
  },
  near: { title: 'Headroom', all: 'All accounts' },
});
