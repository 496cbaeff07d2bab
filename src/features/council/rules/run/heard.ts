import type { IdeaId, MemberId } from '../base/types';
import { isProved, post, remark } from '../findings/board';
import { propose, remarkOn, withoutTitles } from '../ideas/ideas';
import { isApart, type Stage } from '../process/process';
import { type Call, placesIn } from '../said/calls';
import type { Heard } from '../state/events';
import { change, setupOf, type Work } from '../state/state';
import { dismiss, summon, takeParty } from './oracle';

export type Taken = Readonly<{
  remarks: readonly string[];
  isDone: boolean;
}>;

export function take(work: Work, answer: Heard, { by, stage }: Readonly<{ by: MemberId; stage: Stage }>): Taken {
  const remarks: string[] = [...answer.problems];
  let isDone = false;
  let found = 0;
  for (const call of answer.calls) {
    const places = placesIn(call).length;
    const checks = answer.checks.slice(found, found + places);
    found += places;
    if (call.tool === 'PostFindings') remarks.push(...takeFindings(work, call, { checks, by, stage }));
    else if (call.tool === 'PostIdeas') remarks.push(...takeIdeas(work, call, { checks, by, stage }));
    else {
      const { problems, ends } = takeCall(work, call, { by, stage });
      remarks.push(...problems);
      isDone ||= ends;
    }
  }
  omit(work, by, answer.omitted ?? 0);
  return { remarks: remarks.slice(0, REMARKS_MAX), isDone };
}

function omit(work: Work, by: MemberId, count: number): void {
  const { omitted = {} } = work.state;
  if (count > 0) change(work, { omitted: { ...omitted, [by]: (omitted[by] ?? 0) + count } });
}

const REMARKS_MAX = 20;

const fine = (ends = false) => ({ problems: [] as readonly string[], ends });

function takeCall(
  work: Work,
  call: Exclude<Call, { tool: 'PostFindings' | 'PostIdeas' }>,
  { by, stage }: Readonly<{ by: MemberId; stage: Stage }>,
) {
  switch (call.tool) {
    case 'UpdateKnowledge':
      if (Object.keys(work.state.knowledge).length < KNOWN_MAX || Object.hasOwn(work.state.knowledge, call.key))
        change(work, { knowledge: { ...work.state.knowledge, [call.key]: { by, text: call.text } } });
      return fine();
    case 'CompleteStage':
      change(work, { summaries: [...work.state.summaries, { by, stage: stage.id, text: call.summary }] });
      return finished(work, { by, stage });
    case 'AnalyzeInput':
      change(work, { analysis: call });
      return fine();
    case 'SelectHeroes': {
      const isChosen = work.state.members.length > 1;
      const problems = isChosen ? [] : takeParty(work, call);
      return { problems, ends: problems.length === 0 };
    }
    case 'SummonReinforcement':
      return { problems: summon(work, call), ends: false };
    case 'DismissHero':
      return { problems: dismiss(work, call), ends: false };
    case 'PresentReport': {
      const { headline, order, praise } = call;
      const findingIds = new Set<string>(work.state.board.map(({ id }) => id));
      const wrong = order.filter((id) => !findingIds.has(id));
      change(work, {
        presented: {
          headline,
          order: [...new Set(order.filter((id) => findingIds.has(id)))],
          praise,
          nextSteps: [],
          dissent: [],
        },
      });
      return {
        problems: wrong.length === 0 ? [] : [`PresentReport: there is no finding ${wrong.join(', ')}.`],
        ends: false,
      };
    }
    case 'FrameProblem': {
      const { question, criteria, constraints } = call;
      change(work, { frame: { question, criteria, constraints } });
      return fine();
    }
    case 'NameGaps':
      return { problems: nameGaps(work, call.gaps), ends: false };
    case 'RankIdeas':
      return { problems: rank(work, call.ranking, by), ends: false };
    case 'PresentOptions': {
      const { headline, nextSteps, dissent } = call;
      change(work, { presented: { headline, order: [], praise: [], nextSteps, dissent } });
      return fine();
    }
  }
}

function finished({ state }: Work, { by, stage }: Readonly<{ by: MemberId; stage: Stage }>) {
  const isUnranked = stage.id === 'convergence' && state.ideas.length > 0 && state.ballots[by] === undefined;
  if (isUnranked) return { problems: ['RankIdeas is missing: rank the ideas, the best first.'], ends: false };
  return fine(stage.id !== 'presentation' || state.presented !== null);
}

