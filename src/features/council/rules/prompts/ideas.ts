import type { MemberId } from '../base/types';
import { isRanked, ranked } from '../ideas/borda';
import type { Idea } from '../ideas/ideas';
import type { CouncilState } from '../state/state';
import { letterOf } from './letters';

/** @param isRotated starts at another idea per reader, for fairness. */
export function ideasText(
  { ideas, members }: CouncilState,
  { reader, isRotated = false }: Readonly<{ reader: MemberId; isRotated?: boolean }>,
): string {
  if (ideas.length === 0) return 'There are no ideas yet.';
  const authors = [...new Set(ideas.map(({ by }) => by))];
  const place = members.findIndex(({ id }) => id === reader);
  const first = isRotated ? place % ideas.length : 0;
  const shown = [...ideas.slice(first), ...ideas.slice(0, first)];
  return [
    isRotated ? 'The ideas, in no order:' : 'The ideas:',
    ...shown.map((idea) => {
      const whose = idea.by === reader ? 'your own' : `author ${letterOf(authors.indexOf(idea.by))}`;
      return [`- ${idea.id} ${idea.title} (${whose}${standingOf(idea)}): ${idea.text}`, ...remarksOn(idea)].join('\n');
    }),
  ].join('\n');
}

function standingOf({ alsoBy, evidence }: Idea): string {
  const found = evidence.filter(({ check }) => check === 'verified' || check === 'moved').length;
  return [
    ...(alsoBy.length === 0 ? [] : [`, had by ${alsoBy.length + 1} independently`]),
    ...(evidence.length === 0 ? [] : [`, ${found} of ${evidence.length} quotes found`]),
  ].join('');
}

const remarksOn = ({ supports, challenges, buildsOn }: Idea): readonly string[] => [
  ...supports.map(({ why }) => `  - for it: ${why}`),
  ...challenges.map(({ why }) => `  - against it: ${why}`),
  ...buildsOn.map(({ why }) => `  - on top of it: ${why}`),
];

export const gapsText = ({ gaps }: CouncilState): string =>
  gaps.length === 0
    ? 'The Oracle has named no gaps: look where your first ideas have not gone.'
    : ['Topics that no idea covers yet:', ...gaps.map((gap) => `- ${gap}`)].join('\n');

export function rankedText({ ideas, ballots }: CouncilState): string {
  if (ideas.length === 0) return 'No idea was posted.';
  const hasRank = isRanked(ballots);
  return [
    hasRank ? 'The ideas, ranked by everybody:' : 'The ideas, not ranked:',
    ...ranked(ideas, ballots).map(({ idea, points }) => {
      const score = hasRank ? ` (${points} points)` : '';
      return [`- ${idea.id} ${idea.title}${score}: ${idea.text}`, ...remarksOn(idea)].join('\n');
    }),
  ].join('\n');
}
