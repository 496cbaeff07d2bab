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
    goal: 'Examine the areas you have named in depth. Post detailed findings, each with the exact text it refers to.',
  }),
  stage({
    id: 'cross_reference',
    name: 'Cross-Reference',
    turns: 'sequential',
    ...heroes,
    most: 1,
    goal: 'Review the findings of the others. Confirm, challenge or build on them where the code gives evidence.',
  }),
  stage({
    id: 'oracle_review',
    name: 'Oracle Review',
    ...oracle,
    most: 1,
    goal: 'Look for gaps in the findings. Summon a reinforcement or dismiss a hero if needed.',
  }),
  stage({
    id: 'synthesis',
    name: 'Synthesis',
    turns: 'single',
    who: 'synthesizer',
    most: 1,
    goal: 'Summarize all findings: critical issues, recommendations and praise.',
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
  goal: 'State the actual question, the criteria for an answer, and its constraints.',
});
const divergence = stage({
  id: 'divergence',
  name: 'Divergence',
  turns: 'parallel',
  ...heroes,
  most: 2,
  isReviewed: true,
  goal: 'Propose your own ideas. Participants do not see the ideas of others yet, so that each starts from a different point.',
});
const secondDivergence = stage({
  id: 'second_divergence',
  name: 'Second Divergence',
  turns: 'parallel',
  ...heroes,
  most: 2,
  goal: 'Propose ideas for the gaps of the first round. Participants do not see the ideas of others yet.',
});
const exchange = stage({
  id: 'exchange',
  name: 'Exchange',
  turns: 'sequential',
  ...heroes,
  most: 1,
  goal: 'Look at the ideas of the others. Support, challenge or build on them, and add ideas that they suggest to you.',
});
const redTeam = stage({
  id: 'red_team',
  name: 'Red Team',
  turns: 'sequential',
  ...heroes,
  most: 1,
  goal: 'Attack the ideas, the strongest first: state how each would fail. Leave your own ideas to the others.',
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
    goal: 'State the best options, the arguments for and against each, and the facts that would decide between them.',
  }),
  stage({
    id: 'presentation',
    name: 'Presentation',
    ...oracle,
    most: 1,
    goal: 'Present the options: your recommendation, the next steps, and dissent with its reasons.',
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
  goal: 'Read the request and the repository, and choose the party.',
});
export const TRANSITION: Stage = stage({
  id: 'transition',
  name: 'Transition',
  ...oracle,
  most: 1,
  goal: 'Review the results of the stage, and adjust the party if needed.',
});

const PROCESSES: Readonly<Record<ProcessId, readonly Stage[]>> = { CODE_REVIEW, STANDARD, DEEP };

export const stagesOf = (process: ProcessId): readonly Stage[] => PROCESSES[process];

/** @throws RangeError for an unknown ID. */
export function stageIn(process: ProcessId, id: StageId): Stage {
  const found = [CASTING, TRANSITION, ...stagesOf(process)].find((each) => each.id === id);
  if (!found) throw new RangeError(`There is no stage "${id}" in ${process}.`);
  return found;
}
