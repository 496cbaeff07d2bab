import { counted } from '../base/text';
import { type FindingId, type IdeaId, type MemberId, ORACLE, type SpeakerName } from '../base/types';
import { deal } from '../cast/deal';
import { PARTY } from '../cast/heroes';
import { defaultPartyOf } from '../cast/roster';
import { bySeverity } from '../findings/board';
import { byRank, isRanked } from '../ideas/borda';
import { withoutTitles } from '../ideas/ideas';
import { type StageId, stagesOf } from '../process/process';
import type { Call } from '../said/calls';
import {
  type CouncilState,
  change,
  changeMember,
  heroOf,
  liveHeroes,
  memberOf,
  type Pass,
  type Presented,
  routeOf,
  setupOf,
  type Work,
} from '../state/state';
import { dropOut } from './speakers';

/** Without a model for the Oracle, rules decide, and the report states this. */

type Chosen = Extract<Call, { tool: 'SelectHeroes' }>;

/** @returns problems for the Oracle. */
export function takeParty(work: Work, { process, heroes }: Chosen): readonly string[] {
  const existingHeroes = heroes.filter(
    ({ id }, at) => heroOf(work.state, id) && heroes.findIndex((each) => each.id === id) === at,
  );
  const unknown = heroes.filter(({ id }) => !heroOf(work.state, id)).map(({ id }) => id);
  const { process: played, cast: called } = routeOf(work.state);
  const problems = [
    ...(unknown.length === 0 ? [] : [`SelectHeroes: there is no hero called ${unknown.join(', ')}.`]),
    ...(process === played ? [] : [`SelectHeroes: the process of this run is ${played}.`]),
    ...(existingHeroes.length < PARTY.least || existingHeroes.length > PARTY.most
      ? [`SelectHeroes: choose ${PARTY.least} to ${PARTY.most} ${called}.`]
      : []),
  ];
  if (problems.length > 0) return problems;
  cast(work, existingHeroes, false);
  return [];
}

export function castByDefault(work: Work): void {
  cast(
    work,
    defaultPartyOf(routeOf(work.state).cast).map((id) => ({ id, brief: null })),
    true,
  );
}

function cast(
  work: Work,
  heroes: readonly Readonly<{ id: MemberId; brief: string | null }>[],
  isDefault: boolean,
): void {
  const { settings } = setupOf(work.state);
  const speakers = settings.heroes.flatMap((name) => settings.speakers.filter((speaker) => speaker.name === name));
  const on = speakers.filter(({ name }) => work.state.speakers[name]?.state !== 'off');
  const dealt = deal(
    heroes.map(({ id }) => id),
    on.length > 0 ? on : speakers,
  );
  for (const { id, brief } of heroes) join(work, id, { brief, speaker: dealt[id] ?? '' });
  change(work, { isDefaultParty: isDefault });
  const { activity, process } = routeOf(work.state);
  work.facts.push({
    type: 'oracle:decision',
    activityType: activity,
    processId: process,
    heroes: heroes.map(({ id }) => id),
    isDefault,
  });
}

function join(
  work: Work,
  id: MemberId,
  { brief, speaker }: Readonly<{ brief: string | null; speaker: SpeakerName }>,
): void {
  const isOff = work.state.speakers[speaker]?.state === 'off';
  const reason = work.state.speakers[speaker]?.reason ?? '';
  const out = isOff ? ({ because: 'speaker', reason } as const) : null;
  change(work, { members: [...work.state.members, { id, speaker, brief, session: null, out }] });
}

