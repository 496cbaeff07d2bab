import { part } from './catalogue';

/** One-time question: Understudy’s behaviour or that of the published proposals. */
export const choiceTexts = part('choice', {
  title: 'Which behaviour?',
  caption: 'one-time question',
  explained: 'Understudy differs from the published proposals for fallback in OpenCode in four ways.',
  table: 'Differences',
  when: 'Case',
  here: 'Understudy',
  there: 'Published proposals',
  differences: {
    limit: {
      when: 'Rate limit, network failure',
      here: 'the next model answers at once',
      there: 'the same model is retried first, with growing waits',
    },
    permission: {
      when: 'Permission refused (403)',
      here: 'the next model answers',
      there: 'the failure is final',
    },
    unknown: {
      when: 'Unknown failure',
      here: 'OpenCode gets it unchanged',
      there: 'the next model answers',
    },
    exhausted: {
      when: 'All models unavailable',
      here: 'a message explains it, and the turn ends',
      there: 'OpenCode keeps retrying',
    },
  },
  change: (path: string) => `The published behaviour writes this to ${path}:`,
  keep: 'Keep Understudy’s behaviour',
  write: 'Use the published behaviour',
  kept: 'Understudy’s behaviour stays. You will not be asked again.',
  written: 'Understudy now uses the published behaviour.',
});
