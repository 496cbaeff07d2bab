import type { ModelId } from '../../../../engine';
import { hasFallback, type Speaker } from '../base/settings';
import {
  type CommandId,
  type MemberId,
  NOTHING,
  ORACLE,
  type SpeakerName,
  type Spent,
  type TurnFault,
} from '../base/types';
import type { Hero } from '../cast/heroes';
import type { Board } from '../findings/board';
import type { Ballots } from '../ideas/borda';
import type { Idea } from '../ideas/ideas';
import { type Stage, type StageId, stageIn } from '../process/process';
import { type Route, route } from '../process/route';
import type { Call } from '../said/calls';
import type { Command, OffReason, PauseReason, RunSetup } from './events';

export type Member = Readonly<{
  id: MemberId;
  speaker: SpeakerName;
  brief: string | null;
  session: string | null;
  /** It may come back with its speaker. */
  out: Readonly<{ because: 'dismissed' | 'lost' | 'speaker'; reason: string }> | null;
}>;

export type SpeakerState = Readonly<{
  active: ModelId;
  /** `deferred` until the end of the round; `asking` waits for the user; `off` for the rest of the run. */
  state: 'on' | 'deferred' | 'asking' | 'off';
  /** Its next result decides the trial. */
  trying: 'round' | 'fallback' | 'retry' | null;
  /** Commands before the trial; their results are stale. */
  triedFrom: number;
  reason: OffReason | null;
  fault: TurnFault | null;
  answered: ModelId | null;
}>;

/** `only` limits the stage to some participants. */
export type Pass = Readonly<{ stage: StageId; only: readonly MemberId[] | null; isBegun: boolean }>;

export type TurnState = Readonly<{
  turns: number;
  next: 'begin' | 'go_on' | 'mend' | 'nudge' | 'again';
  isMended: boolean;
  isNudged: boolean;
  isAskedAgain: boolean;
  isHeard: boolean;
  remarks: readonly string[];
  isDone: boolean;
}>;
export const FRESH_TURN: TurnState = {
  turns: 0,
  next: 'begin',
  isMended: false,
  isNudged: false,
  isAskedAgain: false,
  isHeard: false,
  remarks: [],
  isDone: false,
};

/** Only the first of several is open. */
export type Ask = Readonly<{ id: string; speaker: SpeakerName; putAt: number | null; isNudged: boolean }>;

export const unput = (asks: readonly Ask[]): readonly Ask[] =>
  asks.map((ask) => ({ ...ask, putAt: null, isNudged: false }));

export type Summary = Readonly<{ by: MemberId; stage: StageId; text: string }>;
export type Presented = Readonly<{
  headline: string;
  order: readonly string[];
  praise: readonly string[];
  nextSteps: readonly string[];
  dissent: readonly string[];
}>;
export type Frame = Readonly<{ question: string; criteria: readonly string[]; constraints: readonly string[] }>;

/** Plain data: the same events give the same bytes. */
export type CouncilState = Readonly<{
  setup: RunSetup | null;
  phase: 'idle' | 'playing' | 'waiting' | 'finished' | 'stopped';
  pause: PauseReason | null;
  begunAt: number;
  endedAt: number | null;
  made: number;
  asked: number;
  members: readonly Member[];
  speakers: Readonly<Record<SpeakerName, SpeakerState>>;
  plan: readonly Pass[];
  turns: Readonly<Record<MemberId, TurnState>>;
  queue: readonly MemberId[];
  failed: readonly SpeakerName[];
  pending: Readonly<Record<CommandId, Command>>;
  asks: readonly Ask[];
  retries: number;
  spent: Spent;
  unpriced: number;
  /** US dollars; grows with each approval. */
  cap: number | null;
  board: Board;
  ideas: readonly Idea[];
  ballots: Ballots;
  frame: Frame | null;
  gaps: readonly string[];
  knowledge: Readonly<Record<string, Readonly<{ by: MemberId; text: string }>>>;
  /** The knowledge source failed to answer in time. */
  isLessGrounded: boolean;
  summaries: readonly Summary[];
  completed: readonly StageId[];
  analysis: Extract<Call, { tool: 'AnalyzeInput' }> | null;
  isDefaultParty: boolean;
  presented: Presented | null;
  synthesizer: MemberId | null;
  omitted?: Readonly<Record<MemberId, number>>;
}>;

