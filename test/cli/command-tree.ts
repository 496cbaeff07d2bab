import { type Command, CommanderError } from 'commander';
import { commandTree } from '../../src/cli/program';
import { partsOf } from './run-cli';

/** Errors of a line that names a command without its arguments. */
const INCOMPLETE = ['missingArgument', 'missingMandatoryOptionValue', 'optionMissingArgument', 'helpDisplayed'];
const HELP = ['--help', '-h'];

const tree = (): Command => commandTree(partsOf(), () => undefined);
const leavesOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
/** Splits at spaces outside of quotes. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

/** Parses a command line with the real commands, and runs none. @returns the usage error; null for a valid line. */
export async function usageError(line: string): Promise<string | null> {
  const program = tree();
  for (const leaf of leavesOf(program)) leaf.action(() => undefined);
  try {
    await program.parseAsync(wordsOf(line), { from: 'user' });
    return null;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return INCOMPLETE.some((code) => error.code.endsWith(code)) ? null : error.message;
  }
}

/** @returns the first word of a sentence that should be a command or an option and is none; null without one. */
export function unknownWord(sentence: string): string | null {
  let command = tree();
  for (const word of wordsOf(sentence)) {
    const next = command.commands.find((one) => one.name() === word);
    if (next) command = next;
    else if (word.startsWith('--') && !HELP.includes(word)) {
      const withDefault = [command, ...command.commands];
      if (!withDefault.some(({ options }) => options.some((option) => option.long === word))) return word;
    } else if (command.commands.length > 0) return word;
  }
  return command.parent === null ? sentence : null;
}
