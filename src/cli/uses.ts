import { type Command, InvalidArgumentError } from 'commander';

export type Use = Readonly<{
  options: readonly string[];
  args?: readonly string[];
  required?: readonly string[];
}>;

/** Exits with a usage error unless options and arguments fit. @param name of the use, for the message. */
export function checkUse(command: Command, name: string, use: Use, given: readonly string[]): void {
  const { options, args = [], required = [] } = use;
  const isGiven = (attribute: string): boolean => command.getOptionValueSource(attribute) === 'cli';
  const wrong = command.options.find(
    (option) => isGiven(option.attributeName()) && !options.includes(option.attributeName()),
  );
  if (wrong) command.error(`error: option '${wrong.long}' cannot be used with '${name}'`);
  const missing = args[given.length];
  if (missing !== undefined && !missing.startsWith('[')) command.error(`error: missing required argument '${missing}'`);
  if (given.length > args.length) command.error(`error: too many arguments for '${name}'`);
  const absent = required.find((attribute) => !isGiven(attribute));
  if (absent !== undefined) command.error(`error: required option '--${absent}' not specified`);
}

export function readArgument<Value>(command: Command, read: (text: string) => Value, text = ''): Value {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof InvalidArgumentError) command.error(`error: ${error.message}`);
    throw error;
  }
}
