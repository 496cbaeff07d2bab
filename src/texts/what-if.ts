import { part } from './catalogue';

export const whatIfTexts = part('whatIf', {
  caution: 'An estimate: each model answers as recorded in the same turn or at the nearest time.',
  rows: {
    turns: 'turns',
    answered: 'answered',
    failed: 'failed',
    unknown: 'unknown',
    switches: 'switches',
    refusals: 'refused',
    lost: 'time lost',
    cost: 'cost',
  },
  noTurn: 'There is no turn to replay yet.',
  asMany: 'The same number of turns answered.',
  more: (count: number) => `${count} more turn${count === 1 ? '' : 's'} answered.`,
  fewer: (count: number) => `${count} fewer turn${count === 1 ? '' : 's'} answered.`,
  noPrice: 'no price known',
  /** Forecast; numbers are turns of the next hundred. */
  likely: {
    better: (from: string, to: string) => `Better: of the next 100 turns, ${from} to ${to} more would be answered.`,
    worse: (from: string, to: string) => `Worse: of the next 100 turns, ${from} to ${to} fewer would be answered.`,
    even: (most: string) => `Even: of the next 100 turns, at most ${most} more or fewer would be answered.`,
    unclear: (fewer: string, more: string) =>
      `Unclear: of the next 100 turns, from ${fewer} fewer to ${more} more would be answered.`,
    few: 'Too few turns are recorded for a forecast.',
    shares: (before: string, after: string) =>
      `Expected share of answered turns: ${after}; without this draft, ${before}.`,
    share: (value: string, lower: string, upper: string) => `${value} (${lower} to ${upper})`,
    known: (ended: number, turns: number) =>
      `The result of ${ended} of ${turns} turns is clear; the others may be answered or not.`,
  },
  cost: (money: string, percent: number) => `${money} for ${percent} % of them`,
  ask: 'Simulate this draft',
  playing: 'Replaying recorded turns…',
  sides: 'Current chain and this draft',
  asItIs: 'current chain, replayed',
  thisDraft: 'this draft',
  note: (agent: string, caution: string) =>
    `All recorded turns, with this chain for ${agent} in all projects. ${caution}`,
});
