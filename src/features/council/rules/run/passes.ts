import { ATTEMPTS } from '../base/settings';
import { type MemberId, ORACLE, type TurnFault } from '../base/types';
import { bestConfirmed } from '../findings/board';
import { bestRanked } from '../ideas/borda';
import { CASTING, type Stage, stagesOf, TRANSITION } from '../process/process';
import { aboutTurn } from '../prompts/about';
import { formedFor, furtherText, heroSystem, heroText, heroTools } from '../prompts/hero';
import { oracleSystem, oracleText, oracleTools } from '../prompts/oracle';
import type { CouncilFact } from '../state/events';
import {
  type CouncilState,
  change,
  changeTurn,
  enqueue,
  FRESH_TURN,
  heroOf,
  liveHeroes,
  type Member,
  memberOf,
  nextId,
  type Pass,
  pendingOf,
  routeOf,
  setupOf,
  speakerOf,
  stageOf,
  unput,
  type Work,
} from '../state/state';
import { castByDefault, presentByDefault } from './oracle';
import { hasVoices, putQuestion, reaskFailed, speakerFailed } from './speakers';

export function planFor(state: CouncilState): readonly Pass[] {
  const stages = stagesOf(routeOf(state).process);
  const pass = ({ id }: Stage): Pass => ({ stage: id, only: null, isBegun: false });
  return [CASTING, ...stages.flatMap((each) => (each.isReviewed ? [each, TRANSITION] : [each]))].map(pass);
}

export function goOn(work: Work): void {
  // Terminates: each iteration waits, or shortens the plan, the queue or the failed speakers.
  while (work.state.phase === 'playing') {
    const [pass] = work.state.plan;
    if (!pass) {
      finish(work);
      return;
    }
    if (!pass.isBegun) beginPass(work, pass);
    if (isCapReached(work.state) && work.state.queue.length > 0) {
      pause(work, 'cap');
      return;
    }
    startTurns(work);
    putQuestion(work);
    if (isWaiting(work.state)) return;
    if (reaskFailed(work)) continue;
    if (!hasVoices(work) && needsVoices(work.state)) {
      pause(work, 'all_off');
      return;
    }
    if (work.state.queue.length > 0) {
      change(work, { queue: [] });
      continue;
    }
    endPass(work, pass);
  }
}

const isWaiting = ({ pending, asks }: CouncilState): boolean =>
  asks.length > 0 || Object.values(pending).some(({ kind }) => kind !== 'abort');

/** A missing party matters only after casting. */
const needsVoices = ({ members, plan }: CouncilState): boolean =>
  members.some(({ id }) => id !== ORACLE) && plan[0]?.stage !== 'presentation';

export const isCapReached = ({ cap, spent }: CouncilState): boolean => cap !== null && (spent.cost ?? 0) >= cap;

/** Raises the cap by the configured amount, at least from the cost. */
export function raisedCap({ cap, spent, setup }: CouncilState): number | null {
  const more = setup?.settings.maxCost ?? null;
  if (more === null) return null;
  const raised = (cap ?? 0) + more;
  return (spent.cost ?? 0) >= raised ? (spent.cost ?? 0) + more : raised;
}

export const pausedFact = (state: CouncilState, reason: 'all_off' | 'cap'): CouncilFact => ({
  type: 'run:paused',
  reason,
  spent: state.spent.cost ?? 0,
  cap: state.cap,
  raised: reason === 'cap' ? raisedCap(state) : null,
});

export function pause(work: Work, reason: 'all_off' | 'cap'): void {
  change(work, { phase: 'waiting', pause: reason });
  work.facts.push(pausedFact(work.state, reason));
}

export function unpause(work: Work): void {
  if (work.state.phase !== 'waiting') return;
  // Questions expire only while the run plays.
  change(work, { phase: 'playing', pause: null, asks: unput(work.state.asks) });
  work.facts.push({ type: 'run:resumed' });
}

function finish(work: Work): void {
  change(work, { phase: 'finished', endedAt: work.at });
  work.facts.push({ type: 'run:finished' });
}

function beginPass(work: Work, pass: Pass): void {
  const [, ...others] = work.state.plan;
  const stage = stageOf(work.state, pass.stage);
  const queue = speakersOf(work, stage, pass);
  change(work, { plan: [{ ...pass, isBegun: true }, ...others], turns: {}, queue });
  work.facts.push({ type: 'stage:begun', stage: stage.id });
}

function speakersOf(work: Work, stage: Stage, { only }: Pass): readonly MemberId[] {
  const { state } = work;
  if (stage.who === 'oracle') return memberOf(state, ORACLE)?.out === null ? [ORACLE] : [];
  const live = liveHeroes(state).map(({ id }) => id);
  if (stage.who === 'heroes') return only === null ? live : live.filter((id) => only.includes(id));
  const { cast } = routeOf(state);
  const synthesizer =
    cast === 'heroes' ? bestConfirmed(state.board, live) : bestRanked(state.ideas, state.ballots, live);
  change(work, { synthesizer });
  return synthesizer === null ? [] : [synthesizer];
}

