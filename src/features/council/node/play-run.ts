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
  told: number;
}>;

export type Ears = Readonly<{
  /** The run accepts messages now. @returns a function that ends the input; null without one. */
  taken(): (() => void) | null;
  hear(step: CouncilStep): void;
}>;

export type PlayedOut = Readonly<{ isOver: true; state: CouncilState }> | Readonly<{ isOver: false; why: string }>;

type Ending = 'over' | 'interrupted' | 'ended' | 'untaken' | 'dropped';

/** For a busy machine, in ms; normally OpenCode takes its run on start. */
const TAKE_LIMIT_MS = 60_000;
/** For the player to release a finished run, in ms. */
const RELEASE_LIMIT_MS = 2_000;
const LOOK_MS = 50;
const STILL_MS = 3_000;

const left = (why: string): PlayedOut => ({ isOver: false, why });

/** Resolves after OpenCode has ended. */
export async function playRunInChild(played: Played, ears: Ears): Promise<PlayedOut> {
  const { place, home, signal } = played;
  const { run } = place;
  // Until OpenCode takes the run, no other process may start it or report it as abandoned.
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
  // A graceful exit could abort turns, which looks like the user. The journal has all events.
  if (ending !== 'ended') killTree(opencode.child.pid, 'SIGKILL');
  const { exitCode, signal: by } = await opencode.child.exited;
  const state = await playedState(await readJournal(home, run));
  if (isOver(state)) return { isOver: true, state };
  if (ending === 'interrupted') return left(INTERRUPTED);
  const output = `Its last output:\n${opencode.child.outputTail()}`;
  if (ending === 'ended') return left(`OpenCode exited unexpectedly (${by ?? `exit ${exitCode}`}). ${output}`);
  if (ending === 'dropped') return left(`OpenCode has released the run. ${output}`);
  return left(`OpenCode is running but has not started the run. ${output}`);
}

const INTERRUPTED = 'Interrupted.';

type Following = Played & Readonly<{ opencode: Launched }>;

function followed({ home, place, told: journalLength, signal, opencode }: Following, ears: Ears): Promise<Ending> {
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
      // The last lines may have ended the run.
      await following.look();
      if (!isEnd) end('dropped');
    }, STILL_MS);
    const following = followRun(home, place.run, (step, event, before) => {
      isEnd = isOver(step.state);
      if (before >= journalLength && event.type === 'run.resumed' && !isTaken) {
        isTaken = true;
        clearTimeout(untaken);
        deafen = ears.taken();
      }
      if (before >= journalLength) ears.hear(step);
      if (before >= journalLength && isOver(step.state)) end('over');
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

export async function sayLine({ home, run, state, choices }: Spoken, line: string): Promise<string | null> {
  if (line.trim() === '') return null;
  const word = state === null ? null : readWord(line, state);
  if (word === null) return choices;
  const sent = await sendWord(home, run, word);
  return sent.ok ? null : sent.reason;
}
