import { part } from './catalogue';

/** The question at first setup: which behaviour is wanted where ours differs from that of published designs. */
export const choiceTexts = part('choice', {
  title: 'Which behaviour?',
  caption: 'asked once',
  explained:
    'Where a model fails, Understudy does four things otherwise than the published designs for fallback in OpenCode.',
  table: 'What differs',
  when: 'When',
  here: 'Understudy',
  there: 'Published designs',
  differences: {
    limit: {
      when: 'Rate limit, failing network',
      here: 'the next model answers at once',
      there: 'the same model is asked again first, with growing waits',
    },
    permission: {
      when: 'Permission refused (403)',
      here: 'the next model answers',
      there: 'the failure is final',
    },
    unknown: {
      when: 'A failure nobody can name',
      here: 'OpenCode gets it as it is',
      there: 'the next model answers',
    },
    exhausted: {
      when: 'Nobody is left',
      here: 'one sentence says so, and the turn ends',
      there: 'OpenCode’s own retries go on',
    },
  },
  change: (path: string) => `To have these four as published, this is written to ${path}:`,
  keep: 'Keep Understudy’s behaviour',
  write: 'Take the published behaviour',
  kept: 'Understudy’s behaviour stays. This is not asked again.',
  written: 'Understudy behaves as published.',
});
