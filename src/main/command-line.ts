/** As the first argument it turns the app into a command line; the arguments of `understudy` follow. */
const COMMAND_LINE_FLAG = '--cli';

/** Chromium's argument if its sandbox is unavailable; it precedes our arguments. */
const BEFORE = '--no-sandbox';

/**
 * The command line that a program was started as; null where it was started as an app. Only the first argument decides:
 * a link that others may open must never become a command.
 *
 * @param args Those after the program and, where it is not packaged, its folder.
 */
export function commandLineIn(args: readonly string[]): readonly string[] | null {
  const [flag, ...rest] = args[0] === BEFORE ? args.slice(1) : args;
  if (flag !== COMMAND_LINE_FLAG) return null;
  // Chromium stops parsing here, so that nobody can pass its own switches.
  return rest[0] === '--' ? rest.slice(1) : rest;
}

/** What another process of this app is started with to be a command line. @param args What this one was started with. */
export function commandLineFlags(args: readonly string[]): readonly string[] {
  // Without a sandbox, Chromium exits unless it gets this argument.
  return [...(args[0] === BEFORE ? [BEFORE] : []), COMMAND_LINE_FLAG, '--'];
}
