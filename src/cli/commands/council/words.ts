import type { PersonWord } from '../../../council/state/schema';
import type { CouncilState } from '../../../council/state/state';

/** In whose name the command line speaks to a run. */
export const ACTOR = 'cli';

/** What may be typed while a run is played. */
export const CHOICES =
  'Type yes or no to answer a question, retry NAME or retry all to ask somebody again, or stop to end the run with a report. Ctrl-C leaves the run: it can be resumed.';

/** What a run takes for a name, in characters. */
const NAME_MAX = 100;
const SHAPE = /^\/?(?:council\s+)?(yes|no|stop|retry)(?:\s+(\S.*))?$/i;

/** What a line that was typed says to a run as it is now; null where it is none of the choices. */
export function readWord(line: string, state: CouncilState): PersonWord | null {
  const [, word = '', rest] = SHAPE.exec(line.trim()) ?? [];
  switch (word.toLowerCase()) {
    case 'yes':
    case 'no':
      return rest === undefined ? answerWord(word.toLowerCase() === 'yes', state) : null;
    case 'stop':
      return rest === undefined ? STOP : null;
    case 'retry':
      return rest === undefined ? null : retryWord(rest, state);
    default:
      return null;
  }
}

/** To the question that is put now: when the answer comes, that one may be over and another one put. */
export function answerWord(yes: boolean, { phase, asks: [ask] }: CouncilState): PersonWord {
  const question = phase === 'playing' && ask ? { question: ask.id } : {};
  return { type: 'question.answered', ...question, yes, actor: ACTOR };
}

export const STOP: PersonWord = { type: 'run.stopped', actor: ACTOR };

/** A speaker's name is shown with a capital letter that it is not written with. */
export function retryWord(name: string, state: CouncilState): PersonWord {
  const speakers = Object.keys(state.speakers);
  const small = name.toLowerCase();
  const meant = speakers.find((each) => each === name) ?? speakers.find((each) => each.toLowerCase() === small);
  return { type: 'speaker.retried', name: meant ?? (small === 'all' ? 'all' : name.slice(0, NAME_MAX)), actor: ACTOR };
}
