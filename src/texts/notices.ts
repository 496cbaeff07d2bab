import { part, plural } from './catalogue';

/** Texts of notices and of their buttons. */
export const noticeTexts = part('notices', {
  /** "3 fallbacks". */
  counts: { fallback: plural('fallback', 'fallbacks'), notice: plural('notice', 'notices') },
  fell: {
    title: (agent: string, to: string) => `${agent} now uses ${to}`,
    /** `why` is "claude-sonnet is rate limited (429)"; `back` a clock time, or empty. */
    body: (why: string, back: string) => `${why}.${back === '' ? '' : ` Back about ${back}.`}`,
  },
  fellTogether: {
    title: (agents: string) => `${agents} switched models`,
    /** `why` is empty if the reasons differ. */
    body: (why: string, names: string) => `${why === '' ? '' : `${why}: `}${names}.`,
    why: (provider: string, reason: string) => `${provider} is ${reason}`,
  },
  exhausted: {
    title: (agent: string) => `${agent} has no model left`,
    all: (count: number) => (count === 1 ? 'Its only model is unavailable.' : `All ${count} models are unavailable.`),
    back: (time: string, model: string) => `First back about ${time} (${model}).`,
    never: 'Fix one of them to continue.',
    stopped: (agent: string) => `${agent} has stopped`,
    again: (count: number, model: string) => `All ${count} failed for this message; ${model} takes the next one.`,
    depth: (count: number) =>
      `maxFallbackDepth ended its message after ${count} ${count === 1 ? 'switch' : 'switches'}; models remain.`,
    cut: 'Its message ended before every model was requested.',
  },
  recovered: { title: (agent: string) => `${agent} is working again`, body: (model: string) => `${model} answered.` },
  home: {
    title: (agent: string, model: string) => `${agent} is back on ${model}`,
    body: (lasted: string, turns: string) => `On fallback for ${lasted}, ${turns}.`,
  },
  attention: {
    title: (provider: string) => `${provider} needs attention`,
    body: (why: string) => `${why}. Retrying will not help.`,
  },
  unstable: {
    title: (model: string) => `${model} is unstable`,
    body: (until: string) => (until === '' ? 'It is held out of use.' : `It is held out of use until ${until}.`),
  },
  lost: { title: 'Lost contact with OpenCode', body: 'Understudy does not see whether its sessions are protected.' },
  versions: {
    title: 'Companion and app versions differ',
    body: 'The companion in OpenCode and this app cannot communicate.',
  },
  session: {
    /** `what` is "41 turns, 3 fallbacks, $1.84". */
    title: (what: string) => `Session finished: ${what}`,
  },
  costlier: {
    title: (agent: string) => `${agent} uses a costlier model`,
    body: (to: string, times: string, model: string) => `${to}: about ${times}× ${model}.`,
  },
  changed: { title: 'Configuration edited elsewhere', body: 'A configuration file was changed outside this app.' },
  update: {
    title: (version: string) => `Understudy ${version} is ready`,
    body: 'Install it to use it: see Settings › General.',
  },
  passed: {
    /** `plan` is "anthropic, 5 h limit". */
    title: (plan: string, part: string) => `${plan}: ${part} used`,
    /** The same for a limit that only Understudy counts. */
    estimate: (plan: string, part: string) => `${plan}: about ${part} used (estimate)`,
    /** Clock times; empty if unknown. */
    body: (full: string, back: string) =>
      [full && `At this pace full about ${full}.`, back && `Resets ${back}.`].filter(Boolean).join(' '),
  },
  budget: {
    near: 'A budget is nearly spent',
    spent: 'A budget is spent',
    stopped: (agent: string) => `${agent} has stopped: a budget is spent`,
    /** `spent` is the spent part of a budget; `anew` is its reset, or empty. */
    body: (spent: string, anew: string) => `${spent}.${anew && ` It resets ${anew}.`}`,
  },
  failing: {
    title: (agent: string) => `Requests of ${agent} keep failing`,
    body: 'At least half of the last requests in its session failed.',
  },
  many: {
    title: 'Many requests fail',
    body: (count: number) => `${count} within five minutes. Check your network and providers.`,
  },
  retries: {
    title: (agent: string, count: number, of: number) => `${agent} has used ${count} of ${of} retries`,
    warned: 'Check your network and providers.',
    spent: 'Failing models are no longer retried in this session; the other steps of the policy apply.',
  },
  stuck: {
    title: (agent: string, until: string) => `${agent} is stuck${until && ` until about ${until}`}`,
    body: (why: string) => `${why}. OpenCode keeps retrying it.`,
  },
  asks: {
    spend: (spent: string) => `${spent}. Continue spending?`,
    title: (agent: string) => `${agent} waits for your answer`,
    drain: (used: string, model: string) => `${used}. May ${model} answer? Without your answer it does.`,
    other: (model: string) => `May ${model} answer instead?`,
    again: (model: string) => `Retry ${model}?`,
  },
  digest: {
    title: (notices: string) => `${notices} during quiet hours`,
    body: 'See the list of notices.',
  },
  acts: {
    open: 'Open',
    hold: 'Pin here 30m',
    resetAll: 'Reset all',
    fix: 'Fix…',
    release: 'Release',
    doctor: 'Doctor',
    update: 'Update…',
    export: 'Export',
    holdCheaper: (model: string) => `Pin to ${model} 30m`,
    review: 'Review',
  },
});
