import type { DemoOptions } from '../demo/machine';
import type { OpenedCore } from '../node/attach-core';
import { wrapText } from './wrap';

/** The dependencies of the command line; tests pass their own. */
export type CliParts = Readonly<{
  version: string;
  env: NodeJS.ProcessEnv;
  /** The project the command is about. */
  directory: string;
  /** The built companion that comes with this program. */
  source: string;
  /** A person can answer questions. */
  isTerminal: boolean;
  hasColour: boolean;
  /** Width of the terminal; null without one: programs read whole lines. */
  columns: number | null;
  /** Aborts on an interrupt. */
  signal: AbortSignal;
  /** Asks the person at the terminal; true is yes. */
  ask(question: string): Promise<boolean>;
  /** Passes each line typed on the terminal. @returns the function that unsubscribes. */
  hearLines(hear: (line: string) => void): () => void;
  /** Connects to the running core; null if none runs. */
  attachCore(): Promise<OpenedCore | null>;
  runPanel(options: Readonly<{ port: number | null; open: boolean }>): Promise<number>;
  runDemo(options: DemoOptions): Promise<number>;
  print(text: string): void;
  printError(text: string): void;
}>;

/** Exit codes; 3 and 4 follow systemd. */
export const EXIT = {
  done: 0,
  failed: 1,
  notUnderstood: 2,
  notRunning: 3,
  noAnswer: 4,
  /** A suggestion waits for decisions on its models. */
  undecided: 4,
  refused: 5,
  unwell: 6,
} as const;

export const EXIT_CODES =
  '0 done, 1 failed, 2 usage error, 3 not running, 4 no answer or\n  decision missing, 5 refused and nothing changed, 6 problem found';

/** Receives the exit code of a command. */
export type Finish = (code: number) => void;

export type JsonOption = Readonly<{ json?: boolean }>;

/** True if `--out` names no file, or "-". */
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

/** The same for tables and sentences: wraps lines on a narrow terminal. */
export function showLines<Answer>(
  parts: CliParts,
  options: JsonOption,
  answer: Answer,
  words: (answer: Answer) => string,
): void {
  show(parts, options, answer, (given) => wrapText(words(given), parts.columns));
}

/** Reports a refusal; with `--json` as an object on the output. @returns the exit code. */
export function refuse(parts: CliParts, { json }: JsonOption, reason: string, code: number = EXIT.refused): number {
  if (json) parts.print(JSON.stringify({ ok: false, reason }, null, 2));
  else parts.printError(wrapText(reason, parts.columns));
  return code;
}
