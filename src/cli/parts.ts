import type { DemoOptions } from '../demo/machine';
import type { OpenedCore } from '../node/attach-core';
import { wrapText } from './wrap';

/** Dependencies of the command line; tests pass fakes. */
export type CliParts = Readonly<{
  version: string;
  env: NodeJS.ProcessEnv;
  directory: string;
  /** The built companion that ships with this program. */
  source: string;
  isTerminal: boolean;
  hasColour: boolean;
  /** Null without a terminal: programs read whole lines. */
  columns: number | null;
  signal: AbortSignal;
  ask(question: string): Promise<boolean>;
  hearLines(hear: (line: string) => void): () => void;
  attachCore(): Promise<OpenedCore | null>;
  runPanel(options: Readonly<{ port: number | null; open: boolean }>): Promise<number>;
  runDemo(options: DemoOptions): Promise<number>;
  print(text: string): void;
  printError(text: string): void;
}>;

/** 3 and 4 follow systemd. */
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

export type Finish = (code: number) => void;

export type JsonOption = Readonly<{ json?: boolean }>;

export const isPrinted = (out: string | undefined): out is undefined | '-' => out === undefined || out === '-';

export function show<Answer>(
  parts: CliParts,
  { json }: JsonOption,
  answer: Answer,
  words: (answer: Answer) => string,
): void {
  parts.print(json ? JSON.stringify(answer, null, 2) : words(answer));
}

/** Wraps lines on a narrow terminal. */
export function showLines<Answer>(
  parts: CliParts,
  options: JsonOption,
  answer: Answer,
  words: (answer: Answer) => string,
): void {
  show(parts, options, answer, (given) => wrapText(words(given), parts.columns));
}

export function refuse(parts: CliParts, { json }: JsonOption, reason: string, code: number = EXIT.refused): number {
  if (json) parts.print(JSON.stringify({ ok: false, reason }, null, 2));
  else parts.printError(wrapText(reason, parts.columns));
  return code;
}