const GAPS_MAX = 10;

/** Drops gaps that reveal an idea, because the next round works alone. */
function nameGaps(work: Work, gaps: readonly string[]): readonly string[] {
  const newGaps = withoutTitles(gaps, work.state.ideas);
  // A corrected call may name only some.
  change(work, { gaps: [...new Set([...work.state.gaps, ...newGaps])].slice(0, GAPS_MAX) });
  if (newGaps.length > 0) work.facts.push({ type: 'gaps:named', gaps: newGaps });
  return newGaps.length === gaps.length
    ? []
    : [
        'NameGaps: a gap that names an idea was omitted, because the participants have not seen the ideas of others yet.',
      ];
}

function rank(work: Work, ranking: readonly IdeaId[], by: MemberId): readonly string[] {
  const ideaIds = new Set<string>(work.state.ideas.map(({ id }) => id));
  const ballot = [...new Set(ranking)].filter((id) => ideaIds.has(id));
  const wrong = ranking.filter((id) => !ideaIds.has(id));
  const [first] = ballot;
  if (first !== undefined) {
    change(work, { ballots: { ...work.state.ballots, [by]: ballot } });
    work.facts.push({ type: 'ballot:cast', by, first });
  }
  return wrong.length === 0 ? [] : [`RankIdeas: there is no idea ${wrong.join(', ')}.`];
}

function takeIdeas(
  work: Work,
  { ideas }: Extract<Call, { tool: 'PostIdeas' }>,
  { checks, by, stage }: Readonly<{ checks: Heard['checks']; by: MemberId; stage: Stage }>,
): readonly string[] {
  const problems: string[] = [];
  let at = 0;
  for (const each of ideas) {
    if (!('title' in each)) {
      const noted = isApart(stage) ? REMARK_TOO_EARLY : remarkOn(work.state.ideas, each, by);
      if ('ideas' in noted) change(work, { ideas: noted.ideas });
      problems.push(...noted.problems);
      continue;
    }
    const places = (each.evidence ?? []).map((place) => ({ ...place, ...(checks[at++] ?? UNREAD) }));
    const evidence = setupOf(work.state).input.repo === null ? [] : places;
    const taken = propose(work.state.ideas, each, { by, stage: stage.id, evidence });
    change(work, { ideas: taken.ideas });
    problems.push(...taken.problems);
    omit(work, by, taken.problems.length);
    for (const { id, title } of taken.added) work.facts.push({ type: 'idea:posted', id, by, title });
    const missing = evidence.filter((place) => !isProved(place));
    for (const { file, line } of missing)
      problems.push(
        `"${each.title}": its quote was not found in ${file} at line ${line}. Post it again under the same title with the exact text.`,
      );
  }
  return problems;
}

const UNREAD = { check: 'unread', at: null } as const;
const REMARK_TOO_EARLY = { problems: ['PostIdeas: you have not seen the ideas of the others yet.'] };

const KNOWN_MAX = 100;

function takeFindings(
  work: Work,
  { findings }: Extract<Call, { tool: 'PostFindings' }>,
  { checks, by, stage }: Readonly<{ checks: Heard['checks']; by: MemberId; stage: Stage }>,
): readonly string[] {
  const problems: string[] = [];
  findings.forEach((each, at) => {
    const isFinding = 'title' in each;
    const found = isFinding ? { ...each, ...(checks[at] ?? {}) } : null;
    const posted = found
      ? post(work.state.board, found, { by, stage: stage.id })
      : remark(work.state.board, each as never, by);
    change(work, { board: posted.board });
    problems.push(...posted.problems);
    if (isFinding) omit(work, by, posted.problems.length);
    for (const { id, severity, title, file, line, check } of posted.added)
      work.facts.push({ type: 'finding:posted', id, by, severity, title, file, line, check });
    const own = isFinding ? posted.added[0] : undefined;
    if (own && !isProved(own))
      problems.push(
        own.check === 'unread'
          ? `${own.id}: ${own.file} could not be read. Post it again with the right file, under the same title.`
          : `${own.id}: its quote was not found in ${own.file}. Post it again with the exact text and its line, under the same title.`,
      );
  });
  return problems;
}
