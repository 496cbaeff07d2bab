import { part } from './catalogue';

const back = (at: string): string => (at === '' ? '' : `, back ${at}`);

/** The view of how full the limits of accounts are, and what other views show of it. */
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
    calmOfKnown: 'No plan that is known is near its limit.',
    unknown: 'How full the plans are is not known.',
    short: 'Only limits that refill within minutes are known.',
    none: 'No limit is known yet.',
  },
  lede: {
    band: (from: string, to: string) => `Between ${from} and ${to}, as the pace goes up and down.`,
    from: (from: string) => `At ${from} at the earliest, as the pace goes up and down.`,
    overdraws: 'Its provider goes on beyond it, for money.',
    more: (count: number) =>
      count === 1
        ? 'One more is full, or will be before its reset.'
        : `${count} more are full, or will be before their reset.`,
    unknown: (count: number) =>
      `Of ${count === 1 ? 'one plan' : `${count} plans`} nothing is known since the last reset: the next response tells.`,
    fullestShort: (limit: string, used: string) => `The fullest is ${limit}: ${used}.`,
  },
  accounts: {
    title: 'Accounts',
    legend: '│ is an even pace; hatched is ahead of it',
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
      back: 'Back',
      heard: 'Age',
    },
    perHour: (part: string) => `${part} an hour`,
  },
  bar: {
    used: (part: string) => `${part} used`,
    passed: (part: string) => `${part} of its time has passed`,
    isAhead: 'ahead of an even pace',
  },
  course: {
    title: 'Over time',
    pick: 'Which plan',
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
        ? `It went up by ${all} while requests passed here.`
        : `It went up by ${all} of the plan: by ${ours} while requests passed here, by ${others} while none did.`,
    byAgent: 'By agent',
    bySession: 'By session',
    estimate: 'parts of the plan, estimated from tokens',
    others: 'others',
    elsewhere: 'not through Understudy',
    looking: 'Looking it up…',
    none: 'Nothing is kept of this plan yet.',
  },
  moved: {
    title: 'Moved before a limit',
    caption: 'or waited for one',
    none: 'Among the last events nobody was moved before a limit.',
    all: 'All events',
  },
  how: {
    title: 'What is done',
    plan: 'Unless it is set otherwise, no turn begins on a plan that is nearly spent: the next model of the chain answers it, and the primary is back with the first message after the reset.',
    short:
      'A request that a limit of a minute has no room for waits a few seconds, or goes to the next model of the chain.',
    unknown: 'What is not known moves nobody.',
  },
  set: {
    titles: { headroom: 'Settings', budget: 'Set budgets' },
    caption: 'for all projects, in your own file',
    applied: 'Limit settings changed.',
    unread: 'Your own file cannot be understood: mend it first, then it can be changed here.',
    none: 'none',
    more: {
      headroom:
        'Write a reserve for one agent (`reserve`) and limits that a provider does not report (`limits`) in the file.',
      budget: 'Write budgets for one provider, agent or project in the file.',
    },
    byKind: 'by kind of failure, in the file',
    fields: {
      'headroom.act': 'Near a limit',
      'headroom.moveAt': 'A plan counts as spent at',
      'headroom.drain': 'A plan that another one’s work would use up in a day',
      'headroom.spread': 'Two accounts of one model',
      'headroom.trustEstimates': 'Estimates move agents as well',
      'budget.day': 'Budget a day',
      'budget.week': 'Budget a week',
      'budget.session': 'Budget a session',
      'budget.action': 'When it is spent',
    },
    choices: {
      'headroom.act': { move: 'the next model is asked', warn: 'it is told', off: 'nothing' },
      'headroom.drain': { auto: 'others first', ask: 'ask me', never: 'never go there' },
      'headroom.spread': { false: 'in the order of the chain', true: 'the emptier one first' },
      'budget.action': { warn: 'I am told', degrade: 'cheaper models', ask: 'ask me', stop: 'nothing is sent' },
      yesNo: { false: 'no', true: 'yes' },
    },
  },
  begin: {
    title: 'Where the numbers come from',
    read: 'With each response most providers say how full the limits of their account are: a plan’s five hours or week, the requests and tokens of a minute. That is read as it passes. Nothing has to be set up, and nobody is asked for it.',
    silent:
      'Of a provider that says nothing nothing is shown, and nobody is moved for it. Enter its limits under `headroom.limits` in your own `model-fallback.json`: they are counted from your own use, as an estimate.',
  },
  near: { title: 'Headroom', all: 'All accounts' },
});
