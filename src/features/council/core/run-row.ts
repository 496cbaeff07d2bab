import type { CouncilRunRow } from '../contract/council-run';
import { SKIP_MS } from '../rules/base/settings';
import { plainLine } from '../rules/base/text';
import { ORACLE } from '../rules/base/types';
import { reportOf } from '../rules/report/report';
import type { CouncilReport } from '../rules/report/schema';
import { hasContribution } from '../rules/report/words';
import { questionFact } from '../rules/run/speakers';
import { type CouncilState, isOver, modeOf, setupOf } from '../rules/state/state';
import type { RunCourse } from './run-course';
import { lastOf } from './texts';

/** Adds facts that the journal does not contain. */
export type RunSeen = Readonly<{
  run: string;
  course: RunCourse;
  /** Grows with every event and change of player. */
  rev: number;
  isPlayed: boolean;
  isInSession: boolean;
  source: string | null;
  whyLeft: string | null;
}>;

/** `left`: neither over nor in progress; `fetching`: not begun yet. */
export function standingOf(state: CouncilState, isPlayed: boolean): CouncilRunRow['state'] {
  if (state.setup === null) return isPlayed ? 'fetching' : 'not_begun';
  return isOver(state) || isPlayed ? modeOf(state) : 'left';
}

const SHORT = 300;

const short = (text: string): string => {
  const line = plainLine(text);
  return line.length <= SHORT ? line : `${line.slice(0, SHORT - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
};

/** @throws RangeError for invalid times. */
export function runRow(seen: RunSeen): CouncilRunRow {
  const { run, course, rev, isPlayed, isInSession, source, whyLeft } = seen;
  const { state } = course;
  const row = { run, rev, isPlayed: isPlayed && !isOver(state), isInSession, state: standingOf(state, isPlayed) };
  if (state.setup === null) return { ...row, ...NOTHING, repo: source === null ? null : short(nameOf(source)) };
  const report = reportOf(state);
  const { activity, process, input, cost } = report;
  return {
    ...row,
    activity,
    process,
    problem: input.problem === null ? null : short(input.problem),
    repo: input.repo === null ? null : short(lastOf(input.repo)),
    begunAt: state.begunAt,
    endedAt: state.endedAt,
    stage: isOver(state) ? null : stageNow(state, report),
    findings: countsIn(report),
    ideas: report.brainstorm?.options.length ?? 0,
    ...(isOver(state) && !hasContribution(report) ? { isEmpty: true as const } : {}),
    party: partyIn(state),
    spent: cost.spent,
    unpricedTurns: cost.unpricedTurns,
    cap: cost.cap,
    retries: { used: report.retries, of: setupOf(state).settings.retries.perRun },
    question: isPlayed ? questionIn(state) : null,
    headline: isOver(state) ? short(report.headline) : null,
    ...(row.state === 'left' && whyLeft !== null ? { whyLeft: short(whyLeft) } : {}),
  };
}

const nameOf = (source: string): string => lastOf(source).replace(/\.git$/, '');

const NOTHING = {
  activity: null,
  process: null,
  problem: null,
  repo: null,
  begunAt: null,
  endedAt: null,
  stage: null,
  findings: { critical: 0, major: 0, minor: 0, praise: 0, unproved: 0 },
  ideas: 0,
  party: { live: 0, out: 0 },
  spent: 0,
  unpricedTurns: 0,
  cap: null,
  retries: { used: 0, of: 0 },
  question: null,
  headline: null,
} as const;

function countsIn({ findings, praise, unproved }: CouncilReport): CouncilRunRow['findings'] {
  const count = (severity: string): number => findings.filter((each) => each.severity === severity).length;
  return {
    critical: count('critical'),
    major: count('major'),
    minor: count('minor'),
    praise: praise.findings.length,
    unproved: unproved.length,
  };
}

function partyIn({ members }: CouncilState): CouncilRunRow['party'] {
  const party = members.filter(({ id }) => id !== ORACLE);
  const live = party.filter(({ out }) => out === null).length;
  return { live, out: party.length - live };
}

/** Keeps the position while the Oracle reviews the stage. */
function stageNow({ plan: [pass] }: CouncilState, { stages }: CouncilReport): CouncilRunRow['stage'] {
  if (!pass?.isBegun) return null;
  const own = stages.findIndex(({ id }) => id === pass.stage);
  const at = own >= 0 ? own + 1 : stages.filter(({ isCompleted }) => isCompleted).length;
  return at === 0 ? null : { id: pass.stage, at, of: stages.length };
}

function questionIn(state: CouncilState): CouncilRunRow['question'] {
  const [ask] = state.phase === 'playing' ? state.asks : [];
  const fact = ask ? questionFact(state, ask, 'question:put') : null;
  if (!ask || ask.putAt === null || fact?.type !== 'question:put') return null;
  const { question: id, speaker, model, fallback, kind: failure } = fact;
  return {
    id,
    speaker: short(speaker),
    model: short(model),
    fallback: short(fallback),
    failure: short(failure),
    skipAt: ask.putAt + SKIP_MS,
  };
}
