import type { CouncilMemberRow, CouncilView } from '../contract/council';
import { plainLine, plainText } from '../rules/base/text';
import { type MemberId, ORACLE } from '../rules/base/types';
import { type Stage, stagesOf } from '../rules/process/process';
import { reasonOf } from '../rules/report/heard';
import { reportOf } from '../rules/report/report';
import {
  type CouncilState,
  heroOf,
  isOver,
  type Member,
  pendingOf,
  routeOf,
  setupOf,
  speakerOf,
} from '../rules/state/state';
import { namesOf } from '../rules/told/fact-text';
import type { RunCourse, StageCourse } from './run-course';
import { type RunSeen, runRow } from './run-row';

type Around = Readonly<{
  estimate: number | null;
  generation: number | null;
}>;

/** @throws RangeError before the run has begun. */
export function runView(seen: RunSeen, { estimate, generation }: Around): CouncilView {
  const { course, isPlayed } = seen;
  const { state } = course;
  return {
    row: runRow(seen),
    report: reportOf(state),
    stages: stagesIn(course),
    members: state.members.map((member) => memberRow(course, member, isPlayed)),
    speakers: speakersIn(state),
    links: [...linksIn(state)],
    knowledge: Object.entries(state.knowledge).map(([key, { by, text }]) => ({
      key: name(key),
      by,
      text: plainText(text),
    })),
    estimate,
    generation,
  };
}

const NAME_MAX = 200;
const name = (text: string): string => plainLine(text).slice(0, NAME_MAX);

function stagesIn({ state, stages }: RunCourse): CouncilView['stages'] {
  return stagesOf(routeOf(state).process).map((stage) => stageRow(state, stage, stages[stage.id]));
}

function stageRow(
  state: CouncilState,
  { id, name: called, turns, who }: Stage,
  course: StageCourse | undefined,
): CouncilView['stages'][number] {
  const [pass] = state.plan;
  const isNow = pass?.stage === id && pass.isBegun && !isOver(state);
  const isDone = state.completed.includes(id);
  const { done = [], meant = [], heard: contributions = null, beganAt = null, endedAt = null } = course ?? {};
  return {
    id,
    name: called,
    turns,
    who,
    state: isNow ? 'now' : isDone ? 'done' : 'ahead',
    done: done.length,
    of: new Set([...meant, ...done]).size,
    heard: isNow ? null : contributions,
    beganAt,
    endedAt: isNow ? null : endedAt,
  };
}

function memberRow(course: RunCourse, member: Member, isPlayed: boolean): CouncilMemberRow {
  const { state } = course;
  const { id, speaker, brief, session } = member;
  const standing = standingIn(state, member, isPlayed);
  const command = pendingOf(state, id);
  const hero = heroOf(state, id);
  return {
    id,
    name: name(namesOf(setupOf(state)).hero(id)),
    title: hero ? name(hero.title) : null,
    speaker,
    model: state.speakers[speaker]?.active ?? '',
    vendor: name(speakerOf(state, speaker)?.vendor ?? ''),
    brief: brief === null ? null : plainText(brief),
    state: standing,
    reason: whyOf(state, member, standing),
    posted: [...state.board, ...state.ideas].filter(({ by }) => by === id).length,
    remarks: linksIn(state).filter(({ from }) => from === id).length,
    session,
    retrying: (command && standing === 'works' && course.retried[command.id]) || null,
  };
}

/** A running turn stays running if another turn of its speaker fails. */
function standingIn(state: CouncilState, member: Member, isPlayed: boolean): CouncilMemberRow['state'] {
  if (member.out !== null) return 'out';
  if (isOver(state)) return 'done';
  if (isPlayed && pendingOf(state, member.id)) return 'works';
  const speaker = state.speakers[member.speaker]?.state;
  if (speaker === 'asking') return 'asks';
  if (speaker === 'deferred') return 'deferred';
  return state.turns[member.id]?.isDone === true ? 'done' : 'waits';
}

function whyOf(state: CouncilState, member: Member, standing: CouncilMemberRow['state']): string | null {
  if (standing === 'out') return plainLine(reasonOf(state, member));
  if (standing !== 'asks' && standing !== 'deferred') return null;
  return saidOf(state.speakers[member.speaker]);
}

const saidOf = (speaker: CouncilState['speakers'][string] | undefined): string | null =>
  plainLine(speaker?.reason ?? speaker?.fault?.message ?? '') || null;

function speakersIn(state: CouncilState): CouncilView['speakers'] {
  return setupOf(state).settings.speakers.flatMap(({ name: called, model, fallback, vendor }) => {
    const now = state.speakers[called];
    if (!now) return [];
    const reason = now.state === 'on' ? null : saidOf(now);
    return [{ name: called, model, active: now.active, fallback, vendor: name(vendor), state: now.state, reason }];
  });
}

type Link = CouncilView['links'][number];

const linksIn = ({ board, ideas }: CouncilState): readonly Link[] =>
  [...board, ...ideas.map(({ supports, ...idea }) => ({ ...idea, confirms: supports }))].flatMap(
    ({ id, by: to, confirms, challenges, buildsOn }) =>
      Object.entries({ confirms, challenges, buildsOn }).flatMap(([kind, words]) =>
        words.map(({ by }): Link => ({ from: by, to, kind: kind as Link['kind'], about: id })),
      ),
  );

/** Includes heroes that left; 0 before casting. */
export const partySize = ({ members }: CouncilState): number =>
  members.filter(({ id }: Readonly<{ id: MemberId }>) => id !== ORACLE).length;
