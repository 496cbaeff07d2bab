/** Splits a byte stream into server-sent events, each with its blank line, whatever the pieces and line ends. */
export type EventSplitter = Readonly<{
  /** Whole events in `chunk` and what was left before it. */
  push(chunk: Uint8Array): string[];
  /** What remains when the stream has ended. */
  end(): string[];
}>;

/** A splitter for one stream. */
export function createEventSplitter(): EventSplitter {
  const decoder = new TextDecoder();
  let rest = '';
  const take = (text: string): string[] => {
    rest += text;
    const events: string[] = [];
    for (;;) {
      const match = /\r?\n\r?\n/.exec(rest);
      if (!match) return events;
      const end = match.index + match[0].length;
      events.push(rest.slice(0, end));
      rest = rest.slice(end);
    }
  };
  return {
    push: (chunk) => take(decoder.decode(chunk, { stream: true })),
    end() {
      const events = take(decoder.decode());
      if (rest.trim() !== '') events.push(`${rest}\n\n`);
      rest = '';
      return events;
    },
  };
}
