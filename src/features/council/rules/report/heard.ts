import { capitalised, plainLine } from '../base/text';
import { type MemberId, ORACLE } from '../base/types';
import type { Word } from '../findings/board';
import { type CouncilState, heroOf, type Member, type SpeakerState, setupOf } from '../state/state';
import type { CouncilReport } from './schema';

type Told = Readonly<{ name: (id: MemberId) => string; isPresented: boolean }>;

/** Only stored contributions count. */
export function heardIn(state: CouncilState, { name, isPresented }: Told): CouncilReport['heard'] {
  const contributors = voicesIn(state, isPresented);
  return state.members
    .filter(({ id }) => contributors.has(id))
    .map(({ id, speaker }) => ({
      id,
      name: name(id),
      title: titleOf(state, id),
      speaker,
      model: state.speakers[speaker]?.answered ?? null,
      findings: [...state.board, ...state.ideas].filter(({ by }) => by === id).length,
      words: wordsIn(state).filter(({ by }) => by === id).length,
    }));
}

function titleOf(state: CouncilState, id: MemberId): string | null {
  const title = heroOf(state, id)?.title;
  return title === undefined ? null : plainLine(title);
}

export function notHeardIn(state: CouncilState, { name, isPresented }: Told): CouncilReport['notHeard'] {
  const contributors = voicesIn(state, isPresented);
  const members = state.members.flatMap((member) => {
    const isPartly = contributors.has(member.id);
    const omitted = state.omitted?.[member.id];
    const reasons = [
      ...(isPartly && member.out === null ? [] : [plainLine(reasonOf(state, member))]),
      ...(omitted === undefined
        ? []
        : [`${omitted} of its calls, findings or ideas were omitted because there were too many.`]),
    ];
    return reasons.map((why) => ({ who: name(member.id), kind: 'hero' as const, why, isPartly }));
  });
  const speakers = setupOf(state).settings.speakers.flatMap(({ name: who }) => {
    const speaker = state.speakers[who];
    if (!speaker || speaker.state === 'on') return [];
    return [{ who, kind: 'speaker' as const, why: whyOf(speaker) || UNKNOWN, isPartly: speaker.answered !== null }];
  });
  return [...members, ...speakers];
}

function whyOf({ reason, fault }: SpeakerState): string {
  const message = plainLine(fault?.message ?? '');
  const out = plainLine(reason ?? '');
  if (out === '' || message === '' || out.includes(message)) return out || message;
  return `${out}. It failed with: ${message}`;
}

const UNKNOWN = 'The reason is unknown.';

export function reasonOf(state: CouncilState, { out, speaker }: Member): string {
  if (out?.because === 'dismissed') return `The Oracle dismissed it: ${out.reason}`;
  if (out?.because === 'speaker') return `${capitalised(speaker)} was offline: ${out.reason}`;
  if (out) return out.reason;
  return state.phase === 'finished' ? 'It gave no usable output.' : 'It has given no usable output so far.';
}

const wordsIn = ({ board, ideas }: CouncilState): readonly Word[] => [
  ...board.flatMap(({ confirms, challenges, buildsOn }) => [...confirms, ...challenges, ...buildsOn]),
  ...ideas.flatMap(({ supports, challenges, buildsOn }) => [...supports, ...challenges, ...buildsOn]),
];

function voicesIn(state: CouncilState, isPresented: boolean): ReadonlySet<MemberId> {
  const { board, ideas, ballots, summaries, knowledge, analysis, frame, members, isDefaultParty } = state;
  const hasChosen = members.length > 1 && !isDefaultParty;
  return new Set([
    ...[...board, ...ideas].flatMap(({ by, alsoBy }) => [by, ...alsoBy]),
    ...wordsIn(state).map(({ by }) => by),
    ...Object.keys(ballots),
    ...summaries.map(({ by }) => by),
    ...Object.values(knowledge).map(({ by }) => by),
    ...(analysis !== null || frame !== null || hasChosen || isPresented ? [ORACLE] : []),
  ]);
}
