/** A problem of a text; `line` is null if it is not about one line. */
export type Problem = Readonly<{ line: number | null; message: string }>;

/** What stands in a text may be anything, and as long as the text. */
const SHOWN_MAX_CHARS = 60;

/** A name from a text as a message shows it. */
export const shown = (name: string): string =>
  `“${name.length > SHOWN_MAX_CHARS ? `${name.slice(0, SHOWN_MAX_CHARS)}…` : name}”`;
