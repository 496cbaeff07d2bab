import { createClosers } from './closers';
import { openPlace } from './place';
import type { StageOptions } from './stage';
import type { TerminalStyle } from './terminal';

export type DemoOptions = Readonly<{
  /** Plays a council instead of a conversation. */
  isCouncil: boolean;
  once: boolean;
  /** Continues without input, through one failure after another. */
  loop: boolean;
  /** Port of the panel; 0 takes any free one. */
  port: number;
  open: boolean;
}>;

export type DemoMachine = Readonly<{
  version: string;
  builtRoot: string;
  companion: string;
  env: NodeJS.ProcessEnv;
  style: TerminalStyle;
  input: NodeJS.ReadableStream;
  print(text: string): void;
  printError(text: string): void;
  openBrowser: ((url: string) => void) | null;
  /** Notifies the parent process that the panel is ready; null if the user started the demo. */
  tellParent: ((opened: Readonly<{ url: string }>) => void) | null;
  stop: AbortSignal;
}>;

export type Playing = Readonly<{
  building: Pick<StageOptions, 'place' | 'closers' | 'signal'>;
  fail(reason: string): void;
}>;

/**
 * Plays a demo in its own folder, then removes everything.
 * @param story name in the message about an early stop.
 * @param play returns the exit code, or throws with a message for people.
 * @returns 1 if it failed or left something behind.
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
    const why = machine.stop.aborted ? `it was stopped before the end of its ${story}.` : reason;
    machine.printError(`The demo failed: ${why}`);
  }
  const problems = await closers.closeAll();
  for (const problem of problems) machine.printError(`Could not clean up: ${problem}`);
  if (problems.length === 0 && code === 0 && !once)
    machine.print('\nDemo ended: OpenCode is stopped, and its folder is deleted.');
  return problems.length > 0 ? 1 : code;
}
