import type { CommandId, MemberId } from '../rules/base/types';
import type { StageId } from '../rules/process/process';
import { type CouncilStep, councilStep } from '../rules/run/step';
import type { CouncilEvent, CouncilFact } from '../rules/state/events';
import type { JournalLine } from '../rules/state/schema';
import { type CouncilState, initialCouncil } from '../rules/state/state';

/** Times are Unix ms. */
export type StageCourse = Readonly<{
  beganAt: number;
  endedAt: number | null;
  /** Participants with a readable call; null until the stage ends. */
  heard: number | null;
  meant: readonly MemberId[];
  done: readonly MemberId[];
}>;

/** Next attempt, in Unix ms. */
export type Retried = Readonly<{ attempt: number; of: number; at: number }>;

export type RunCourse = Readonly<{
  state: CouncilState;
  lines: number;
  stages: Readonly<Partial<Record<StageId, StageCourse>>>;
  retried: Readonly<Record<CommandId, Retried>>;
}>;

export const noCourse: RunCourse = { state: initialCouncil, lines: 0, stages: {}, retried: {} };

export function alongLine(course: RunCourse, { event, at }: JournalLine): RunCourse {
  const step = councilStep(course.state, event, at);
  return {
    state: step.state,
    lines: course.lines + 1,
    stages: stagesAfter(course.stages, step, at),
    retried: retriedAfter(course, event, { step, at }),
  };
}

export const courseOf = (lines: readonly JournalLine[]): RunCourse => lines.reduce(alongLine, noCourse);

type Stages = RunCourse['stages'];

function stagesAfter(before: Stages, { state, facts }: CouncilStep, at: number): Stages {
  const nextStages = facts.reduce((stages, fact) => heardOf(stages, fact, at), before);
  const [pass] = state.plan;
  const now = pass?.isBegun ? nextStages[pass.stage] : undefined;
  if (!pass || !now) return nextStages;
  const meant = [...new Set([...now.meant, ...state.queue])];
  return meant.length === now.meant.length ? nextStages : { ...nextStages, [pass.stage]: { ...now, meant } };
}

function heardOf(stages: Stages, fact: CouncilFact, at: number): Stages {
  switch (fact.type) {
    case 'stage:begun': {
      const before = stages[fact.stage];
      // A late participant repeats a finished stage; another may restart an unfinished one.
      const begun = before ?? { beganAt: at, endedAt: null, heard: null, meant: [], done: [] };
      return { ...stages, [fact.stage]: before?.endedAt === null ? { ...begun, meant: [], done: [] } : begun };
    }
    case 'turn:done': {
      const now = stages[fact.stage];
      return now ? { ...stages, [fact.stage]: { ...now, done: [...new Set([...now.done, fact.hero])] } } : stages;
    }
    case 'stage:completed': {
      const now = stages[fact.stage];
      return now ? { ...stages, [fact.stage]: { ...now, endedAt: at, heard: (now.heard ?? 0) + fact.heard } } : stages;
    }
    default:
      return stages;
  }
}

function retriedAfter(
  { retried, state: before }: RunCourse,
  event: CouncilEvent,
  { step: { state }, at }: Readonly<{ step: CouncilStep; at: number }>,
): RunCourse['retried'] {
  const prompt = event.type === 'turn.retrying' ? before.pending[event.command] : undefined;
  if (event.type === 'turn.retrying' && prompt?.kind === 'prompt')
    return { ...retried, [event.command]: { attempt: event.attempt, of: prompt.attempts, at: at + event.waitMs } };
  const left = Object.entries(retried).filter(([command]) => Object.hasOwn(state.pending, command));
  return left.length === Object.keys(retried).length ? retried : Object.fromEntries(left);
}
