/** Accepts any chunks and line ends; each event ends with its blank line. */
export type EventSplitter = Readonly<{
  push(chunk: Uint8Array): string[];
  end(): string[];
}>;

export function createEventSplitter(): EventSplitter {
  const decoder = new TextDecoder();
  let rest = '';
  const take = (text: string): string[] => {
    const blank = /\r?\n\r?\n/g;
    // The rest holds no blank line, at most its start: do not rescan it.
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

/** Start of a stream, after white space and a byte order mark: a field's name, or a comment. */
const EVENT_STREAM = /^(?:data|event|id|retry)?:/;
const DECIDING_CHARS = 6;

export type OpenedBody = Readonly<{ isEventStream: boolean; body: ReadableStream<Uint8Array> }>;

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
