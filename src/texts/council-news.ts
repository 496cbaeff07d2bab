import { part, plural } from './catalogue';

/** Council runs in notices, the tray and the command line. */
export const councilNewsTexts = part('councilNews', {
  /** Heading of several runs. */
  title: 'Councils',
  answered: (council: string) => `${council} has an answer.`,
  /** `repo` is empty for a brainstorm without a folder. */
  name: (repo: string) => `Council${repo && ` on ${repo}`}`,
  counts: {
    finding: plural('finding', 'findings'),
    idea: plural('idea', 'ideas'),
    critical: (count: number) => `${count} critical`,
    none: 'no model contributed',
  },
  stands: {
    casting: 'choosing the party',
    presenting: 'preparing the report',
    stage: (at: number, of: number) => `stage ${at} of ${of}`,
    asks: (speaker: string) => `asks about ${speaker}`,
    capped: 'paused at its cap',
    allOff: 'paused, all speakers offline',
    left: 'interrupted, can be resumed',
    finished: 'finished',
    stopped: 'stopped',
    fetching: 'preparing',
    notBegun: 'never started',
  },
  spent: (spent: string, cap: string) => `${spent}${cap && ` of ${cap}`}`,
  /** `what` is "stage 2 of 6, 3 findings, $0.42 of $2.00". */
  line: (name: string, what: string) => `${name}: ${what}.`,
  asks: {
    title: (name: string) => `${name} asks about a fallback model`,
    noAnswer: (model: string) => `${model} does not answer`,
    /** `why` is "claude-sonnet is rate limited". */
    detail: (why: string, fallback: string, speaker: string) => `${why}. Use ${fallback} for ${speaker}?`,
    until: (speaker: string, at: string) =>
      `Without an answer the council continues without ${speaker} at about ${at}.`,
  },
  capped: {
    title: (name: string) => `${name} is paused at its cap`,
    /** `spent` is "$2.01 of $2.00". */
    detail: (spent: string) => `${spent} spent. It continues when you approve.`,
    question: 'Continue past the cap?',
  },
  allOff: {
    title: (name: string) => `${name} is paused, all speakers offline`,
    detail: 'Nothing is lost. It continues when you bring back a speaker.',
  },
  finished: {
    title: (name: string) => `${name} has finished`,
    /** `what` is "23 findings, 2 critical". */
    body: (what: string) => `${what}. Its report is ready.`,
  },
  acts: { stop: 'Stop', open: 'Open…' },
});
