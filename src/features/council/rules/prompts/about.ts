import { plainLine } from '../base/text';
import { ORACLE } from '../base/types';
import type { Stage } from '../process/process';
import type { About } from '../state/events';
import { type CouncilState, heroOf, type Member, setupOf } from '../state/state';

const QUERY_CHARS = 400;

/** What a participant's turn of a stage is about: the problem or the repository, then what it looks at and was asked for in particular. */
export function aboutTurn(state: CouncilState, member: Member, { id, goal }: Stage): About {
  const { problem, repo } = setupOf(state).input;
  const subject = problem ?? repo ?? '';
  const own = member.id === ORACLE ? [goal] : [heroOf(state, member.id)?.examines ?? '', member.brief ?? ''];
  const words = [subject, ...own].map(plainLine).filter((part) => part !== '');
  return { stage: id, query: [...words.join('. ')].slice(0, QUERY_CHARS).join('') };
}
