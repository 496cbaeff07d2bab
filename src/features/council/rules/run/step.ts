import { type MemberId, ORACLE, type Spent, type TurnFault } from '../base/types';
import type { Command, CouncilEvent, CouncilFact, Heard, RunSetup } from '../state/events';
import {
  type CouncilState,
  change,
  changeMember,
  changeTurn,
  enqueue,
  FRESH_TURN,
  isOver,
  memberOf,
  nextId,
  type SpeakerState,
  setupOf,
  stageOf,
  unput,
  type Work,
} from '../state/state';
import { take } from './heard';
import { goOn, planFor, raisedCap, rejoin, unpause } from './passes';
import {
  answerQuestion,
  bringBack,
  countRetry,
  dropOut,
  isStale,
  questionTime,
  questionWakeAt,
  speakerAnswered,
  speakerFailed,
} from './speakers';

export type CouncilStep = Readonly<{
  state: CouncilState;
  commands: readonly Command[];
  facts: readonly CouncilFact[];
  /** Unix ms; null without a next tick. */
  wakeAt: number | null;
}>;

/**
 * Pure: the same events at the same times give the same run.
 * @param at Unix ms; never decreases.
 */
export function councilStep(state: CouncilState, event: CouncilEvent, at: number): CouncilStep {
  const work: Work = { state, at, commands: [], facts: [] };
  hear(work, event);
  if (work.state.setup) goOn(work);
  const { phase } = work.state;
  return {
    state: work.state,
    commands: work.commands,
    facts: work.facts,
    wakeAt: phase === 'playing' ? questionWakeAt(work) : null,
  };
}

function hear(work: Work, event: CouncilEvent): void {
  if (event.type === 'run.begun') {
    begin(work, event.setup);
    return;
  }
  if (!work.state.setup || isOver(work.state)) return;
  switch (event.type) {
    case 'session.opened':
      opened(work, event);
      return;
    case 'turn.retrying':
      retrying(work, event);
      return;
    case 'turn.answered':
      answered(work, event);
      return;
    case 'turn.failed':
      failed(work, event);
      return;
    case 'question.answered':
      personAnswered(work, event);
      return;
    case 'speaker.retried':
      retried(work, event.name);
      return;
    case 'run.stopped':
      stop(work);
      return;
    case 'run.resumed':
      // Questions do not expire while no process plays the run.
      change(work, { asks: unput(work.state.asks) });
      return;
    case 'knowledge.missed':
      missKnowledge(work);
      return;
    case 'tick':
      questionTime(work);
      return;
  }
}

function begin(work: Work, setup: RunSetup): void {
  if (work.state.setup) return;
  const speakers = setup.settings.speakers.map(({ name, model }): [string, SpeakerState] => [
    name,
    { active: model, state: 'on', trying: null, triedFrom: 0, reason: null, fault: null, answered: null },
  ]);
  change(work, {
    setup,
    phase: 'playing',
    begunAt: work.at,
    cap: setup.settings.maxCost,
    speakers: Object.fromEntries(speakers),
    members: [{ id: ORACLE, speaker: setup.settings.oracle, brief: null, session: null, out: null }],
  });
  change(work, { plan: planFor(work.state) });
}

function settle(work: Work, id: Command['id']): Command | undefined {
  const { [id]: command, ...pending } = work.state.pending;
  if (command) change(work, { pending });
  return command;
}

function opened(work: Work, { command: id, session }: Readonly<{ command: Command['id']; session: string }>): void {
  const command = settle(work, id);
  if (command?.kind === 'open') changeMember(work, command.member, { session });
}

function retrying(
  work: Work,
  { command: id, attempt, waitMs, kind }: Extract<CouncilEvent, { type: 'turn.retrying' }>,
): void {
  const command = work.state.pending[id];
  if (command?.kind !== 'prompt') return;
  countRetry(work);
  work.facts.push({ type: 'speaker:retrying', speaker: command.speaker, attempt, of: command.attempts, waitMs, kind });
}

function spend(work: Work, { cost, input, output }: Spent): void {
  const { spent, unpriced } = work.state;
  change(work, {
    spent: { cost: (spent.cost ?? 0) + (cost ?? 0), input: spent.input + input, output: spent.output + output },
    unpriced: unpriced + (cost === null ? 1 : 0),
  });
}

