import { boundaryProblem, NUDGE_MS, SKIP_MS } from '../base/settings';
import type { CommandId, MemberId, SpeakerName, TurnFault } from '../base/types';
import type { CouncilFact, OffReason } from '../state/events';
import {
  type Ask,
  type CouncilState,
  change,
  changeMember,
  changeSpeaker,
  enqueue,
  liveHeroes,
  mayFallBack,
  setupOf,
  speakerOf,
  type Work,
} from '../state/state';

/**
 * A failing speaker is skipped and retried after the round. Then the user decides about its fallback model; without
 * one it is off. The others never wait. Source: docs/council.md, when a model fails.
 */

/** Only later commands decide about a trial. */
const tryingFor = ({ state }: Work, trying: 'round' | 'fallback' | 'retry') => ({ trying, triedFrom: state.made });

/** Ignores results of commands before the trial. */
export const isStale = ({ state }: Work, name: SpeakerName, command: CommandId): boolean => {
  const speaker = state.speakers[name];
  return speaker !== undefined && speaker.trying !== null && Number(command.slice(1)) <= speaker.triedFrom;
};

export function countRetry(work: Work): void {
  const { warnAt, perRun } = setupOf(work.state).settings.retries;
  const retries = work.state.retries + 1;
  change(work, { retries });
  if (retries === warnAt) work.facts.push({ type: 'budget:warned', retries });
  if (retries === perRun) work.facts.push({ type: 'budget:spent', retries });
}

export function speakerFailed(
  work: Work,
  name: SpeakerName,
  { member, fault }: Readonly<{ member: MemberId; fault: TurnFault }>,
): void {
  const speaker = work.state.speakers[name];
  if (!speaker) return;
  changeSpeaker(work, name, { fault });
  if (speaker.state === 'off') return;
  enqueue(work, member, 'first');
  if (speaker.trying === 'retry') {
    work.facts.push({ type: 'retry:told', name, how: 'unavailable', message: fault.message });
    degrade(work, name, speaker.reason ?? faultReason(fault));
    return;
  }
  if (speaker.trying === 'fallback') {
    work.facts.push({ type: 'fallback:failed', speaker: name, model: speaker.active, message: fault.message });
    degrade(work, name, `Fallback failed: ${fault.message}`);
    return;
  }
  if (speaker.state === 'asking') return;
  const isSpent = work.state.retries >= setupOf(work.state).settings.retries.perRun;
  if (speaker.trying === 'round' || isSpent || isLast(work, name)) {
    ask(work, name);
    return;
  }
  if (speaker.state === 'deferred') return;
  changeSpeaker(work, name, { state: 'deferred' });
  change(work, { failed: [...work.state.failed, name] });
  work.facts.push({ type: 'speaker:deferred', speaker: name, kind: fault.kind });
}

const faultReason = ({ message, kind }: TurnFault): OffReason => message || kind;

function isLast({ state }: Work, name: SpeakerName): boolean {
  const speakers = state.members.flatMap(({ id, speaker, out }) =>
    out === null &&
    (state.queue.includes(id) ||
      Object.values(state.pending).some((each) => each.kind !== 'abort' && each.member === id))
      ? [speaker]
      : [],
  );
  return !speakers.some((other) => other !== name && state.speakers[other]?.state === 'on');
}

function ask(work: Work, name: SpeakerName): void {
  const speaker = speakerOf(work.state, name);
  if (!mayFallBack(work.state, name)) {
    degrade(work, name, 'No fallback available');
    return;
  }
  const problem = speaker ? boundaryProblem(speaker) : null;
  if (problem !== null) {
    degrade(work, name, problem);
    return;
  }
  changeSpeaker(work, name, { state: 'asking', trying: null });
  const count = work.state.asked + 1;
  const asks = [...work.state.asks, { id: `q${count}`, speaker: name, putAt: null, isNudged: false }];
  change(work, { asks, asked: count, failed: work.state.failed.filter((each) => each !== name) });
}

export function putQuestion(work: Work): void {
  const [first, ...others] = work.state.asks;
  if (!first || first.putAt !== null) return;
  change(work, { asks: [{ ...first, putAt: work.at }, ...others] });
  tellQuestion(work, first, 'question:put');
}

function tellQuestion(work: Work, ask: Ask, type: 'question:put' | 'question:nudged'): void {
  const fact = questionFact(work.state, ask, type);
  if (fact) work.facts.push(fact);
}

export function questionFact(
  state: CouncilState,
  { id, speaker: name }: Ask,
  type: 'question:put' | 'question:nudged',
): CouncilFact | null {
  const speaker = speakerOf(state, name);
  const now = state.speakers[name];
  if (!speaker?.fallback || !now) return null;
  return {
    type,
    question: id,
    speaker: name,
    model: now.active,
    fallback: speaker.fallback,
    kind: now.fault?.kind ?? 'unknown',
  };
}

