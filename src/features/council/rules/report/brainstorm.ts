import { plainLine, plainQuote, plainText } from '../base/text';
import { type MemberId, ORACLE } from '../base/types';
import { isRanked, ranked } from '../ideas/borda';
import type { Evidence, Idea } from '../ideas/ideas';
import type { CouncilState } from '../state/state';
import type { ReportBrainstorm, ReportOption } from './schema';

export function brainstormOf(state: CouncilState, name: (id: MemberId) => string): ReportBrainstorm {
  const { ideas, ballots, frame, gaps, presented } = state;
  const options = ranked(ideas, ballots).map(
    ({ idea, points, firstPlaces }, at): ReportOption => ({
      ...optionOf(idea, name),
      rank: isRanked(ballots) ? at + 1 : null,
      points,
      firstPlaces,
    }),
  );
  return {
    question: frame && plainText(frame.question),
    criteria: frame?.criteria.map(plainLine) ?? [],
    constraints: frame?.constraints.map(plainLine) ?? [],
    gaps: gaps.map(plainLine),
    options,
    ballots: Object.entries(ballots).map(([by, ranking]) => ({ by: name(by), ranking: [...ranking] })),
    dissent: [
      ...options
        .slice(0, 1)
        .flatMap(({ id, challengedBy }) => challengedBy.map(({ by, why }) => ({ by, about: id, why }))),
      ...(presented?.dissent ?? []).map((why) => ({ by: name(ORACLE), about: null, why: plainText(why) })),
    ],
    nextSteps: presented?.nextSteps.map(plainText) ?? [],
  };
}

function optionOf(idea: Idea, name: (id: MemberId) => string): Omit<ReportOption, 'rank' | 'points' | 'firstPlaces'> {
  const { id, title, text, by, alsoBy, supports, challenges, buildsOn, evidence } = idea;
  const words = (of: Idea['supports']) => of.map((word) => ({ by: name(word.by), why: plainText(word.why) }));
  return {
    id,
    title: plainLine(title),
    text: plainText(text),
    proposedBy: [by, ...alsoBy].map(name),
    supportedBy: words(supports),
    challengedBy: words(challenges),
    builtOn: words(buildsOn),
    evidence: evidence.map(evidenceOf),
  };
}

const evidenceOf = ({ file, line, quote, check, at }: Evidence): ReportOption['evidence'][number] => ({
  file: plainLine(file),
  line: check === 'moved' ? (at ?? line) : line,
  quote: plainQuote(quote),
  check,
});
