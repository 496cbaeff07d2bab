import { asArgument } from '../../../contract/status-text';
import { readWord } from '../../../core/council/words';
import { reportMarkdown } from '../../../council/report/markdown';
import { reportOf } from '../../../council/report/report';
import type { CouncilStep } from '../../../council/run/step';
import type { CouncilState } from '../../../council/state/state';
import { factText, namesOf } from '../../../council/told/fact-text';
import { failureText } from '../../../node/base/failure';
import { stateHome } from '../../../node/base/state-home';
import { type Launched, launch } from '../../../node/council/launch';
import { isPlayed, type Place, removeCopy, sendWord } from '../../../node/council/run-folder';
import type { OpencodeBinary } from '../../../node/opencode';
import { killTree } from '../../../node/opencode/child';
import { type CliParts, EXIT, type JsonOption, refuse } from '../../parts';
import { wrapText } from '../../wrap';
import { followRun, isOver, seeRun } from './seen';
import { replyText } from './texts';

/** What may be typed while a run is played. */
const CHOICES =
  'Type yes or no to answer a question, retry NAME or retry all to ask somebody again, or stop to end the run with a report. Ctrl-C leaves the run: it can be resumed.';

/** How a run is played from here. */
export type PlayOptions = JsonOption & Readonly<{ keepCopy?: boolean }>;

/** A run, and what plays it. */
type Played = Readonly<{
  binary: OpencodeBinary;
  place: Place;
  /** The signal of an interrupt. */
  signal: AbortSignal;
  /** So many lines of its journal have been told before. */
  told: number;
}>;

/** How it came that a run is not followed any more. */
type Ending = 'over' | 'interrupted' | 'ended' | 'untaken';

/** An OpenCode that listens takes its run up at once; this is for a machine that others keep busy, in ms. */
const TAKE_LIMIT_MS = 60_000;
/** Whoever played a run that is over has to let go of it, in ms. */
const RELEASE_LIMIT_MS = 2_000;
const LOOK_MS = 50;

/**
 * Starts an OpenCode that plays a run, tells on the error output what happens, and prints the report when it is over.
 *
 * @returns the exit code: 0 finished, 1 stopped, interrupted or left by its OpenCode.
 */
export async function playHere(parts: CliParts, options: PlayOptions, played: Played): Promise<number> {
  const home = stateHome(parts.env);
  const { binary, place, signal } = played;
  const { run } = place;
  const leave = (why: string): number =>
    refuse(
      parts,
      options,
      `${why}\nNothing is lost. To go on: understudy council resume ${asArgument(run)}`,
      EXIT.failed,
    );
  if (signal.aborted) return leave('Interrupted.');
  say(parts, `Run ${run} is played by OpenCode ${binary.version}.`);
  let opencode: Launched;
  try {
    opencode = await launch({ binary, place, home, env: parts.env, companion: parts.source, signal });
  } catch (error) {
    return leave(signal.aborted ? 'Interrupted.' : `OpenCode did not start: ${failureText(error)}`);
  }
  const ending = await followed(parts, { ...played, home, opencode });
  if (ending === 'over') {
    await released(home, run);
    await opencode.stop();
    return await report(parts, options, { home, run });
  }
  // Politely it may end the turns that are under way, which is heard as a person's doing. What it has heard is written down already.
  if (ending !== 'ended') killTree(opencode.child.pid, 'SIGKILL');
  const { exitCode, signal: by } = await opencode.child.exited;
  // The last it heard may have been the end.
  if (isOver((await seeRun(home, run)).state)) return await report(parts, options, { home, run });
  if (ending === 'interrupted') return leave('Interrupted.');
  const output = `Its last output:\n${opencode.child.outputTail()}`;
  if (ending === 'ended') return leave(`OpenCode has ended by itself (${by ?? `exit ${exitCode}`}). ${output}`);
  return leave(`OpenCode runs, and has not taken up the run. ${output}`);
}

const say = ({ printError, columns }: CliParts, text: string): void => printError(wrapText(text, columns));

type Following = Played & Readonly<{ home: string; opencode: Launched }>;

/** Tells what happens, and passes on what is typed, until there is nothing more to tell. */
function followed(parts: CliParts, { home, place, told, signal, opencode }: Following): Promise<Ending> {
  const { run } = place;
  return new Promise((resolve) => {
    let last: CouncilState | null = null;
    let deafen: (() => void) | null = null;
    const end = (ending: Ending): void => {
      clearTimeout(untaken);
      signal.removeEventListener('abort', interrupt);
      deafen?.();
      unfollow();
      resolve(ending);
    };
    const interrupt = (): void => end('interrupted');
    const untaken = setTimeout(() => end('untaken'), TAKE_LIMIT_MS);
    const taken = (): void => {
      clearTimeout(untaken);
      // Until then there is nothing to answer.
      if (!parts.isTerminal || deafen !== null) return;
      say(parts, CHOICES);
      deafen = parts.hearLines((line) => void passOn(parts, { home, run, state: last }, line));
    };
    const unfollow = followRun(home, run, (step, event, before) => {
      last = step.state;
      if (before < told) return;
      if (event.type === 'run.resumed') taken();
      tell(parts, run, step);
      if (isOver(step.state)) end('over');
    });
    signal.addEventListener('abort', interrupt);
    void opencode.child.exited.then(() => end('ended'));
    if (signal.aborted) interrupt();
  });
}

/** Facts as people are told them, and where nobody can type here, what is to be typed elsewhere. */
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

type Listening = Readonly<{ home: string; run: string; state: CouncilState | null }>;

async function passOn(parts: CliParts, { home, run, state }: Listening, line: string): Promise<void> {
  if (line.trim() === '') return;
  const word = state === null ? null : readWord(line, state);
  const sent = word === null ? { ok: false as const, reason: CHOICES } : await sendWord(home, run, word);
  if (!sent.ok) say(parts, sent.reason);
}

/** Whoever plays a run writes to its end, and lets go of it. */
async function released(home: string, run: string): Promise<void> {
  const limit = Date.now() + RELEASE_LIMIT_MS;
  while (Date.now() < limit && (await isPlayed(home, run)))
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}

/** Prints what came of a run that is over, and removes what it needs no more. */
async function report(
  parts: CliParts,
  options: PlayOptions,
  { home, run }: Readonly<{ home: string; run: string }>,
): Promise<number> {
  if (!options.keepCopy) {
    const removed = await removeCopy(home, run);
    if (!removed.ok) say(parts, `The copy of the repository could not be removed: ${removed.reason}`);
  }
  const { state } = await seeRun(home, run);
  const made = reportOf(state);
  parts.print(options.json ? JSON.stringify(made, null, 2) : reportMarkdown(made).trimEnd());
  return state.phase === 'finished' ? EXIT.done : EXIT.failed;
}
