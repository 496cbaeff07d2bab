import type { ProcessId } from '../base/types';

export const STAGE_IDS = [
  'casting',
  'reconnaissance',
  'deep_analysis',
  'cross_reference',
  'oracle_review',
  'framing',
  'divergence',
  'second_divergence',
  'exchange',
  'red_team',
  'convergence',
  'synthesis',
  'presentation',
  'transition',
] as const;
export type StageId = (typeof STAGE_IDS)[number];

export type Stage = Readonly<{
  id: StageId;
  name: string;
  turns: 'parallel' | 'sequential' | 'single';
  who: 'heroes' | 'oracle' | 'synthesizer';
  most: number;
  goal: string;
  isReviewed: boolean;
}>;

const stage = (of: Omit<Stage, 'isReviewed'> & { isReviewed?: boolean }): Stage => ({ isReviewed: false, ...of });

const heroes = { who: 'heroes' } as const;
const oracle = { who: 'oracle', turns: 'single' } as const;

/** Source: docs/council.md, stages of a review. */
const CODE_REVIEW: readonly Stage[] = [
  stage({
    id: 'reconnaissance',
    name: 'Reconnaissance',
    turns: 'parallel',
    ...heroes,
    most: 3,
    isReviewed: true,
    goal: 'Survey the repository broadly through your lens. Name the areas worth a closer look.',
  }),
  stage({
    id: 'deep_analysis',
    name: 'Deep Analysis',
    turns: 'parallel',
    ...heroes,
    most: 3,
    isReviewed: true,
    goal: 'Dive into the areas you have named. Post detailed findings, each with the very words it is about.',
  }),
  stage({
    id: 'cross_reference',
    name: 'Cross-Reference',
    turns: 'sequential',
    ...heroes,
    most: 1,
    goal: 'Look at what the others found. Confirm, challenge or build on it where you can tell from the code.',
  }),
  stage({
    id: 'oracle_review',
    name: 'Oracle Review',
    ...oracle,
    most: 1,
    goal: 'Look for gaps in what was found. Summon a reinforcement or dismiss a hero where that is needed.',
  }),
  stage({
    id: 'synthesis',
    name: 'Synthesis',
    turns: 'single',
    who: 'synthesizer',
    most: 1,
    goal: 'Say what is critical, what is recommended, and what is praised, across everything that was found.',
  }),
  stage({
    id: 'presentation',
    name: 'Presentation',
    ...oracle,
    most: 1,
    goal: 'Present the report: clear, and the most important first.',
  }),
];

const framing = stage({
  id: 'framing',
  name: 'Framing',
  ...oracle,
  most: 1,
  goal: 'Say what the question really is, what an answer is measured by, and what it has to keep to.',
});
const divergence = stage({
  id: 'divergence',
  name: 'Divergence',
  turns: 'parallel',
  ...heroes,
  most: 2,
  isReviewed: true,
  goal: 'Have ideas of your own. Nobody sees what anybody else has, so that all of you begin somewhere else.',
});
const secondDivergence = stage({
  id: 'second_divergence',
  name: 'Second Divergence',
  turns: 'parallel',
  ...heroes,
  most: 2,
  goal: 'Have ideas where the first round has left gaps. Nobody sees what anybody else has.',
});
const exchange = stage({
  id: 'exchange',
  name: 'Exchange',
  turns: 'sequential',
  ...heroes,
  most: 1,
  goal: 'Look at the ideas of the others. Support, challenge or build on them, and add what they have made you think of.',
});
const redTeam = stage({
  id: 'red_team',
  name: 'Red Team',
  turns: 'sequential',
  ...heroes,
  most: 1,
  goal: 'Attack the ideas, the strongest first: say how each would fail. Your own you leave to the others.',
});
const convergence = stage({
  id: 'convergence',
  name: 'Convergence',
  turns: 'parallel',
  ...heroes,
  most: 1,
  goal: 'Rank the ideas, the best first, by the criteria of the question, your own like any other.',
});
const thoughtOver = [
  stage({
    id: 'synthesis',
    name: 'Synthesis',
    turns: 'single',
    who: 'synthesizer',
    most: 1,
    goal: 'Say what the best options are, what speaks for and against each, and what would decide between them.',
  }),
  stage({
    id: 'presentation',
    name: 'Presentation',
    ...oracle,
    most: 1,
    goal: 'Present the options: what you would do, what to do next, and who does not agree and why.',
  }),
];

/** Source: docs/council.md, stages of a brainstorm. */
const STANDARD: readonly Stage[] = [framing, divergence, exchange, convergence, ...thoughtOver];
/** Adds a second round on gaps, and an attack on the ideas. */
const DEEP: readonly Stage[] = [
  ...[framing, divergence, secondDivergence, exchange, redTeam, convergence],
  ...thoughtOver,
];

const APART: ReadonlySet<StageId> = new Set(['divergence', 'second_divergence']);
export const isApart = ({ id }: Pick<Stage, 'id'>): boolean => APART.has(id);

export const CASTING: Stage = stage({
  id: 'casting',
  name: 'Casting',
  ...oracle,
  most: 2,
  goal: 'Look at what was asked and at the repository, and choose the party.',
});
export const TRANSITION: Stage = stage({
  id: 'transition',
  name: 'Transition',
  ...oracle,
  most: 1,
  goal: 'Look at what the stage brought, and adjust the party where that is needed.',
});

const PROCESSES: Readonly<Record<ProcessId, readonly Stage[]>> = { CODE_REVIEW, STANDARD, DEEP };

export const stagesOf = (process: ProcessId): readonly Stage[] => PROCESSES[process];

/** @throws RangeError for an unknown ID. */
export function stageIn(process: ProcessId, id: StageId): Stage {
  const found = [CASTING, TRANSITION, ...stagesOf(process)].find((each) => each.id === id);
  if (!found) throw new RangeError(`There is no stage "${id}" in ${process}.`);
  return found;
}
