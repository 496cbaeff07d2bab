import { writeFile } from '../node/base/disk';
import type { CliParts, JsonOption } from './parts';

const PRIVATE_FILE_MODE = 0o600;

type Question = Readonly<{
  refusal: string;
  shown?: string;
  question: string;
  declined: string;
}>;

/** Asks on a terminal, unless `--yes` is set. @returns the reason to do nothing; null after approval. */
export async function objectionTo(
  parts: CliParts,
  { yes, json }: JsonOption & Readonly<{ yes?: boolean }>,
  { refusal, shown, question, declined }: Question,
): Promise<string | null> {
  if (yes) return null;
  if (json || !parts.isTerminal) return refusal;
  if (shown !== undefined) parts.print(shown);
  return (await parts.ask(question)) ? null : declined;
}

/** Prints, or writes a file that only the user can read; "-" prints. */
export async function printOrWrite(parts: CliParts, out: string | undefined, text: string): Promise<void> {
  if (out === undefined || out === '-') parts.print(text.trimEnd());
  else await writeFile(out, text, { mode: PRIVATE_FILE_MODE });
}
