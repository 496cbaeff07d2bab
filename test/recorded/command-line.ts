import type { CliParts } from '../../src/cli/parts';
import { runCli } from '../cli/run-cli';
import { currentLine } from './former';

/** One command line and its output; parsed where it is JSON. */
export type CommandOutput = Readonly<{ line: string; code: number; output: unknown }>;

/** Commands that print another format or JSON lines. */
const NOT_JSON = /--format|^(?:export|log export|rank data export)/;

/** Runs a command line of version 0.1.0, where it is now, with `--json` unless the line chooses a format itself. */
export async function commandLine(line: string, parts: Partial<CliParts>): Promise<CommandOutput> {
  const printed: string[] = [];
  const print = (text: string): void => void printed.push(text);
  const args = [...currentLine(line).split(' '), ...(NOT_JSON.test(line) ? [] : ['--json'])];
  const code = await runCli(args, { ...parts, print, printError: print });
  const text = printed.join('\n');
  try {
    return { line, code, output: JSON.parse(text) as unknown };
  } catch {
    return { line, code, output: text };
  }
}
