import type { PersonWord } from '../rules/state/schema';
import type { CouncilState } from '../rules/state/state';

type Actor = 'cli' | 'opencode' | 'panel';

const NAME_MAX = 100;
const SHAPE = /^\/?(?:council\s+)?(yes|no|stop|retry)(?:\s+(\S.*))?$/i;

export function readWord(line: string, state: CouncilState, actor: Actor = 'cli'): PersonWord | null {
  const [, word = '', rest] = SHAPE.exec(line.trim()) ?? [];
  switch (word.toLowerCase()) {
    case 'yes':
    case 'no':
      return rest === undefined ? answerWord(word.toLowerCase() === 'yes', state, actor) : null;
    case 'stop':
      return rest === undefined ? stopWord(actor) : null;
    case 'retry':
      return rest === undefined ? null : retryWord(rest, state, actor);
    default:
      return null;
  }
}

/** Another question may be open when the answer arrives. */
export function answerWord(yes: boolean, { phase, asks: [ask] }: CouncilState, actor: Actor = 'cli'): PersonWord {
  const question = phase === 'playing' && ask ? { question: ask.id } : {};
  return { type: 'question.answered', ...question, yes, actor };
}

export const stopWord = (actor: Actor = 'cli'): PersonWord => ({ type: 'run.stopped', actor });

export function retryWord(name: string, state: CouncilState, actor: Actor = 'cli'): PersonWord {
  const speakers = Object.keys(state.speakers);
  const small = name.toLowerCase();
  const meant = speakers.find((each) => each === name) ?? speakers.find((each) => each.toLowerCase() === small);
  return { type: 'speaker.retried', name: meant ?? (small === 'all' ? 'all' : name.slice(0, NAME_MAX)), actor };
}
