import { part } from './catalogue';

/** What would have been with another chain or policy. */
export const whatIfTexts = part('whatIf', {
  caution: 'An estimate: each model answers as it did in the log, in the same turn or at the nearest time.',
  rows: {
    turns: 'turns',
    answered: 'answered',
    failed: 'failed',
    unknown: 'not known',
    switches: 'switches',
    lost: 'time lost',
    cost: 'cost',
  },
  noTurn: 'There is no turn to play yet.',
  asMany: 'Just as many turns answered.',
  more: (count: number) => `${count} more turn${count === 1 ? '' : 's'} answered.`,
  fewer: (count: number) => `${count} fewer turn${count === 1 ? '' : 's'} answered.`,
  noPrice: 'no price known',
  cost: (money: string, percent: number) => `${money} for ${percent} % of them`,
  ask: 'What would it have done?',
  playing: 'Playing what happened…',
  sides: 'As it is, and with this draft',
  asItIs: 'as it is',
  thisDraft: 'this draft',
  note: (agent: string, caution: string) =>
    `Every recorded turn, with this chain for ${agent} in all projects. ${caution}`,
});
