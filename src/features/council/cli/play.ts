import { type CliParts, EXIT, type JsonOption, refuse } from '../../../cli/parts';
import { wrapText } from '../../../cli/wrap';
import { stateHome } from '../../../node/base/state-home';
import { asArgument } from '../../../wording/status-text';
import { type Ears, type Played, playRunInChild, sayLine } from '../node/play-run';
import { removeCopy } from '../node/run-folder';
import { reportMarkdown } from '../rules/report/markdown';
import { reportOf } from '../rules/report/report';
import { hasContribution } from '../rules/report/words';
import type { CouncilStep } from '../rules/run/step';
import type { CouncilState } from '../rules/state/state';
import { factText, namesOf } from '../rules/told/fact-text';
import { replyText } from './texts';

const CHOICES =
  'Type yes or no to answer a question, retry NAME or retry all to retry offline speakers, or stop to end the run with a report. Ctrl-C interrupts the run; resume continues it.';

export type PlayOptions = JsonOption & Readonly<{ keepCopy?: boolean }>;

/** @returns exit code 0 if finished with a contribution, otherwise 1. */
export async function playHere(
  parts: CliParts,
  options: PlayOptions,
  played: Pick<Played, 'binary' | 'place' | 'signal' | 'told'>,
): Promise<number> {
  const home = stateHome(parts.env);
  const { binary, place, signal } = played;
  const { run } = place;
  const leave = (why: string): number =>
    refuse(
      parts,
      options,
      `${why}\nNothing is lost. To continue: understudy council resume ${asArgument(run)}`,
      EXIT.failed,
    );
  if (signal.aborted) return leave('Interrupted.');
  say(parts, `Run ${run} uses OpenCode ${binary.version}.`);
  const how = { ...played, home, env: parts.env, companion: parts.source };
  const out = await playRunInChild(how, earsOf(parts, { home, run }));
  return out.isOver ? await report(parts, options, { home, run, state: out.state }) : leave(out.why);
}

const say = ({ printError, columns }: CliParts, text: string): void => printError(wrapText(text, columns));

function earsOf(parts: CliParts, { home, run }: Readonly<{ home: string; run: string }>): Ears {
  let state: CouncilState | null = null;
  const passOn = async (line: string): Promise<void> => {
    const problem = await sayLine({ home, run, state, choices: CHOICES }, line);
    if (problem !== null) say(parts, problem);
  };
  return {
    taken() {
      if (!parts.isTerminal) return null;
      say(parts, CHOICES);
      return parts.hearLines((line) => void passOn(line));
    },
    hear(step) {
      state = step.state;
      tell(parts, run, step);
    },
  };
}

function tell(parts: CliParts, run: string, { state, facts }: CouncilStep): void {
  if (state.setup === null) return;
  const names = namesOf(state.setup);
  for (const fact of facts) {
    const text = factText(fact, names);
    if (text !== null) say(parts, text);
    const asks = fact.type === 'run:paused' || fact.type === 'question:put';
    const reply = asks && !parts.isTerminal ? replyText(state, run) : null;
    if (reply !== null) say(parts, reply);
  }
}

async function report(
  parts: CliParts,
  options: PlayOptions,
  { home, run, state }: Readonly<{ home: string; run: string; state: CouncilState }>,
): Promise<number> {
  if (!options.keepCopy) {
    const removed = await removeCopy(home, run);
    if (!removed.ok) say(parts, `The copy of the repository could not be removed: ${removed.reason}`);
  }
  const made = reportOf(state);
  const text = options.json ? JSON.stringify(made, null, 2) : reportMarkdown(made).trimEnd();
  parts.print(options.json || !parts.isTerminal ? text : `\n${wrapText(text, parts.columns)}`);
  if (state.phase !== 'finished') return EXIT.failed;
  if (hasContribution(made)) return EXIT.done;
  say(parts, 'No model contributed. Check the models with "understudy doctor", then start the run again.');
  return EXIT.failed;
}
