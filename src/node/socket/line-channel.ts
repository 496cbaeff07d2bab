import type { Socket } from 'node:net';
import { MAX_LINE_BYTES } from '../../protocol';
import type { LineReader } from '../../protocol/framing';
import { createLineReader, encodeLine } from '../../protocol/framing';
import type { RateLimit } from './rate-limit';
import { createRateLimit } from './rate-limit';

export type ChannelLimits = Readonly<{
  /** After a quiet time. */
  burstLines: number;
  linesPerSecond: number;
  /** From its first byte. */
  lineDeadlineMs: number;
  /** A peer that reads no more is disconnected. */
  maxQueuedBytes: number;
  maxLineBytes: number;
}>;

export const DEFAULT_CHANNEL_LIMITS: ChannelLimits = {
  burstLines: 2_000,
  linesPerSecond: 2_000,
  lineDeadlineMs: 10_000,
  maxQueuedBytes: 8 * 1_048_576,
  maxLineBytes: MAX_LINE_BYTES,
};

/** `unsendable`: too long or not serializable. */
export type Sent = Readonly<{ ok: true }> | Readonly<{ ok: false; code: 'gone' | 'unsendable'; reason: string }>;

export type ChannelEnd = 'closed_here' | 'closed_there' | 'line_too_long' | 'line_too_slow' | 'does_not_read';

export type ChannelOptions = Readonly<{
  limits: ChannelLimits;
  lastWords?: (end: ChannelEnd) => unknown;
  /** Called once, after the last line. */
  onEnd: (end: ChannelEnd) => void;
}>;

/** Time for a peer to receive the last message. */
const FAREWELL_MS = 500;
/** For peers that accept longer lines. */
const LONG_LINES_QUEUED = 4;

/** Never throws, and no timer keeps a process alive. */
export class LineChannel {
  readonly #socket: Socket;
  readonly #options: ChannelOptions;
  readonly #rate: RateLimit;
  readonly #reader: LineReader;
  #queue: string[] = [];
  #listener: ((line: string) => void) | null = null;
  #end: ChannelEnd | null = null;
  #isSocketClosed = false;
  #isDelivering = false;
  #isTooLong = false;
  #sendsBytes = MAX_LINE_BYTES;
  #lineTimer: NodeJS.Timeout | undefined;
  #rateTimer: NodeJS.Timeout | undefined;

  constructor(socket: Socket, options: ChannelOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#rate = createRateLimit(options.limits.burstLines, options.limits.linesPerSecond);
    this.#reader = createLineReader({
      maxBytes: options.limits.maxLineBytes,
      onLine: (line) => {
        this.#queue.push(line);
        this.#stopLineTimer();
      },
      onOverflow: () => {
        this.#isTooLong = true;
      },
    });
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    // silent: 'close' follows and ends the connection
    socket.on('error', () => undefined);
    socket.on('close', () => this.#whenClosed());
    socket.pause();
  }

  sendUpTo(lineBytes: number): void {
    this.#sendsBytes = Math.max(MAX_LINE_BYTES, lineBytes);
  }

  send(message: unknown): Sent {
    if (this.#end !== null || this.#isSocketClosed) return { ok: false, code: 'gone', reason: 'closed' };
    const encoded = encodeLine(message, this.#sendsBytes);
    if (!encoded.ok) return { ...encoded, code: 'unsendable' };
    this.#socket.write(encoded.line);
    const isLong = this.#sendsBytes > MAX_LINE_BYTES;
    const queueBytes = Math.max(this.#options.limits.maxQueuedBytes, isLong ? LONG_LINES_QUEUED * this.#sendsBytes : 0);
    if (this.#socket.writableLength <= queueBytes) return { ok: true };
    this.#finish('does_not_read');
    this.#socket.destroy();
    return { ok: false, code: 'gone', reason: 'the other side does not read' };
  }

  /** Without a listener the socket is not read: nothing is lost. */
  setLineListener(listener: ((line: string) => void) | null): void {
    this.#listener = listener;
    if (this.#end === null) this.#deliver();
  }

  onDrained(listener: () => void): void {
    this.#socket.on('drain', listener);
  }

  queuedBytes(): number {
    return this.#socket.writableLength;
  }

  end(lastMessage?: unknown): void {
    this.#endAs('closed_here', lastMessage);
  }

  #take(chunk: Buffer): void {
    if (this.#end !== null) return;
    this.#reader.push(chunk);
    this.#deliver();
  }

  /** Unread lines slow down the sender. */
  #deliver(): void {
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    let next = 0;
    while (this.#listener !== null && next < this.#queue.length && this.#end === null && this.#mayDeliver()) {
      const line = this.#queue[next] ?? '';
      next += 1;
      this.#listener(line);
    }
    this.#queue = this.#queue.slice(next);
    this.#isDelivering = false;
    if (this.#end !== null) return;
    if (this.#queue.length > 0 || this.#listener === null) this.#pause();
    else this.#readOn();
  }

  #mayDeliver(): boolean {
    // After the peer's end, at most one chunk is left.
    const waitMs = this.#isSocketClosed ? 0 : this.#rate.take(performance.now());
    if (waitMs === 0) return true;
    clearTimeout(this.#rateTimer);
    this.#rateTimer = setTimeout(() => this.#deliver(), waitMs).unref();
    return false;
  }

  #pause(): void {
    this.#socket.pause();
    this.#stopLineTimer();
  }

  #readOn(): void {
    if (this.#isTooLong) {
      this.#breakOff('line_too_long');
      return;
    }
    if (this.#isSocketClosed) {
      this.#settle();
      return;
    }
    if (this.#reader.hasPartialLine() && this.#lineTimer === undefined) {
      const { lineDeadlineMs } = this.#options.limits;
      this.#lineTimer = setTimeout(() => this.#breakOff('line_too_slow'), lineDeadlineMs).unref();
    }
    this.#socket.resume();
  }

  #breakOff(end: ChannelEnd): void {
    this.#endAs(end, this.#options.lastWords?.(end));
  }

  #endAs(end: ChannelEnd, lastMessage: unknown): void {
    if (this.#end !== null) return;
    if (lastMessage !== undefined) this.send(lastMessage);
    this.#finish(end);
    if (this.#isSocketClosed) {
      this.#settle();
      return;
    }
    // Unread input would turn the last message into a reset.
    this.#socket.resume();
    this.#socket.destroySoon();
    setTimeout(() => this.#socket.destroy(), FAREWELL_MS).unref();
  }

  #whenClosed(): void {
    this.#isSocketClosed = true;
    if (this.#end === null) this.#deliver();
    else this.#settle();
  }

  #settle(): void {
    this.#finish('closed_there');
    this.#options.onEnd(this.#end ?? 'closed_there');
  }

  #finish(end: ChannelEnd): void {
    this.#end ??= end;
    this.#stopLineTimer();
    clearTimeout(this.#rateTimer);
    this.#reader.stop();
    this.#queue = [];
  }

  #stopLineTimer(): void {
    clearTimeout(this.#lineTimer);
    this.#lineTimer = undefined;
  }
}
