export type ReplyLimits = Readonly<{ elements: number; bytes: number; textBytes: number }>;

export class ReplyFault extends Error {}

const DEPTH_MAX = 4;
const LINE_MAX_BYTES = 4_096;
const CR = 13;
const LF = 10;
const LENGTH = /^(?:-1|\d{1,9})$/;
const INTEGER = /^[+-]?\d{1,20}$/;
const KINDS: ReadonlySet<string> = new Set(['message', 'subscribe', 'unsubscribe']);
const KIND_MAX_BYTES = 'unsubscribe'.length;
/** The array `[kind, channel, text or count]` and its elements. */
const NEWS_ELEMENTS = 4;

/** `text` is empty if longer than a kind. */
type Element = Readonly<{ type: string; length: number; text: string }>;
type Text = { left: number; readonly length: number; readonly bytes: number[] };

const decode = (bytes: readonly number[]): string => String.fromCharCode(...bytes);

/**
 * Checks RESP 2 replies before the client library, because some make it throw outside any handler and end the process.
 * [observed: iovalkey 0.3.3]
 */
export class ReplyCheck {
  readonly #limits: ReplyLimits;
  #pending = 0;
  #isSubscribed = false;
  readonly #open: number[] = [];
  #elements: Element[] = [];
  #count = 0;
  #bytes = 0;
  readonly #line: number[] = [];
  #text: Text | null = null;

  constructor(limits: ReplyLimits) {
    this.#limits = limits;
  }

  sent(): void {
    this.#pending += 1;
  }

  subscribed(): void {
    this.#isSubscribed = true;
  }

  /** @throws ReplyFault for an unexpected reply. */
  take(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      const before = at;
      at = this.#text === null ? this.#takeLine(chunk, at) : this.#takeText(chunk, at, this.#text);
      const isOpen = this.#count > 0 || this.#text !== null || this.#line.length > 0;
      this.#bytes = isOpen ? this.#bytes + at - before : 0;
      if (this.#bytes > this.#limits.bytes) fail(`a reply of more than ${this.#limits.bytes} bytes`);
    }
  }

  #takeLine(chunk: Uint8Array, at: number): number {
    const line = this.#line;
    const end = chunk.indexOf(LF, at);
    const till = end < 0 ? chunk.length : end + 1;
    if (line.length + till - at > LINE_MAX_BYTES) fail(`a line of more than ${LINE_MAX_BYTES} bytes`);
    for (let next = at; next < till; next += 1) line.push(chunk[next] ?? 0);
    const cr = line.indexOf(CR);
    // The library ends a line at this byte.
    if (end < 0 ? cr >= 0 && cr < line.length - 1 : cr !== line.length - 2) fail('a line with an invalid end');
    if (end < 0) return till;
    const text = decode(line);
    line.length = 0;
    this.#endLine(text.charAt(0), text.slice(1, -2));
    return till;
  }

  #endLine(type: string, rest: string): void {
    if (type === '+' || type === '-') this.#add({ type, length: rest.length, text: '' });
    else if (type === ':') {
      if (!INTEGER.test(rest)) fail('an invalid number');
      this.#add({ type, length: 0, text: '' });
    } else if (type === '$' || type === '*') this.#begin(type, rest);
    else throw new ReplyFault(`Protocol error, got ${JSON.stringify(type)} as reply type byte`);
  }

  #begin(type: '$' | '*', rest: string): void {
    if (!LENGTH.test(rest)) fail('an invalid length');
    const length = Number(rest);
    if (type === '$' && length > this.#limits.textBytes) fail(`a text of more than ${this.#limits.textBytes} bytes`);
    if (type === '$' && length >= 0) this.#text = { left: length + 2, length, bytes: [] };
    else this.#add({ type, length, text: '' });
  }

  #takeText(chunk: Uint8Array, at: number, text: Text): number {
    const till = Math.min(chunk.length, at + Math.max(0, text.left - 2));
    if (text.length <= KIND_MAX_BYTES) text.bytes.push(...chunk.subarray(at, till));
    text.left -= till - at;
    let next = till;
    for (; next < chunk.length && text.left > 0; next += 1, text.left -= 1)
      if (chunk[next] !== (text.left === 2 ? CR : LF)) fail('a text with an invalid end');
    if (text.left === 0) {
      this.#text = null;
      this.#add({ type: '$', length: text.length, text: decode(text.bytes) });
    }
    return next;
  }

  #add(element: Element): void {
    const { elements } = this.#limits;
    const isArray = element.type === '*' && element.length > 0;
    this.#count += 1;
    if (this.#count > elements || (isArray && element.length > elements)) fail(`more than ${elements} elements`);
    if (this.#elements.length < NEWS_ELEMENTS) this.#elements.push(element);
    if (isArray) {
      if (this.#open.length === DEPTH_MAX) fail(`a reply nested more than ${DEPTH_MAX} levels deep`);
      this.#open.push(element.length);
    } else this.#close();
  }

  #close(): void {
    for (let last = this.#open.pop(); last !== undefined; last = this.#open.pop()) {
      if (last === 1) continue;
      this.#open.push(last - 1);
      return;
    }
    const [first] = this.#elements;
    if (!this.#isSubscribed) this.#pending -= 1;
    else if (first?.type !== '-' && !isNews(this.#elements)) fail('an invalid channel message');
    if (this.#pending < 0) fail('a reply without a request');
    this.#elements = [];
    this.#count = 0;
  }
}

function fail(what: string): never {
  throw new ReplyFault(`The server sent ${what}.`);
}

function isNews([array, kind, channel, last]: readonly Element[]): boolean {
  if (array?.length !== 3 || kind?.type !== '$' || !KINDS.has(kind.text)) return false;
  if (channel?.type !== '$' || channel.length < 1) return false;
  return kind.text === 'message' ? last?.type === '$' && last.length >= 0 : last?.type === ':';
}
