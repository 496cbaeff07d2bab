import { MAX_LINE_BYTES } from './messages';

const NEWLINE = 0x0a;
/** Maximum UTF-8 bytes of a UTF-16 unit; most lines then need no exact count. */
const MAX_BYTES_PER_UNIT = 3;

export type LineReader = Readonly<{
  push(chunk: Uint8Array): void;
  /** Used to time slow peers. */
  hasPartialLine(): boolean;
  /** Discards everything, and ignores later bytes. */
  stop(): void;
}>;

/**
 * Chunks may split anywhere. Invalid UTF-8 becomes U+FFFD.
 * @param options.maxBytes longest line without its newline.
 * @param options.onOverflow called once, at the first longer line; the reader then stops.
 */
export function createLineReader(options: {
  maxBytes?: number;
  onLine: (line: string) => void;
  onOverflow: () => void;
}): LineReader {
  const maxBytes = options.maxBytes ?? MAX_LINE_BYTES;
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  let isStopped = false;

  const stop = () => {
    isStopped = true;
    text = '';
    bytes = 0;
  };
  const take = (part: Uint8Array, isLast: boolean): boolean => {
    bytes += part.length;
    if (bytes > maxBytes) {
      stop();
      options.onOverflow();
      return false;
    }
    text += decoder.decode(part, { stream: !isLast });
    return true;
  };
  const push = (chunk: Uint8Array) => {
    let start = 0;
    while (!isStopped && start < chunk.length) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end < 0) {
        take(chunk.subarray(start), false);
        return;
      }
      if (!take(chunk.subarray(start, end), true)) return;
      const line = text;
      text = '';
      bytes = 0;
      start = end + 1;
      options.onLine(line);
    }
  };
  return { push, stop, hasPartialLine: () => bytes > 0 };
}

export type Encoded = Readonly<{ ok: true; line: string }> | Readonly<{ ok: false; reason: string }>;

/** Returns a failure for a line over `maxBytes`, and for values that JSON cannot represent. */
export function encodeLine(message: unknown, maxBytes: number = MAX_LINE_BYTES): Encoded {
  let json: string | undefined;
  try {
    json = JSON.stringify(message);
  } catch (error) {
    return { ok: false, reason: `not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (json === undefined) return { ok: false, reason: 'not JSON: undefined' };
  if (json.length * MAX_BYTES_PER_UNIT > maxBytes) {
    const sizeBytes = new TextEncoder().encode(json).length;
    if (sizeBytes > maxBytes) return { ok: false, reason: `${sizeBytes} bytes, more than ${maxBytes}` };
  }
  return { ok: true, line: `${json}\n` };
}
