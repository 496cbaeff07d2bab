/** `line` is null if the problem is not about one line. */
export type Problem = Readonly<{ line: number | null; message: string }>;

/** Names in a file can be as long as the file. */
const SHOWN_MAX_CHARS = 60;

export const shown = (name: string): string =>
  `“${name.length > SHOWN_MAX_CHARS ? `${name.slice(0, SHOWN_MAX_CHARS)}…` : name}”`;
