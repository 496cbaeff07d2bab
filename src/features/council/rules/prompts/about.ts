import { plainLine } from '../base/text';
import { ORACLE } from '../base/types';
import type { Stage } from '../process/process';
import type { About } from '../state/events';
import { type CouncilState, heroOf, type Member, setupOf } from '../state/state';

const QUERY_CHARS = 400;

export function aboutTurn(state: CouncilState, member: Member, { id, goal }: Stage): About {
  const { problem, repo } = setupOf(state).input;
  const subject = problem ?? repo ?? '';
  const own = member.id === ORACLE ? [goal] : [heroOf(state, member.id)?.examines ?? '', member.brief ?? ''];
  const words = [subject, ...own].map(plainLine).filter((part) => part !== '');
  return { stage: id, query: [...words.join('. ')].slice(0, QUERY_CHARS).join('') };
}
