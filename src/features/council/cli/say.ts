import type { Command } from 'commander';
import { command } from '../../../cli/command';
import { type CliParts, EXIT, type Finish, type JsonOption, refuse, showLines } from '../../../cli/parts';
import { stateHome } from '../../../node/base/state-home';
import { asArgument } from '../../../wording/status-text';
import { openText } from '../core/texts';
import { answerWord, retryWord, stopWord } from '../core/words';
import { followRun } from '../node/follow';
import { sendWord } from '../node/run-folder';
import type { CouncilEvent, CouncilFact } from '../rules/state/events';
import type { PersonWord } from '../rules/state/schema';
import { type CouncilState, isOver, setupOf } from '../rules/state/state';
import { factText, namesOf } from '../rules/told/fact-text';
import { findRun, type SeenRun } from './seen';
import { overText, unbegunText } from './texts';

/** In ms; a resumed run reads a message only after OpenCode has started. */
const ANSWER_LIMIT_MS = 30_000;

export function addStop(council: Command, parts: CliParts, finish: Finish): void {
  command(council, 'stop', 'stop a run and write its report')
    .argument('[run]', 'default: the newest running one')
    .action(async (run: string | undefined, options: JsonOption) =>
      finish(await send(parts, run, options, () => stopWord())),
    );
}

export const answerRun = (
  parts: CliParts,
  isYes: boolean,
  run: string | undefined,
  options: JsonOption,
): Promise<number> => send(parts, run, options, (state) => answerWord(isYes, state));

export const retrySpeaker = (
  parts: CliParts,
  name: string,
  run: string | undefined,
  options: JsonOption,
): Promise<number> => send(parts, run, options, (state) => retryWord(name, state));

async function send(
  parts: CliParts,
  name: string | undefined,
  options: JsonOption,
  wordFor: (state: CouncilState) => PersonWord,
): Promise<number> {
  const home = stateHome(parts.env);
  const found = await findRun(home, name, ({ isPlayed, state }) => isPlayed && !isOver(state));
  if (!found.ok) return refuse(parts, options, found.reason);
  const { seen } = found;
  const word = wordFor(seen.state);
  const objection = objectionTo(seen, word);
  if (objection !== null) return refuse(parts, options, objection);
  const outcome = seen.isPlayed ? effectOf(home, seen, word) : null;
  const sent = await sendWord(home, seen.run, word);
  if (!sent.ok) return refuse(parts, options, sent.reason, EXIT.failed);
  const effect = await outcome;
  if (effect === null) return refuse(parts, options, leftText(seen, word), EXIT.noAnswer);
  const { sentences } = effect;
  if (effect.isNothing) return refuse(parts, options, sentences.join('\n'));
  showLines(parts, options, { ok: true, run: seen.run, said: sentences }, () => sentences.join('\n') || 'Sent.');
  return EXIT.done;
}

/** Null if the run accepts messages. */
function objectionTo(seen: SeenRun, word: PersonWord): string | null {
  const { run, state, isPlayed } = seen;
  const name = asArgument(run);
  if (isOver(state)) return overText(run, state);
  if (isPlayed && state.setup === null) return unbegunText(seen);
  if (isPlayed) return null;
  if (state.setup === null) return `Run ${run} never began. To remove it: understudy council remove ${name}`;
  return word.type === 'question.answered' && openText(state) === null
    ? `Run ${run} is not running and has no open question. To continue: understudy council resume ${name}`
    : null;
}

function leftText({ run, isPlayed }: SeenRun, word: PersonWord): string {
  const stored = `The message is stored in the inbox of run ${run}`;
  const name = asArgument(run);
  if (word.type === 'run.stopped' && !isPlayed)
    return `Run ${run} is not running: it costs nothing, and stops when it is resumed. Its findings: understudy council show ${name} --format md`;
  return isPlayed
    ? `${stored}: its process has not read it within ${ANSWER_LIMIT_MS / 1_000} s.`
    : `${stored}, which is not running. To continue: understudy council resume ${name}`;
}

type Effect = Readonly<{ sentences: readonly string[]; isNothing: boolean }>;

function effectOf(home: string, { run, lines }: SeenRun, word: PersonWord): Promise<Effect | null> {
  return new Promise((resolve) => {
    const end = (effect: Effect | null): void => {
      clearTimeout(late);
      following.end();
      resolve(effect);
    };
    const late = setTimeout(() => end(null), ANSWER_LIMIT_MS);
    const following = followRun(home, run, ({ state, facts }, event, before) => {
      if (before < lines || !isSame(event, word)) return;
      const names = namesOf(setupOf(state));
      const sentences = facts.flatMap((fact) => factText(fact, names) ?? []);
      end({ sentences, isNothing: facts.some(isNothing) });
    });
  });
}

const isNothing = (fact: CouncilFact): boolean =>
  fact.type === 'answer:unasked' || (fact.type === 'retry:told' && fact.how === 'unknown');

const isSame = (event: CouncilEvent, word: PersonWord): boolean =>
  event.type === word.type && 'actor' in event && event.actor === word.actor;
