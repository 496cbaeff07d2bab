import { createClosers } from './closers';
import { openPlace } from './place';
import type { StageOptions } from './stage';
import type { TerminalStyle } from './terminal';

export type DemoOptions = Readonly<{
  /** A council is shown, in place of a conversation. */
  isCouncil: boolean;
  once: boolean;
  /** Goes on by itself, with one trouble after another. */
  loop: boolean;
  /** Of the panel; 0 takes any free one. */
  port: number;
  open: boolean;
}>;

export type DemoMachine = Readonly<{
  version: string;
  /** Folder of the built files. */
  builtRoot: string;
  companion: string;
  env: NodeJS.ProcessEnv;
  style: TerminalStyle;
  input: NodeJS.ReadableStream;
  print(text: string): void;
  printError(text: string): void;
  /** Shows an address in a browser; null where none can appear. */
  openBrowser: ((url: string) => void) | null;
  /** Tells whoever started this process that the panel can be opened; null where a person did. */
  tellParent: ((opened: Readonly<{ url: string }>) => void) | null;
  /** Ends the demo. */
  stop: AbortSignal;
}>;

/** A demo while it is played. */
export type Playing = Readonly<{
  building: Pick<StageOptions, 'place' | 'closers' | 'signal'>;
  /** Ends it, for a reason that is told. */
  fail(reason: string): void;
}>;

/**
 * Plays a demo in a folder of its own, and closes and removes everything of it.
 *
 * @param story what it is to be told as, when it is stopped before that has ended.
 * @param play gives the exit code, and throws with a message for people.
 * @returns the exit code: 1 where it failed or left something behind.
 */
export async function playSealed(
  { once, story }: Readonly<{ once: boolean; story: string }>,
  machine: DemoMachine,
  play: (playing: Playing) => Promise<number>,
): Promise<number> {
  const closers = createClosers();
  const failures = new AbortController();
  const signal = AbortSignal.any([machine.stop, failures.signal]);
  let code = 1;
  try {
    const place = await openPlace(closers, machine.env);
    code = await play({
      building: { place, closers, signal },
      fail: (reason) => failures.abort(new Error(reason)),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const why = machine.stop.aborted ? `it was stopped before its ${story} had ended.` : reason;
    machine.printError(`The demo failed: ${why}`);
  }
  const problems = await closers.closeAll();
  for (const problem of problems) machine.printError(`Could not clean up: ${problem}`);
  if (problems.length === 0 && code === 0 && !once) machine.print('\nEnded: OpenCode is stopped, its folder is gone.');
  return problems.length > 0 ? 1 : code;
}