function endPass(work: Work, pass: Pass): void {
  const stage = stageOf(work.state, pass.stage);
  if (stage.id === 'casting' && work.state.members.length <= 1) castByDefault(work);
  if (stage.id === 'synthesis' && isUnsaid(work)) return void beginPass(work, pass);
  if (stage.id === 'presentation' && work.state.presented === null) presentByDefault(work);
  const [, ...others] = work.state.plan;
  const contributions = Object.values(work.state.turns).filter(({ isHeard }) => isHeard).length;
  // A stage repeated for a late hero is already completed.
  const completed = pass.only === null ? [...work.state.completed, stage.id] : work.state.completed;
  change(work, { plan: others, turns: {}, queue: [], completed });
  work.facts.push({ type: 'stage:completed', stage: stage.id, heard: contributions });
}

/** The synthesizer left before it finished, and another participant is available. */
function isUnsaid({ state }: Work): boolean {
  const { synthesizer, turns } = state;
  const isThere = synthesizer !== null && memberOf(state, synthesizer)?.out === null;
  const isDone = Object.values(turns).some((turn) => turn.isDone);
  return !isThere && !isDone && liveHeroes(state).length > 0;
}

function startTurns(work: Work): void {
  const [pass] = work.state.plan;
  if (!pass) return;
  const stage = stageOf(work.state, pass.stage);
  const most = stage.turns === 'parallel' ? setupOf(work.state).settings.parallel : 1;
  for (const id of work.state.queue) {
    if (runningIn(work.state) >= most) return;
    const member = memberOf(work.state, id);
    if (!member || !isStartable(work.state, member)) continue;
    if (isSentAway(work, member)) continue;
    if (member.session === null) open(work, member);
    else prompt(work, member, stage);
  }
}

const runningIn = ({ pending }: CouncilState): number =>
  Object.values(pending).filter(({ kind }) => kind !== 'abort').length;

function isStartable(state: CouncilState, member: Member): boolean {
  const speaker = state.speakers[member.speaker];
  if (speaker?.state !== 'on' || pendingOf(state, member.id) !== undefined) return false;
  // A speaker on trial gets one request.
  return (
    speaker.trying === null ||
    !state.members.some((each) => each.speaker === member.speaker && pendingOf(state, each.id))
  );
}

/** A pause requested by the provider counts as a failure. */
function isSentAway(work: Work, { id, speaker }: Member): boolean {
  const until = setupOf(work.state).resets[speaker] ?? 0;
  if (until <= work.at || work.state.speakers[speaker]?.trying === 'fallback') return false;
  const active = work.state.speakers[speaker]?.active;
  if (active !== speakerOf(work.state, speaker)?.model) return false;
  const fault: TurnFault = {
    kind: 'quota',
    message: 'its provider requested a pause that has not ended',
    hintMs: until - work.at,
    isPartial: false,
  };
  speakerFailed(work, speaker, { member: id, fault });
  return true;
}

function open(work: Work, { id }: Member): void {
  const { run } = setupOf(work.state);
  const command = nextId(work);
  const name = id === ORACLE ? 'The Oracle' : (heroOf(work.state, id)?.name ?? id);
  issue(work, { id: command, kind: 'open', member: id, title: `Council: ${name} (${run}/${command})` });
}

function issue(work: Work, command: Work['commands'][number]): void {
  work.commands.push(command);
  change(work, { pending: { ...work.state.pending, [command.id]: command } });
}

function prompt(work: Work, member: Member, stage: Stage): void {
  const { state } = work;
  const turn = state.turns[member.id] ?? FRESH_TURN;
  const isOracle = member.id === ORACLE;
  const tools = isOracle ? oracleTools(state, stage) : heroTools(stage);
  const formed = formedFor(state, stage);
  const hero = heroOf(state, member.id);
  const begin = () => (isOracle ? oracleText(state, stage) : heroText(state, member, stage));
  const { next, remarks } = turn;
  const text =
    next === 'begin'
      ? begin()
      : next === 'again' && turn.turns === 0
        ? `${furtherText({ next, remarks }, tools, formed)}\n\n${begin()}`
        : furtherText({ next, remarks }, tools, formed);
  const speaker = state.speakers[member.speaker];
  if (!speaker || member.session === null) return;
  const id = nextId(work);
  issue(work, {
    id,
    kind: 'prompt',
    member: member.id,
    speaker: member.speaker,
    session: member.session,
    tools,
    model: speaker.active,
    system: isOracle || !hero ? oracleSystem(state) : heroSystem(state, hero),
    // A later process finds the prompt by this mark.
    text: `${text}\n\n(${setupOf(state).run}/${id})`,
    attempts: attemptsLeft(state),
    about: aboutTurn(state, member, stage),
  });
  changeTurn(work, member.id, { remarks: [] });
}

function attemptsLeft(state: CouncilState): number {
  const reserved = Object.values(state.pending).reduce(
    (sum, each) => sum + (each.kind === 'prompt' ? each.attempts - 1 : 0),
    0,
  );
  const left = setupOf(state).settings.retries.perRun - state.retries - reserved;
  return 1 + Math.max(0, Math.min(ATTEMPTS - 1, left));
}

export function rejoin(work: Work, ids: readonly MemberId[]): void {
  const [pass] = work.state.plan;
  if (!pass?.isBegun) return;
  const stage = stageOf(work.state, pass.stage);
  for (const id of ids) {
    const isMeant =
      stage.who === 'oracle'
        ? id === ORACLE
        : stage.who === 'heroes'
          ? id !== ORACLE && (pass.only === null || pass.only.includes(id))
          : id === work.state.synthesizer;
    if (isMeant && work.state.turns[id]?.isDone !== true) enqueue(work, id, 'last');
  }
}
