import { part } from './catalogue';

export const councilRunTexts = part('councilRun', {
  what: {
    code_review: (repo: string) => `Code review of ${repo}`,
    brainstorm: (problem: string) => `Brainstorm about “${problem}”`,
    code_brainstorm: (problem: string, repo: string) => `Brainstorm about “${problem}” with ${repo}`,
    nothing: 'A run that has not started',
  },
  states: {
    idle: 'not started',
    ai_generating: 'running',
    awaiting_fallback_decision: 'asks you',
    paused_for_user: 'paused at its cap',
    paused: 'paused, all speakers offline',
    finished: 'finished',
    stopped: 'stopped',
    left: 'interrupted',
    fetching: 'preparing',
    not_begun: 'never started',
  },
  told: {
    begun: (council: string) => `${council} has started.`,
    notBegun: (council: string, why: string) => `${council} did not start: ${why}`,
    question: (speaker: string, fallback: string) => `The council asks: continue ${speaker} with ${fallback}?`,
    capped: 'The council is paused at its cap.',
    allOff: 'The council is paused: all speakers are offline.',
    finished: 'The council has finished. Its report is ready.',
    stopped: 'The council was stopped. Its report has the results so far.',
  },
});