/** A late hero first plays the finished stages. @returns problems for the Oracle. */
export function summon(
  work: Work,
  { hero, brief, because }: Extract<Call, { tool: 'SummonReinforcement' }>,
): readonly string[] {
  if (!heroOf(work.state, hero)) return [`SummonReinforcement: there is no hero called ${hero}.`];
  const there = memberOf(work.state, hero);
  if (there?.out === null) return [`SummonReinforcement: ${hero} is in the party.`];
  if (there) return [`SummonReinforcement: ${hero} was in the party and is out of it: ${there.out?.reason ?? ''}`];
  // A late persona works alone first, but the Oracle has seen the ideas.
  if (withoutTitles([brief], work.state.ideas).length === 0)
    return [
      'SummonReinforcement: the brief names an idea, but a new participant has to think alone first. Omit the idea from the brief.',
    ];
  if (liveHeroes(work.state).length >= setupOf(work.state).roster.length) return [];
  const { settings } = setupOf(work.state);
  const free = settings.speakers.filter(
    ({ name }) => settings.heroes.includes(name) && work.state.speakers[name]?.state !== 'off',
  );
  if (free.length === 0) return ['SummonReinforcement: no speaker is available for it.'];
  const taken: Record<SpeakerName, number> = {};
  for (const { speaker, id } of work.state.members) if (id !== ORACLE) taken[speaker] = (taken[speaker] ?? 0) + 1;
  const speaker = deal([hero], free, taken)[hero] ?? '';
  join(work, hero, { brief, speaker });
  catchUp(work, hero);
  const existingIds = new Set<string>([...work.state.board, ...work.state.ideas].map(({ id }) => id));
  work.facts.push({
    type: 'hero:summoned',
    hero,
    speaker,
    because: because.filter((id) => existingIds.has(id)) as (FindingId | IdeaId)[],
  });
  return [];
}

function catchUp(work: Work, hero: MemberId): void {
  const [now, ...others] = work.state.plan;
  if (!now) return;
  const missed = stagesOf(routeOf(work.state).process).filter(
    ({ id, who }) => who === 'heroes' && work.state.completed.includes(id),
  );
  const passes = missed.map(({ id }): Pass => ({ stage: id, only: [hero], isBegun: false }));
  const merged = passes.filter(({ stage }) => !others.some((each) => isFor(each, stage)));
  const joined = others.map((each) =>
    each.only !== null && passes.some(({ stage }) => isFor(each, stage))
      ? { ...each, only: [...each.only, hero] }
      : each,
  );
  change(work, { plan: [now, ...merged, ...joined] });
}

const isFor = ({ stage, only, isBegun }: Pass, id: StageId): boolean => stage === id && only !== null && !isBegun;

/** The findings stay. @returns problems for the Oracle. */
export function dismiss(work: Work, { hero, because }: Extract<Call, { tool: 'DismissHero' }>): readonly string[] {
  const member = memberOf(work.state, hero);
  if (!member || hero === ORACLE || member.out !== null) return [`DismissHero: ${hero} is not in the party.`];
  if (liveHeroes(work.state).length === 1) return ['DismissHero: the last hero stays.'];
  changeMember(work, hero, { out: { because: 'dismissed', reason: because } });
  dropOut(work);
  work.facts.push({ type: 'hero:dismissed', hero, because });
  return [];
}

export const presentByDefault = (work: Work): void => change(work, { presented: presentedByRule(work.state) });

export function presentedByRule(state: CouncilState): Presented {
  const isReview = routeOf(state).cast === 'heroes';
  const { headline, order } = isReview ? findingsByRule(state) : ideasByRule(state);
  return { headline, order, praise: [], nextSteps: [], dissent: [] };
}

function findingsByRule({ board }: CouncilState): Pick<Presented, 'headline' | 'order'> {
  const ordered = bySeverity(board);
  const serious = ordered.filter(({ severity }) => severity === 'critical').length;
  const found = ordered.filter(({ severity }) => severity !== 'praise').length;
  return { headline: `${counted(found, 'finding')}, ${serious} critical.`, order: ordered.map(({ id }) => id) };
}

function ideasByRule({ ideas, ballots }: CouncilState): Pick<Presented, 'headline' | 'order'> {
  const [first] = byRank(ideas, ballots);
  if (first === undefined) return { headline: 'No idea was posted.', order: [] };
  const what = isRanked(ballots) ? `; first: ${first.title}` : ', not ranked.';
  return { headline: `${counted(ideas.length, 'idea')}${what}`, order: [] };
}
