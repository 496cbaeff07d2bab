/** Splits a byte stream into server-sent events, each with its blank line, whatever the pieces and line ends. */
export type EventSplitter = Readonly<{
  /** Whole events in `chunk` and what was left before it. */
  push(chunk: Uint8Array): string[];
  end(): string[];
}>;

export function createEventSplitter(): EventSplitter {
  const decoder = new TextDecoder();
  let rest = '';
  const take = (text: string): string[] => {
    const blank = /\r?\n\r?\n/g;
    // What was there before holds no blank line, only perhaps the beginning of one: a large event is not read again and again.
    blank.lastIndex = Math.max(0, rest.length - 3);
    rest += text;
    const events: string[] = [];
    let begin = 0;
    for (let match = blank.exec(rest); match; match = blank.exec(rest)) {
      events.push(rest.slice(begin, blank.lastIndex));
      begin = blank.lastIndex;
    }
    rest = rest.slice(begin);
    return events;
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

/** What a stream of events begins with, after white space and a byte order mark: a field's name, or a comment. */
const EVENT_STREAM = /^(?:data|event|id|retry)?:/;
/** As many characters decide. */
const DECIDING_CHARS = 6;

/** A body whose beginning has been looked at. */
export type OpenedBody = Readonly<{ isEventStream: boolean; body: ReadableStream<Uint8Array> }>;

/** Looks at the first characters of a body. @returns the whole body again, and whether it is a stream of events. */
export async function openBody(source: ReadableStream<Uint8Array>): Promise<OpenedBody> {
  const reader = source.getReader();
  const decoder = new TextDecoder();
  const read: Uint8Array[] = [];
  let text = '';
  let isDone = false;
  while (!isDone && text.length < DECIDING_CHARS) {
    const chunk = await reader.read();
    isDone = chunk.done;
    if (!chunk.value) continue;
    read.push(chunk.value);
    text = (text + decoder.decode(chunk.value, { stream: true })).trimStart();
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = read.shift() ?? (isDone ? undefined : (await reader.read()).value);
      if (next) controller.enqueue(next);
      else controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { isEventStream: EVENT_STREAM.test(text), body };
}
