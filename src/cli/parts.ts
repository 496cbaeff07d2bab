import type { DemoOptions } from '../demo/machine';
import type { OpenedCore } from '../node/attach-core';
import { wrapText } from './wrap';

/** What the command line needs of the machine; tests pass their own. */
export type CliParts = Readonly<{
  version: string;
  env: NodeJS.ProcessEnv;
  /** The project the command is about. */
  directory: string;
  /** The built companion that comes with this program. */
  source: string;
  /** A person reads along and can be asked. */
  isTerminal: boolean;
  hasColour: boolean;
  /** How many columns the terminal has that shows the output; null where it is no terminal: what reads it gets whole lines. */
  columns: number | null;
  /** Ends what runs until it is interrupted. */
  signal: AbortSignal;
  /** Asks the person at the terminal; true is yes. */
  ask(question: string): Promise<boolean>;
  /** Hears each line that the person at the terminal types. @returns what ends it. */
  hearLines(hear: (line: string) => void): () => void;
  /** Attaches to the running core; null when none runs. */
  attachCore(): Promise<OpenedCore | null>;
  runPanel(options: Readonly<{ port: number | null; open: boolean }>): Promise<number>;
  runDemo(options: DemoOptions): Promise<number>;
  print(text: string): void;
  printError(text: string): void;
}>;

/** Exit codes; 3 and 4 after systemd's: nothing runs, or it runs and does not answer. */
export const EXIT = {
  done: 0,
  failed: 1,
  notUnderstood: 2,
  notRunning: 3,
  noAnswer: 4,
  /** A proposal has models that somebody has to decide on first. */
  undecided: 4,
  refused: 5,
  unwell: 6,
} as const;

/** The same codes as people read them. */
export const EXIT_CODES =
  '0 done, 1 failed, 2 not understood, 3 Understudy is not running, 4 it does not answer or a decision of yours is missing, 5 refused and nothing changed, 6 the doctor found something to fix';

/** Every command can answer for scripts. */
export type JsonOption = Readonly<{ json?: boolean }>;

/** Whether a command prints its result: `--out` names no file, or "-". */
export const isPrinted = (out: string | undefined): out is undefined | '-' => out === undefined || out === '-';

/** Prints an answer: as JSON, or in words. */
export function show<Answer>(
  parts: CliParts,
  { json }: JsonOption,
  answer: Answer,
  words: (answer: Answer) => string,
): void {
  parts.print(json ? JSON.stringify(answer, null, 2) : words(answer));
}

/** The same for what is read line by line, such as tables and sentences: broken between words where the terminal is narrow. */
export function showLines<Answer>(
  parts: CliParts,
  options: JsonOption,
  answer: Answer,
  words: (answer: Answer) => string,
): void {
  show(parts, options, answer, (given) => wrapText(words(given), parts.columns));
}

/** Says why nothing was done; with `--json` as an object on the output. @returns the exit code. */
export function refuse(parts: CliParts, { json }: JsonOption, reason: string, code: number = EXIT.refused): number {
  if (json) parts.print(JSON.stringify({ ok: false, reason }, null, 2));
  else parts.printError(wrapText(reason, parts.columns));
  return code;
}
