import { Argument, type Command } from 'commander';
import { type CliParts, EXIT, type JsonOption, refuse, showLines } from '../../../cli/parts';
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

type Finish = (code: number) => void;

/** How long is waited for what comes of a word, in ms: a run that was just taken up hears once its OpenCode has started. */
const HEARD_LIMIT_MS = 30_000;

export function addSay(council: Command, parts: CliParts, finish: Finish): void {
  const say = async (run: string | undefined, options: JsonOption, word: (state: CouncilState) => PersonWord) =>
    finish(await sayTo(parts, run, options, word));
  council
    .command('stop')
    .description('end a run: its participants are stopped, and what is there becomes its report')
    .argument('[run]', 'else the newest that is played')
    .option('--json', 'answer as JSON')
    .action((run: string | undefined, options: JsonOption) => say(run, options, () => stopWord()));
  council
    .command('answer')
    .description('answer what a run asks: may a fallback speak, or may it go on past its cap?')
    .addArgument(new Argument('<answer>').choices(['yes', 'no']))
    .argument('[run]', 'else the newest that is played')
    .option('--json', 'answer as JSON')
    .action((answer: string, run: string | undefined, options: JsonOption) =>
      say(run, options, (state) => answerWord(answer === 'yes', state)),
    );
  council
    .command('retry')
    .description('bring back a speaker that is offline, or "all"')
    .argument('<name>', 'as the run calls it, or "all"')
    .argument('[run]', 'else the newest that is played')
    .option('--json', 'answer as JSON')
    .action((name: string, run: string | undefined, options: JsonOption) =>
      say(run, options, (state) => retryWord(name, state)),
    );
}

async function sayTo(
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
  const outcome = seen.isPlayed ? heardBy(home, seen, word) : null;
  const sent = await sendWord(home, seen.run, word);
  if (!sent.ok) return refuse(parts, options, sent.reason, EXIT.failed);
  const heard = await outcome;
  if (heard?.isNothing) return refuse(parts, options, heard.said.join('\n'));
  const said = heard?.said ?? null;
  if (said === null) return refuse(parts, options, leftText(seen, word), EXIT.noAnswer);
  showLines(parts, options, { ok: true, run: seen.run, said }, () => said.join('\n') || 'Said.');
  return EXIT.done;
}

/** Why something is not said to a run; null where it is. */
function objectionTo(seen: SeenRun, word: PersonWord): string | null {
  const { run, state, isPlayed } = seen;
  const name = asArgument(run);
  if (isOver(state)) return overText(run, state);
  if (isPlayed && state.setup === null) return unbegunText(seen);
  if (isPlayed) return null;
  if (state.setup === null) return `Run ${run} never began. To remove it: understudy council remove ${name}`;
  return word.type === 'question.answered' && openText(state) === null
    ? `Run ${run} asks nothing, and nobody plays it. To go on: understudy council resume ${name}`
    : null;
}

function leftText({ run, isPlayed }: SeenRun, word: PersonWord): string {
  const left = `It was left in the inbox of run ${run}`;
  // It may be about to be played.
  if (word.type === 'run.stopped' && !isPlayed)
    return `Nobody plays run ${run} now: it costs nothing, and ends as soon as it is taken up. What it has found: understudy council export ${asArgument(run)}`;
  return isPlayed
    ? `${left}: whoever plays it has not taken it up within ${HEARD_LIMIT_MS / 1_000} s.`
    : `${left}, which nobody plays now. It is heard when the run goes on: understudy council resume ${asArgument(run)}`;
}

/** What came of a word, in sentences; `isNothing` where there was nobody and nothing it could be about. */
type Heard = Readonly<{ said: readonly string[]; isNothing: boolean }>;

/** @returns null where nothing has come of it in time. */
function heardBy(home: string, { run, lines }: SeenRun, word: PersonWord): Promise<Heard | null> {
  return new Promise((resolve) => {
    const end = (said: Heard | null): void => {
      clearTimeout(late);
      unfollow();
      resolve(said);
    };
    const late = setTimeout(() => end(null), HEARD_LIMIT_MS);
    const unfollow = followRun(home, run, ({ state, facts }, event, before) => {
      if (before < lines || !isSame(event, word)) return;
      const names = namesOf(setupOf(state));
      const said = facts.flatMap((fact) => factText(fact, names) ?? []);
      end({ said, isNothing: facts.some(isNothing) });
    });
  });
}

const isNothing = (fact: CouncilFact): boolean =>
  fact.type === 'answer:unasked' || (fact.type === 'retry:told' && fact.how === 'unknown');

const isSame = (event: CouncilEvent, word: PersonWord): boolean =>
  event.type === word.type && 'actor' in event && event.actor === word.actor;