export function answerQuestion(work: Work, question: string | undefined, how: 'yes' | 'no' | 'timeout'): boolean {
  const [first, ...others] = work.state.asks;
  if (!first || first.putAt === null || (question !== undefined && question !== first.id)) return false;
  const speaker = speakerOf(work.state, first.speaker);
  const to = speaker?.fallback;
  change(work, { asks: others });
  if (!to) return true;
  work.facts.push({ type: 'question:answered', speaker: first.speaker, how, to });
  if (how !== 'yes') {
    degrade(work, first.speaker, how === 'no' ? 'User declined fallback' : 'Fallback timeout');
    return true;
  }
  changeSpeaker(work, first.speaker, { state: 'on', active: to, ...tryingFor(work, 'fallback') });
  return true;
}

export function questionTime(work: Work): void {
  const [first, ...others] = work.state.asks;
  if (!first || first.putAt === null) return;
  if (work.at >= first.putAt + SKIP_MS) answerQuestion(work, first.id, 'timeout');
  else if (work.at >= first.putAt + NUDGE_MS && !first.isNudged) {
    change(work, { asks: [{ ...first, isNudged: true }, ...others] });
    tellQuestion(work, first, 'question:nudged');
  }
}

export function questionWakeAt({ state }: Pick<Work, 'state'>): number | null {
  const [first] = state.asks;
  if (!first || first.putAt === null) return null;
  return first.putAt + (first.isNudged ? SKIP_MS : NUDGE_MS);
}

/** Until the user retries it; its heroes leave. */
export function degrade(work: Work, name: SpeakerName, reason: OffReason): void {
  const all = Object.keys(work.state.speakers).length;
  changeSpeaker(work, name, { state: 'off', trying: null, reason });
  const asks = work.state.asks.filter(({ speaker }) => speaker !== name);
  change(work, { asks, failed: work.state.failed.filter((each) => each !== name) });
  for (const { id, speaker, out } of work.state.members)
    if (speaker === name && out === null) changeMember(work, id, { out: { because: 'speaker', reason } });
  dropOut(work);
  const left = Object.values(work.state.speakers).filter(({ state }) => state !== 'off').length;
  work.facts.push({ type: 'speaker:degraded', speaker: name, reason, left, of: all });
}

export function dropOut(work: Work): void {
  const isIn = (id: MemberId): boolean => work.state.members.some((member) => member.id === id && member.out === null);
  change(work, { queue: work.state.queue.filter(isIn) });
}

export function speakerAnswered(work: Work, name: SpeakerName): void {
  const speaker = work.state.speakers[name];
  if (!speaker || speaker.state === 'off') return;
  // A speaker with several heroes may answer for one and fail for another.
  change(work, { asks: work.state.asks.filter((each) => each.speaker !== name) });
  if (speaker.trying !== null || speaker.state !== 'on')
    work.facts.push({ type: 'speaker:recovered', speaker: name, model: speaker.active });
  changeSpeaker(work, name, { state: 'on', trying: null, fault: null, reason: null, answered: speaker.active });
  change(work, { failed: work.state.failed.filter((each) => each !== name) });
}

export function reaskFailed(work: Work): boolean {
  const { failed } = work.state;
  const [name] = failed;
  if (name === undefined) return false;
  const isFirst = !Object.values(work.state.speakers).some(({ trying }) => trying === 'round');
  if (isFirst) work.facts.push({ type: 'speaker:reasked', speakers: failed });
  changeSpeaker(work, name, { state: 'on', ...tryingFor(work, 'round') });
  change(work, { failed: failed.slice(1) });
  countRetry(work);
  return true;
}

export function bringBack(work: Work, name: string): readonly SpeakerName[] {
  const { speakers } = work.state;
  const names = name === 'all' ? Object.keys(speakers) : Object.hasOwn(speakers, name) ? [name] : [];
  const isLost = (each: SpeakerName): boolean =>
    work.state.members.some(({ speaker, out }) => speaker === each && out?.because === 'lost');
  const off = names.filter((each) => speakers[each]?.state === 'off' || isLost(each));
  if (names.length === 0)
    work.facts.push({ type: 'retry:told', name, how: 'unknown', message: Object.keys(speakers).join(', ') });
  else if (off.length === 0) work.facts.push({ type: 'retry:told', name, how: 'not_disabled', message: '' });
  for (const each of off) {
    const own = speakerOf(work.state, each);
    if (!own) continue;
    if (speakers[each]?.state === 'off')
      changeSpeaker(work, each, { state: 'on', active: own.model, ...tryingFor(work, 'retry') });
    for (const { id, speaker, out } of work.state.members)
      if (speaker === each && out?.because === 'speaker') changeMember(work, id, { out: null });
      else if (speaker === each && out?.because === 'lost') changeMember(work, id, { out: null, session: null });
  }
  return off;
}

export const hasVoices = ({ state }: Pick<Work, 'state'>): boolean => liveHeroes(state).length > 0;