function answered(
  work: Work,
  { command: id, heard: answer, spent }: Readonly<{ command: Command['id']; heard: Heard; spent: Spent }>,
): void {
  const command = settle(work, id);
  if (command?.kind !== 'prompt') return;
  spend(work, spent);
  if (!isStale(work, command.speaker, id)) speakerAnswered(work, command.speaker);
  const [pass] = work.state.plan;
  if (!pass) return;
  const { member } = command;
  const stage = stageOf(work.state, pass.stage);
  const { remarks, isDone } = take(work, answer, { by: member, stage });
  const before = work.state.turns[member] ?? FRESH_TURN;
  const turns = before.turns + 1;
  const isHeard = before.isHeard || answer.calls.length > 0;
  const isIn = memberOf(work.state, member)?.out === null;
  const next = nextTurn({ ...before, turns }, { remarks, isDone, most: stage.most });
  if (next === null || !isIn) {
    changeTurn(work, member, { turns, isHeard, isDone: true });
    change(work, { queue: work.state.queue.filter((each) => each !== member) });
    work.facts.push({ type: 'turn:done', hero: member, stage: stage.id, isWhole: isDone, isHeard });
    return;
  }
  const corrections = { isMended: before.isMended || next === 'mend', isNudged: before.isNudged || next === 'nudge' };
  changeTurn(work, member, { turns, next, isHeard, remarks, ...corrections });
  enqueue(work, member, 'first');
}

function nextTurn(
  { turns, isMended, isNudged }: Readonly<{ turns: number; isMended: boolean; isNudged: boolean }>,
  { remarks, isDone, most }: Readonly<{ remarks: readonly string[]; isDone: boolean; most: number }>,
): 'go_on' | 'mend' | 'nudge' | null {
  if (isDone) return remarks.length > 0 && !isMended ? 'mend' : null;
  if (turns < most) return 'go_on';
  if (remarks.length > 0 && !isMended && !isNudged) return 'mend';
  return isNudged ? null : 'nudge';
}

function failed(
  work: Work,
  { command: id, fault, spent }: Readonly<{ command: Command['id']; fault: TurnFault; spent: Spent }>,
): void {
  const command = settle(work, id);
  if (!command || command.kind === 'abort') return;
  spend(work, spent);
  const { member } = command;
  if (fault.kind === 'session_lost' || fault.kind === 'aborted') {
    lose(work, member, fault);
    return;
  }
  const turn = work.state.turns[member] ?? FRESH_TURN;
  const isPaid = work.state.retries < setupOf(work.state).settings.retries.perRun;
  if (fault.isPartial && !turn.isAskedAgain && isPaid && memberOf(work.state, member)?.out === null) {
    countRetry(work);
    changeTurn(work, member, { next: 'again', isAskedAgain: true });
    enqueue(work, member, 'first');
    return;
  }
  const speaker = memberOf(work.state, member)?.speaker ?? '';
  if (isStale(work, speaker, id)) enqueue(work, member, 'first');
  else speakerFailed(work, speaker, { member, fault });
  dropOut(work);
}

/** Its session was deleted or aborted; the speaker stays. */
function lose(work: Work, member: MemberId, { kind }: TurnFault): void {
  const reason = kind === 'aborted' ? 'It was stopped in its session' : 'Its session was deleted';
  changeMember(work, member, { out: { because: 'lost', reason } });
  dropOut(work);
  work.facts.push({ type: 'hero:lost', hero: member, because: reason });
}

function missKnowledge(work: Work): void {
  if (work.state.isLessGrounded) return;
  change(work, { isLessGrounded: true });
  work.facts.push({ type: 'knowledge:missed' });
}

function personAnswered(work: Work, { question, yes }: Extract<CouncilEvent, { type: 'question.answered' }>): void {
  const { phase, pause, cap } = work.state;
  // An answer about a speaker does not raise the cap.
  if (phase === 'waiting' && pause === 'cap' && question === undefined) {
    if (!yes) {
      stop(work);
      return;
    }
    change(work, { cap: raisedCap(work.state) ?? cap });
    unpause(work);
    return;
  }
  if (!answerQuestion(work, question, yes ? 'yes' : 'no')) work.facts.push({ type: 'answer:unasked' });
}

function retried(work: Work, name: string): void {
  const back = bringBack(work, name);
  if (back.length === 0) return;
  const ids = work.state.members
    .filter(({ speaker, out }) => back.includes(speaker) && out === null)
    .map(({ id }) => id);
  rejoin(work, ids);
  for (const name of back) {
    const isTried = work.state.members.some(({ id, speaker }) => speaker === name && work.state.queue.includes(id));
    work.facts.push({ type: 'retry:told', name, how: isTried ? 'trying' : 'later', message: '' });
  }
  if (work.state.pause === 'all_off') unpause(work);
}

function stop(work: Work): void {
  const sessions = Object.values(work.state.pending).flatMap((command) =>
    command.kind === 'prompt' ? [command.session] : [],
  );
  change(work, { phase: 'stopped', endedAt: work.at, pending: {}, asks: [], queue: [] });
  for (const session of sessions) work.commands.push({ id: nextId(work), kind: 'abort', session });
  work.facts.push({ type: 'run:stopped' });
}
