import { part } from './catalogue';

export const whatIfTexts = part('whatIf', {
  caution: 'An estimate: each model answers as it did in the log, in the same turn or at the nearest time.',
  rows: {
    turns: 'turns',
    answered: 'answered',
    failed: 'failed',
    unknown: 'not known',
    switches: 'switches',
    refusals: 'refused',
    lost: 'time lost',
    cost: 'cost',
  },
  noTurn: 'There is no turn to play yet.',
  asMany: 'Just as many turns answered.',
  more: (count: number) => `${count} more turn${count === 1 ? '' : 's'} answered.`,
  fewer: (count: number) => `${count} fewer turn${count === 1 ? '' : 's'} answered.`,
  noPrice: 'no price known',
  /** What is likely of the turns to come. Numbers are turns in a hundred. */
  likely: {
    better: (from: string, to: string) => `Better: of 100 turns to come, ${from} to ${to} more would be answered.`,
    worse: (from: string, to: string) => `Worse: of 100 turns to come, ${from} to ${to} fewer would be answered.`,
    even: (most: string) => `Even: of 100 turns to come, at most ${most} more or fewer would be answered.`,
    unclear: (fewer: string, more: string) =>
      `Unclear: of 100 turns to come, from ${fewer} fewer to ${more} more would be answered.`,
    few: 'Too few turns are known to say what is to come.',
    shares: (before: string, after: string) => `Answered from now on: ${after}; as it is, ${before}.`,
    share: (value: string, lower: string, upper: string) => `${value} (${lower} to ${upper})`,
    known: (known: number, turns: number) =>
      `The end of ${known} of ${turns} turns is known; the others may be answered or not.`,
  },
  cost: (money: string, percent: number) => `${money} for ${percent} % of them`,
  ask: 'What would it have done?',
  playing: 'Playing what happened…',
  sides: 'As it is, and with this draft',
  asItIs: 'as it is, played again',
  thisDraft: 'this draft',
  note: (agent: string, caution: string) =>
    `Every recorded turn, with this chain for ${agent} in all projects. ${caution}`,
});
