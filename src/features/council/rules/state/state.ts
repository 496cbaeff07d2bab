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

/** Who takes part, in the order of coming. */
export type Member = Readonly<{
  id: MemberId;
  speaker: SpeakerName;
  brief: string | null;
  session: string | null;
  /** Why it does not take part any more; null while it does. With its speaker it may come back. */
  out: Readonly<{ because: 'dismissed' | 'lost' | 'speaker'; reason: string }> | null;
}>;

/** How a model that speaks is doing in this run. */
export type SpeakerState = Readonly<{
  active: ModelId;
  /** `deferred` is skipped until the round is over; `asking` waits for a person; `off` is out of the run. */
  state: 'on' | 'deferred' | 'asking' | 'off';
  /** What its next answer or failure belongs to; null in the ordinary course. */
  trying: 'round' | 'fallback' | 'retry' | null;
  /** Commands made when it was last tried: what they come to is about before. */
  triedFrom: number;
  reason: OffReason | null;
  /** How it failed last. */
  fault: TurnFault | null;
  answered: ModelId | null;
}>;

/** One stage to be played; `only` by these, where not by all. */
export type Pass = Readonly<{ stage: StageId; only: readonly MemberId[] | null; isBegun: boolean }>;

/** A participant's turn of the stage under way. */
export type TurnState = Readonly<{
  turns: number;
  next: 'begin' | 'go_on' | 'mend' | 'nudge' | 'again';
  isMended: boolean;
  isNudged: boolean;
  isAskedAgain: boolean;
  /** It has done something that was understood. */
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

/** A question about a speaker; the first of several is the one that is put. */
export type Ask = Readonly<{ id: string; speaker: SpeakerName; putAt: number | null; isNudged: boolean }>;

/** Questions as if none had been put yet. */
export const unput = (asks: readonly Ask[]): readonly Ask[] =>
  asks.map((ask) => ({ ...ask, putAt: null, isNudged: false }));

export type Summary = Readonly<{ by: MemberId; stage: StageId; text: string }>;
export type Presented = Readonly<{
  headline: string;
  order: readonly string[];
  praise: readonly string[];
  /** Of a problem that was thought about: what to do next, and what speaks against it. */
  nextSteps: readonly string[];
  dissent: readonly string[];
}>;
/** What a question is taken for, and what its answer has to be. */
export type Frame = Readonly<{ question: string; criteria: readonly string[]; constraints: readonly string[] }>;

/** All that is known of a run. Plain data: the same events give the same bytes. */
export type CouncilState = Readonly<{
  setup: RunSetup | null;
  phase: 'idle' | 'playing' | 'waiting' | 'finished' | 'stopped';
  /** Why it waits. */
  pause: PauseReason | null;
  begunAt: number;
  endedAt: number | null;
  /** Commands and questions made so far. */
  made: number;
  asked: number;
  members: readonly Member[];
  speakers: Readonly<Record<SpeakerName, SpeakerState>>;
  /** What is still to be played; the first is under way. */
  plan: readonly Pass[];
  turns: Readonly<Record<MemberId, TurnState>>;
  queue: readonly MemberId[];
  /** Speakers that failed in this round, in that order. */
  failed: readonly SpeakerName[];
  pending: Readonly<Record<CommandId, Command>>;
  asks: readonly Ask[];
  retries: number;
  spent: Spent;
  /** Turns whose price nobody knows. */
  unpriced: number;
  /** US dollars at which it pauses; grows with each yes. */
  cap: number | null;
  board: Board;
  ideas: readonly Idea[];
  ballots: Ballots;
  frame: Frame | null;
  /** What the first round of ideas has left out. */
  gaps: readonly string[];
  knowledge: Readonly<Record<string, Readonly<{ by: MemberId; text: string }>>>;
  /** The source of knowledge that the user names has given nothing in time, once at least. */
  isLessGrounded: boolean;
  summaries: readonly Summary[];
  completed: readonly StageId[];
  analysis: Extract<Call, { tool: 'AnalyzeInput' }> | null;
  /** The party is the one that is sent where the Oracle cannot choose. */
  isDefaultParty: boolean;
  presented: Presented | null;
  synthesizer: MemberId | null;
  /** Findings and ideas of each participant that were left out because there were too many. */
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

/** The states of the published design, by which a run is told from outside. */
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

/** Whether nothing comes of a run any more, whatever it hears. */
export const isOver = ({ phase }: CouncilState): boolean => phase === 'finished' || phase === 'stopped';

/** The parts of a run are there once it has begun. @throws RangeError before that. */
export function setupOf({ setup }: CouncilState): RunSetup {
  if (!setup) throw new RangeError('The run has not begun.');
  return setup;
}

/** What a run plays; a review where its input has no shape. */
export const routeOf = (state: Pick<CouncilState, 'setup'>): Route =>
  (state.setup && route(state.setup.input)) ?? { activity: 'code_review', process: 'CODE_REVIEW', cast: 'heroes' };

/** A stage of what a run plays. */
export const stageOf = (state: CouncilState, id: StageId): Stage => stageIn(routeOf(state).process, id);

export const memberOf = (state: CouncilState, id: MemberId): Member | undefined =>
  state.members.find((member) => member.id === id);

export const speakerOf = (state: CouncilState, name: SpeakerName): Speaker | undefined =>
  setupOf(state).settings.speakers.find((speaker) => speaker.name === name);

export const heroOf = (state: CouncilState, id: MemberId): Hero | undefined =>
  setupOf(state).roster.find((hero) => hero.id === id);

/** Heroes that take part now. */
export const liveHeroes = ({ members }: CouncilState): readonly Member[] =>
  members.filter(({ id, out }) => id !== ORACLE && out === null);

/** Whether a question about a speaker would have anything to offer. */
export function mayFallBack(state: CouncilState, name: SpeakerName): boolean {
  const speaker = speakerOf(state, name);
  return speaker !== undefined && hasFallback(speaker) && state.speakers[name]?.active !== speaker.fallback;
}

/** What a participant has been told is under way: the prompt, or the session it waits for. */
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

/** Puts a participant where it speaks next, or after all others. */
export function enqueue(work: Work, id: MemberId, where: 'first' | 'last'): void {
  const others = work.state.queue.filter((each) => each !== id);
  change(work, { queue: where === 'first' ? [id, ...others] : [...others, id] });
}

export const nextId = (work: Work): CommandId => {
  change(work, { made: work.state.made + 1 });
  return `c${work.state.made}`;
};