export const initialCouncil: CouncilState = {
  setup: null,
  phase: 'idle',
  pause: null,
  begunAt: 0,
  endedAt: null,
  made: 0,
  asked: 0,
  members: [],
  speakers: {},
  plan: [],
  turns: {},
  queue: [],
  failed: [],
  pending: {},
  asks: [],
  retries: 0,
  spent: NOTHING,
  unpriced: 0,
  cap: null,
  board: [],
  ideas: [],
  ballots: {},
  frame: null,
  gaps: [],
  knowledge: {},
  isLessGrounded: false,
  summaries: [],
  completed: [],
  analysis: null,
  isDefaultParty: false,
  presented: null,
  synthesizer: null,
};

/** Names of the published design. */
export type RunMode =
  | 'idle'
  | 'ai_generating'
  | 'awaiting_fallback_decision'
  | 'paused_for_user'
  | 'paused'
  | 'finished'
  | 'stopped';

export function modeOf({ phase, pause, asks, pending }: CouncilState): RunMode {
  if (phase === 'waiting') return pause === 'cap' ? 'paused_for_user' : 'paused';
  if (phase !== 'playing') return phase;
  return asks.length > 0 && !Object.values(pending).some(({ kind }) => kind === 'prompt')
    ? 'awaiting_fallback_decision'
    : 'ai_generating';
}

export const isOver = ({ phase }: CouncilState): boolean => phase === 'finished' || phase === 'stopped';

/** @throws RangeError before the run has begun. */
export function setupOf({ setup }: CouncilState): RunSetup {
  if (!setup) throw new RangeError('The run has not begun.');
  return setup;
}

/** A code review if the input has no shape. */
export const routeOf = (state: Pick<CouncilState, 'setup'>): Route =>
  (state.setup && route(state.setup.input)) ?? { activity: 'code_review', process: 'CODE_REVIEW', cast: 'heroes' };

export const stageOf = (state: CouncilState, id: StageId): Stage => stageIn(routeOf(state).process, id);

export const memberOf = (state: CouncilState, id: MemberId): Member | undefined =>
  state.members.find((member) => member.id === id);

export const speakerOf = (state: CouncilState, name: SpeakerName): Speaker | undefined =>
  setupOf(state).settings.speakers.find((speaker) => speaker.name === name);

export const heroOf = (state: CouncilState, id: MemberId): Hero | undefined =>
  setupOf(state).roster.find((hero) => hero.id === id);

export const liveHeroes = ({ members }: CouncilState): readonly Member[] =>
  members.filter(({ id, out }) => id !== ORACLE && out === null);

export function mayFallBack(state: CouncilState, name: SpeakerName): boolean {
  const speaker = speakerOf(state, name);
  return speaker !== undefined && hasFallback(speaker) && state.speakers[name]?.active !== speaker.fallback;
}

export const pendingOf = ({ pending }: CouncilState, member: MemberId): Command | undefined =>
  Object.values(pending).find((command) => command.kind !== 'abort' && command.member === member);

export type Work = {
  state: CouncilState;
  readonly at: number;
  readonly commands: Command[];
  readonly facts: import('./events').CouncilFact[];
};

export const change = (work: Work, part: Partial<CouncilState>): void => {
  work.state = { ...work.state, ...part };
};

export function changeSpeaker(work: Work, name: SpeakerName, part: Partial<SpeakerState>): void {
  const before = work.state.speakers[name];
  if (before) change(work, { speakers: { ...work.state.speakers, [name]: { ...before, ...part } } });
}

export function changeMember(work: Work, id: MemberId, part: Partial<Member>): void {
  change(work, { members: work.state.members.map((member) => (member.id === id ? { ...member, ...part } : member)) });
}

export function changeTurn(work: Work, id: MemberId, part: Partial<TurnState>): void {
  const before = work.state.turns[id] ?? FRESH_TURN;
  change(work, { turns: { ...work.state.turns, [id]: { ...before, ...part } } });
}

export function enqueue(work: Work, id: MemberId, where: 'first' | 'last'): void {
  const others = work.state.queue.filter((each) => each !== id);
  change(work, { queue: where === 'first' ? [id, ...others] : [...others, id] });
}

export const nextId = (work: Work): CommandId => {
  change(work, { made: work.state.made + 1 });
  return `c${work.state.made}`;
};
