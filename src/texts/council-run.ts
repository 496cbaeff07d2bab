import { part } from './catalogue';

/** What a run of a council is about, how it stands, and what is told of it wherever people are. */
export const councilRunTexts = part('councilRun', {
  what: {
    code_review: (repo: string) => `Code review of ${repo}`,
    brainstorm: (problem: string) => `Brainstorm about “${problem}”`,
    code_brainstorm: (problem: string, repo: string) => `Brainstorm about “${problem}” with ${repo}`,
    nothing: 'A run that has not begun',
  },
  /** How a run stands, in a row of a list. */
  states: {
    idle: 'not begun',
    ai_generating: 'under way',
    awaiting_fallback_decision: 'asks you',
    paused_for_user: 'paused at its cap',
    paused: 'paused, everybody is offline',
    finished: 'finished',
    stopped: 'stopped',
    left: 'left',
    fetching: 'is being prepared',
    not_begun: 'never begun',
  },
  told: {
    begun: (council: string) => `${council} has begun.`,
    notBegun: (council: string, why: string) => `${council} has not begun: ${why}`,
    question: (speaker: string, fallback: string) => `The council asks: continue ${speaker} with ${fallback}?`,
    capped: 'The council is paused at its cap.',
    allOff: 'The council is paused: everybody is offline.',
    finished: 'The council has finished. Its report is ready.',
    stopped: 'The council was stopped. Its report holds what was found until then.',
  },
});
