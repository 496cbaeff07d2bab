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

/** What a stage of a process is. */
export type Stage = Readonly<{
  id: StageId;
  name: string;
  /** Whether its participants speak side by side, one after another, or there is only one. */
  turns: 'parallel' | 'sequential' | 'single';
  who: 'heroes' | 'oracle' | 'synthesizer';
  /** Turns that each of them has, at most. */
  most: number;
  goal: string;
  /** Whether the Oracle looks at the party when it is over. */
  isReviewed: boolean;
}>;

const stage = (of: Omit<Stage, 'isReviewed'> & { isReviewed?: boolean }): Stage => ({ isReviewed: false, ...of });

const heroes = { who: 'heroes' } as const;
const oracle = { who: 'oracle', turns: 'single' } as const;

/** The six stages of a code review. Source: docs/council.md, what happens. */
export const CODE_REVIEW: readonly Stage[] = [
  stage({
    ...{ id: 'reconnaissance', name: 'Reconnaissance', turns: 'parallel', ...heroes, most: 3, isReviewed: true },
    goal: 'Survey the repository broadly through your lens. Name the areas worth a closer look.',
  }),
  stage({
    ...{ id: 'deep_analysis', name: 'Deep Analysis', turns: 'parallel', ...heroes, most: 3, isReviewed: true },
    goal: 'Dive into the areas you have named. Post detailed findings, each with the very words it is about.',
  }),
  stage({
    ...{ id: 'cross_reference', name: 'Cross-Reference', turns: 'sequential', ...heroes, most: 1 },
    goal: 'Look at what the others found. Confirm, challenge or build on it where you can tell from the code.',
  }),
  stage({
    ...{ id: 'oracle_review', name: 'Oracle Review', ...oracle, most: 1 },
    goal: 'Look for gaps in what was found. Summon a reinforcement or dismiss a hero where that is needed.',
  }),
  stage({
    ...{ id: 'synthesis', name: 'Synthesis', turns: 'single', who: 'synthesizer', most: 1 },
    goal: 'Say what is critical, what is recommended, and what is praised, across everything that was found.',
  }),
  stage({
    ...{ id: 'presentation', name: 'Presentation', ...oracle, most: 1 },
    goal: 'Present the report: clear, and the most important first.',
  }),
];

/** What the Oracle does beside the process: before it, and between its stages. */
export const CASTING: Stage = stage({
  ...{ id: 'casting', name: 'Casting', ...oracle, most: 2 },
  goal: 'Look at what was asked and at the repository, and choose the party.',
});
export const TRANSITION: Stage = stage({
  ...{ id: 'transition', name: 'Transition', ...oracle, most: 1 },
  goal: 'Look at what the stage brought, and adjust the party where that is needed.',
});

const PROCESSES: Partial<Record<ProcessId, readonly Stage[]>> = { CODE_REVIEW };

/** The stages of a process, in order; null for one that this version cannot play. */
export const stagesOf = (process: ProcessId): readonly Stage[] | null => PROCESSES[process] ?? null;

const ALL = [CASTING, TRANSITION, ...CODE_REVIEW];

export function stageOf(id: StageId): Stage {
  const found = ALL.find((each) => each.id === id);
  if (!found) throw new RangeError(`There is no stage "${id}".`);
  return found;
}
