const COMMAND_LINE_FLAG = '--cli';

/** Chromium's argument without a sandbox. */
const BEFORE = '--no-sandbox';

/** Null for an app. Only the first argument decides: a link that others may open must never become a command. */
export function commandLineIn(args: readonly string[]): readonly string[] | null {
  const [flag, ...rest] = args[0] === BEFORE ? args.slice(1) : args;
  if (flag !== COMMAND_LINE_FLAG) return null;
  // Chromium stops parsing here.
  return rest[0] === '--' ? rest.slice(1) : rest;
}

/** For another process of this app. */
export function commandLineFlags(args: readonly string[]): readonly string[] {
  // Without a sandbox, Chromium exits unless it gets this.
  return [...(args[0] === BEFORE ? [BEFORE] : []), COMMAND_LINE_FLAG, '--'];
}
