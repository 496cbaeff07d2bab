import { failureText } from '../../../node/base/failure';
import type { Environment } from '../../../node/base/state-home';
import type { OpencodeBinary } from '../../../node/opencode';
import { killTree } from '../../../node/opencode/child';
import { readWord } from '../core/words';
import type { CouncilStep } from '../rules/run/step';
import { type CouncilState, isOver } from '../rules/state/state';
import { followRun } from './follow';
import { playedState, readJournal } from './journal';
import { type Launched, launch } from './launch';
import { isPlayed, type Place, sendWord, takeRun } from './run-folder';

export type Played = Readonly<{
  binary: OpencodeBinary;
  place: Place;
  home: string;
  env: Environment;
  companion: string;
  signal: AbortSignal;
  /** So many lines of its journal have been told before. */
  told: number;
}>;

export type Ears = Readonly<{
  /** The run has been taken up, and can be spoken to. @returns what ends the speaking; null where nobody speaks. */
  taken(): (() => void) | null;
  /** Hears what comes of each thing that the run hears. */
  hear(step: CouncilStep): void;
}>;

/** How a run was left: over, or before that, and why, in words for people. */
export type PlayedOut = Readonly<{ isOver: true; state: CouncilState }> | Readonly<{ isOver: false; why: string }>;

/** How it came that a run is not followed any more. */
type Ending = 'over' | 'interrupted' | 'ended' | 'untaken' | 'dropped';

/** An OpenCode that listens takes its run up at once; this is for a machine that others keep busy, in ms. */
const TAKE_LIMIT_MS = 60_000;
/** Whoever played a run that is over has to let go of it, in ms. */
const RELEASE_LIMIT_MS = 2_000;
const LOOK_MS = 50;
/** How often it is looked whether a run is played still, in ms. */
const STILL_MS = 3_000;

const left = (why: string): PlayedOut => ({ isOver: false, why });

/** Starts an OpenCode that plays a run, follows the run until it is over or left, and ends that OpenCode. */
export async function playRunInChild(played: Played, ears: Ears): Promise<PlayedOut> {
  const { place, home, signal } = played;
  const { run } = place;
  // Until its OpenCode has taken it up it is ours: nobody else starts one for it, or calls it left.
  const held = await takeRun(home, run);
  if (!held.ok) return left(held.reason);
  let opencode: Launched;
  try {
    opencode = await launch(played);
  } catch (error) {
    await held.release();
    return left(signal.aborted ? INTERRUPTED : `OpenCode did not start: ${failureText(error)}`);
  }
  const taken = (): (() => void) | null => {
    held.handOver();
    return ears.taken();
  };
  const ending = await followed({ ...played, opencode }, { ...ears, taken });
  await held.release();
  if (ending === 'over') {
    await released(home, run);
    await opencode.stop();
    return { isOver: true, state: await playedState(await readJournal(home, run)) };
  }
  // Politely it may end the turns that are under way, which is heard as a person's doing. What it has heard is written down already.
  if (ending !== 'ended') killTree(opencode.child.pid, 'SIGKILL');
  const { exitCode, signal: by } = await opencode.child.exited;
  // The last it heard may have been the end.
  const state = await playedState(await readJournal(home, run));
  if (isOver(state)) return { isOver: true, state };
  if (ending === 'interrupted') return left(INTERRUPTED);
  const output = `Its last output:\n${opencode.child.outputTail()}`;
  if (ending === 'ended') return left(`OpenCode has ended by itself (${by ?? `exit ${exitCode}`}). ${output}`);
  if (ending === 'dropped') return left(`OpenCode has let go of the run. ${output}`);
  return left(`OpenCode runs, and has not taken up the run. ${output}`);
}

const INTERRUPTED = 'Interrupted.';

type Following = Played & Readonly<{ opencode: Launched }>;

/** Lets somebody hear a run until there is nothing more to hear. */
function followed({ home, place, told, signal, opencode }: Following, ears: Ears): Promise<Ending> {
  return new Promise((resolve) => {
    let isTaken = false;
    let isEnd = false;
    let deafen: (() => void) | null = null;
    const end = (ending: Ending): void => {
      clearTimeout(untaken);
      clearInterval(still);
      signal.removeEventListener('abort', interrupt);
      deafen?.();
      following.end();
      resolve(ending);
    };
    const interrupt = (): void => end('interrupted');
    const untaken = setTimeout(() => end('untaken'), TAKE_LIMIT_MS);
    const still = setInterval(async () => {
      if (!isTaken || (await isPlayed(home, place.run))) return;
      // Its last lines may be the end of the run.
      await following.look();
      if (!isEnd) end('dropped');
    }, STILL_MS);
    const following = followRun(home, place.run, (step, event, before) => {
      isEnd = isOver(step.state);
      if (before >= told && event.type === 'run.resumed' && !isTaken) {
        isTaken = true;
        clearTimeout(untaken);
        deafen = ears.taken();
      }
      if (before >= told) ears.hear(step);
      if (before >= told && isOver(step.state)) end('over');
    });
    signal.addEventListener('abort', interrupt);
    void opencode.child.exited.then(() => end('ended'));
    if (signal.aborted) interrupt();
  });
}

async function released(home: string, run: string): Promise<void> {
  const limit = Date.now() + RELEASE_LIMIT_MS;
  while (Date.now() < limit && (await isPlayed(home, run)))
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}

export type Spoken = Readonly<{ home: string; run: string; state: CouncilState | null; choices: string }>;

/** Says a line that was typed to a run. @returns why it was not said, in words for people; null where there is nothing to tell. */
export async function sayLine({ home, run, state, choices }: Spoken, line: string): Promise<string | null> {
  if (line.trim() === '') return null;
  const word = state === null ? null : readWord(line, state);
  if (word === null) return choices;
  const sent = await sendWord(home, run, word);
  return sent.ok ? null : sent.reason;
}
