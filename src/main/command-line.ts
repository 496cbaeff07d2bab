/** The first argument that makes the app a command line: what follows is what `understudy` takes. */
const COMMAND_LINE_FLAG = '--cli';

/** What Chromium has to be told where it may not have its sandbox; it stands before everything of ours. */
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
  // Chromium reads no further than this, so that none of its own switches can be given.
  return rest[0] === '--' ? rest.slice(1) : rest;
}

/** What another process of this app is started with to be a command line. @param args What this one was started with. */
export function commandLineFlags(args: readonly string[]): readonly string[] {
  // Where Chromium has no sandbox, it ends at once unless it is told so.
  return [...(args[0] === BEFORE ? [BEFORE] : []), COMMAND_LINE_FLAG, '--'];
}
